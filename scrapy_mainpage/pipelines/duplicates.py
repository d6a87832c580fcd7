"""A pipeline that drops items whose text another item had already."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, DropItem, NotConfigured
from scrapy.utils.defer import deferred_from_coro

from scrapy_mainpage.duplicates.choosing import make_store
from scrapy_mainpage.duplicates.flights import Flights, pause
from scrapy_mainpage.duplicates.reading import EntryReader
from scrapy_mainpage.duplicates.store import Look, StoreFailure
from scrapy_mainpage.redis_crawl.engine import wake
from scrapy_mainpage.settings import CANONICAL, FIRST, LONGEST, read_settings

from .item_pages import Sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from scrapy_mainpage.duplicates.entries import Entry, Match
    from scrapy_mainpage.duplicates.flights import Flight
    from scrapy_mainpage.duplicates.store import Store
    from scrapy_mainpage.settings import Settings

    from .index import IndexPipeline

logger = logging.getLogger(__name__)

_STEP: Final = 0.1
"""Every so many seconds it is seen what became of the item of another worker."""


class DuplicateDropItem(DropItem):
    """An item dropped as a copy; logged at level DEBUG, as many will be.

    ``url`` is that of the item that was kept, ``similarity`` goes to 1.
    """

    def __init__(self, kind: str, url: str, similarity: float):
        super().__init__(f"{kind} of {url or 'an item without URL'}", log_level="DEBUG")
        self.url = url
        self.similarity = similarity


class ExactDuplicate(DuplicateDropItem):
    """The text has the same words in the same order as one that was kept."""

    def __init__(self, url: str, similarity: float = 1.0):
        super().__init__("exact copy", url, similarity)


class NearDuplicate(DuplicateDropItem):
    """The text is at least ``MAINPAGE_DUPLICATES_THRESHOLD`` like one that was kept."""

    def __init__(self, url: str, similarity: float):
        super().__init__(f"near copy ({similarity:.2f})", url, similarity)


class DuplicatesPipeline:
    """Drops items whose text is that of an item that was kept, or nearly so.

    The text is that of the field that ``MAINPAGE_ITEM_FIELDS`` fills with it (``text``
    if it fills none), else the main content of the item's page. Items without a text
    pass, counted in ``mainpage/duplicates/unknown``. So does every item with the URL of
    the one it is like: that is the same page again.

    A text is remembered for good when its item has left the pipelines well. Until then
    its copies wait here, so that they are not dropped for an item that is dropped
    itself, or fails, in a later pipeline.
    """

    longest_wait = 60.0
    """For so many seconds an item waits at most for what becomes of the one it copies:
    it is for pipelines that never say so."""

    def __init__(self, crawler: Crawler, settings: Settings, store: Store):
        self.crawler = crawler
        self.settings = settings
        self._store = store
        self._flights = Flights()
        self._reader = EntryReader(settings, Sources.of(crawler))
        self._items = self._settled = 0
        self._settling = False
        self._reported = {"paused"}  # what went wrong before was reported
        connect = crawler.signals.connect
        connect(self.item_kept, signals.item_scraped)
        connect(self.item_lost, signals.item_dropped)
        connect(self.item_lost, signals.item_error)
        connect(self.spider_idle, signals.spider_idle)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline; a store that cannot be used stops the crawl here."""
        settings = read_settings(crawler)
        if not settings.enabled:
            raise NotConfigured
        return cls(crawler, settings, make_store(crawler, settings))

    async def open_spider(self) -> None:
        """Read what earlier runs of the crawl have remembered."""
        try:
            count = await self._store.open()
        except StoreFailure as failure:
            self._failed(failure)
        else:
            if count:
                self._log(logging.INFO, "%d texts are remembered from before", count)

    async def close_spider(self) -> None:
        """Close the store."""
        await self._store.close()

    async def process_item(self, item: Any) -> Any:
        """Return the item, or raise :exc:`DuplicateDropItem` if it is a copy."""
        self._flights.enter()
        self._items += 1
        entry = self._reader.read(item)
        if entry is None:
            self._count("unknown")
            return item
        await self._admit(item, entry)
        return item

    async def _admit(self, item: Any, entry: Entry) -> None:
        """Let the item pass, or raise :exc:`DuplicateDropItem`.

        Nothing is waited for between the judgement and the beginning of the flight: of
        two copies at once, the second sees the first. Those of other workers are seen
        by the store.
        """
        while True:
            look, replaces = await self._judge(entry)
            flight = self._flights.begin(item, entry, replaces)
            if await self._claimed(entry, look):
                return
            self._flights.end(flight)

    async def _judge(self, entry: Entry) -> tuple[Look, Sequence[Match]]:
        """Return the matches that the entry takes the place of, or raise for a copy."""
        threshold = self.settings.duplicates_threshold
        waited = 0.0
        while True:
            look = await self._look(entry)
            same = [m for m in look.matches if m.entry.has_url_of(entry)]
            others = [m for m in look.claimed if not m.entry.has_url_of(entry)]
            if same and not self._store.is_shared:
                return look, same
            if not same:
                self._check(entry, look.matches)
            flights = self._flights.matches(entry, threshold)
            if any(flight.entry.has_url_of(entry) for flight in flights):
                return look, same or look.matches
            if flights:
                if not await self._flights.landed(flights[0], self.longest_wait):
                    self._count("unsettled")
            elif others:
                if waited >= self._store.claim_time:
                    self._count("unsettled")
                    return look, same or look.matches
                await pause(_STEP)
                waited += _STEP
            else:
                return look, same or look.matches

    async def _look(self, entry: Entry) -> Look:
        try:
            return await self._store.look(entry, self.settings.duplicates_threshold)
        except StoreFailure as failure:
            self._failed(failure)
            return Look([])

    async def _claimed(self, entry: Entry, look: Look) -> bool:
        try:
            return await self._store.claim(entry, look)
        except StoreFailure as failure:
            self._failed(failure)
            return True

    def _check(self, entry: Entry, matches: Sequence[Match]) -> None:
        """Raise for the best of the matches that the entry is not to replace."""
        for match in matches:
            if self._is_preferred(entry, match.entry):
                continue
            if entry.is_exact_copy(match.entry):
                raise ExactDuplicate(match.entry.url)
            raise NearDuplicate(match.entry.url, match.similarity)

    def _is_preferred(self, entry: Entry, other: Entry) -> bool:
        """Whether an entry is to take the place of one that came before."""
        keep = self.settings.duplicates_keep
        if keep == LONGEST:
            return entry.is_clearly_longer(other)
        return keep == CANONICAL and entry.is_more_canonical(other)

    async def item_kept(self, item: Any) -> None:
        """Remember the text of an item that has come through all pipelines."""
        flight = self._flights.find(item)
        if flight is None:
            return
        keys = [match.key for match in flight.replaces]
        try:
            if forgotten := await self._store.remember(flight.entry, keys):
                self._forgotten(forgotten)
        except StoreFailure as failure:
            self._failed(failure)
        finally:
            self._flights.end(flight)
        await self._replace(flight)

    async def item_lost(self, item: Any) -> None:
        """Forget the text of an item that a later pipeline dropped, or failed on."""
        flight = self._flights.find(item)
        if flight is None:
            return
        self._flights.end(flight)
        try:
            await self._store.release(flight.entry)
        except StoreFailure as failure:
            self._failed(failure)

    async def _replace(self, flight: Flight) -> None:
        """Take the items out of the indexes whose place this one has taken."""
        better = flight.entry
        for match in flight.replaces:
            if match.entry.has_url_of(better):
                continue
            self._count("replaced")
            self._log(logging.DEBUG, "%s replaces %s", better.url, match.entry.url)
            await self._delete(match.entry.url)

    async def _delete(self, url: str) -> None:
        if self._index is not None and url:
            await self._index.delete(url)

    @property
    def _index(self) -> IndexPipeline | None:
        from .index import IndexPipeline

        return self.crawler.get_item_pipeline(IndexPipeline)

    def spider_idle(self) -> None:
        """Before the end, see which items of this worker others have replaced.

        Only this worker can be sure that they are deleted after they were written; or
        the one that writes what a killed worker has left.
        """
        final = self.settings.duplicates_keep == FIRST or not self._store.is_shared
        if final or self._settled == self._items:
            return
        if not self._settling:
            self._settling = True
            deferred_from_coro(self._settle(self._items))
        raise DontCloseSpider

    async def _settle(self, items: int) -> None:
        try:
            if self._index is not None:
                restored = await self._index.take_over()
                replaced = await self._store.replaced(restored)
                for url in [*replaced, *await self._store.told()]:
                    await self._delete(url)
        except StoreFailure as failure:
            self._failed(failure)
        finally:
            self._settled, self._settling = items, False
            wake(self.crawler)

    def _forgotten(self, number: int) -> None:
        if not self._stats.get_value("mainpage/duplicates/forgotten"):
            most = self.settings.duplicates_memory
            line = "More than %d texts (MAINPAGE_DUPLICATES_MEMORY): the oldest are "
            self._log(logging.WARNING, line + "forgotten, copies of them pass", most)
        self._count("forgotten", number)

    def _failed(self, failure: StoreFailure) -> None:
        """Count a failure, and log the first of its kind."""
        self._count(f"failed/{failure.reason}")
        if failure.reason not in self._reported:
            self._reported.add(failure.reason)
            line = "What is remembered of texts fails (%s), copies may pass: %s"
            self._log(logging.ERROR, line, failure.reason, failure)

    def _count(self, name: str, number: int = 1) -> None:
        self._stats.inc_value(f"mainpage/duplicates/{name}", number)

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.crawler.spider})

    @property
    def _stats(self) -> Any:
        return self.crawler.stats
