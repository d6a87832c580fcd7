"""Lossless delivery into an index: batches, retries, journal, dead letters."""

from .batches import WriterOptions
from .dead_letters import DeadLetter, DeadLetters
from .journal import Journal, Operation
from .writer import IndexWriter

__all__ = [
    "DeadLetter",
    "DeadLetters",
    "IndexWriter",
    "Journal",
    "Operation",
    "WriterOptions",
]
