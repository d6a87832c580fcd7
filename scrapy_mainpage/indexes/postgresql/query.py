"""Searches of the PostgreSQL engine: from a query's terms to SQL.

A term is matched by ``words``, where each word is as it was written. One that is a
single word is matched by ``stems``, too, with the lexeme that it has in each of the
configurations that the index holds: a query does not say its language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from psycopg import sql

from ..documents import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..query import Query
    from .terms import Pattern, Stem

#: The weights of the letters D, C, B and A, of which the greatest may be 1.
_LETTERS: Final = ("comments", "text", "headings", "title")
_WEIGHTS: Final = [WEIGHTS[name] / max(WEIGHTS.values()) for name in _LETTERS]

#: What is kept of a document and given back with a hit.
KEPT: Final = (
    "url",
    "title",
    "site",
    "language",
    "page_type",
    "author",
    "date_published",
    "crawled_at",
    "sections",
)
_HIT: Final = ", ".join(f"d.{name}" for name in KEPT)

# Forms of the words of the query that are in the part, found by their stems.
_FORMS: Final = """
ARRAY(
    SELECT lexeme FROM unnest(p.words)
    WHERE left(lexeme, 1) = ANY({}::text[])
        AND to_tsvector(p.configuration, lexeme) @@ {}
)
"""

_FIND: Final = """
WITH found AS (
    SELECT p.document, p.part, {score} AS score
    FROM {0}.parts AS p {join}
    WHERE p.is_only AND {wanted} {filters}
    UNION ALL
    (SELECT DISTINCT ON (p.document) p.document, p.part, {score} AS score
    FROM {0}.parts AS p {join}
    WHERE NOT p.is_only AND {in_parts} {filters}
    ORDER BY p.document, score DESC, p.part)
    ORDER BY score DESC, document LIMIT {limit}
)
SELECT {hit}, f.score, {forms},
    substr(d.text, p.first_char + 1, p.chars)
FROM found AS f
JOIN {0}.parts AS p USING (document, part)
JOIN {0}.documents AS d ON d.id = f.document
ORDER BY f.score DESC, d.url
"""

_FIND_PASSAGES: Final = """
WITH found AS (
    SELECT p.document, p.number, {score} AS score
    FROM {0}.passages AS p {join}
    WHERE {wanted} {filters}
    ORDER BY score DESC, document, number LIMIT {limit}
)
SELECT {hit}, f.score, {forms},
    p.text, p.passage, p.position, p.heading, p.anchor
