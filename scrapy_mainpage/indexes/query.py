"""Search queries as users type them, parsed to terms for every engine."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from .documents import storable_text
from .fields import Condition, UnknownFieldError, condition
from .tokens import fold, name_word, plain_name, segment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: Read characters and kept terms of a query. People type far less; what programs send
#: by mistake must not cost minutes.
MAX_QUERY_CHARS: Final = 1_000
MAX_TERMS: Final = 50

#: Names that a query may mean, and other forms of a word in them.
MAX_NAMES: Final = 100
MAX_FORMS: Final = 5

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
    port: int | None = None
    #: Conditions on fields, which all hold.
    conditions: tuple[Condition, ...] = ()
    #: The field that hits are ordered by, with ``-`` from the highest down.
    sort: str = ""
    #: Search titles and headings only.
    in_headings: bool = False
    #: So many of the wanted terms are enough; ``None``: all are needed.
    minimum: int | None = None

    @property
    def wanted(self) -> tuple[Term, ...]:
        """The terms that a document must contain, each once."""
        return tuple(dict.fromkeys(term for term in self.terms if not term.excluded))

    @property
    def unwanted(self) -> tuple[Term, ...]:
        """The terms that a document must not contain."""
        return tuple(term for term in self.terms if term.excluded)

    @property
    def words(self) -> str:
        """The wanted words in their order, folded."""
        texts = (term.text for term in self.terms if not term.excluded)
        return plain_name(" ".join(texts))

    @property
    def names(self) -> list[str]:
        """What the query may name: its words first, then those with other forms.

        None if the last word may be longer.
        """
        if not self.wanted or any(term.prefix for term in self.wanted):
            return []
        choices = ((term.text, *term.forms[:MAX_FORMS]) for term in self.wanted)
        whole = map(" ".join, islice(product(*choices), MAX_NAMES))
        return list(dict.fromkeys((self.words, *map(plain_name, whole))))

    def for_names(self, names: Sequence[str]) -> Query:
        """The search for what is called by one of these names.

        Headings have the words that stand for names, see :meth:`.IndexDocument.named`.
        """
        first, *others = map(name_word, names)
        return replace(self, terms=(Term(first, forms=tuple(others)), *self.unwanted))

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
    """A word or phrase that must occur, or must not if ``excluded``.

    With ``prefix`` the last word of ``text`` is the beginning of a word. Each of
    ``forms`` counts like the text: other forms of the word, corrections, synonyms.
    A ``quoted`` term has none.
    """

    text: str
    prefix: bool = False
    excluded: bool = False
    quoted: bool = field(default=False, compare=False, repr=False)
    forms: tuple[str, ...] = field(default=(), repr=False)

    @property
    def words(self) -> list[str]:
        """The words of the text, folded."""
        return fold(segment(self.text)).split()


def parse_query(query: str, *, typing: bool = False) -> list[Term]:
    """Split a query into terms; no input is an error.

    While *typing* the last word is the beginning of one, unless a space follows.

    >>> parse_query('crawl* "main content" -ads')
    [Term(text='crawl', prefix=True, excluded=False), Term(text='main content', prefix=False, excluded=False), Term(text='ads', prefix=False, excluded=True)]
    >>> parse_query('"" * -- ?')
    []
    """  # noqa: E501
    query = query[:MAX_QUERY_CHARS].translate(_CURLY_QUOTES)
    terms = (_term(match) for match in _TERM.finditer(query))
    found = [term for term in terms if fold(segment(term.text)).strip()][:MAX_TERMS]
    if typing and found and not (query[-1:].isspace() or found[-1].quoted):
        found[-1] = replace(found[-1], prefix=True)
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
    prefix = bool(match["star"]) if word is None else word.endswith("*")
    excluded, quoted = bool(match["minus"]), word is None
    return Term(text.strip("*").strip(), prefix, excluded=excluded, quoted=quoted)
