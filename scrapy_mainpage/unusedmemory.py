"""Memory that large pages have left unused goes back to the system."""

from __future__ import annotations

from ctypes import CDLL, c_size_t
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.utils.asyncio import AsyncioLoopingCall
    from twisted.internet.task import LoopingCall

    # typing.Self requires Python 3.11
    from typing_extensions import Self

LARGE: Final = 250_000
"""Bytes of a response from which on what it leaves is worth the while."""

INTERVAL: Final = 10.0
"""Seconds between two looks. One that gives something back takes some milliseconds."""


class UnusedMemory:
    """Gives back what was used for large responses, some seconds after they came.

    A tree, a text and their like take many times a page's bytes, for a moment. The C
    library of most Linux systems keeps that for later, between what was allocated
    since then: a long crawl is as large as the largest pages have made it that were
    ever there at once. Elsewhere there is nothing to do, and the extension is off.
    """

    def __init__(self, crawler: Crawler, trim: Callable[[], object]) -> None:
        self._trim = trim
        self._large = False
        self._calls: AsyncioLoopingCall | LoopingCall | None = None
        crawler.signals.connect(self.opened, signals.spider_opened)
        crawler.signals.connect(self.received, signals.response_received)
        crawler.signals.connect(self.closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension, where the C library can give memory back."""
        trim = find_trim()
        if trim is None:
            raise NotConfigured("this C library gives unused memory back itself")
        return cls(crawler, trim)

    def opened(self) -> None:
        """Begin to look now and then."""
        self._calls = create_looping_call(self.look)
        self._calls.start(INTERVAL, now=False)

    def received(self, response: Response) -> None:
        """Take note of a large response."""
        self._large = self._large or len(response.body) >= LARGE

    def look(self) -> None:
        """Give memory back if there was a large response since the last look."""
        if self._large:
            self._large = False
            self._trim()

    def closed(self) -> None:
        """Look no more."""
        if self._calls is not None:
            self._calls.stop()


def find_trim() -> Callable[[], object] | None:
    """The function that gives unused memory back; ``None`` where there is none."""
    try:
        trim = CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    trim.argtypes = [c_size_t]
    return lambda: trim(0)


__all__ = ["UnusedMemory"]
