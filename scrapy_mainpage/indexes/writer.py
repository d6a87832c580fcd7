"""Index writer: writes into one index in batches, in a thread of its own.

What is put is first made safe: an index in a local file is written at once, operations
for a server are committed to the outbox. What comes within a moment goes together.
"""

from __future__ import annotations

import logging
import random
import threading
import time
import traceback
from collections import Counter, deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final

from .. import indexes
from ..redaction import hide_secrets, message_line, redacted
from .base import IndexFailure, IndexUnavailable, Rejection
from .outbox import Letter, Operation, Outbox, OutboxError, index_name, needs_outbox

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from .base import Index
    from .documents import IndexDocument
    from .embedders import Embedder

logger = logging.getLogger(__name__)

_ENDED: Final = "the writer has ended"


class Sender:
    """Writes into the index of that URL, which it opens when first needed.

    With the pauses before ``retries``, which double, the last attempt comes after about
    half a minute. ``backoff`` is in seconds.
    """

    retries = 6
    backoff = 0.5

    def __init__(self, url: str, embedder: Embedder | None, counts: Counter[str]):
        self._counts = counts
        self._url, self._shown_url = url, redacted(url)
        self._embedder = embedder
        self._index: Index | None = None
        self._is_unreachable = False
        self._logged_errors: set[str] = set()

    def send(self, operations: Sequence[Operation]) -> dict[str, Rejection]:
        """Write operations of different URLs; return why some finally failed."""
        failed: dict[str, Rejection] = {}
        # An unreachable index is not waited for again with every batch.
        retries = 0 if self._is_unreachable else self.retries
        for attempt in range(retries + 1):
            puts = [each for each in operations if each.document]
            deletions = [each for each in operations if not each.document]
            kinds = self._write(puts), self._write(deletions)
            rejected = {each.url: each for kind in kinds for each in kind}
            failed |= rejected
            again = {url for url, each in rejected.items() if each.retryable}
            if not again or attempt == retries:
                break
            operations = [each for each in operations if each.url in again]
            for url in again:
                del failed[url]
            self._rest(attempt, rejected[operations[0].url], len(again))
        return failed

    def _rest(self, attempt: int, first: Rejection, number: int) -> None:
        self._counts["retried"] += number
        # Jitter: several crawls must not return to a server at the same moment.
        pause = self.backoff * 2.0**attempt * (0.75 + random.random() / 2)
        if attempt == 0:
            line = "Not yet in %s: %d documents, the first for %s (%s); again in %.1f s"
            why = first.reason, message_line(first.message, self._url)
            logger.warning(line, self._shown_url, number, *why, pause)
        time.sleep(pause)

    def _write(self, operations: Sequence[Operation]) -> Sequence[Rejection]:
        """Write operations of one kind; halve a batch that is refused as a whole."""
        if not operations:
            return []
        try:
            rejections = self._call(operations)
            self._is_unreachable = False
            return rejections
        except IndexFailure as exc:
            self._is_unreachable = exc.retryable
            # A part of them may have room on a disk that all of them have not.
            is_full = exc.reason == "disk_full"
            if len(operations) == 1 or (exc.retryable and not is_full):
                why = exc.reason, str(exc), exc.retryable
                return [Rejection(each.url, *why) for each in operations]
        middle = len(operations) // 2
        return [*self._write(operations[:middle]), *self._write(operations[middle:])]

    def _call(self, operations: Sequence[Operation]) -> Sequence[Rejection]:
        """Call the index; every error becomes an :exc:`IndexFailure`."""
        try:
            index = self._open()
            documents = [each.document for each in operations if each.document]
            if not documents:
                index.delete([each.url for each in operations])
                return ()
            return [*index.put_many(documents)]
        except IndexFailure:
            raise
        except IndexUnavailable as exc:
            raise IndexFailure("unavailable", exc.reason, retryable=True) from exc
        except (ConnectionError, TimeoutError) as exc:
            raise IndexFailure("connection", _text(exc), retryable=True) from exc
        # The boundary to clients and servers, some of which raise what is no Exception:
        # no error of theirs may lose a document, or end the thread.
        except BaseException as exc:
            self._log_error(exc)
            raise IndexFailure(type(exc).__name__, _text(exc)) from exc

    def _log_error(self, exc: BaseException) -> None:
        """Log an unexpected error of an engine, the first of its kind."""
        if (kind := type(exc).__name__) not in self._logged_errors:
            self._logged_errors.add(kind)
            details = hide_secrets("".join(traceback.format_exception(exc)), self._url)
            logger.error("Writing to %s failed\n%s", self._shown_url, details)

    def embed(self) -> None:
        """Embed the passages without a vector, and count them.

        A failure is logged and counted, and left to the next run.
        """
        if self._embedder is None:
            return
        try:
            self._counts["embedded"] += self._open().embed()
        # The boundary to models, clients and servers.
        except Exception as exc:  # noqa: BLE001
            self._counts["embedding_failed"] += 1
            problem = message_line(_text(exc), self._url)
            logger.error("Passages of %s have no vector: %s", self._shown_url, problem)

    def _open(self) -> Index:
        if self._index is None:
            self._index = indexes.open_index(self._url, embedder=self._embedder)
        return self._index

    def close(self) -> None:
        """Close the index; the next call opens it again."""
        index, self._index = self._index, None
        try:
            if index is not None:
                index.close()
        # Everything writable was written. A traceback could show a password.
        except Exception as exc:  # noqa: BLE001
            problem = message_line(_text(exc), self._url)
            logger.error("Closing %s failed: %s", self._shown_url, problem)


