"""Search queries as users type them, parsed to terms for every engine."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from .documents import storable_text
from .tokens import fold, segment, title_word

#: Read characters and kept terms of a query. People type far less; what programs send
#: by mistake must not cost minutes.
MAX_QUERY_CHARS: Final = 1_000
MAX_TERMS: Final = 50

_CURLY_QUOTES: Final = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))
_TERM: Final = re.compile(
    r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?(?P<star>\*?)|(?P<word>[^\s"]+))'
)


@dataclass(frozen=True)
class Query:
    """A parsed search with its options; see :meth:`.Index.search`."""

    terms: tuple[Term, ...]
    limit: int = 10
    highlight: tuple[str, str] = ("**", "**")
    site: str | None = None
    page_type: str | None = None
    language: str | None = None
    passages: bool = False

    @property
    def wanted(self) -> tuple[Term, ...]:
        """The terms that a document must contain."""
        return tuple(term for term in self.terms if not term.excluded)

    @property
    def unwanted(self) -> tuple[Term, ...]:
        """The terms that a document must not contain."""
        return tuple(term for term in self.terms if term.excluded)

    @property
    def for_title(self) -> Query | None:
        """The same search among the pages titled as the query; ``None`` if it has none.

        Their headings have the word that stands for the title, see
        :meth:`.IndexDocument.titled`.
        """
        if self.passages or any(term.prefix for term in self.wanted):
            return None
        word = title_word(" ".join(term.text for term in self.wanted))
        return replace(self, terms=(*self.terms, Term(word)))

    @property
    def can_match(self) -> bool:
        """Whether an index can contain a match: unstorable filters never match."""
        filters = (self.site, self.page_type, self.language)
        storable = all(storable_text(value) == value for value in filters if value)
        return bool(self.wanted) and self.limit > 0 and storable


@dataclass(frozen=True)
class Term:
    """A word or phrase that must occur, or must not if ``excluded``.

    With ``prefix`` the last word of ``text`` is the beginning of a word.
    """

    text: str
    prefix: bool = False
    excluded: bool = False


def parse_query(query: str) -> list[Term]:
    """Split a query into terms; no input is an error.

    >>> parse_query('crawl* "main content" -ads')
    [Term(text='crawl', prefix=True, excluded=False), Term(text='main content', prefix=False, excluded=False), Term(text='ads', prefix=False, excluded=True)]
    >>> parse_query('"" * -- ?')
    []
    """  # noqa: E501
    query = query[:MAX_QUERY_CHARS].translate(_CURLY_QUOTES)
    terms = (_term(match) for match in _TERM.finditer(query))
    return [term for term in terms if is_searchable(term.text)][:MAX_TERMS]


def is_searchable(text: str) -> bool:
    """Whether the text has a letter, digit or symbol, which an index keeps."""
    return bool(fold(segment(text)).strip())


def _term(match: re.Match[str]) -> Term:
    word = match["word"]
    text = match["phrase"] if word is None else word
    prefix = bool(match["star"]) if word is None else word.endswith("*")
    return Term(text.strip("*").strip(), prefix, excluded=bool(match["minus"]))
