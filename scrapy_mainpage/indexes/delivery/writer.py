"""Index writer: writes into one index in batches, in a thread of its own.

What is put is first made safe: an index in a local file is written at once, operations
for a server are committed to the outbox. What comes within a moment goes together.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from ...redaction import message_line, redacted
from ..blocking import LoopThread
from ..failures import IndexFailure
from .outbox import Operation, Outbox, OutboxError, index_name, needs_outbox
from .sender import Sender

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from ..documents import IndexDocument
    from ..embedders import Embedder
    from ..failures import Rejection

logger = logging.getLogger(__name__)


class IndexWriter:
    """Writes into the index of that URL; all methods return at once.

    ``counts`` are the documents ``put`` and ``deleted``, those ``superseded`` by a
    later one of the same URL before they were written, the repetitions of documents
    (``retried``), and the dead letters in the outbox (``dead``), each with its reason
    as ``dead/REASON``, too; ``restored`` counts the operations that other runs left in
    the outbox, ``kept`` those that stay there as they could not be made dead letters,
    ``lost`` those that could be written nowhere. ``outbox_failed`` counts the errors of
    the outbox; who puts then waits for the index. ``lag`` and ``lag_max`` are the mean
    and the longest time in seconds from acceptance until a batch was in the index.

    At the end each accepted or restored operation is one of put, deleted, superseded,
    dead, kept and lost. A *direct* writer has only dead letters in the outbox; with
    *retry* it first writes these again.
    """

    #: A batch goes when it has so many operations or bytes, or the first has waited so
    #: many seconds: in the outbox, or with an item that waits for it.
    batch, batch_bytes = 100, 4 * 2**20
    age, direct_age = 1.0, 0.1
    #: With more operations on their way those who put wait.
    max_pending = 1000

    def __init__(
        self,
        url: str,
        outbox: Path,
        embedder: Embedder | None = None,
        *,
        direct: bool = False,
        retry: bool = False,
    ):
        self.url, self.shown_url, self._name = url, redacted(url), index_name(url)
        self._is_direct, self._takes_letters = direct or not needs_outbox(url), retry
        self._outbox, self._sender = Outbox(outbox), Sender(url, embedder)
        self._counts: Counter[str] = Counter()
        self._lags: list[float] = []
        #: The URLs of operations that finally failed.
        self.failed_urls: set[str] = set()
        self._accepted = self._ended = self._stored = self._last_row = 0
        self._arrived: deque[Operation] = deque()
        self._waiting: list[Operation] = []
        self._began: float | None = None
        self._is_closing = False
        self._over: IndexFailure | None = None
        self._logged: set[str] = set()

    def start(self) -> None:
        """Start the thread; it first writes what earlier runs left in the outbox."""
        self._event = asyncio.Event()
        self._thread = LoopThread("mainpage-index-writer")
        self._end = self._thread.submit(self._run())

    def put(self, document: IndexDocument) -> Future[None]:
        """Accept a document; the future is done when it is safe, and there is room.

        It raises :exc:`.IndexFailure` if the document could be written nowhere.
        """
        return self._accept(Operation.put(document))

    def delete(self, url: str) -> Future[None]:
        """Accept the deletion of the document of that URL; see :meth:`put`."""
        return self._accept(Operation.delete(url))

    def _accept(self, operation: Operation) -> Future[None]:
        self._accepted += 1
        self._thread.call(lambda: self._arrive(operation))
        return operation.safe

    def take_over(self) -> Future[None]:
        """Accept what runs killed meanwhile left in the outbox."""
        return self._thread.submit(self._take_over_now())

    @property
    def pending(self) -> int:
        """The number of operations that were accepted and have not ended."""
        return self._accepted - self._ended

    @property
    def counts(self) -> dict[str, float]:
        """The counts so far."""
        counts: dict[str, float] = dict(self._counts)
        if self._sender.retried:
            counts["retried"] = self._sender.retried
        if lags := self._lags:
            counts["lag"] = round(sum(lags) / len(lags), 3)
            counts["lag_max"] = round(max(lags), 3)
        return counts

    def close(self) -> Future[None]:
        """Write everything pending and close the index; return the future of the end.

        Call :meth:`stop` when it is done.
        """
        self._thread.call(self._finish)
        return self._end

    def stop(self) -> None:
        """End the thread; what is in the outbox is for the next run."""
        self._thread.stop()
        self._outbox.close()

    # --- In the thread ----------------------------------------------------------------

    def _finish(self) -> None:
        self._is_closing = True
        self._event.set()

    def _arrive(self, operation: Operation) -> None:
        if self._over:
            _settle([operation], self._over)
            return
        self._arrived.append(operation)
        self._began = self._began or time.monotonic()
        if len(self._arrived) == 1:
            # Together with all that arrive meanwhile.
            asyncio.get_running_loop().call_soon(self._store)
        self._event.set()

    def _store(self) -> None:
        """Commit what has arrived to the outbox, or leave it to be written directly."""
        arrived = list(self._arrived)
        self._event.set()
        if self._is_direct or not arrived:
            return
        try:
            self._outbox.add(self._name, arrived)
        except OutboxError as exc:
            self._complain(exc)
            return
        self._arrived.clear()
        self._stored += len(arrived)
        self._waiting += arrived
        self._release()

    def _release(self) -> None:
        """Have those who put go on, if there is room."""
        if self.pending < self.max_pending:
            _settle(self._waiting)
            self._waiting = []

    def _complain(self, exc: OutboxError) -> None:
        self._counts["outbox_failed"] += 1
        if str(exc) not in self._logged:
            self._logged.add(str(exc))
            logger.error("The outbox of %s fails: %s", self.shown_url, exc)

    async def _run(self) -> None:
        try:
            self._take_over()
            while (batch := await self._next_batch()) or self._take_over():
                await self._deliver(batch)
            self._count(**await self._sender.embed(None))
        finally:
            self._over = IndexFailure("closed", "the writer has ended")
            _settle([*self._arrived, *self._waiting], self._over)
            self._ended = self._accepted
            await self._sender.close()

    async def _take_over_now(self) -> None:
        self._take_over()
        self._event.set()

    def _take_over(self) -> int:
        """Make what other runs left operations of this one; return how many."""
        number = 0
        try:
            if self._outbox.exists:
                letters = self._takes_letters
                number = self._outbox.take_over(self._name, letters=letters)
        except OutboxError as exc:
            self._complain(exc)
        self._takes_letters = False  # those that fail again
        if number:
            self._last_row, self._began = 0, time.monotonic()
            self._stored += number
            self._ended -= number
            self._count(restored=number)
            line = "%d documents of another run are written to %s"
            logger.info(line, number, self.shown_url)
        return number

    async def _next_batch(self) -> list[Operation]:
        """Wait for a batch that is full or old enough; it is empty at the end."""
        while True:
            while not self._is_closing and (rest := self._rest()) != 0:
                self._event.clear()
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._event.wait(), rest)
            self._store()
            batch = self._stored_batch() or self._arrived_batch()
            if batch or self._is_closing:
                return batch
            self._began = None

    def _rest(self) -> float | None:
        """Seconds until a batch is due; ``None`` if nothing has come."""
        if self._began is None:
            return None
        if self._stored + len(self._arrived) >= self.batch:
            return 0.0
        age = self.direct_age if self._arrived else self.age
        return max(0.0, self._began + age - time.monotonic())

    def _stored_batch(self) -> list[Operation]:
        if not self._stored:
            return []
        rows: list[Operation] = []
        try:
            rows = self._outbox.next(self._name, self._last_row, self.batch)
        except OutboxError as exc:
            self._complain(exc)
        if batch := self._cut(rows):
            self._last_row = batch[-1].row
            return batch
        # What cannot be read stays there for the next run.
        self._count(kept=self._stored)
        self._ended += self._stored
        self._stored, self._is_direct = 0, True
        return []

    def _arrived_batch(self) -> list[Operation]:
        """Operations that are not in the outbox, or could not be written to it."""
        batch = self._cut(self._arrived)
        for _ in batch:
            self._arrived.popleft()
        return batch

    def _cut(self, operations: Iterable[Operation]) -> list[Operation]:
        """The first operations, as many as a batch may have."""
        batch: list[Operation] = []
        size = 0
        for each in islice(operations, self.batch):
            size += each.size
            if batch and size > self.batch_bytes:
                break
            batch.append(each)
        return batch

    async def _deliver(self, batch: Sequence[Operation]) -> None:
        """Bring each operation of the batch to its end."""
        began = self._began
        self._began = None
        last = {each.url: each for each in batch}
        rejected = await self._sender.send([*last.values()])
        done = [each for url, each in last.items() if url not in rejected]
        puts = [each.url for each in done if each.document]
        self._remove(done)
        self._bury([(last[url], why) for url, why in rejected.items()])
        superseded, deleted = len(batch) - len(last), len(done) - len(puts)
        self._count(put=len(puts), deleted=deleted, superseded=superseded)
        if began and done:
            self._lags.append(time.monotonic() - began)
        self._stored -= sum(bool(each.row) for each in batch)
        self._ended += len(batch)
        if self._stored or self._arrived:
            self._began = self._began or time.monotonic()
        _settle(batch)
        self._release()
        if puts:
            self._count(**await self._sender.embed(puts))

    def _remove(self, done: Sequence[Operation]) -> None:
        try:
            if done and self._outbox.exists:
                self._outbox.remove(self._name, done)
        except OutboxError as exc:  # the next run writes them again, which is harmless
            self._complain(exc)

    def _bury(self, rejected: Sequence[tuple[Operation, Rejection]]) -> None:
        """Make operations dead letters; or leave them in the outbox, or lose them."""
        letters = [
            (each, why.reason, message_line(why.message, self.url))
            for each, why in rejected
        ]
        self.failed_urls |= {each.url for each, _ in rejected}
        try:
            if letters:
                self._outbox.bury(self._name, letters)
        except OutboxError as exc:
            self._complain(exc)
            for each, reason, message in letters:
                self._count(**{"kept" if each.row else "lost": 1})
                if not each.row:
                    _settle([each], IndexFailure(reason, message))
                    logger.error("Not indexed, and kept nowhere: %r", each.url)
            return
        for each, reason, message in letters:
            self._count(**{"dead": 1, f"dead/{reason}": 1})
            if reason not in self._logged:
                self._logged.add(reason)
                line = "Not indexed in %s: %s for %s (%s), and others; see the outbox"
                logger.error(line, self.shown_url, each.url, reason, message)

    def _count(self, **numbers: int) -> None:
        for name, number in numbers.items():
            if number:
                self._counts[name] += number


def _settle(
    operations: Iterable[Operation], failure: IndexFailure | None = None
) -> None:
    """Have those who wait for the operations go on."""
    for each in operations:
        if each.safe.done() or not each.safe.set_running_or_notify_cancel():
            continue
        if failure is None:
            each.safe.set_result(None)
        else:
            each.safe.set_exception(failure)
