"""Searches of the PostgreSQL engine: from a query's terms to SQL, from rows to hits.

A term matches ``words``, where each word is as written. A term of a single word also
matches ``stems``, with its lexeme in each configuration of the index: a query does not
say its language. Nothing that a user types is syntax: :mod:`.tsvectors` leaves letters
and digits.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from psycopg import sql

from ..documents import HIT_FIELDS, WEIGHTS, Hit, Passage, sections_of
from ..fields import DATE, MAX_COUNTS, NUMBER, shown, shown_fields
from ..query import Term
from ..ranking import Found
from ..tokens import segment
from .schema import SIMPLE
from .tsvectors import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..fields import Condition, Value
    from ..query import Query

#: The weights of the letters D, C, B and A; the greatest may be 1.
_LETTERS: Final = ("comments", "text", "headings", "title")
_WEIGHTS: Final = [WEIGHTS[name] / max(WEIGHTS.values()) for name in _LETTERS]

_HIT: Final = ", ".join(f"d.{name}" for name in (*HIT_FIELDS, "weight", "sections"))
_FIELD_ROWS: Final = """(
SELECT json_agg(json_build_array(x.name, coalesce(to_json(x.value), to_json(x.number))))
FROM {0}.fields AS x WHERE x.document = d.id)"""

# The lexeme of each single word in each configuration; stop words have none.
_STEMS: Final = """
SELECT c.configuration::oid::bigint, word, query::text
FROM {0}.configurations AS c, unnest(%s::text[]) AS word,
    websearch_to_tsquery(c.configuration, '"' || word || '"') AS query
WHERE c.configuration <> {1}::regconfig AND numnode(query) > 0
ORDER BY 1, 2
"""

# Forms of the query's words in the part, found by their stems.
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
SELECT {hit}, f.score, {forms}, p.first_char,
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
SELECT {hit}, f.score, {forms}, 0,
    p.text, p.passage, p.position, p.heading, p.anchor, p.path
FROM found AS f
JOIN {0}.passages AS p USING (document, number)
JOIN {0}.documents AS d ON d.id = f.document
ORDER BY f.score DESC, d.url, p.number
"""

_COUNT: Final = """
SELECT min(x.value), x.number, count(DISTINCT x.document) FROM {0}.fields AS x
WHERE x.name = {name} AND x.document IN ({documents})
GROUP BY x.key, x.number ORDER BY 3 DESC, x.key, x.number LIMIT {most}
"""
_IN_PASSAGES: Final = (
    "SELECT document FROM {0}.passages AS p {join} WHERE {wanted} {filters}"
)
_IN_PARTS: Final = """
SELECT document FROM {0}.parts AS p {join} WHERE p.is_only AND {wanted} {filters}
UNION SELECT document FROM {0}.parts AS p {join}
WHERE NOT p.is_only AND {in_parts} {filters}
"""
_HAS_VALUE: Final = (
    "AND {no} EXISTS (SELECT FROM {0}.fields AS x WHERE x.document = d.id "
    "AND x.name = {name} AND ({bounds}))"
)
_SORTED: Final = (
    "coalesce((SELECT max({sign}x.number) FROM {0}.fields AS x "
    "WHERE x.document = p.document AND x.name = {name}), '-Infinity')"
)

#: Not LIKE, which has wildcards.
_FILTERS: Final = {
    "site": "(d.site = {0} OR right(d.site, char_length({0}) + 1) = '.' || {0})",
    "page_type": "d.page_type = {0}",
    "language": "(d.language = {0} OR "
    "left(d.language, char_length({0}) + 1) = {0} || '-')",
}

# A word is known as it is, or by its stem in a configuration of the index.
_KNOWN: Final = """
SELECT word FROM unnest(%s::text[], %s::text[]) AS w (word, lexeme)
WHERE EXISTS (SELECT FROM {0}.parts p WHERE is_only AND p.words @@ lexeme::tsquery)
OR EXISTS (SELECT FROM {0}.parts p WHERE NOT is_only AND p.words @@ lexeme::tsquery)
OR EXISTS (SELECT FROM {0}.passages p WHERE p.words @@ lexeme::tsquery)
"""
_KNOWN_STEMS: Final = """
SELECT word FROM unnest(%s::text[], %s::text[]) AS w (word, lexeme)
WHERE EXISTS (
    SELECT FROM {0}.configurations AS c,
        websearch_to_tsquery(c.configuration, word) AS stem
    WHERE c.configuration <> {1}::regconfig AND numnode(stem) > 0 AND (
    EXISTS (SELECT FROM {0}.parts p WHERE is_only AND p.stems @@ stem)
    OR EXISTS (SELECT FROM {0}.parts p WHERE NOT is_only AND p.stems @@ stem)))
"""

#: The largest value of the server's LIMIT that a driver sends as it is.
MAX_LIMIT: Final = 2**31

