"""Sending operations to an index: retries where they help, isolation of the rest."""

from __future__ import annotations

import asyncio
import logging
import random
import traceback
from typing import TYPE_CHECKING, Any

from ... import indexes
from ...redaction import hide_secrets, message_line, redacted
from ..base import IndexUnavailable
from ..failures import IndexFailure, Rejection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..base import Index
    from ..embedders import Embedder
    from .outbox import Operation

logger = logging.getLogger(__name__)


class Sender:
    """Writes into the index of that URL, which it opens when first needed.

    With the pauses before ``retries``, which double, the last attempt comes after about
    half a minute. Times are in seconds.
    """

    retries = 6
    backoff = 0.5
    #: A call that takes longer has failed.
    timeout = 60.0

    def __init__(self, url: str, embedder: Embedder | None):
        self._url, self._shown_url = url, redacted(url)
        self._embedder = embedder
        self._index: Index | None = None
        self._is_unreachable = False
        self._logged_errors: set[str] = set()
        #: The number of operations that were tried again.
        self.retried = 0

    async def send(self, operations: Sequence[Operation]) -> dict[str, Rejection]:
        """Write operations of different URLs; return why some finally failed."""
        failed: dict[str, Rejection] = {}
        # An unreachable index is not waited for again with every batch.
        retries = 0 if self._is_unreachable else self.retries
        for attempt in range(retries + 1):
            rejected = {each.url: each for each in await self._attempt(operations)}
            failed |= rejected
            again = {url for url, each in rejected.items() if each.retryable}
            if not again or attempt == retries:
                break
            operations = [each for each in operations if each.url in again]
            for url in again:
                del failed[url]
            await self._rest(attempt, rejected[operations[0].url], len(again))
        return failed

    async def _rest(self, attempt: int, first: Rejection, number: int) -> None:
        self.retried += number
        # Jitter: several crawls must not return to a server at the same moment.
        pause = self.backoff * 2.0**attempt * (0.75 + random.random() / 2)
        if attempt == 0:
            line = "Not yet in %s: %d documents, the first for %s (%s); again in %.1f s"
            why = first.reason, message_line(first.message, self._url)
            logger.warning(line, self._shown_url, number, *why, pause)
        await asyncio.sleep(pause)

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
            return rejections
        except IndexFailure as exc:
            self._is_unreachable = exc.retryable
            if exc.retryable or len(operations) == 1:
                why = exc.reason, str(exc), exc.retryable
                return [Rejection(each.url, *why) for each in operations]
        middle = len(operations) // 2
        first = await self._write(operations[:middle])
        return [*first, *await self._write(operations[middle:])]

    async def _call_in_time(
        self, operations: Sequence[Operation]
    ) -> Sequence[Rejection]:
        """Call the index within the time limit; raise :exc:`IndexFailure` after it."""
        call = asyncio.ensure_future(self._call(operations))
        # Not wait_for(), which also waits for clients that ignore a cancellation.
        await asyncio.wait({call}, timeout=self.timeout)
        if call.cancelled():  # by the client itself
            raise IndexFailure("cancelled", "the call was cancelled", retryable=True)
        if call.done():
            return call.result()
        call.cancel()
        call.add_done_callback(lambda each: each.cancelled() or each.exception())
        await self.close()
        problem = f"no answer within {self.timeout:g} s"
        raise IndexFailure("timeout", problem, retryable=True)

    async def _call(self, operations: Sequence[Operation]) -> Sequence[Rejection]:
        """Call the index; every error becomes an :exc:`IndexFailure`."""
        try:
            index = await self._open()
            documents = [each.document for each in operations if each.document]
            if not documents:
                await index.delete([each.url for each in operations])
                return ()
            rejections = await index.put_many(documents)
            urls = {each.url for each in operations}
            if unknown := {each.url for each in rejections} - urls:
                problem = f"rejected is {min(unknown)}, which was not put"
                raise IndexFailure("unknown_url", problem)
            return rejections
        except (IndexFailure, asyncio.CancelledError):
            raise
        except IndexUnavailable as exc:
            raise IndexFailure("unavailable", exc.reason, retryable=True) from exc
        except (ConnectionError, TimeoutError, asyncio.TimeoutError) as exc:
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

    async def embed(self, urls: Sequence[str] | None) -> dict[str, int]:
        """Embed the passages without a vector, of these pages or all; count them.

        A failure is logged and counted, and left to the end or the next run.
        """
        if self._embedder is None:
            return {}
        try:
            return {"embedded": await (await self._open()).embed(urls)}
        except (IndexFailure, IndexUnavailable) as exc:
            problem = message_line(str(exc), self._url)
            logger.error("Passages of %s have no vector: %s", self._shown_url, problem)
        # The boundary to clients and servers.
        except Exception as exc:  # noqa: BLE001
            self._log_error(exc)
        return {"embedding_failed": 1}

    async def _open(self) -> Index:
        if self._index is None:
            embedder = self._embedder
            options: dict[str, Any] = {"embedder": embedder} if embedder else {}
            self._index = await indexes.connect_index(self._url, **options)
        return self._index

    async def close(self) -> None:
        """Close the index, within the time limit; the next call opens it again."""
        index, self._index = self._index, None
        try:
            if index is not None:
                await asyncio.wait_for(index.close(), self.timeout)
        # Everything writable was written. A traceback could show a password.
        except Exception as exc:  # noqa: BLE001
            problem = message_line(_text(exc), self._url)
            logger.error("Closing %s failed: %s", self._shown_url, problem)


def _text(exc: BaseException) -> str:
    return str(exc) or type(exc).__name__
