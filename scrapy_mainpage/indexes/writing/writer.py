"""Writes into one index, in batches and again where that may help, in its own thread.

Each operation comes to an end: it is in the index, or in the file of dead letters, or
stays in the journal for the next run. Batches go one after another, so that of two
versions of a document the later one stays.
"""

from __future__ import annotations

import asyncio
import logging
import random
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..blocking import LoopThread
from ..errors import IndexFailure, IndexUnavailable, Rejection, redacted
from .batches import Batches, Bounds
from .deadletters import DeadLetter, DeadLetters
from .operations import Operation

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..base import Index
    from ..documents import IndexDocument
    from .batches import Batch
    from .journal import Journal

logger = logging.getLogger(__name__)

_LONGEST_PAUSE: Final = 30.0


@dataclass(frozen=True)
class WriterOptions:
    """How an index is written: see the settings ``MAINPAGE_INDEX_...``.

    Times are in seconds. A call on the index that takes longer than ``timeout`` has
    failed. The pause before the first repetition is about ``backoff``, and twice as
    long before each further one, up to half a minute.
    """

    batch: int = 100
    batch_bytes: int = 4 * 2**20
    batch_age: float = 2.0
    pending: int = 1000
    retries: int = 6
    backoff: float = 0.5
    timeout: float = 60.0


