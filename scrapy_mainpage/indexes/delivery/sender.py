"""Bringing operations into an index: again where that may help, apart where not."""

from __future__ import annotations

import asyncio
import logging
import random
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from ..errors import IndexFailure, IndexUnavailable, Rejection, redacted
from .dead_letters import DeadLetter
from .messages import hidden, message_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..base import Index
    from .operations import Operation

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


class Failure(NamedTuple):
    """An operation that an attempt did not bring into the index, and why."""

    operation: Operation
    reason: str
    message: str
    retryable: bool


class _CallError(Exception):
    """A whole call on the index failed, in whatever way."""

    def __init__(self, reason: str, message: str, *, retryable: bool):
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable


class Delivery:
    """Writes into the index of that URL, and opens it when it is first needed."""

    def __init__(self, url: str, options: WriterOptions):
        self._url, self._shown_url = url, redacted(url)
        self._options = options
        self._index: Index | None = None
        self._is_out_of_reach = False
        self._closing: set[asyncio.Task[None]] = set()
        self._known_errors: set[str] = set()

    async def deliver(
        self,
        operations: Sequence[Operation],
        done: Callable[[Sequence[Operation]], None],
        retried: Callable[[int], None],
    ) -> list[DeadLetter]:
        """Write the operations, each on another URL; return what failed for good.

        ``done`` is called with those that are in the index, after each attempt;
        ``retried`` with the number of those that are tried again.
        """
        letters: list[DeadLetter] = []
        attempts = 0
        # What is out of reach is not waited for again with every batch.
        retries = 0 if self._is_out_of_reach else self._options.retries
        while operations:
            attempts += 1
            failures = await self._attempt(operations)
            failed = {failure.operation.url for failure in failures}
            done([each for each in operations if each.url not in failed])
            is_last = attempts > retries
            operations = []
            for failure in failures:
                if failure.retryable and not is_last:
                    operations.append(failure.operation)
                else:
                    letters.append(self._letter(failure, attempts))
            if operations:
                retried(len(operations))
                pause = self._pause(attempts)
                if attempts == 1:
                    self._log_failure(failures, pause)
                await asyncio.sleep(pause)
        return letters

    def _log_failure(self, failures: Sequence[Failure], pause: float) -> None:
        first = next(failure for failure in failures if failure.retryable)
        logger.warning(
            "Not yet in %s: %d documents, the first for %s (%s); again in %.1f s",
            self._shown_url,
            sum(failure.retryable for failure in failures),
            first.reason,
            message_line(first.message, self._url),
            pause,
        )

    def _letter(self, failure: Failure, attempts: int) -> DeadLetter:
        message = message_line(failure.message, self._url)
        operation, reason = failure.operation, failure.reason
        return DeadLetter(self._shown_url, operation, reason, message, attempts)

    def _pause(self, attempts: int) -> float:
        doubled = self._options.backoff * 2.0 ** min(attempts - 1, 60)
        longest = min(doubled, _LONGEST_PAUSE)
        # Several crawls must not come back to a server at the same moment.
        return longest * (0.75 + random.random() / 2)

    async def _attempt(self, operations: Sequence[Operation]) -> list[Failure]:
        """Try to write the operations once; return what failed."""
        puts = [each for each in operations if each.document is not None]
        deletes = [each for each in operations if each.document is None]
        return [*await self._write(puts), *await self._write(deletes)]

    async def _write(self, operations: Sequence[Operation]) -> list[Failure]:
        """Write the operations, which are of one kind; halve what is refused whole."""
        if not operations:
            return []
        try:
            rejections = await self._limited(operations)
            self._is_out_of_reach = False
            return _failures(operations, rejections)
        except _CallError as exc:
            self._is_out_of_reach = exc.retryable
            if exc.retryable or len(operations) == 1:
                reason, message = exc.reason, str(exc)
                return [
                    Failure(each, reason, message, exc.retryable) for each in operations
                ]
        middle = len(operations) // 2
        first = await self._write(operations[:middle])
        return first + await self._write(operations[middle:])

    async def _limited(self, operations: Sequence[Operation]) -> Sequence[Rejection]:
        """Call the index; raises :exc:`_CallError` after the time limit, too."""
        call = asyncio.ensure_future(self._call(operations))
        # Not wait_for(): that waits for clients that do not let themselves be stopped.
        await asyncio.wait({call}, timeout=self._options.timeout)
        if call.cancelled():  # by the client itself
            raise _CallError("cancelled", "the call was cancelled", retryable=True)
        if call.done():
            return await call
        call.cancel()
        call.add_done_callback(_forget)
        self._leave_index()
        problem = f"no answer within {self._options.timeout:g} s"
        raise _CallError("timeout", problem, retryable=True)

    async def _call(self, operations: Sequence[Operation]) -> Sequence[Rejection]:
        try:
            if self._index is None:
                self._index = await self._open()
            documents = [each.document for each in operations if each.document]
            if documents:
                return await self._index.put_many(documents)
            await self._index.delete([each.url for each in operations])
        except IndexFailure as exc:
            raise _CallError(exc.reason, str(exc), retryable=exc.retryable) from exc
        except IndexUnavailable as exc:
            raise _CallError("unavailable", exc.reason, retryable=True) from exc
        except (ConnectionError, TimeoutError, asyncio.TimeoutError) as exc:
            raise _CallError("connection", _described(exc), retryable=True) from exc
        # The boundary to clients and servers: whatever they do, no document is lost.
        except Exception as exc:
            self._log(exc)
            name = type(exc).__name__
            raise _CallError(name, _described(exc), retryable=False) from exc
        return ()

    async def _open(self) -> Index:
        from .. import connect_index

        return await connect_index(self._url)

    def _log(self, exc: Exception) -> None:
        """Log an error that no engine should raise; its traceback once."""
        kind = f"{type(exc).__name__} {exc}"
        if kind in self._known_errors:
            return
        if len(self._known_errors) < 10:
            self._known_errors.add(kind)
            lines = "".join(traceback.format_exception(exc))
            details = hidden(lines, self._url)
            logger.error("Writing to %s failed\n%s", self._shown_url, details)

    def _leave_index(self) -> None:
        """Take a new connection for the next call: this one may hang for long."""
        if self._index is not None:
            task = asyncio.ensure_future(self._close(self._index))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
            self._index = None

    async def close(self) -> None:
        """Close the index, as far as it lets itself be closed in time."""
        self._leave_index()
        if self._closing:
            closing = set(self._closing)
            _, late = await asyncio.wait(closing, timeout=self._options.timeout)
            for task in late:
                task.cancel()
            if late:
                logger.error("Closing %s takes too long", self._shown_url)

    async def _close(self, index: Index) -> None:
        try:
            await index.close()
        # What could be written was written. The traceback may show a password.
        except Exception as exc:  # noqa: BLE001
            problem = message_line(_described(exc), self._url)
            logger.error("Closing %s failed: %s", self._shown_url, problem)


def _failures(
    operations: Sequence[Operation], rejections: Sequence[Rejection]
) -> list[Failure]:
    """The failures that the rejections tell of.

    Raises :exc:`_CallError` where it is not known which operations they are about.
    """
    by_url = {each.url: each for each in operations}
    found = {}
    for url, reason, message, is_retryable in rejections:
        if url not in by_url and len(operations) > 1:
            problem = f"rejected is {url}, which was not put"
            raise _CallError("unknown_url", problem, retryable=False)
        operation = by_url.get(url, operations[0])
        found[operation.url] = Failure(operation, reason, message, is_retryable)
    return list(found.values())


def _described(exc: BaseException) -> str:
    return str(exc) or type(exc).__name__


def _forget(call: asyncio.Future[Sequence[Rejection]]) -> None:
    """Look at what became of a call that nobody waits for, or asyncio complains."""
    if not call.cancelled():
        call.exception()
