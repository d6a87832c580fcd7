"""What a run, or a file of it, comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

_KEPT: Final = 20
"""So many reasons are named, the most frequent ones."""


@dataclass
class Totals:
    """Counts of rows, by what became of them.

    ``pages`` are rows without an error, ``failed`` the others by their code, ``size``
    bytes of HTML, ``seconds`` of processors.
    """

    pages: int = 0
    words: int = 0
    words_total: int = 0
    size: int = 0
    seconds: float = 0.0
    failed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    def add_batch(self, batch: pa.RecordBatch) -> None:
        """Count the rows of an extracted batch."""
        errors = batch.column("error")
        self.pages += errors.null_count
        for name in ("words", "words_total", "size"):
            total = pc.sum(batch.column(name)).as_py() or 0
            setattr(self, name, getattr(self, name) + total)
        for found in pc.value_counts(errors.drop_null()):
            self.failed[found["values"].as_py()] += found["counts"].as_py()

    def add(self, other: Totals) -> None:
        """Add what another has counted."""
        for name in ("pages", "words", "words_total", "size", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.failed.update(other.failed)
        self.skipped.update(other.skipped)

    def as_dict(self) -> dict[str, Any]:
        """The counts as plain data, for another process."""
        return {**vars(self), "failed": {**self.failed}, "skipped": {**self.skipped}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Totals:
        """What :meth:`as_dict` gave."""
        counters = {name: Counter(data[name]) for name in ("failed", "skipped")}
        return cls(**{**data, **counters})
