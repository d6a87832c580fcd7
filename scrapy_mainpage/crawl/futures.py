"""Futures of threads, awaited in a crawl with or without asyncio."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

    from twisted.internet.defer import Deferred

Result = TypeVar("Result")


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