def _text(exc: BaseException) -> str:
    return str(exc) or type(exc).__name__


class IndexWriter:
    """Writes into the index of that URL, in a thread of its own.

    ``counts`` are the documents ``put`` and ``deleted``, those ``superseded`` by a
    later one of the same URL before they were written, the repetitions of documents
    (``retried``), and the dead letters in the outbox (``dead``), each with its reason
    as ``dead/REASON``, too; ``restored`` counts the operations that other runs left in
    the outbox, ``kept`` those that stay there as they could not be made dead letters,
    ``lost`` those that could be written nowhere. ``outbox_failed`` counts the errors of
    the outbox; who puts then waits for the index.

    At the end each accepted or restored operation is one of put, deleted, superseded,
    dead, kept and lost. A *direct* writer has only dead letters in the outbox; with
    *retry* it first writes these again.
    """

    #: A batch goes when it has so many operations or bytes, or the first has waited so
    #: many seconds: in the outbox, or with an item that waits for it.
    batch, batch_bytes = 100, 4 * 2**20
    age, direct_age = 1.0, 0.1
    #: Operations in memory; who puts more waits for the index.
    backlog = 1_000

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
        self._counts: Counter[str] = Counter()
        self._outbox, self._sender = Outbox(outbox), Sender(url, embedder, self._counts)
        #: The URLs of operations that finally failed.
        self.failed_urls: set[str] = set()
        #: The number of operations that were accepted and have not ended.
        self.pending = 0
        self._queue: deque[Operation] = deque()
        self._began: float | None = None
        #: Who waits for what other runs left.
        self._takers: list[Future[None]] = []
        self._is_closing = self._is_stopped = self._is_over = False
        self._logged: set[str] = set()
        self._changed = threading.Condition()
        # A server that never answers must not keep the process from its end.
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._end: Future[None] = Future()

    def start(self) -> None:
        """Start the thread; it first writes what earlier runs left in the outbox."""
        self._end.set_running_or_notify_cancel()  # who waits cannot cancel it
        self._thread.start()

    def put(self, document: IndexDocument) -> Future[None]:
        """Accept a document; the future is done when it is safe.

        It raises :exc:`.IndexFailure` if the document could be written nowhere.
        """
        return self._accept(Operation.put(document))

    def delete(self, url: str) -> Future[None]:
        """Accept the deletion of the document of that URL; see :meth:`put`."""
        return self._accept(Operation.delete(url))

    def _accept(self, operation: Operation) -> Future[None]:
        with self._changed:
            if self._is_over:
                _settle([operation], IndexFailure("closed", _ENDED))
                return operation.safe
            try:
                if not self._is_direct:
                    self._outbox.add(self._name, operation)
            except OutboxError as exc:
                self._complain(exc)
            self._queue.append(operation)
            self.pending += 1
            self._began = self._began or time.monotonic()
            if len(self._queue) in (1, self.batch):  # of others the thread knows
                self._changed.notify()
            is_safe = operation.row and len(self._queue) <= self.backlog
        if is_safe:
            _settle([operation])
        return operation.safe

    def take_over(self) -> Future[None]:
        """Write what runs killed meanwhile left in the outbox, too."""
        taker: Future[None] = Future()
        taker.set_running_or_notify_cancel()
        with self._changed:
            self._takers.append(taker)
            self._changed.notify()
        return taker

    @property
    def counts(self) -> dict[str, int]:
        """The counts so far."""
        return {name: number for name, number in self._counts.items() if number}

    def close(self) -> Future[None]:
        """Write everything pending and close the index; return the future of the end.

        Call :meth:`stop` when it is done.
        """
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        return self._end

    def stop(self) -> None:
        """End the thread; what is in the outbox is for the next run."""
        self._is_stopped = True
        self.close()
        self._outbox.close()

    # --- In the writing thread --------------------------------------------------------

    def _run(self) -> None:
        try:
            self._take_over()
            while not self._is_stopped:
                batch, takers = self._next_batch()
                if takers:
                    self._take_over()
                for each in takers:
                    each.set_result(None)
                if batch:
                    self._deliver(batch)
                elif self._is_closing and not self._take_over():
                    break
            self._sender.embed()
        finally:
            with self._changed:
                self._is_over, self.pending = True, 0
                _settle(self._queue, IndexFailure("closed", _ENDED))
                for each in self._takers:
                    each.set_result(None)
            self._sender.close()
            self._end.set_result(None)

    def _take_over(self) -> int:
        """Write what other runs left; return how many operations that were."""
        number = 0
        letters, self._takes_letters = self._takes_letters, False
        try:
            if not self._outbox.exists:
                return 0
            left = self._outbox.take_over(self._name, self.batch, letters=letters)
            for operations in left:
                number += len(operations)
                self._counts["restored"] += len(operations)
                with self._changed:
                    self.pending += len(operations)
                self._deliver(operations)
        except OutboxError as exc:
            self._complain(exc)
        if number:
            line = "%d documents of another run were written to %s"
            logger.info(line, number, self.shown_url)
        return number

    def _next_batch(self) -> tuple[list[Operation], list[Future[None]]]:
        """Wait for a batch that is full or old enough, or for who takes over."""
        with self._changed:
            while not (self._is_closing or self._takers) and (rest := self._rest()):
                self._changed.wait(rest)
            number = min(self.batch, len(self._queue))
            batch = [self._queue.popleft() for _ in range(number)]
            self._began = time.monotonic() if self._queue else None
            takers, self._takers = self._takers, []
            return batch, takers

    def _rest(self) -> float:
        """Seconds until a batch is due."""
        if len(self._queue) >= self.batch:
            return 0.0
        if self._began is None:
            return threading.TIMEOUT_MAX
        age = self.age if self._queue[0].row else self.direct_age
        return max(0.0, self._began + age - time.monotonic())

    def _deliver(self, operations: Sequence[Operation]) -> None:
        """Bring each operation to its end, in batches of a limited size."""
        batch: list[Operation] = []
        size = 0
        for each in operations:
            if batch and size + each.size > self.batch_bytes:
                self._write(batch)
                batch, size = [], 0
            batch.append(each)
            size += each.size
        if batch:
            self._write(batch)

    def _write(self, batch: Sequence[Operation]) -> None:
        last = {each.url: each for each in batch}
        rejected = self._sender.send([*last.values()])
        if self._is_stopped:
            return
        done = [each for url, each in last.items() if url not in rejected]
        letters = [
            (last[url], why.reason, message_line(why.message, self.url))
            for url, why in rejected.items()
        ]
        self.failed_urls |= {*rejected}
        puts = sum(each.document is not None for each in done)
        self._counts["put"] += puts
        self._counts["deleted"] += len(done) - puts
        self._counts["superseded"] += len(batch) - len(last)
        try:
            if letters or self._outbox.exists:
                self._outbox.end(self._name, done, letters)
            self._count_failed(letters, is_kept=True)
        except OutboxError as exc:  # the next run writes them again, which is harmless
            self._complain(exc)
            self._count_failed(letters, is_kept=False)
        with self._changed:
            self.pending -= len(batch)
        _settle(batch)

    def _count_failed(self, letters: Iterable[Letter], *, is_kept: bool) -> None:
        """Count dead letters; what could not become one is in the outbox, or lost."""
        for each, reason, message in letters:
            if is_kept:
                self._counts["dead"] += 1
                self._counts[f"dead/{reason}"] += 1
                if reason not in self._logged:
                    self._logged.add(reason)
                    line = (
                        "Not indexed in %s: %s for %s (%s), and others: see the outbox"
                    )
                    logger.error(line, self.shown_url, each.url, reason, message)
                continue
            self._counts["kept" if each.row else "lost"] += 1
            if not each.row:
                _settle([each], IndexFailure(reason, message))
                logger.error("Not indexed, and kept nowhere: %r", each.url)

    def _complain(self, exc: OutboxError) -> None:
        self._counts["outbox_failed"] += 1
        if str(exc) not in self._logged:
            self._logged.add(str(exc))
            logger.error("The outbox of %s fails: %s", self.shown_url, exc)


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
