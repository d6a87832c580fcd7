"""Writing into an index so that nothing is lost: batches, retries, dead letters."""

from .dead_letters import DeadLetter, DeadLetters
from .sender import WriterOptions
from .journal import Journal
from .operations import Operation
from .writer import IndexWriter

__all__ = [
    "DeadLetter",
    "DeadLetters",
    "IndexWriter",
    "Journal",
    "Operation",
    "WriterOptions",
]
