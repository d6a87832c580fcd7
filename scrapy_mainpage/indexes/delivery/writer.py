"""Index writer: writes into one index in batches with retries, in its own thread.

Each operation comes to one end: it is in the index, or in the file of dead letters, or
stays in the journal for the next run. Batches are written in order, so the latest
version of a document stays.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter, deque
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from ...redaction import message_line, redacted
from ..blocking import LoopThread
from .batches import BatchQueue, WriterOptions
from .dead_letters import DeadLetterSink
from .journal import Operation
from .sender import Sender

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
    ``restored`` counts the operations that other runs left in the journal, ``kept``
    those that stay there because even their dead letter could not be written, ``lost``
    those that could be written nowhere. ``lag`` and ``lag_max`` are the mean and the
    longest time in seconds from acceptance until a batch was in the index.

    At the end each accepted or restored operation is one of put, deleted, superseded,
    dead, kept and lost.

    An error that ends the thread's work is the ``death`` of the writer: what is pending
    and what is accepted from then on stays in the journal, for which nobody waits.
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
        self._dead_letters = DeadLetterSink(dead_letters)
        self._journal = journal
        self._counts: Counter[str] = Counter()
        self._lags = (0, 0.0, 0.0)
        self._lock = threading.Lock()
        self._sender = Sender(url, self.options)
        #: The URLs of operations that are neither in the index nor in the journal.
        self.failed_urls: set[str] = set()
        # The URLs of operations that stay in the journal.
        self._kept: set[str] = set()
        self._thread: LoopThread | None = None
        self._ended: Future[None] | None = None
        self._requests: deque[Future[list[str]]] = deque()
        self._restored: list[str] = []
        self.death: str | None = None

    def start(self) -> None:
        """Start the thread; it first writes what earlier runs left in the journal."""
        self._batches = BatchQueue(self.options, self._journal, self._wake)
        self._event = asyncio.Event()
        self._thread = LoopThread("mainpage-index-writer")
        self._ended = self._thread.submit(self._run())

    def put(self, document: IndexDocument) -> Future[None] | None:
        """Accept a document; return a future to wait for before the next, or ``None``.

        The document is safe when this returns, or when the future is done. Raises
        :exc:`RuntimeError` after :meth:`close`.
        """
        return self._accept(Operation.put(document))

    def delete(self, url: str) -> Future[None] | None:
        """Accept the deletion of the document of that URL; see :meth:`put`."""
        return self._accept(Operation.delete(url))

    def _accept(self, operation: Operation) -> Future[None] | None:
        before = self._batches.journal_error
        wait = self._batches.put(operation)
        error = self._batches.journal_error
        if error is not before:
            self._count("journal_failed")
            if before is None:
                logger.error("The journal of %s fails: %s", self.shown_url, error)
        return None if self.death else wait

    def flush(self) -> None:
        """Write the accepted operations soon, without waiting for a full batch."""
        self._batches.flush()

    def take_over(self) -> Future[list[str]]:
        """Write what runs killed meanwhile left in the journal.

        The future has the URLs of all operations restored since the last call.
        """
        request: Future[list[str]] = Future()
        self._requests.append(request)
        self._wake()
        return request

    @property
    def pending(self) -> int:
        """The number of operations that were accepted and have not ended."""
        return self._batches.pending

    @property
    def counts(self) -> dict[str, float]:
        """The counts so far."""
        with self._lock:
            counts: dict[str, float] = dict(self._counts)
            number, total, longest = self._lags
        if number:
            counts |= {"lag": round(total / number, 3), "lag_max": round(longest, 3)}
        return counts

    def close(self) -> Future[None]:
        """Write everything pending and close the index; return the future of the end.

        Call :meth:`stop` when it is done.
        """
        assert self._ended is not None
        self._batches.end()
        if self.death:
            self._leave()
        return self._ended

    def _leave(self) -> None:
        """Leave all batches in the journal."""
        while batch := self._batches.take():
            self._end(batch, {each.url for each in batch.operations})
            self._batches.settle(batch)

    def stop(self) -> None:
        """End the thread and close the journal; its content is for the next run."""
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
            while not self._batches.is_finished:
                self._event.clear()
                await self._answer_requests()
                batch = self._batches.take()
                if batch is None:
                    await self._rest(self._batches.due)
                else:
                    await self._settle(batch)
            await self._take_over()
            await self._sender.embed(None, self._count)
        # The loop would not survive some of them, and nobody would hear of the others.
        except BaseException as exc:  # noqa: BLE001
            self.death = message_line(f"{type(exc).__name__}: {exc}", self.url)
            logger.critical("The writer of %s died: %s", self.shown_url, self.death)
            self._leave()
        finally:
            await self._sender.close()
            while self._requests:
                self._requests.popleft().set_result([])

    async def _answer_requests(self) -> None:
        while self._requests:
            request = self._requests.popleft()
            await self._take_over()
            restored, self._restored = self._restored, []
            request.set_result(restored)

    async def _take_over(self) -> None:
        """Write what runs killed meanwhile left."""
        try:
            self._batches.take_left()
        except OSError as exc:  # left to the next run
            logger.error("The journal of %s cannot be read: %s", self.shown_url, exc)
        else:
            await self._restore()

    async def _restore(self) -> None:
        """Write the batches of earlier runs that were taken over."""
        restored = 0
        while True:
            try:
                batch = self._batches.left_over()
            except OSError as exc:  # left to a run that can read it
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
        if self._batches.is_finished:
            return
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)

    async def _settle(self, batch: Batch) -> None:
        """Bring each operation of the batch to its end, whatever happens."""
        # Of several on one URL only the last.
        operations = list({each.url: each for each in batch.operations}.values())
        self._count("superseded", len(batch) - len(operations))
        left = {each.url for each in operations}

        def on_done(written: Sequence[Operation]) -> None:
            left.difference_update(each.url for each in written)
            self._record(written, batch)

        try:
            on_retry = partial(self._count, "retried")
            letters = await self._sender.send(operations, on_done, on_retry)
            if await self._add_dead(letters, batch):
                left.clear()
            urls = [each.url for each in operations if each.document is not None]
            await self._sender.embed(urls, self._count)
        # If the thread ended here, the crawl would wait for it forever.
        except Exception:
            logger.exception("A batch for %s failed", self.shown_url)
        finally:
            self._end(batch, left)
            self._batches.settle(batch)

    def _record(self, written: Sequence[Operation], batch: Batch) -> None:
        """Count the operations that are in the index."""
        puts = sum(each.document is not None for each in written)
        self._count("put", puts)
        self._count("deleted", len(written) - puts)
        if written:
            lag, (number, total, longest) = time.monotonic() - batch.began, self._lags
            with self._lock:
                self._lags = number + 1, total + lag, max(longest, lag)

    async def _add_dead(self, letters: Sequence[DeadLetter], batch: Batch) -> bool:
        """Write the dead letters; return whether that succeeded."""
        if not letters:
            return True
        is_journaled = batch.segment is not None and not batch.unsafe
        if not await self._dead_letters.add(letters, anywhere=not is_journaled):
            return False
        self._count("dead", len(letters))
        self.failed_urls.update(letter.operation.url for letter in letters)
        for letter in letters:
            self._count(f"dead/{letter.reason}")
        return True

    def _end(self, batch: Batch, left: set[str]) -> None:
        """Remove the batch from the journal unless some of it is *left*."""
        lost = left & batch.unsafe if batch.segment else left
        self._count("lost", len(lost))
        self.failed_urls |= lost
        self._count("kept", len(left - lost))
        for url in sorted(lost):
            logger.error("Not indexed, and kept nowhere: %r", url)
        if batch.segment is None:
            return
        urls = {each.url for each in batch.operations}
        # The next run restores batches in order. A later version of a kept document
        # is kept with it, or the next run would replace it by the earlier one.
        if left - lost or not self._kept.isdisjoint(urls):
            self._kept |= urls
            return
        try:
            batch.segment.remove()
        except OSError as exc:  # the next run writes it again, which is harmless
            self._kept |= urls
            logger.error("A part of the journal cannot be removed: %s", exc)
