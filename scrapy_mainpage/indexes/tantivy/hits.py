"""Searches of the tantivy engine: the hits, with their pages and snippets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..documents import Hit
from ..segmentation import is_segmented, segment
from ..snippets import LENGTH, PARTED_LENGTH, marked, snippet
from .documents import kept_of, passage_of, text_of
from .queries import QueryBuilder, phrases_of

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
        snippet=marked(_snippet(text_of(found), query), query.highlight),
        score=score,
        passage=passage_of(found) if query.passages else None,
    )


def _snippet(text: str, query: Query) -> str:
    parted = any(is_segmented(segment(term.text)) for term in query.wanted)
    length = PARTED_LENGTH if parted else LENGTH
    return snippet(text, phrases_of(query.wanted), length)