FROM found AS f
JOIN {0}.passages AS p USING (document, number)
JOIN {0}.documents AS d ON d.id = f.document
ORDER BY f.score DESC, d.url, p.number
"""

#: Not LIKE, to which parts of the value would be wildcards.
FILTERS: Final = {
    "site": "(d.site = {0} OR right(d.site, char_length({0}) + 1) = '.' || {0})",
    "page_type": "d.page_type = {0}",
    "language": "(d.language = {0} OR "
    "left(d.language, char_length({0}) + 1) = {0} || '-')",
}

_MAX_LIMIT: Final = 2**31

_IN_DOCUMENT: Final = (
    "p.document {1} (SELECT p.document FROM {0}.parts AS p WHERE NOT p.is_only AND {2})"
)
#: 1: among equals, the mentions in a shorter text count for more.
_RANK: Final = f"ts_rank(ARRAY{_WEIGHTS}::real[], p.{{}}, {{}}, 1)"


class Search:
    """The SQL of one search."""

    def __init__(
        self,
        schema: sql.Identifier,
        query: Query,
        patterns: Sequence[Pattern],
        stems: Sequence[Stem],
    ):
        self._schema, self._query, self._stems = schema, query, stems
        self._wanted = [item for item in patterns if not item.excluded]
        self._unwanted = [item for item in patterns if item.excluded]

    def statement(self) -> sql.Composed:
        """Rows of ``KEPT``, the score, forms of the words, text; then the passage."""
        query = self._query
        wanted = [*map(self._match, self._wanted), *map(self._no_match, self._unwanted)]
        filters = [
            sql.SQL(f"AND {condition}").format(getattr(query, name))
            for name, condition in FILTERS.items()
            if getattr(query, name) is not None
        ]
        join = "JOIN {0}.documents AS d ON d.id = p.document" if filters else ""
        return sql.SQL(_FIND_PASSAGES if query.passages else _FIND).format(
            self._schema,
            hit=sql.SQL(_HIT),
            score=self._score(),
            forms=self._forms(),
            join=sql.SQL(join).format(self._schema),
            wanted=sql.SQL(" AND ").join(wanted),
            in_parts=self._in_parts(),
            filters=sql.SQL(" ").join(filters),
            limit=min(query.limit, _MAX_LIMIT),
        )

    def _match(self, pattern: Pattern) -> sql.Composed:
        """Whether the pattern is in the row ``p``."""
        ways = [sql.SQL("p.words @@ {}").format(pattern.tsquery)]
        ways += [
            sql.SQL("p.stems @@ {}::tsquery AND p.configuration::oid = {}").format(
                stem.tsquery, stem.configuration
            )
            for stem in self._stems_of(pattern)
        ]
        return sql.SQL("({})").format(sql.SQL(" OR ").join(ways))

    def _no_match(self, pattern: Pattern) -> sql.Composed:
        return sql.SQL("{} IS NOT TRUE").format(self._match(pattern))

    def _in_parts(self) -> sql.Composed:
        """Whether the patterns are in several parts of the document together."""
        conditions = [sql.SQL("({})").format(_either(map(self._match, self._wanted)))]
        conditions += [
            sql.SQL(_IN_DOCUMENT).format(
                self._schema, sql.SQL("NOT IN" if item.excluded else "IN"), match
            )
            for item in (*self._wanted, *self._unwanted)
            for match in [self._match(item)]
        ]
        return sql.SQL(" AND ").join(conditions)

    def _score(self) -> sql.Composed:
        """How well the row ``p`` matches: as it is written, and again by stems."""
        wanted = sql.SQL(" && ").join(item.tsquery for item in self._wanted)
        rank = sql.SQL(_RANK).format(sql.SQL("words"), wanted)
        by_stems = [
            (configuration, sql.SQL(_RANK).format(sql.SQL("stems"), each))
            for configuration, each in self._joined_stems(" && ")
        ]
        if not by_stems:
            return rank
        return sql.SQL("({} + {})").format(rank, _case(by_stems, "0"))

    def _forms(self) -> sql.Composed:
        """Words of the row ``p`` that match by their stems."""
        stems = list(self._joined_stems(" || "))
        if not stems:
            return sql.SQL("'{{}}'::text[]").format()
        initials = sorted({item.words[0][0] for item in self._wanted if item.stemmed})
        return sql.SQL(_FORMS).format(initials, _case(stems, "''::tsquery"))

    def _joined_stems(self, operator: str) -> Iterator[tuple[int, sql.Composed]]:
        """Each configuration with the stems of all wanted words."""
        wanted = [stem for item in self._wanted for stem in self._stems_of(item)]
        for configuration in sorted({stem.configuration for stem in wanted}):
            queries = [
                sql.SQL("{}::tsquery").format(stem.tsquery)
                for stem in wanted
                if stem.configuration == configuration
            ]
            yield configuration, sql.SQL(operator).join(queries)

    def _stems_of(self, pattern: Pattern) -> list[Stem]:
        return [stem for stem in self._stems if stem.word == pattern.stemmed]


def _either(conditions: Iterable[sql.Composed]) -> sql.Composed:
    return sql.SQL(" OR ").join(conditions)


def _case(choices: Iterable[tuple[int, sql.Composed]], otherwise: str) -> sql.Composed:
    """What of the choices belongs to the configuration of the row ``p``."""
    whens = [
        sql.SQL("WHEN {} THEN {}").format(configuration, value)
        for configuration, value in choices
    ]
    return sql.SQL("CASE p.configuration::oid {} ELSE {} END").format(
        sql.SQL(" ").join(whens), sql.SQL(otherwise)
    )
