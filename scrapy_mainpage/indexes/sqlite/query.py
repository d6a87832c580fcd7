"""Searches of the SQLite engine: from a query to SQL, from rows to hits."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ..documents import HIT_FIELDS, WEIGHTS, Hit, sections_of
from ..ranking import Found
from ..tokens import segment
from .schema import PASSAGE_WEIGHTS, fts_text, read_passage, unpack

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence, Set

    from ..query import Query, Term

_HIT: Final = (
    f"d.words, -hits.rank, d.weight, d.sections, "
    f"{', '.join(f'd.{c}' for c in HIT_FIELDS)}"
)


def _search_sql(table: str, weights: dict[str, float]) -> str:
    """The query that ranks and limits; FTS5's own snippets may take minutes."""
    return f"""
SELECT rowid, rank
FROM {table}
WHERE {table} MATCH :expression AND {{filters}}
      AND rank MATCH 'bm25({", ".join(map(str, weights.values()))})'
ORDER BY rank LIMIT :limit
"""


_FIND: Final = f"""
SELECT {_HIT}
FROM ({_search_sql("search", WEIGHTS)}) AS hits
JOIN documents AS d ON d.id = hits.rowid
ORDER BY hits.rank, d.url
"""
_FILTERED: Final = (
    "EXISTS (SELECT 1 FROM documents AS f WHERE f.id = search.rowid AND {})"
)

_FIND_PASSAGES: Final = f"""
SELECT {_HIT}, p.id, p.position, p.text, p.heading, p.anchor, p.path
FROM ({_search_sql("passage_search", PASSAGE_WEIGHTS)}) AS hits
JOIN passages AS p ON p.row = hits.rowid
JOIN documents AS d ON d.id = p.document
ORDER BY hits.rank, d.url, p.position
"""
_FILTERED_PASSAGES: Final = (
    "EXISTS (SELECT 1 FROM passages AS g JOIN documents AS f ON f.id = g.document "
    "WHERE g.row = passage_search.rowid AND {})"
)

_ROWS: Final = "(SELECT value AS rowid FROM json_each(:rows)) AS passage_search"
_OF_ROWS: Final = """p.id, p.position, p.text, p.heading, p.anchor, p.path
FROM ({ranked}) AS hits
JOIN passages AS p ON p.row = hits.rowid
JOIN documents AS d ON d.id = p.document
"""

#: The columns of titles and headings: of documents, and of passages.
_HEADINGS: Final = ("{title headings}", "{heading}")
_TEXT: Final = list(WEIGHTS).index("text")

# Each language from the one before: an index reads no more of them.
_LANGUAGES: Final = """
WITH RECURSIVE found (language) AS (
    SELECT min(language) FROM documents UNION ALL
    SELECT (SELECT min(language) FROM documents WHERE language > found.language)
    FROM found WHERE found.language IS NOT NULL
) SELECT language FROM found WHERE language IS NOT NULL LIMIT 100
"""

#: Words read at most, for one that is the beginning of them.
MAX_WORDS: Final = 300

#: Not LIKE, which has wildcards.
_FILTERS: Final = {
    "site": "(f.site = :site OR substr(f.site, -length(:site) - 1) = '.' || :site)",
    "page_type": "f.page_type = :page_type",
    "language": "(f.language = :language OR "
    "substr(f.language, 1, length(:language) + 1) = :language || '-')",
}


def find(connection: sqlite3.Connection, query: Query) -> list[Found]:
    """Return the best candidates by BM25."""
    values = {name: getattr(query, name) for name in (*_FILTERS, "limit")}
    values["expression"] = _expression(query)
    rows = connection.execute(_statement(query), values).fetchall()
    return list(map(_found, rows))


def languages(connection: sqlite3.Connection) -> list[str]:
    """Return the languages of the documents."""
    return [language for (language,) in connection.execute(_LANGUAGES)]


def find_passages(
    connection: sqlite3.Connection, query: Query, scores: Mapping[int, float]
) -> list[Found]:
    """Return the passages in these rows that pass the filters, the best score first."""
    filters = [sql for name, sql in _FILTERS.items() if getattr(query, name)]
    condition = _FILTERED_PASSAGES.format(" AND ".join(filters)) if filters else "TRUE"
    values = {name: getattr(query, name) for name in _FILTERS}
    ranked = f"SELECT passage_search.rowid, 0.0 AS rank FROM {_ROWS} WHERE {condition}"
    hit = _HIT.replace("d.words", "NULL")
    statement = f"SELECT hits.rowid, {hit}, {_OF_ROWS.format(ranked=ranked)}"
    values["rows"] = json.dumps([*scores])
    found = []
    for row, *columns in connection.execute(statement, values):
        each = _found(columns)
        found.append(replace(each, hit=replace(each.hit, score=scores[row])))
    return sorted(found, key=lambda each: (-each.hit.score, each.hit.url))


def known_words(connection: sqlite3.Connection, words: Set[str]) -> set[str]:
    """Return those of the words that a document or passage has."""
    beginnings = {word for word in words if word.endswith("*")}
    known = {word for word in beginnings if words_from(connection, word[:-1], 1)}
    plain = json.dumps(sorted(words - beginnings))
    for table in ("vocabulary", "passage_vocabulary"):
        statement = (
            f"SELECT term FROM json_each(?) AS word "
            f"JOIN temp.{table} AS v ON v.term = word.value"
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


def _statement(query: Query) -> str:
    """Return the SQL of the search with the query's filters."""
    filters = [
        sql for name, sql in _FILTERS.items() if getattr(query, name) is not None
    ]
    search, filtered = (
        (_FIND_PASSAGES, _FILTERED_PASSAGES) if query.passages else (_FIND, _FILTERED)
    )
    condition = filtered.format(" AND ".join(filters)) if filters else "TRUE"
    return search.format(filters=condition)


def _found(row: Sequence[Any]) -> Found:
    words, score, weight, sections, *rest = row
    passage = rest[len(HIT_FIELDS) :]
    hit = Hit(
        **dict(zip(HIT_FIELDS, rest, strict=False)),
        snippet="",
        score=score,
        weight=weight,
        sections=sections_of(json.loads(sections or "[]")),
        passage=read_passage(passage) if passage else None,
    )
    if hit.passage is not None:
        return Found(hit, partial(segment, hit.passage.text))
    return Found(hit, lambda: unpack(words)[_TEXT])


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
