"""Sending operations to an index: retries where they help, isolation of the rest."""

from __future__ import annotations

import asyncio
import logging
import random
import traceback
from typing import TYPE_CHECKING, Any, Final

from ... import indexes
from ...redaction import hide_secrets, message_line, redacted
from ..base import IndexUnavailable
from ..failures import IndexFailure, Rejection
from .dead_letters import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..base import Index
    from .batches import WriterOptions
    from .journal import Operation

logger = logging.getLogger(__name__)

#: Seconds before a retry, at most.
MAX_PAUSE: Final = 30.0
#: Different unexpected errors whose traceback is logged.
MAX_TRACEBACKS: Final = 10


class EndOfWriter(BaseException):
    """In place of what would end the event loop, and nobody would hear of it."""


class Sender:
    """Writes into the index of that URL, which it opens when first needed."""

    def __init__(self, url: str, options: WriterOptions):
        self._url, self._shown_url = url, redacted(url)
        self._options = options
        self._index: Index | None = None
        self._is_unreachable = False
        self._closing: set[asyncio.Task[None]] = set()
        self._logged_errors: set[str] = set()

    async def send(
        self,
        operations: Sequence[Operation],
        on_done: Callable[[Sequence[Operation]], None],
        on_retry: Callable[[int], None],
    ) -> list[DeadLetter]:
        """Write the operations, which have distinct URLs; return final failures.

        After each attempt ``on_done`` gets the operations that are in the index, and
        ``on_retry`` the number of those to be tried again.
        """
        letters: list[DeadLetter] = []
        attempts = 0
        # An unreachable index is not waited for again with every batch.
        retries = 0 if self._is_unreachable else self._options.retries
        while operations:
            attempts += 1
            rejected = {each.url: each for each in await self._attempt(operations)}
            on_done([each for each in operations if each.url not in rejected])
            failed = [each for each in operations if each.url in rejected]
            operations = []
            for operation in failed:
                rejection = rejected[operation.url]
                if rejection.retryable and attempts <= retries:
                    operations.append(operation)
                else:
                    letters.append(self._letter(operation, rejection, attempts))
            if operations:
                on_retry(len(operations))
                pause = self._pause(attempts)
                if attempts == 1:
                    first = rejected[operations[0].url]
                    self._log_retry(len(operations), first, pause)
                await asyncio.sleep(pause)
        return letters

    def _log_retry(self, number: int, first: Rejection, pause: float) -> None:
        logger.warning(
            "Not yet in %s: %d documents, the first for %s (%s); again in %.1f s",
            self._shown_url,
            number,
            first.reason,
            message_line(first.message, self._url),
            pause,
        )

    def _letter(
        self, operation: Operation, rejection: Rejection, attempts: int
    ) -> DeadLetter:
        message = message_line(rejection.message, self._url)
        return DeadLetter(
            self._shown_url, operation, rejection.reason, message, attempts
        )

    def _pause(self, attempts: int) -> float:
        doubled = self._options.backoff * 2.0 ** min(attempts - 1, 60)
        # Jitter: several crawls must not return to a server at the same moment.
        return min(doubled, MAX_PAUSE) * (0.75 + random.random() / 2)

    async def _attempt(self, operations: Sequence[Operation]) -> list[Rejection]:
        """Try to write the operations once; return the failures."""
        puts = [each for each in operations if each.document is not None]
        deletes = [each for each in operations if each.document is None]
        return [*await self._write(puts), *await self._write(deletes)]

    async def _write(self, operations: Sequence[Operation]) -> Sequence[Rejection]:
        """Write operations of one kind; halve a batch that is refused as a whole."""
        if not operations:
            return []
        try:
            rejections = await self._call_in_time(operations)
            self._is_unreachable = False
            return _check(rejections, operations)
        except IndexFailure as exc:
            self._is_unreachable = exc.retryable
            if exc.retryable or len(operations) == 1:
                return [
                    Rejection(each.url, exc.reason, str(exc), exc.retryable)
                    for each in operations
                ]
        middle = len(operations) // 2
        first = await self._write(operations[:middle])
        return [*first, *await self._write(operations[middle:])]

    async def _call_in_time(
        self, operations: Sequence[Operation]
    ) -> Sequence[Rejection]:
        """Call the index within the time limit; raise :exc:`IndexFailure` after it."""
        call = asyncio.ensure_future(self._call(operations))
        # Not wait_for(), which also waits for clients that ignore a cancellation.
        await asyncio.wait({call}, timeout=self._options.timeout)
        if call.cancelled():  # by the client itself
            raise IndexFailure("cancelled", "the call was cancelled", retryable=True)
        if call.done():
            return await call
        call.cancel()
        call.add_done_callback(_ignore)
        self._drop_index()
        problem = f"no answer within {self._options.timeout:g} s"
        raise IndexFailure("timeout", problem, retryable=True)

    async def _call(self, operations: Sequence[Operation]) -> Sequence[Rejection]:
        """Call the index; every error becomes an :exc:`IndexFailure`."""
        try:
            index = await self._open()
            documents = [each.document for each in operations if each.document]
            if documents:
                return await index.put_many(documents)
            await index.delete([each.url for each in operations])
        except IndexFailure:
            raise
        except IndexUnavailable as exc:
            raise IndexFailure("unavailable", exc.reason, retryable=True) from exc
        except (ConnectionError, TimeoutError, asyncio.TimeoutError) as exc:
            raise IndexFailure("connection", _text(exc), retryable=True) from exc
        except (KeyboardInterrupt, SystemExit) as exc:
            raise EndOfWriter(repr(exc)) from exc
        # The boundary to clients and servers: no error of theirs may lose a document.
        except Exception as exc:
            self._log_error(exc)
            raise IndexFailure(type(exc).__name__, _text(exc)) from exc
        return ()

    def _log_error(self, exc: Exception) -> None:
        """Log an unexpected error of an engine; its traceback once."""
        kind = f"{type(exc).__name__} {exc}"
        if (
            kind not in self._logged_errors
            and len(self._logged_errors) < MAX_TRACEBACKS
        ):
            self._logged_errors.add(kind)
            lines = "".join(traceback.format_exception(exc))
            details = hide_secrets(lines, self._url)
            logger.error("Writing to %s failed\n%s", self._shown_url, details)

    def _drop_index(self) -> None:
        """Close the index in the background; the next call opens it again."""
        if self._index is not None:
            task = asyncio.ensure_future(self._close_index(self._index))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
            self._index = None

    async def embed(
        self, urls: Sequence[str] | None, count: Callable[[str, int], None]
    ) -> None:
        """Embed the passages without a vector, of these pages or all.

        What fails is logged and counted, and left to the end or the next run.
        """
        if self._options.embedder is None:
            return
        try:
            count("embedded", await (await self._open()).embed(urls))
            return
        except (IndexFailure, IndexUnavailable) as exc:
            problem = message_line(str(exc), self._url)
            logger.error("Passages of %s have no vector: %s", self._shown_url, problem)
        # The boundary to clients and servers.
        except Exception as exc:  # noqa: BLE001
            self._log_error(exc)
        count("embedding_failed", 1)

    async def _open(self) -> Index:
        if self._index is None:
            embedder = self._options.embedder
            options: dict[str, Any] = {"embedder": embedder} if embedder else {}
            self._index = await indexes.connect_index(self._url, **options)
        return self._index

    async def close(self) -> None:
        """Close the index, within the time limit."""
        self._drop_index()
        if self._closing:
            closing = set(self._closing)
            _, late = await asyncio.wait(closing, timeout=self._options.timeout)
            for task in late:
                task.cancel()
            if late:
                logger.error("Closing %s takes too long", self._shown_url)

    async def _close_index(self, index: Index) -> None:
        try:
            await index.close()
        # Everything writable was written. A traceback could show a password.
        except Exception as exc:  # noqa: BLE001
            problem = message_line(_text(exc), self._url)
            logger.error("Closing %s failed: %s", self._shown_url, problem)


def _check(
    rejections: Sequence[Rejection], operations: Sequence[Operation]
) -> Sequence[Rejection]:
    """The rejections, each with the URL of one operation; else :exc:`IndexFailure`."""
    urls = {each.url for each in operations}
    unknown = [each.url for each in rejections if each.url not in urls]
    if unknown and len(operations) == 1:
        return [each._replace(url=operations[0].url) for each in rejections]
    if unknown:
        problem = f"rejected is {unknown[0]}, which was not put"
        raise IndexFailure("unknown_url", problem)
    return rejections


def _text(exc: BaseException) -> str:
    return str(exc) or type(exc).__name__


def _ignore(call: asyncio.Future[Sequence[Rejection]]) -> None:
    """Retrieve the exception of an abandoned call, or asyncio logs it."""
    if not call.cancelled():
        call.exception()
