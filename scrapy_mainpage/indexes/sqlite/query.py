"""Searches of the SQLite engine: from a query to SQL, from rows to hits."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from ..documents import HIT_FIELDS, WEIGHTS, Hit, sections_of
from ..fields import MAX_COUNTS, shown, shown_fields
from ..ranking import Found
from ..tokens import segment
from ..word_forms import MAX_WORDS
from .schema import PASSAGE_WEIGHTS, fts_text, read_passage, unpack

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence, Set

    from ..documents import Section
    from ..fields import Condition, Facets, Value
    from ..query import Query, Term

_HIT: Final = (
    "-hits.rank, d.weight, "
    "(SELECT json_group_array(json_array(x.name, coalesce(x.value, x.key))) "
    "FROM fields AS x WHERE x.document = d.id), "
    f"{', '.join(f'd.{c}' for c in HIT_FIELDS)}"
)


# FTS5's own snippets may take minutes.
_FIND: Final = f"""
SELECT {_HIT}, hits.rowid, d.words, d.sections
FROM ({{ranked}} ORDER BY rank LIMIT :limit) AS hits
JOIN documents AS d ON d.id = hits.rowid
ORDER BY hits.rank, d.url
"""
_FIND_PASSAGES: Final = f"""
SELECT {_HIT}, hits.rowid, p.id, p.position, p.text, p.heading, p.anchor, p.path
FROM ({{ranked}} ORDER BY rank LIMIT :limit) AS hits
JOIN passages AS p ON p.row = hits.rowid
JOIN documents AS d ON d.id = p.document
ORDER BY hits.rank, d.url, p.position
"""
_FILTERED: Final = (
    "EXISTS (SELECT 1 FROM documents AS f WHERE f.id = {document} AND {conditions})"
)
_DOCUMENT: Final = {
    "search": "search.rowid",
    "passage_search": "(SELECT g.document FROM passages AS g "
    "WHERE g.row = passage_search.rowid)",
}
_TABLES: Final = ("search", "passage_search")
_WEIGHTS: Final = {"search": WEIGHTS, "passage_search": PASSAGE_WEIGHTS}
#: The tables of all rows, for a query without words.
_ALL: Final = {
    "search": "documents AS search",
    "passage_search": "passages AS passage_search",
}
_HAS_VALUE: Final = (
    "EXISTS (SELECT 1 FROM fields AS x WHERE x.document = f.id AND x.name = {name} "
    "AND ({bounds}))"
)
_SORTED: Final = (
    "coalesce((SELECT min({sign}key) FROM fields WHERE document = {document} "
    "AND name = :sort), 9e999)"
)
_COUNT: Final = """
SELECT coalesce(value, key), count(*) FROM fields
WHERE name = :name AND document IN ({documents})
GROUP BY key ORDER BY count(*) DESC, key LIMIT :most
"""

#: The place of the row's number.
_ROW: Final = 3 + len(HIT_FIELDS)

#: The columns of titles and headings: of documents, and of passages.
_HEADINGS: Final = ("{title headings}", "{heading}")
_TEXT: Final = list(WEIGHTS).index("text")

# Few pages in another language give words of the others wrong forms.
_LANGUAGES: Final = """
SELECT language FROM documents WHERE language IS NOT NULL GROUP BY language
HAVING count(*) >= 0.02 * (SELECT count(*) FROM documents)
ORDER BY count(*) DESC LIMIT 8
"""

#: Matches that are ranked at most: FTS5 takes 0.01 ms for each. They are those of the
#: pages that were stored first, which are nearest to the start of a crawl.
MAX_RANKED: Final = 3_000

#: Pages whose sections are kept in memory.
MAX_KEPT: Final = 200

#: Not LIKE, which has wildcards.
_FILTERS: Final = {
    "site": "(f.site = :site OR substr(f.site, -length(:site) - 1) = '.' || :site)",
    "page_type": "f.page_type = :page_type",
    "language": "(f.language = :language OR "
    "substr(f.language, 1, length(:language) + 1) = :language || '-')",
}


def find(connection: sqlite3.Connection, query: Query) -> list[Found]:
    """Return the best candidates by BM25."""
    statement, values = _statement(query)
    if query.minimum is not None:  # who has enough of the words has one of these
        count = len(query.wanted) - query.minimum + 1
        rare = map(_quote, _rarest(connection, query.wanted, count))
        values["expression"] = f"({' OR '.join(rare)}) AND ({values['expression']})"
    rows = connection.execute(statement, values).fetchall()
    shares = {}
    if query.minimum is not None and not query.passages:
        shares = _shares(connection, query, [row[_ROW] for row in rows])
    return [_found(row, shares.get(row[_ROW])) for row in rows]


def _rarest(
    connection: sqlite3.Connection, terms: Sequence[Term], count: int
) -> list[Term]:
    """Return so many of the terms, those in the fewest documents."""
    words = json.dumps([word for term in terms for word in term.words])
    statement = "SELECT term, doc FROM temp.vocabulary WHERE term IN "
    statement += "(SELECT value FROM json_each(?))"
    counts = dict(connection.execute(statement, (words,)))

    def frequency(term: Term) -> int:
        return min((counts.get(word, 0) for word in term.words), default=0)

    return sorted(terms, key=frequency)[:count]


def _shares(
    connection: sqlite3.Connection, query: Query, rows: Sequence[int]
) -> dict[int, float]:
    """Return the share of the query's terms that each row has."""
    table = _TABLES[query.passages]
    statement = (
        f"SELECT rowid FROM {table} WHERE {table} MATCH ? "
        "AND rowid IN (SELECT value FROM json_each(?))"
    )
    inside = json.dumps(sorted(rows))
    counts: Counter[int] = Counter()
    for term in query.wanted:
        found = connection.execute(statement, (_quote(term), inside))
        counts.update(row for (row,) in found)
    return {row: count / len(query.wanted) for row, count in counts.items()}


