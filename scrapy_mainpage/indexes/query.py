"""Search queries as users type them, parsed to terms for every engine."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from .documents import storable_text
from .fields import Condition, UnknownFieldError, condition
from .tokens import fold, plain_name, segment

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Read characters and kept terms of a query. People type far less; what programs send
#: by mistake must not cost minutes.
MAX_QUERY_CHARS: Final = 1_000
MAX_TERMS: Final = 50

_CURLY_QUOTES: Final = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))
_TERM: Final = re.compile(
    r'(?P<minus>-?)(?:"(?P<phrase>[^"]*)"?(?P<star>\*?)|(?P<word>[^\s"]+))'
)
#: A phrase, or a condition such as ``version:15``, ``price<100``, ``-brand:"A B"``.
_CONDITION: Final = re.compile(
    r'-?"[^"]*"?|(?<!\S)(?P<minus>-?)(?P<name>[A-Za-z]\w*)'
    r'(?::?(?P<compare><=|>=|<|>)|[:=])(?P<value>"[^"]+"|[^\s"]+)(?!\S)'
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
    #: What URLs are LIKE in SQL, for pages of one port.
    url_like: str | None = None
    #: Conditions on fields, which all hold.
    conditions: tuple[Condition, ...] = ()
    #: The field that hits are ordered by, with ``-`` from the highest down.
    sort: str = ""
    #: The words as they were typed: what the query may name.
    name: str = ""
    #: Whether a document must have all of the words: for counts, and for an order.
    is_strict: bool = False

    @property
    def wanted(self) -> tuple[Term, ...]:
        """The terms that a document should contain, each once."""
        return tuple(dict.fromkeys(term for term in self.terms if not term.excluded))

    @property
    def unwanted(self) -> tuple[Term, ...]:
        """The terms that a document must not contain."""
        return tuple(term for term in self.terms if term.excluded)

    @property
    def has_filters(self) -> bool:
        """Whether it is only for some documents of the index."""
        filters = (self.site, self.url_like, self.page_type, self.language)
        return any(filters) or bool(self.conditions)

    @property
    def words(self) -> str:
        """The wanted words in their order, folded."""
        texts = (term.text for term in self.terms if not term.excluded)
        return plain_name(" ".join(texts))

    @property
    def names(self) -> list[str]:
        """What the query may name: the words as typed, and those that carry meaning."""
        return list(dict.fromkeys(filter(None, (self.name, self.words))))

    @property
    def required(self) -> tuple[Term, ...]:
        """The wanted terms that a document must contain."""
        return tuple(term for term in self.wanted if self.is_strict or term.quoted)

    @property
    def can_match(self) -> bool:
        """Whether an index can contain a match: unstorable filters never match.

        Without words the conditions say what is wanted.
        """
        filters = (self.site, self.page_type, self.language)
        storable = all(storable_text(value) == value for value in filters if value)
        has_wishes = self.wanted or (self.conditions and not self.unwanted)
        return bool(has_wishes) and self.limit > 0 and storable


@dataclass(frozen=True)
class Term:
    """A word or phrase that should occur, or must not if ``excluded``.

    With ``prefix`` the last word of ``text`` may be the beginning of a word. Each of
    ``forms`` counts like the text: other forms of the word, corrections, synonyms.
    A ``quoted`` term has none, and must occur. ``count`` documents have the term.
    """

    text: str
    prefix: bool = False
    excluded: bool = False
    quoted: bool = field(default=False, compare=False, repr=False)
    forms: tuple[str, ...] = field(default=(), repr=False)
    count: int = field(default=0, compare=False, repr=False)

    @property
    def words(self) -> list[str]:
        """The words of the text, folded."""
        return fold(segment(self.text)).split()

    @property
    def phrases(self) -> list[tuple[list[str], bool]]:
        """The words of each form; of the text itself the last one may go on."""
        others = [(form.split(), False) for form in self.forms]
        return [(self.words, self.prefix), *others]


def parse_query(query: str) -> list[Term]:
    """Split a query into terms; no input is an error.

    Flags such as ``--all`` and ``-v`` are words, and so is what a query only excludes.

    >>> parse_query('crawl* "main content" -ads')
    [Term(text='crawl', prefix=True, excluded=False), Term(text='main content', prefix=False, excluded=False), Term(text='ads', prefix=False, excluded=True)]
    >>> [(term.text, term.excluded) for term in parse_query("--no-gui -v -forum")]
    [('--no-gui', False), ('-v', False), ('forum', True)]
    >>> parse_query("-forum")
    [Term(text='forum', prefix=False, excluded=False)]
    >>> parse_query('"" * -- ?')
    []
    """  # noqa: E501
    query = query[:MAX_QUERY_CHARS].translate(_CURLY_QUOTES)
    terms = (_term(match) for match in _TERM.finditer(query))
    found = [term for term in terms if fold(segment(term.text)).strip()][:MAX_TERMS]
    if all(term.excluded for term in found):
        return [replace(term, excluded=False) for term in found]
    return found


def split_query(query: str, types: Mapping[str, str]) -> tuple[str, list[Condition]]:
    """Return a query without its conditions on fields of the index, and these.

    >>> split_query('glue price<10 page:3 "price<5"', {"price": "number"})[0].split()
    ['glue', 'page:3', '"price<5"']
    """
    found: list[Condition] = []

    def take(match: re.Match[str]) -> str:
        name = (match["name"] or "").lower()
        sign = match["compare"] or "="
        try:
            if name in types:
                value, is_excluded = match["value"].strip('"'), bool(match["minus"])
                kind = types[name]
                found.append(condition(name, sign, value, kind, excluded=is_excluded))
                return " "
        except UnknownFieldError:
            pass  # words, as any other text
        return match[0]

    text = query[:MAX_QUERY_CHARS].translate(_CURLY_QUOTES)
    return (_CONDITION.sub(take, text) if types else query), found


def _term(match: re.Match[str]) -> Term:
    word = match["word"]
    text = match["phrase"] if word is None else word
    is_letter = word and len(word) == 1 and word.isascii() and word.isalpha()
    if word and match["minus"] and (word.startswith("-") or is_letter):
        return Term(match[0])
    prefix = bool(match["star"]) if word is None else word.endswith("*")
    excluded, quoted = bool(match["minus"]), word is None
    return Term(text.strip("*").strip(), prefix, excluded=excluded, quoted=quoted)
