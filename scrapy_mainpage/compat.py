"""Names of other libraries that are not public, and have no public equivalent.

And :func:`wait_for`, for crawls with and without asyncio.
``tests/test_compat.py`` has a test for each, with the behaviour that breaks without it.
"""

from __future__ import annotations

import asyncio
import warnings
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Set
    from concurrent.futures import Future

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import TextResponse
    from twisted.internet.defer import Deferred

Result = TypeVar("Result")


def explicit_encoding(response: TextResponse) -> str | None:
    """Return the encoding that the response was made with, ``None`` if none.

    ``response.encoding`` guesses one from the whole body, which takes seconds for a
    large page, and ``response.replace`` asks for it.
    """
    return response._encoding


def has_selector(response: TextResponse) -> bool:
    """Whether a middleware has parsed the response, and may have changed its tree.

    ``response.selector`` parses at once; nothing public says whether it has.
    """
    return response._cached_selector is not None


def stop_twisted_echo() -> None:
    """Keep Twisted from writing a logged traceback to stderr as well.

    It does so until a program "begins logging", which Scrapy never does, and only a
    private attribute says whether one has.
    """
    from twisted.logger import globalLogBeginner

    if getattr(globalLogBeginner, "_temporaryObserver", None) is None:
        return  # logging has begun: nothing is echoed
    shown = warnings.showwarning
    globalLogBeginner.beginLoggingTo([], discardBuffer=True, redirectStandardIO=False)
    warnings.showwarning = shown


def requests_in_progress(crawler: Crawler) -> Set[Request]:
    """Return the requests that the engine has not ended.

    A request ends when its callback, or errback, is exhausted, its requests are
    scheduled and its items are through the pipelines; or when a middleware has replaced
    it by another one, which is scheduled by then. No signal says so.
    """
    assert crawler.engine is not None
    slot = crawler.engine._slot
    return frozenset() if slot is None else slot.inprogress


def wake_engine(crawler: Crawler) -> None:
    """Have the engine ask the scheduler now; by itself it does every five seconds."""
    assert crawler.engine is not None
    slot = crawler.engine._slot
    if slot is not None and slot.closing is None:
        slot.nextcall.schedule()


async def wait_for(future: Future[Result]) -> Result:
    """Wait for the future and return its result, or raise its error."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        await _deferred(future)
        return future.result()
    return await asyncio.wrap_future(future)


def _deferred(future: Future[Result]) -> Deferred[None]:
    """Return a deferred that fires when the future is done, with or without error."""
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    deferred: Deferred[None] = Deferred()
    future.add_done_callback(lambda _: reactor.callFromThread(deferred.callback, None))
    return deferred
