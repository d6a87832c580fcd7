"""Search indexes: one module per engine behind :class:`~.base.Index`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import Index, IndexFailure, IndexUnavailable, Rejection, engine_of
from .documents import Hit, IndexDocument, Passage, Section

if TYPE_CHECKING:
    from .embedders import Embedder

__all__ = [
    "Hit",
    "Index",
    "IndexDocument",
    "IndexFailure",
    "IndexUnavailable",
    "Passage",
    "Rejection",
    "Section",
    "engine_of",
    "open_index",
]


def open_index(
    url: str, *, read_only: bool = False, embedder: Embedder | None = None
) -> Index:
    """Open the index of that URL; see :meth:`Index.open`.

    The *embedder*, of :func:`~scrapy_mainpage.indexes.embedders.make_embedder`, is for
    :meth:`Index.embed` and for searches by meaning; vectors of another one are
    removed. Raises :exc:`IndexUnavailable` with the URL and the allowed form, and
    :exc:`IndexFailure` for an index without vectors of the embedder that is
    *read_only*.
    """
    index = engine_of(url).open(url, read_only=read_only)
    if embedder is not None:
        from . import vectors

        try:
            vectors.use(index, embedder, read_only=read_only)
        except BaseException:
            index.close()
            raise
    return index