def languages(connection: sqlite3.Connection) -> list[str]:
    """Return the languages of the documents."""
    return [str(language) for (language,) in connection.execute(_LANGUAGES)]


def find_passages(
    connection: sqlite3.Connection, query: Query, scores: Mapping[int, float]
) -> list[Found]:
    """Return the passages in these rows that pass the filters, the best score first."""
    _, where, values = _matched(replace(query, terms=(), passages=True))
    ranked = (
        f"SELECT passage_search.rowid, 0.0 AS rank FROM {where} "
        "AND passage_search.rowid IN (SELECT value FROM json_each(:rows))"
    )
    values |= {"rows": json.dumps([*scores]), "limit": -1}
    found = []
    for row in connection.execute(_FIND_PASSAGES.format(ranked=ranked), values):
        each = _found(row, None)
        score = scores[row[3 + len(HIT_FIELDS)]]
        found.append(replace(each, hit=replace(each.hit, score=score)))
    return sorted(found, key=lambda each: (-each.hit.score, each.hit.url))


def known_words(
    connection: sqlite3.Connection, words: Set[str], as_written: bool
) -> set[str]:
    """Return those of the words that a document has, or a passage."""
    beginnings = {word for word in words if word.endswith("*")}
    known = {word for word in beginnings if words_from(connection, word[:-1], 1)}
    plain = json.dumps(sorted(words - beginnings))
    tables = ("places", "passage_places")[: 1 if as_written else 2]
    for table in tables:
        statement = (
            f"SELECT value FROM json_each(?) AS word WHERE EXISTS "
            f"(SELECT 1 FROM temp.{table} AS v WHERE v.term = word.value)"
        )
        known |= {word for (word,) in connection.execute(statement, (plain,))}
    return known


def words_from(
    connection: sqlite3.Connection, beginning: str, limit: int = MAX_WORDS
) -> list[str]:
    """Return words of the documents that begin so."""
    statement = "SELECT term FROM temp.vocabulary WHERE term >= ? AND term < ? LIMIT ?"
    values = (beginning, f"{beginning}\U0010ffff", limit)
    return [word for (word,) in connection.execute(statement, values)]


def count_values(
    connection: sqlite3.Connection, query: Query, names: Sequence[str]
) -> Facets:
    """Count the values of these fields in the documents that match."""
    table, where, values = _matched(query)
    inner = f"SELECT {_DOCUMENT[table]} FROM {where}"
    statement = _COUNT.format(documents=inner)
    counts = {}
    for name in names:
        asked = {**values, "name": name, "most": MAX_COUNTS}
        rows = connection.execute(statement, asked)
        counts[name] = {shown(value): count for value, count in rows}
    return counts