_IN_DOCUMENT: Final = (
    "p.document {1} (SELECT p.document FROM {0}.parts AS p WHERE NOT p.is_only AND {2})"
)
#: Normalisation 1: of equal matches, those in a shorter text rank higher.
_RANK: Final = f"ts_rank(ARRAY{_WEIGHTS}::real[], p.{{}}, {{}}, 1)"
_VECTORS: Final = ("words", "stems")
_TRUE: Final = sql.SQL("TRUE")
_WORDS: Final = sql.SQL("p.words")
_STEM_VECTOR: Final = sql.SQL("p.stems")
_WEBSEARCH: Final = sql.SQL("websearch_to_tsquery({}, {})")
_TO_TSQUERY: Final = sql.SQL("to_tsquery({}, {})")


class Pattern(NamedTuple):
    """A term in the words of the server."""

    words: tuple[str, ...]
    accented: tuple[str, ...]
    prefix: bool = False
    excluded: bool = False
    forms: tuple[Pattern, ...] = ()

    @classmethod
    def of(cls, term: Term) -> Pattern:
        """Return the pattern of a term; it may have no words."""
        text = Text.of(term.text)
        accented = tuple(text.accented or text.words)
        forms = tuple(cls.of(Term(form)) for form in term.forms)
        return cls(tuple(text.words), accented, term.prefix, term.excluded, forms)

    @property
    def stemmed(self) -> str | None:
        """The word whose other forms match, too; phrases match as written."""
        return self.accented[0] if len(self.words) == 1 and not self.prefix else None

    @property
    def tsquery(self) -> sql.Composed:
        """The ``tsquery`` of the words as written."""
        if self.prefix:
            lexemes = " <-> ".join(f"'{word}'" for word in self.words)
            found = _TO_TSQUERY.format(SIMPLE, f"{lexemes}:*")
        else:
            found = _WEBSEARCH.format(SIMPLE, f'"{" ".join(self.words)}"')
        forms = [form.tsquery for form in self.forms if form.words]
        return sql.SQL("({})").format(sql.SQL(" || ").join([found, *forms]))


class Stem(NamedTuple):
    """The lexeme of a word in a configuration, as a ``tsquery``."""

    configuration: int
    word: str
    tsquery: str


def patterns_of(terms: Iterable[Term]) -> list[Pattern]:
    """Return the patterns of the terms that have words."""
    return [pattern for pattern in map(Pattern.of, terms) if pattern.words]


def stems_statement(schema: sql.Identifier) -> sql.Composed:
    """Return the SQL for rows of :class:`Stem`, with a list of words as parameter."""
    return sql.SQL(_STEMS).format(schema, SIMPLE)


def known_statement(
    schema: sql.Identifier, words: Iterable[str], *, by_stems: bool
) -> tuple[sql.Composed, list[list[str]]]:
    """Return the SQL for those of the folded words that the index has, with values."""
    patterns = {word: Pattern.of(Term(word.rstrip("*"))).words for word in words}
    lexemes = {
        word: f"'{found[0]}'{':*' if word.endswith('*') else ''}"
        for word, found in patterns.items()
        if len(found) == 1
    }
    values = [list(lexemes), list(lexemes.values())]
    statement = f"{_KNOWN} UNION {_KNOWN_STEMS}" if by_stems else _KNOWN
    values *= 1 + by_stems
    return sql.SQL(statement).format(schema, SIMPLE), values


def value_of(text: str | None, number: float | None) -> Value:
    """Return the shown value of a field's row."""
    return shown(number or 0.0) if text is None else text


