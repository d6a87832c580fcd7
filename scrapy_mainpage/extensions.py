"""Optional extensions: a project may add them to ``EXTENSIONS``; none is on by default.

Both change the whole process, not only the crawl.
"""

from __future__ import annotations

import gc
from ctypes import CDLL
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    # typing.Self requires Python 3.11
    from typing_extensions import Self

TRIM_BYTES: Final = 50 * 2**20
"""Bytes of responses between two trims, which take some milliseconds each."""


class FreezeObjects:
    """Leaves modules, classes and functions out of garbage collections during a crawl.

    They are a hundred thousand objects; ``gc.freeze`` is called when the crawl begins
    and ``gc.unfreeze`` when it ends, unless something was frozen before.
    """

    def __init__(self) -> None:
        self._has_frozen = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension, where Python can freeze objects."""
        if not hasattr(gc, "freeze"):
            raise NotConfigured("this Python does not freeze objects")
        extension = cls()
        crawler.signals.connect(extension.start, signals.engine_started)
        crawler.signals.connect(extension.stop, signals.engine_stopped)
        return extension

    def start(self) -> None:
        """Freeze all objects."""
        if not gc.get_freeze_count():
            gc.collect()
            gc.freeze()
            self._has_frozen = True

    def stop(self) -> None:
        """Unfreeze them."""
        if self._has_frozen:
            gc.unfreeze()


class TrimMemory:
    """Returns free memory to the system, by ``malloc_trim``, as responses come.

    The C library of most Linux systems keeps what large pages took for a moment.
    """

    def __init__(self, trim: Callable[[int], int]) -> None:
        self._trim = trim
        self._bytes = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension, where the C library has ``malloc_trim``."""
        try:
            extension = cls(CDLL(None).malloc_trim)
        except (AttributeError, OSError, TypeError):
            raise NotConfigured("this C library has no malloc_trim") from None
        crawler.signals.connect(extension.receive, signals.response_received)
        return extension

    def receive(self, response: Response) -> None:
        """Trim memory after every :data:`TRIM_BYTES` of responses."""
        self._bytes += len(response.body)
        if self._bytes >= TRIM_BYTES:
            self._bytes = 0
            self._trim(0)