class IndexWriter:
    """Writes into the index of that URL; all methods return at once.

    ``counts`` are the documents ``put`` and ``deleted``, those ``superseded`` by a
    later one of the same URL before they were written, the repetitions of documents
    (``retried``), and the ``dead`` ones, each with its reason as ``dead/REASON``, too;
    ``restored`` counts what an earlier run had left in the journal, ``kept`` what stays
    there since not even its dead letter could be written, ``lost`` what could be
    written nowhere. ``lag`` and ``lag_max`` are seconds from acceptance until a batch
    was in the index: the mean and the longest.
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
        self.dead_letters = DeadLetters(dead_letters)
        self._journal = journal
        self._counts: Counter[str] = Counter()
        self._lags = (0, 0.0, 0.0)
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._is_down = False
        self._thread: LoopThread | None = None
        self._ended: Future[None] | None = None

    def start(self) -> None:
        """Begin; what an earlier run has left in the journal is written first."""
        self._thread = LoopThread("mainpage-index-writer")
        self._event = asyncio.Event()
        options = self.options
        bounds = Bounds(
            options.batch, options.batch_bytes, options.batch_age, options.pending
        )
        self._batches = Batches(bounds, self._journal, self._wake)
        if self._batches.pending:
            self._count("restored", self._batches.pending)
            logger.info(
                "%d documents of an earlier run are written to %s",
                self._batches.pending,
                self.shown_url,
            )
        self._ended = self._thread.submit(self._run())

    def put(self, document: IndexDocument) -> Future[None] | None:
        """Accept a document; return ``None``, or a future to wait for before the next.

        The document is safe when this returns, or when the future is done.
        """
        return self._accept(Operation.put(document))

    def delete(self, url: str) -> Future[None] | None:
        """Accept that the document of that URL be taken out; see :meth:`put`."""
        return self._accept(Operation(url))

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
        with self._lock:
            self._counts[name] += number

    # --- In the thread ------------------------------------------------------------

    async def _run(self) -> None:
        try:
            while not self._batches.is_over:
                self._event.clear()
                batch = self._batches.take()
                if batch is None:
                    await self._rest(self._batches.due)
                else:
                    await self._settle(batch)
        finally:
            await self._close_index()

    async def _close_index(self) -> None:
        try:
            if self._index is not None:
                await self._index.close()
        except Exception:  # what could be written was written
            logger.exception("Closing %s failed", self.shown_url)

    async def _rest(self, seconds: float | None) -> None:
        if self._batches.is_over:
            return
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)

    async def _settle(self, batch: Batch) -> None:
        """Bring each operation of the batch to its end, whatever happens."""
        try:
            await self._bury(await self._deliver(batch), batch)
        # Were this the end of the thread, the crawl would wait for it for ever.
        except Exception:
            logger.exception("A batch for %s failed", self.shown_url)
            self._count("lost" if batch.segment is None else "kept", len(batch))
        finally:
            self._batches.settle(batch)

    async def _deliver(self, batch: Batch) -> list[DeadLetter]:
        """Write the batch, repeatedly if that may help; return what failed for good."""
        letters: list[DeadLetter] = []
        waiting, attempts = batch.last_operations(), 0
        if len(waiting) < len(batch):
            self._count("superseded", len(batch) - len(waiting))
        # What is out of reach is not waited for again with every batch.
        retries = 0 if self._is_down else self.options.retries
        while waiting:
            attempts += 1
            failed = await self._write(waiting)
            is_last = attempts > retries
            again = {fail.url for fail in failed if fail.retryable and not is_last}
            letters += self._letters(waiting, failed, again, attempts)
            self._note(waiting, failed, batch)
            self._is_down = (
                is_last
                and len(failed) == len(waiting)
                and all(fail.retryable for fail in failed)
            )
            waiting = [each for each in waiting if each.url in again]
            if waiting:
                self._count("retried", len(waiting))
                await asyncio.sleep(self._pause(attempts))
        return letters

    def _note(
        self, tried: list[Operation], failed: list[Rejection], batch: Batch
    ) -> None:
        """Count what is done."""
        out = {fail.url for fail in failed}
        done = [each for each in tried if each.url not in out]
        puts = sum(each.document is not None for each in done)
        with self._lock:
            self._counts["put"] += puts
            if len(done) > puts:
                self._counts["deleted"] += len(done) - puts
            if done:
                lag, (number, total, most) = time.monotonic() - batch.began, self._lags
                self._lags = number + 1, total + lag, max(most, lag)

    def _pause(self, attempts: int) -> float:
        longest = min(self.options.backoff * 2.0 ** (attempts - 1), _LONGEST_PAUSE)
        # Several crawls must not come back to a server at the same moment.
        return longest * (0.75 + random.random() / 2)

    async def _write(self, operations: list[Operation]) -> list[Rejection]:
        """Write the operations; return what failed."""
        documents = [each.document for each in operations if each.document]
        urls = [each.url for each in operations if each.document is None]
        try:
            return await asyncio.wait_for(
                self._call(documents, urls), self.options.timeout
            )
        except IndexFailure as exc:
            reason, is_retryable = exc.reason, exc.retryable
            message = str(exc)
        except IndexUnavailable as exc:
            reason, is_retryable, message = "unavailable", True, exc.reason
        except asyncio.TimeoutError:
            reason, is_retryable = "timeout", True
            message = f"no answer within {self.options.timeout:g} s"
        # The boundary to clients and servers: whatever they do, no document is lost.
        except Exception as exc:
            logger.exception("Writing to %s failed", self.shown_url)
            reason, is_retryable, message = type(exc).__name__, False, str(exc)
        if not is_retryable and len(operations) > 1:
            middle = len(operations) // 2
            parts = operations[:middle], operations[middle:]
            return [each for part in parts for each in await self._write(part)]
        return [
            Rejection(each.url, reason, message, is_retryable) for each in operations
        ]

    async def _call(
        self, documents: list[IndexDocument], urls: list[str]
    ) -> list[Rejection]:
        if self._index is None:
            from .. import connect_index

            self._index = await connect_index(self.url)
        rejected = list(await self._index.put_many(documents)) if documents else []
        if urls:
            await self._index.delete(urls)
        return rejected

    def _letters(
        self,
        tried: list[Operation],
        failed: list[Rejection],
        again: set[str],
        attempts: int,
    ) -> list[DeadLetter]:
        operations = {each.url: each for each in tried}
        return [
            DeadLetter(
                self.shown_url,
                operations[fail.url],
                fail.reason,
                " ".join(fail.message.split()),
                attempts,
            )
            for fail in failed
            if fail.url not in again
        ]

    async def _bury(self, letters: list[DeadLetter], batch: Batch) -> None:
        """Write the dead letters, wherever that is possible."""
        places = [self.dead_letters]
        if batch.segment is None or batch.waiters:  # it is not in the journal either
            name = f"{self.dead_letters.path.stem}-{time.time_ns()}.jsonl"
            places.append(DeadLetters(Path(tempfile.gettempdir(), name)))
        if letters and not await self._add(places, letters):
            kept = batch.segment is not None and not batch.waiters
            self._count("kept" if kept else "lost", len(letters))
            return
        for letter in letters:
            self._count("dead")
            self._count(f"dead/{letter.reason}")
        if batch.segment is not None:
            batch.segment.remove()

    async def _add(self, places: list[DeadLetters], letters: list[DeadLetter]) -> bool:
        first = letters[0]
        for place in places:
            try:
                await asyncio.to_thread(place.add, letters)
            except (OSError, TimeoutError) as exc:
                logger.error("Dead letters cannot be written: %s", exc)
                continue
            logger.error(
                "Not indexed in %s: %d documents, the first for %s (%s), see %s",
                self.shown_url,
                len(letters),
                first.reason,
                first.message,
                place.path,
            )
            return True
        for letter in letters:
            logger.error("Not indexed, and kept nowhere: %s", letter.operation.url)
        return False
