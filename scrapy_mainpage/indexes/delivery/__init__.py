"""Lossless delivery into an index: group commit, outbox, retries, dead letters."""

from .outbox import FILE, Outbox, OutboxError, index_name, needs_outbox
from .writer import IndexWriter

__all__ = [
    "FILE",
    "IndexWriter",
    "Outbox",
    "OutboxError",
    "index_name",
    "needs_outbox",
]