def _statement(query: Query) -> tuple[str, dict[str, Any]]:
    """Return the SQL of the search, and its values."""
    table, where, values = _matched(query)
    score, most = "0.0", ""
    if query.sort:
        sign = "-" if query.sort.startswith("-") else ""
        values["sort"] = query.sort.lstrip("-")
        score = _SORTED.format(sign=sign, document=_DOCUMENT[table])
    elif query.wanted:
        weights = ", ".join(map(str, _WEIGHTS[table].values()))
        score, most = f"bm25({table}, {weights})", f"LIMIT {MAX_RANKED}"
    values["limit"] = query.limit
    rows = f"SELECT {table}.rowid, {score} AS rank FROM {where} {most}"
    ranked = f"SELECT rowid, rank FROM ({rows})"
    find = _FIND_PASSAGES if query.passages else _FIND
    return find.format(ranked=ranked), values


def _matched(query: Query) -> tuple[str, str, dict[str, Any]]:
    """Return the table of the matches, the table with conditions, and their values."""
    table = _TABLES[query.passages]
    values = {name: getattr(query, name) for name in _FILTERS}
    filters = [sql for name, sql in _FILTERS.items() if values[name] is not None]
    filters += [_condition(each, values) for each in query.conditions]
    conditions = ["TRUE"]
    source = _ALL[table]
    if query.wanted:
        source, conditions = table, [f"{table} MATCH :expression"]
        values["expression"] = _expression(query)
    if filters:
        joined = " AND ".join(filters)
        document = _DOCUMENT[table]
        conditions.append(_FILTERED.format(document=document, conditions=joined))
    return table, f"{source} WHERE {' AND '.join(conditions)}", values


def _condition(condition: Condition, values: dict[str, Any]) -> str:
    """Return the SQL of a condition on a field; its values are added."""

    def bound(value: Value) -> str:
        name = f"v{len(values)}"
        values[name] = value
        return f":{name}"

    found = " OR ".join(
        " AND ".join(
            f"instr(x.key, {bound(value)})"
            if sign == "has"
            else f"x.key {sign} {bound(value)}"
            for sign, value in bounds
        )
        for bounds in condition.any_of
    )
    name = bound(condition.name)
    return f"{'NOT ' * condition.excluded}{_HAS_VALUE.format(name=name, bounds=found)}"


def _found(row: Sequence[Any], share: float | None) -> Found:
    score, weight, fields, *rest = row
    _, words, *others = rest[len(HIT_FIELDS) :]
    hit = Hit(
        **dict(zip(HIT_FIELDS, rest, strict=False)),
        snippet="",
        score=score,
        weight=weight,
        fields=shown_fields(json.loads(fields)),
    )
    if len(others) == 1:
        hit = replace(hit, sections=_sections(others[0] or "[]"))
        return Found(hit, lambda: unpack(words)[_TEXT], share=share)
    passage = read_passage((words, *others))
    hit = replace(hit, passage=passage)
    return Found(hit, partial(segment, passage.text), share=share)


@lru_cache(MAX_KEPT)
def _sections(stored: str) -> tuple[Section, ...]:
    """Return the sections of a page; several searches of a query find it."""
    return sections_of(json.loads(stored))


def _expression(query: Query) -> str:
    """Return the terms as an FTS5 query. Each is quoted, so none is syntax."""
    between = " AND " if query.minimum is None else " OR "
    expression = between.join(map(_quote, query.wanted))
    if query.in_headings:
        expression = f"{_HEADINGS[query.passages]} : ({expression})"
    if not query.unwanted:
        return expression
    return f"({expression}) NOT ({' OR '.join(map(_quote, query.unwanted))})"


def _quote(term: Term) -> str:
    texts = (term.text, *term.forms)
    quoted = ['"{}"'.format(fts_text(text).replace('"', '""')) for text in texts]
    if term.prefix:
        quoted[0] += " *"
    return f"({' OR '.join(quoted)})" if len(quoted) > 1 else quoted[0]
