"""Searches of the tantivy engine: the hits, with their pages and snippets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..documents import Hit
from ..snippets import phrases_of, snippet_for
from .rows import kept_of, passage_of, text_of
from .query import QueryBuilder

if TYPE_CHECKING:
    import tantivy

    from ..query import Query


def hits_of(
    searcher: tantivy.Searcher, schema: tantivy.Schema, query: Query
) -> list[Hit]:
    """The best hits by BM25."""
    wanted = phrases_of(query.wanted)
    if not wanted:
        return []
    builder = QueryBuilder(searcher, schema)
    search = builder.query(wanted, phrases_of(query.unwanted), query)
    limit = min(query.limit, max(1, searcher.num_docs))  # memory is taken for it
    found = searcher.search(search, limit, count=False).hits
    hits = [
        _hit(searcher, builder, score, searcher.doc(address), query)
        for score, address in found
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.url))


def _hit(
    searcher: tantivy.Searcher,
    builder: QueryBuilder,
    score: float,
    found: tantivy.Document,
    query: Query,
) -> Hit:
    page = found
    if query.passages:
        pages = builder.pages(found.get_all("key"))
        ((_, address),) = searcher.search(pages, 1).hits
        page = searcher.doc(address)
    return Hit(
        **kept_of(page),
        snippet=snippet_for(query, text_of(found)),
        score=score,
        passage=passage_of(found) if query.passages else None,
    )
