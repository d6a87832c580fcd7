"""Optional extensions: a project may add them to ``EXTENSIONS``; none is on by default.

Both change the whole process, not only the crawl.
"""

from __future__ import annotations

import gc
from ctypes import CDLL, c_size_t
from typing import TYPE_CHECKING, ClassVar, Final
from weakref import WeakSet

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

LARGE_RESPONSE_BYTES: Final = 250_000
TRIM_SECONDS: Final = 10.0
"""Time between two checks. A trim takes some milliseconds."""


class FreezeObjects:
    """Leaves modules, classes and functions out of garbage collections during a crawl.

    They are a hundred thousand objects; ``gc.freeze`` is called when the crawl begins
    and ``gc.unfreeze`` when the last one ends. Objects that a project has frozen itself
    stay frozen, and a crawl that begins during another one freezes nothing.
    """

    _crawls: ClassVar[WeakSet[Crawler]] = WeakSet()
    _has_frozen: ClassVar[bool] = False

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self.start, signals.engine_started)
        crawler.signals.connect(self.stop, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension, where Python can freeze objects."""
        if not hasattr(gc, "freeze"):
            raise NotConfigured("this Python does not freeze objects")
        return cls(crawler)

    def start(self) -> None:
        """Freeze all objects, if no crawl is running whose pages were among them."""
        if not self._crawls and not gc.get_freeze_count():
            gc.collect()
            gc.freeze()
            FreezeObjects._has_frozen = True
        self._crawls.add(self.crawler)

    def stop(self) -> None:
        """Unfreeze them when the last crawl has ended."""
        self._crawls.discard(self.crawler)
        if self._has_frozen and not self._crawls:
            gc.unfreeze()
            FreezeObjects._has_frozen = False


class TrimMemory:
    """Returns free memory to the system after large responses (``malloc_trim``).

    The C library of most Linux systems keeps what large pages took for a moment.
    """

    def __init__(self, crawler: Crawler, trim: Callable[[], object]) -> None:
        self._trim = trim
        self._has_been_large = False
        self._loop: AsyncioLoopingCall | LoopingCall | None = None
        crawler.signals.connect(self.open, signals.spider_opened)
        crawler.signals.connect(self.receive, signals.response_received)
        crawler.signals.connect(self.close, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension, where the C library has ``malloc_trim``."""
        trim = find_trim()
        if trim is None:
            raise NotConfigured("this C library has no malloc_trim")
        return cls(crawler, trim)

    def open(self) -> None:
        """Begin to check."""
        self._loop = create_looping_call(self.check)
        self._loop.start(TRIM_SECONDS, now=False)

    def receive(self, response: Response) -> None:
        """Note a large response."""
        if len(response.body) >= LARGE_RESPONSE_BYTES:
            self._has_been_large = True

    def check(self) -> None:
        """Return memory if there was a large response since the last check."""
        if self._has_been_large:
            self._has_been_large = False
            self._trim()

    def close(self) -> None:
        """End the checks."""
        if self._loop is not None:
            self._loop.stop()


def find_trim() -> Callable[[], object] | None:
    """Return the function that trims memory; ``None`` if the C library has none."""
    try:
        trim = CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    trim.argtypes = [c_size_t]
    return lambda: trim(0)


__all__ = ["FreezeObjects", "TrimMemory"]
