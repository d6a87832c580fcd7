"""Writes into one index, in batches and again where that may help, in its own thread.

Each operation comes to an end: it is in the index, or in the file of dead letters, or
stays in the journal for the next run. Batches go one after another, so that of two
versions of a document the later one stays.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, deque
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

from ..blocking import LoopThread
from ..errors import redacted
from .batches import Batches, Bounds
from .cemetery import Cemetery
from .sender import Delivery, WriterOptions
from .operations import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..documents import IndexDocument
    from .batches import Batch
    from .dead_letters import DeadLetter
    from .journal import Journal

logger = logging.getLogger(__name__)


class IndexWriter:
    """Writes into the index of that URL; all methods return at once.

    ``counts`` are the documents ``put`` and ``deleted``, those ``superseded`` by a
    later one of the same URL before they were written, the repetitions of documents
    (``retried``), and the ``dead`` ones, each with its reason as ``dead/REASON``, too;
    ``restored`` counts what another run had left in the journal, ``kept`` what stays
    there since not even its dead letter could be written, ``lost`` what could be
    written nowhere. ``lag`` and ``lag_max`` are seconds from acceptance until a batch
    was in the index: the mean and the longest.

    What was accepted and restored is, at the end, put, deleted, superseded, dead, kept
    or lost, each operation one of these.
    """

    def __init__(
        self,
        url: str,
        dead_letters: Path,
        options: WriterOptions | None = None,
        journal: Journal | None = None,
    ):
        self.url, self.shown_url = url, redacted(url)
        self.options = options or WriterOptions()
        self._cemetery = Cemetery(dead_letters)
        self._journal = journal
        self._counts: Counter[str] = Counter()
        self._lags = (0, 0.0, 0.0)
        self._lock = threading.Lock()
        self._delivery = Delivery(url, self.options)
        # The URLs of what stays in the journal.
        self._kept: set[str] = set()
        self._thread: LoopThread | None = None
        self._ended: Future[None] | None = None
        self._asked: deque[Future[list[str]]] = deque()
        self._restored: list[str] = []

    def start(self) -> None:
        """Begin; what an earlier run has left in the journal is written first."""
        options = self.options
        bounds = Bounds(
            options.batch, options.batch_bytes, options.batch_age, options.pending
        )
        self._batches = Batches(bounds, self._journal, self._wake)
        self._event = asyncio.Event()
        self._thread = LoopThread("mainpage-index-writer")
        self._ended = self._thread.submit(self._run())

    def put(self, document: IndexDocument) -> Future[None] | None:
        """Accept a document; return ``None``, or a future to wait for before the next.

        The document is safe when this returns, or when the future is done. Raises
        :exc:`RuntimeError` after :meth:`close`.
        """
        return self._accept(Operation.put(document))

    def delete(self, url: str) -> Future[None] | None:
        """Accept that the document of that URL be taken out; see :meth:`put`."""
        return self._accept(Operation.delete(url))

    def _accept(self, operation: Operation) -> Future[None] | None:
        before = self._batches.journal_error
        wait = self._batches.put(operation)
        error = self._batches.journal_error
        if error is not before:
            self._count("journal_failed")
            if before is None:
                logger.error("The journal of %s fails: %s", self.shown_url, error)
        return wait

    def flush(self) -> None:
        """Write what was accepted soon, without waiting for a batch to be full."""
        self._batches.flush()

    def take_over(self) -> Future[list[str]]:
        """Write what other runs have left that were killed meanwhile.

        The future has the URLs of what was restored since the last call.
        """
        asked: Future[list[str]] = Future()
        self._asked.append(asked)
        self._wake()
        return asked

    @property
    def pending(self) -> int:
        """How many operations were accepted and have not come to an end."""
        return self._batches.pending

    @property
    def counts(self) -> dict[str, float]:
        """What was counted so far."""
        with self._lock:
            counts: dict[str, float] = dict(self._counts)
            number, total, longest = self._lags
        if number:
            counts |= {"lag": round(total / number, 3), "lag_max": round(longest, 3)}
        return counts

    def close(self) -> Future[None]:
        """Write all that is pending and close the index; the future is the end of it.

        Call :meth:`stop` when it is done.
        """
        assert self._ended is not None
        self._batches.end()
        return self._ended

    def stop(self) -> None:
        """End the thread, and the journal; what is in it is for the next run."""
        if self._thread is not None:
            self._thread.stop()
        if self._journal is not None:
            self._journal.close()

    def _wake(self) -> None:
        assert self._thread is not None
        self._thread.call(self._event.set)

    def _count(self, name: str, number: int = 1) -> None:
        if number:
            with self._lock:
                self._counts[name] += number

    # --- In the thread ------------------------------------------------------------

    async def _run(self) -> None:
        try:
            await self._restore()
            while not self._batches.is_over:
                self._event.clear()
                await self._answer()
                batch = self._batches.take()
                if batch is None:
                    await self._rest(self._batches.due)
                else:
                    await self._settle(batch)
            await self._restore_of_others()
        finally:
            await self._delivery.close()
            while self._asked:
                self._asked.popleft().set_result([])

    async def _answer(self) -> None:
        while self._asked:
            asked = self._asked.popleft()
            await self._restore_of_others()
            restored, self._restored = self._restored, []
            asked.set_result(restored)

    async def _restore_of_others(self) -> None:
        """Write what runs have left that were killed beside this one."""
        try:
            self._batches.take_left()
        except OSError as exc:  # it is for the next run, then
            logger.error("The journal of %s cannot be read: %s", self.shown_url, exc)
        else:
            await self._restore()

    async def _restore(self) -> None:
        """Write what an earlier run has left."""
        restored = 0
        while True:
            try:
                batch = self._batches.left_over()
            except OSError as exc:  # it stays for a run that can read it
                logger.error("A part of the journal cannot be read: %s", exc)
                continue
            if batch is None:
                break
            restored += len(batch)
            self._count("restored", len(batch))
            self._restored += [each.url for each in batch.operations]
            await self._settle(batch)
        if restored:
            message = "%d documents of another run were written to %s"
            logger.info(message, restored, self.shown_url)

    async def _rest(self, seconds: float | None) -> None:
        if self._batches.is_over:
            return
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)

    async def _settle(self, batch: Batch) -> None:
        """Bring each operation of the batch to its end, whatever happens."""
        operations = batch.last_operations()
        self._count("superseded", len(batch) - len(operations))
        left = {each.url for each in operations}

        def done(written: Sequence[Operation]) -> None:
            left.difference_update(each.url for each in written)
            self._note(written, batch)

        def retried(number: int) -> None:
            self._count("retried", number)

        try:
            letters = await self._delivery.deliver(operations, done, retried)
            if await self._bury(letters, batch):
                left.clear()
        # Were this the end of the thread, the crawl would wait for it for ever.
        except Exception:
            logger.exception("A batch for %s failed", self.shown_url)
        finally:
            self._end(batch, left)
            self._batches.settle(batch)

    def _note(self, written: Sequence[Operation], batch: Batch) -> None:
        """Count what is in the index."""
        puts = sum(each.document is not None for each in written)
        self._count("put", puts)
        self._count("deleted", len(written) - puts)
        if written:
            lag, (number, total, most) = time.monotonic() - batch.began, self._lags
            with self._lock:
                self._lags = number + 1, total + lag, max(most, lag)

    async def _bury(self, letters: Sequence[DeadLetter], batch: Batch) -> bool:
        """Write the dead letters; return whether that was possible."""
        if not letters:
            return True
        is_journaled = batch.segment is not None and not batch.unsafe
        if not await self._cemetery.add(letters, anywhere=not is_journaled):
            return False
        self._count("dead", len(letters))
        for letter in letters:
            self._count(f"dead/{letter.reason}")
        return True

    def _end(self, batch: Batch, left: set[str]) -> None:
        """Give the batch's place in the journal up if nothing of it is left."""
        lost = left & batch.unsafe if batch.segment else left
        self._count("lost", len(lost))
        self._count("kept", len(left - lost))
        for url in sorted(lost):
            logger.error("Not indexed, and kept nowhere: %r", url)
        if batch.segment is None:
            return
        urls = {each.url for each in batch.operations}
        # Batches are given back in order. A later version of what is kept is kept with
        # it, or else the next run would put the earlier one in its place.
        if left - lost or not self._kept.isdisjoint(urls):
            self._kept |= urls
            return
        try:
            batch.segment.remove()
        except OSError as exc:  # the next run writes it once more, which is harmless
            self._kept |= urls
            logger.error("A part of the journal cannot be removed: %s", exc)
