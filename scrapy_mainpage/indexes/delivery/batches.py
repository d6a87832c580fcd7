"""Operations on their way into an index: gathered to batches, bounded in number."""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .operations import as_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from .journal import Journal, Segment
    from .operations import Operation

_PENDING_BATCHES: Final = 16
"""What may be pending, as a multiple of the bytes of a batch."""


@dataclass(frozen=True)
class Bounds:
    """When a batch is full: documents, bytes, seconds; and how many may be pending."""

    batch: int
    batch_bytes: int
    batch_age: float
    pending: int


@dataclass
class Batch:
    """Operations that are written together."""

    segment: Segment | None = None
    operations: list[Operation] = field(default_factory=list)
    size: int = 0
    began: float = field(default_factory=time.monotonic)
    unsafe: set[str] = field(default_factory=set)
    """The URLs of the operations that could not be written to the journal."""
    waiters: list[Future[None]] = field(default_factory=list)
    """What is done when each of the operations has come to an end."""

    def __len__(self) -> int:
        return len(self.operations)

    def last_operations(self) -> list[Operation]:
        """The operations; of several on one URL the last, in whose place it is all."""
        return list({each.url: each for each in self.operations}.values())


class Batches:
    """The batches that wait to be written; one side puts, the other takes.

    Safe between threads. ``wake`` is called whenever there may be something to do for
    the side that takes.
    """

    def __init__(
        self, bounds: Bounds, journal: Journal | None, wake: Callable[[], None]
    ):
        self._bounds, self._journal, self._wake = bounds, journal, wake
        self._lock = threading.Lock()
        self._open: Batch | None = None
        self._closed: deque[Batch] = deque()
        self._waiters: list[Future[None]] = []
        self._left = deque(journal.left_over() if journal else ())
        self._pending = self._pending_bytes = 0
        self._is_ended = False
        self.journal_error: OSError | None = None
        """Why the last operation that is not in the journal is not."""

    def take_left(self) -> None:
        """See what other runs have left meanwhile; raises :exc:`OSError`."""
        if self._journal is not None:
            left = self._journal.take_left()
            with self._lock:
                self._left += left

    def left_over(self) -> Batch | None:
        """The next batch that an earlier run has left; all of them come first.

        One at a time is in memory. Raises :exc:`OSError` for one that cannot be read.
        """
        with self._lock:
            segment = self._left.popleft() if self._left else None
        if segment is None:
            return None
        batch = Batch(segment, segment.read())
        batch.size = sum(operation.size for operation in batch.operations)
        with self._lock:
            self._pending += len(batch)
            self._pending_bytes += batch.size
        return batch

    @property
    def pending(self) -> int:
        """How many operations were put and have not come to an end."""
        return self._pending

    def put(self, operation: Operation) -> Future[None] | None:
        """Add an operation; return ``None``, or what to wait for before the next.

        That is room where too many are pending; the operation's own end where it could
        not be written to the journal. Raises :exc:`RuntimeError` after :meth:`end`.
        """
        line = as_line(operation.as_dict()) if self._journal else b""
        with self._lock:
            if self._is_ended:
                raise RuntimeError("nothing can be put after the end")
            is_first = self._open is None
            batch = self._open = self._open or self._new_batch()
            is_safe = self._write(batch, line)
            batch.operations.append(operation)
            batch.size += operation.size
            self._pending += 1
            self._pending_bytes += operation.size
            if not is_safe:
                batch.unsafe.add(operation.url)
            wait = self._wait(batch, is_safe=is_safe)
            is_full = self._is_full(batch) or not is_safe
            if is_full:
                self._cut()
        if is_first or is_full:
            self._wake()
        return wait

    def _new_batch(self) -> Batch:
        return Batch(self._journal.new_segment() if self._journal else None)

    def _write(self, batch: Batch, line: bytes) -> bool:
        if batch.segment is None:
            return True
        try:
            batch.segment.append(line)
        except OSError as exc:
            self.journal_error = exc
            return False
        return True

    def _is_full(self, batch: Batch) -> bool:
        bounds = self._bounds
        most = min(bounds.batch, bounds.pending)
        return len(batch) >= most or batch.size >= bounds.batch_bytes

    def _wait(self, batch: Batch, *, is_safe: bool) -> Future[None] | None:
        if not is_safe:
            batch.waiters.append(Future())
            return batch.waiters[-1]
        if self._has_room():
            return None
        self._waiters.append(Future())
        return self._waiters[-1]

    def _has_room(self) -> bool:
        most = _PENDING_BATCHES * self._bounds.batch_bytes
        return self._pending < self._bounds.pending and self._pending_bytes < most

    def _cut(self) -> None:
        if self._open is not None:
            if self._open.segment is not None:
                self._open.segment.close()
            self._closed.append(self._open)
            self._open = None

    def flush(self) -> None:
        """Let the operations that were put be written soon."""
        with self._lock:
            self._cut()
        self._wake()

    def end(self) -> None:
        """No more is put."""
        with self._lock:
            self._is_ended = True
            self._cut()
        self._wake()

    def take(self) -> Batch | None:
        """The next batch, if one is full or old enough."""
        with self._lock:
            if not self._closed and self._age() >= self._bounds.batch_age:
                self._cut()
            return self._closed.popleft() if self._closed else None

    def _age(self) -> float:
        return time.monotonic() - self._open.began if self._open else 0.0

    @property
    def is_over(self) -> bool:
        """Whether all was taken and nothing more will come."""
        with self._lock:
            return self._is_ended and not self._closed and self._open is None

    @property
    def due(self) -> float | None:
        """Seconds until a batch is old enough; ``None`` if there is none."""
        with self._lock:
            if self._open is None:
                return None
            return max(0.0, self._bounds.batch_age - self._age())

    def settle(self, batch: Batch) -> None:
        """Each of the batch's operations has come to an end."""
        with self._lock:
            self._pending -= len(batch)
            self._pending_bytes -= batch.size
            ended = list(batch.waiters)
            if self._has_room():
                ended += self._waiters
                self._waiters = []
        for future in ended:
            if future.set_running_or_notify_cancel():
                future.set_result(None)
