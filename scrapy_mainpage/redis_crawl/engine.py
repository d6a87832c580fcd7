"""What only Scrapy's engine knows, and has no public name for.

Both names are the same in all supported versions; a version without them is refused
when the crawl starts, rather than found out by lost pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Set

    from scrapy import Request
    from scrapy.crawler import Crawler


def in_progress(crawler: Crawler) -> Set[Request]:
    """Return the requests that the engine is at.

    A request leaves when its callback, or errback, is exhausted, what it yielded is
    scheduled, and all items are through the pipelines; or when a middleware has put
    another request in its place, which is scheduled by then.
    """
    slot = _slot(crawler)
    requests: Set[Request] = frozenset() if slot is None else slot.inprogress
    return requests


def wake(crawler: Crawler) -> None:
    """Have the engine ask for requests soon; by itself it does every five seconds."""
    slot = _slot(crawler)
    if slot is not None and slot.closing is None:
        slot.nextcall.schedule()


def _slot(crawler: Crawler) -> Any:
    assert crawler.engine is not None
    return crawler.engine._slot
