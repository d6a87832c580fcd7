"""The terms of a query as the PostgreSQL engine asks the server for them.

Nothing that a user types is syntax: :mod:`.words` leaves letters and digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from psycopg import sql

from .schema import SIMPLE
from .tsvectors import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..query import Term

# The lexeme of each single word in each configuration; stop words have none.
_STEMS: Final = """
SELECT c.configuration::oid::bigint, word, query::text
FROM {0}.configurations AS c, unnest(%s::text[]) AS word,
    websearch_to_tsquery(c.configuration, '"' || word || '"') AS query
WHERE c.configuration <> {1}::regconfig AND numnode(query) > 0
ORDER BY 1, 2
"""

_WEBSEARCH: Final = sql.SQL("websearch_to_tsquery({}, {})")
_TO_TSQUERY: Final = sql.SQL("to_tsquery({}, {})")


class Pattern(NamedTuple):
    """A term as the server is asked for it."""

    words: tuple[str, ...]
    accented: tuple[str, ...]
    prefix: bool = False
    excluded: bool = False

    @classmethod
    def of(cls, term: Term) -> Pattern:
        """The term without what is no word; it may have none."""
        text = Text.of(term.text)
        accented = tuple(text.accented or text.words)
        return cls(tuple(text.words), accented, term.prefix, term.excluded)

    @property
    def stemmed(self) -> str | None:
        """The word whose other forms match, too; phrases are meant as they are."""
        return self.accented[0] if len(self.words) == 1 and not self.prefix else None

    @property
    def tsquery(self) -> sql.Composed:
        """The words as they are, for the server."""
        if self.prefix:
            lexemes = " <-> ".join(f"'{word}'" for word in self.words)
            return _TO_TSQUERY.format(SIMPLE, f"{lexemes}:*")
        return _WEBSEARCH.format(SIMPLE, f'"{" ".join(self.words)}"')


def patterns_of(terms: Iterable[Term]) -> list[Pattern]:
    """The terms as patterns, without those that have no word."""
    return [pattern for pattern in map(Pattern.of, terms) if pattern.words]


def stems_statement(schema: sql.Identifier) -> sql.Composed:
    """What gives rows of :class:`Stem` for a list of words."""
    return sql.SQL(_STEMS).format(schema, SIMPLE)


class Stem(NamedTuple):
    """The lexeme of a word in a configuration, as a ``tsquery``."""

    configuration: int
    word: str
    tsquery: str
