"""What a user types into a search box, as terms; the same for every engine."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .documents import storable_text
from .folding import fold
from .text import segment

#: Characters of a query that are read, and terms that are kept. What people type is
#: far shorter; what programs send by mistake must not cost minutes.
MAX_QUERY_CHARS = 1_000
MAX_TERMS = 50

_CURLY_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))
_TERM = re.compile(
    r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?(?P<star>\*?)|(?P<word>[^\s"]+))'
)


@dataclass(frozen=True)
class Query:
    """What is searched for; see :meth:`.Index.search`."""

    terms: tuple[Term, ...]
    limit: int = 10
    highlight: tuple[str, str] = ("**", "**")
    site: str | None = None
    page_type: str | None = None
    language: str | None = None
    passages: bool = False

    @property
    def wanted(self) -> tuple[Term, ...]:
        """The terms that a document must hold."""
        return tuple(term for term in self.terms if not term.excluded)

    @property
    def unwanted(self) -> tuple[Term, ...]:
        """The terms that a document must not hold."""
        return tuple(term for term in self.terms if term.excluded)

    @property
    def can_match(self) -> bool:
        """Whether anything can be found: no index holds what cannot be stored."""
        filters = (self.site, self.page_type, self.language)
        storable = all(storable_text(value) == value for value in filters if value)
        return bool(self.wanted) and self.limit > 0 and storable


@dataclass(frozen=True)
class Term:
    """A word or phrase to be found, or to be absent if ``excluded``.

    With ``prefix`` the last word of ``text`` may go on.
    """

    text: str
    prefix: bool = False
    excluded: bool = False


def parse_query(query: str) -> list[Term]:
    """Split a query into terms; whatever the query holds, this does not fail.

    >>> parse_query('crawl* "main content" -ads')
    [Term(text='crawl', prefix=True, excluded=False), Term(text='main content', prefix=False, excluded=False), Term(text='ads', prefix=False, excluded=True)]
    >>> parse_query('"" * -- ?')
    []
    """  # noqa: E501
    query = query[:MAX_QUERY_CHARS].translate(_CURLY_QUOTES)
    terms = (_term(match) for match in _TERM.finditer(query))
    return [term for term in terms if is_searchable(term.text)][:MAX_TERMS]


def is_searchable(text: str) -> bool:
    """Whether the text has anything that an index keeps: a letter, digit or symbol."""
    return bool(fold(segment(text)).strip())


def _term(match: re.Match[str]) -> Term:
    word = match["word"]
    text = match["phrase"] if word is None else word
    prefix = bool(match["star"]) if word is None else word.endswith("*")
    return Term(text.strip("*").strip(), prefix, excluded=bool(match["minus"]))