def found_of(row: Sequence[Any]) -> Found:
    """Return the candidate of a row that :meth:`Search.statement` selects."""
    values = dict(zip(HIT_FIELDS, row, strict=False))
    weight, sections, fields, score, forms, start, text, *passage = row[
        len(HIT_FIELDS) :
    ]
    found = None
    if passage:
        id_, position, heading, anchor, path = passage
        found = Passage(id_, position, text, heading, anchor, tuple(path or ()))
    hit = Hit(
        **values,
        weight=weight,
        fields=shown_fields(fields or ()),
        sections=sections_of(sections),
        score=score,
        snippet="",
        passage=found,
    )
    return Found(hit, partial(segment, text), start, forms)


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
        """Select stored fields, sections, score, word forms and text; the passage."""
        query = self._query
        score, limit = self._score(), min(query.limit, MAX_LIMIT)
        find = _FIND_PASSAGES if query.passages else _FIND
        return self._matched(
            find,
            hit=sql.SQL(f"{_HIT}, {_FIELD_ROWS}").format(self._schema),
            score=score,
            forms=self._forms(),
            limit=limit,
        )

    def counts(self, name: str) -> sql.Composed:
        """Select text, number and count of the values of a field in the matches."""
        documents = self._matched(_IN_PASSAGES if self._query.passages else _IN_PARTS)
        return sql.SQL(_COUNT).format(
            self._schema, name=name, documents=documents, most=MAX_COUNTS
        )

    def _matched(self, statement: str, **parts: Any) -> sql.Composed:
        query = self._query
        between = " AND " if query.minimum is None else " OR "
        any_or_all = sql.SQL(between).join(map(self._match, self._wanted))
        wanted = [
            sql.SQL("({})").format(any_or_all if self._wanted else _TRUE),
            *(sql.SQL("{} IS NOT TRUE").format(self._match(x)) for x in self._unwanted),
            *(map(self._in_headings, self._wanted) if query.in_headings else ()),
        ]
        filters = [
            sql.SQL(f"AND {condition}").format(getattr(query, name))
            for name, condition in _FILTERS.items()
            if getattr(query, name) is not None
        ]
        filters += map(self._condition, query.conditions)
        join = "JOIN {0}.documents AS d ON d.id = p.document" if filters else ""
        return sql.SQL(statement).format(
            self._schema,
            join=sql.SQL(join).format(self._schema),
            wanted=sql.SQL(" AND ").join(wanted),
            in_parts=self._in_parts(),
            filters=sql.SQL(" ").join(filters),
            **parts,
        )

    def _condition(self, condition: Condition) -> sql.Composed:
        column = "number" if condition.type in (NUMBER, DATE) else "key"
        bounds = [
            sql.SQL(" AND ").join(
                sql.SQL(
                    f"strpos(x.{column}, {{}}) > 0"
                    if sign == "has"
                    else f"x.{column} {sign} {{}}"
                ).format(value)
                for sign, value in each
            )
            for each in condition.any_of
        ]
        return sql.SQL(_HAS_VALUE).format(
            self._schema,
            no=sql.SQL("NOT" if condition.excluded else ""),
            name=condition.name,
            bounds=sql.SQL(" OR ").join(bounds),
        )

    def _match(
        self,
        pattern: Pattern,
        words: sql.Composable = _WORDS,
        stems: sql.Composable = _STEM_VECTOR,
    ) -> sql.Composed:
        """Return the condition that the vectors, by default whole, have the pattern."""
        conditions = [sql.SQL("{} @@ {}").format(words, pattern.tsquery)]
        conditions += [
            sql.SQL("{} @@ {}::tsquery AND p.configuration::oid = {}").format(
                stems, stem.tsquery, stem.configuration
            )
            for stem in self._stems_of(pattern)
        ]
        return sql.SQL("({})").format(sql.SQL(" OR ").join(conditions))

    def _in_headings(self, pattern: Pattern) -> sql.Composed:
        """Return the condition that a title or heading of the row has the pattern."""
        columns = (sql.SQL(f"ts_filter(p.{x}, '{{{{a,b}}}}')") for x in _VECTORS)
        return self._match(pattern, *columns)

    def _in_parts(self) -> sql.Composed:
        """Return the condition that parts of a document together have the patterns."""
        any_wanted = sql.SQL(" OR ").join(map(self._match, self._wanted))
        conditions = [sql.SQL("({})").format(any_wanted if self._wanted else _TRUE)]
        needed = self._wanted if self._query.minimum is None else []
        if self._query.in_headings:
            conditions += map(self._in_headings, self._wanted)
        conditions += [
            sql.SQL(_IN_DOCUMENT).format(
                self._schema,
                sql.SQL("NOT IN" if item.excluded else "IN"),
                self._match(item),
            )
            for item in (*needed, *self._unwanted)
        ]
        return sql.SQL(" AND ").join(conditions)

    def _score(self) -> sql.Composed:
        """Return the rank of the row ``p``: by words as written, plus by stems."""
        if sort := self._query.sort:
            sign = sql.SQL("" if sort.startswith("-") else "-")
            return sql.SQL(_SORTED).format(
                self._schema, sign=sign, name=sort.lstrip("-")
            )
        if not self._wanted:
            return sql.SQL("0::real").format()
        operator = " && " if self._query.minimum is None else " || "
        wanted = sql.SQL(operator).join(item.tsquery for item in self._wanted)
        rank = sql.SQL(_RANK).format(sql.SQL("words"), wanted)
        by_stems = [
            (configuration, sql.SQL(_RANK).format(sql.SQL("stems"), each))
            for configuration, each in self._joined_stems(operator)
        ]
        if not by_stems:
            return rank
        return sql.SQL("({} + {})").format(rank, _case(by_stems, "0"))

    def _forms(self) -> sql.Composed:
        """Return the words of the row ``p`` that match by their stems."""
        stems = list(self._joined_stems(" || "))
        if not stems:
            return sql.SQL("'{{}}'::text[]").format()
        initials = sorted({item.words[0][0] for item in self._wanted if item.stemmed})
        return sql.SQL(_FORMS).format(initials, _case(stems, "''::tsquery"))

    def _joined_stems(self, operator: str) -> Iterator[tuple[int, sql.Composed]]:
        """Yield each configuration with the stems of all wanted words."""
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


def _case(choices: Iterable[tuple[int, sql.Composed]], otherwise: str) -> sql.Composed:
    """Return the choice for the configuration of the row ``p``."""
    whens = [
        sql.SQL("WHEN {} THEN {}").format(configuration, value)
        for configuration, value in choices
    ]
    return sql.SQL("CASE p.configuration::oid {} ELSE {} END").format(
        sql.SQL(" ").join(whens), sql.SQL(otherwise)
    )
