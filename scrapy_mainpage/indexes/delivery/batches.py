"""Batches of operations on their way into an index, bounded in number and size."""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from ..embedders import embedder_of
from .journal import as_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from ..embedders import Embedder
    from .journal import Journal, JournalSegment, Operation

#: Bound of the pending bytes, in batches.
MAX_PENDING_BATCHES: Final = 16


@dataclass(frozen=True)
class WriterOptions:
    """Options of an index writer; see the settings ``MAINPAGE_INDEX_...``.

    A batch is full with ``batch`` documents, ``batch_bytes`` bytes, or at the age of
    ``batch_age``. Times are in seconds. A call on the index that takes longer than
    ``timeout`` has failed. The pause before the first retry is about ``backoff``, and
    doubles before each further one, up to half a minute. Passages get vectors of the
    ``embedder``.
    """

    batch: int = 100
    batch_bytes: int = 4 * 2**20
    batch_age: float = 2.0
    pending: int = 1000
    retries: int = 6
    backoff: float = 0.5
    timeout: float = 60.0
    embedder: Embedder | None = None

    @classmethod
    def of(cls, settings: Any) -> Self:
        """Return the options of the plugin's settings.

        Raises :exc:`~..embedders.EmbedderError` for a model that cannot be used.
        """
        names = [item.name for item in fields(cls) if item.name != "embedder"]
        values = {name: getattr(settings, f"index_{name}") for name in names}
        return cls(**values, embedder=embedder_of(settings))


@dataclass
class Batch:
    """Operations that are written together.

    ``unsafe`` are the URLs of operations that could not be written to the journal;
    ``waiters`` are done when all operations of the batch have ended.
    """

    segment: JournalSegment | None = None
    operations: list[Operation] = field(default_factory=list)
    size: int = 0
    began: float = field(default_factory=time.monotonic)
    unsafe: set[str] = field(default_factory=set)
    waiters: list[Future[None]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.operations)


class BatchQueue:
    """The batches that wait to be written; producers put, the writer takes.

    Thread-safe. ``wake`` is called whenever the writer may have something to do.
    """

    def __init__(
        self, options: WriterOptions, journal: Journal | None, wake: Callable[[], None]
    ):
        self._options, self._journal, self._wake = options, journal, wake
        self._lock = threading.Lock()
        self._open: Batch | None = None
        self._closed: deque[Batch] = deque()
        self._waiters: list[Future[None]] = []
        self._left = deque(journal.left_over() if journal else ())
        self._pending = self._pending_bytes = 0
        self._has_ended = False
        #: The error of the last operation that could not be written to the journal.
        self.journal_error: OSError | None = None

    def take_left(self) -> None:
        """Add the batches of runs killed since the last call; raises :exc:`OSError`."""
        if self._journal is not None:
            left = self._journal.take_left()
            with self._lock:
                self._left += left

    def left_over(self) -> Batch | None:
        """Return the next batch of an earlier run; these come before all others.

        They are read one at a time. Raises :exc:`OSError` for an unreadable one.
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
        """The number of operations that were put and have not ended."""
        return self._pending

    def put(self, operation: Operation) -> Future[None] | None:
        """Add an operation; return a future to wait for before the next, or ``None``.

        The future is that of room if too many are pending, or of the operation's own
        end if it could not be written to the journal. Raises :exc:`RuntimeError` after
        :meth:`end`.
        """
        line = as_line(operation.as_dict()) if self._journal else b""
        with self._lock:
            if self._has_ended:
                raise RuntimeError("nothing can be put after the end")
            is_first = self._open is None
            batch = self._open = self._open or self._new_batch()
            is_safe = self._write(batch, line)
            batch.operations.append(operation)
            batch.size += operation.size
            self._pending += 1
            self._pending_bytes += operation.size
            wait: Future[None] | None = None
            if not is_safe:
                batch.unsafe.add(operation.url)
                batch.waiters.append(wait := Future())
            elif not self._has_room():
                self._waiters.append(wait := Future())
            is_full = self._is_full(batch) or not is_safe
            if is_full:
                self._close_open()
        if is_first or is_full:
            self._wake()
        return wait

    def _new_batch(self) -> Batch:
        return Batch(self._journal.new_segment() if self._journal else None)

    def _write(self, batch: Batch, line: bytes) -> bool:
        try:
            if batch.segment is not None:
                batch.segment.append(line)
        except OSError as exc:
            self.journal_error = exc
            return False
        return True

    def _is_full(self, batch: Batch) -> bool:
        options = self._options
        limit = min(options.batch, options.pending)
        return len(batch) >= limit or batch.size >= options.batch_bytes

    def _has_room(self) -> bool:
        max_bytes = MAX_PENDING_BATCHES * self._options.batch_bytes
        return self._pending < self._options.pending and self._pending_bytes < max_bytes

    def _close_open(self) -> None:
        if self._open is not None:
            if self._open.segment is not None:
                self._open.segment.close()
            self._closed.append(self._open)
            self._open = None

    def flush(self) -> None:
        """Close the open batch, so that it is written soon."""
        with self._lock:
            self._close_open()
        self._wake()

    def end(self) -> None:
        """Accept no more operations."""
        with self._lock:
            self._has_ended = True
            self._close_open()
        self._wake()

    def take(self) -> Batch | None:
        """Return the next batch that is full or old enough."""
        with self._lock:
            if not self._closed and self._age() >= self._options.batch_age:
                self._close_open()
            return self._closed.popleft() if self._closed else None

    def _age(self) -> float:
        return time.monotonic() - self._open.began if self._open else 0.0

    @property
    def is_finished(self) -> bool:
        """Whether all batches were taken and no more will come."""
        with self._lock:
            return self._has_ended and not self._closed and self._open is None

    @property
    def due(self) -> float | None:
        """Seconds until the open batch is old enough; ``None`` without one."""
        with self._lock:
            if self._open is None:
                return None
            return max(0.0, self._options.batch_age - self._age())

    def settle(self, batch: Batch) -> None:
        """Release a batch whose operations have all ended, and those who wait."""
        with self._lock:
            self._pending -= len(batch)
            self._pending_bytes -= batch.size
            waiters = list(batch.waiters)
            if self._has_room():
                waiters += self._waiters
                self._waiters = []
        for future in waiters:
            if future.set_running_or_notify_cancel():
                future.set_result(None)
