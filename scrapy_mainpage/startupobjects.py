"""What is there when a crawl begins is left out of the collections of garbage."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakSet

from scrapy import signals
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
    from typing_extensions import Self


class StartupObjects:
    """Freezes the objects that there are when a crawl begins, until it ends.

    Modules, classes and functions are a hundred thousand objects that stay. To walk
    through them again and again, in search of garbage, is a tenth of a crawl's time.
    See ``gc.freeze``. Where a project freezes objects itself, or a crawl is under
    way already, whose pages would be kept, nothing is done.
    """

    #: The crawls under way in this process.
    _crawls: ClassVar[WeakSet[Crawler]] = WeakSet()
    #: Whether some have ended.
    _have_been: ClassVar[bool] = False
    _has_frozen: ClassVar[bool] = False

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self.started, signals.engine_started)
        crawler.signals.connect(self.stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension, where Python can freeze objects."""
        if not hasattr(gc, "freeze"):
            raise NotConfigured("this Python does not freeze objects")
        return cls(crawler)

    def started(self) -> None:
        """Freeze what there is, if there are no pages of a crawl in it."""
        if not self._crawls and not gc.get_freeze_count():
            if self._have_been:
                gc.collect()  # what they have left
            gc.freeze()
            StartupObjects._has_frozen = True
        self._crawls.add(self.crawler)

    def stopped(self) -> None:
        """Make all objects as they were, if this was the last crawl."""
        self._crawls.discard(self.crawler)
        StartupObjects._have_been = True
        if self._has_frozen and not self._crawls:
            gc.unfreeze()
            StartupObjects._has_frozen = False


__all__ = ["StartupObjects"]
