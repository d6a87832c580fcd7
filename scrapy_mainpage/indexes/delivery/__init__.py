"""Lossless delivery into an index: group commit, outbox, retries, dead letters."""

from .outbox import Outbox, OutboxError, index_name, needs_outbox, outbox_path
from .writer import IndexWriter

__all__ = [
    "IndexWriter",
    "Outbox",
    "OutboxError",
    "index_name",
    "needs_outbox",
    "outbox_path",
]
