"""The collections of garbage while a crawl goes on: of what is new, not too often."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, ClassVar, Final
from weakref import WeakSet

from scrapy import signals
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
    from typing_extensions import Self

#: When Python collects garbage by default, before 3.13 and from then on.
EARLIER: Final = (700, 10, 10)
NOW: Final = (2000, 10, 10)


class GarbageCollection:
    """Has less to walk through for the garbage collector, while a crawl goes on.

    Modules, classes and functions are a hundred thousand objects that stay. To walk
    through them again and again, in search of garbage, is a tenth of a crawl's time:
    what there is when the crawl begins is frozen (see ``gc.freeze``) until it ends.
    Where a project freezes objects itself, or a crawl is under way already, whose pages
    would be kept, nothing is frozen. How often garbage is collected is up to the
    project; if that has left it as it was, it is as newer versions of Python have it.
    """

    #: The crawls under way in this process.
    _crawls: ClassVar[WeakSet[Crawler]] = WeakSet()
    #: Whether some have ended.
    _have_been: ClassVar[bool] = False
    _has_frozen: ClassVar[bool] = False
    _is_rarer: ClassVar[bool] = False

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
            GarbageCollection._has_frozen = True
        if gc.get_threshold() == EARLIER:
            gc.set_threshold(*NOW)
            GarbageCollection._is_rarer = True
        self._crawls.add(self.crawler)

    def stopped(self) -> None:
        """Undo that all if this was the last crawl."""
        self._crawls.discard(self.crawler)
        GarbageCollection._have_been = True
        if not self._crawls:
            self._undo()

    @classmethod
    def _undo(cls) -> None:
        if cls._has_frozen:
            gc.unfreeze()
        if cls._is_rarer and gc.get_threshold() == NOW:
            gc.set_threshold(*EARLIER)
        cls._has_frozen = cls._is_rarer = False


__all__ = ["GarbageCollection"]
