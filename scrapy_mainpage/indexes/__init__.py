"""Search indexes: one package per engine behind :class:`~.base.Index`."""

from __future__ import annotations

from .base import Index, IndexUnavailable, connect_index, engine_of
from .blocking import BlockingIndex, open_index
from .documents import Hit, IndexDocument, Passage, Section
from .failures import IndexFailure, Rejection

__all__ = [
    "BlockingIndex",
    "Hit",
    "Index",
    "IndexDocument",
    "IndexFailure",
    "IndexUnavailable",
    "Passage",
    "Rejection",
    "Section",
    "connect_index",
    "engine_of",
    "open_index",
]
