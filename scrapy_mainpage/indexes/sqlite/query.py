"""Searches of the SQLite engine: from a query to SQL, from rows to hits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from ..documents import HIT_FIELDS, WEIGHTS, Hit, Passage, sections_of
from ..snippets import snippet_for
from .schema import PASSAGE_WEIGHTS, fts_text

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from ..query import Query, Term

_HIT: Final = (
    f"hits.text, -hits.rank, d.sections, {', '.join(f'd.{c}' for c in HIT_FIELDS)}"
)


def _search_sql(table: str, weights: dict[str, float]) -> str:
    """The query that ranks and limits; FTS5's own snippets may take minutes."""
    return f"""
SELECT rowid, rank, text
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
SELECT {_HIT}, p.id, p.position, p.text, p.heading, p.anchor
FROM ({_search_sql("passage_search", PASSAGE_WEIGHTS)}) AS hits
JOIN passages AS p ON p.row = hits.rowid
JOIN documents AS d ON d.id = p.document
ORDER BY hits.rank, d.url, p.position
"""
_FILTERED_PASSAGES: Final = (
    "EXISTS (SELECT 1 FROM passages AS g JOIN documents AS f ON f.id = g.document "
    "WHERE g.row = passage_search.rowid AND {})"
)

#: Not LIKE, which has wildcards.
_FILTERS: Final = {
    "site": "(f.site = :site OR substr(f.site, -length(:site) - 1) = '.' || :site)",
    "page_type": "f.page_type = :page_type",
    "language": "(f.language = :language OR "
    "substr(f.language, 1, length(:language) + 1) = :language || '-')",
}


def find(connection: sqlite3.Connection, query: Query) -> list[Hit]:
    """Return the best hits by BM25."""
    values = {name: getattr(query, name) for name in (*_FILTERS, "limit")}
    values["expression"] = _expression(query)
    rows = connection.execute(_statement(query), values).fetchall()
    return [_hit(row, query) for row in rows]


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


def _hit(row: Sequence[Any], query: Query) -> Hit:
    text, score, sections, *rest = row
    passage = rest[len(HIT_FIELDS) :]
    return Hit(
        **dict(zip(HIT_FIELDS, rest, strict=False)),
        snippet=snippet_for(query, text),
        score=score,
        sections=sections_of(json.loads(sections or "[]")),
        passage=Passage(*passage) if passage else None,
    )


def _expression(query: Query) -> str:
    """Return the terms as an FTS5 query. Each is quoted, so none is syntax."""
    expression = " AND ".join(map(_quote, query.wanted))
    if not query.unwanted:
        return expression
    return f"({expression}) NOT ({' OR '.join(map(_quote, query.unwanted))})"


def _quote(term: Term) -> str:
    text = fts_text(term.text).replace('"', '""')
    return f'"{text}" *' if term.prefix else f'"{text}"'
