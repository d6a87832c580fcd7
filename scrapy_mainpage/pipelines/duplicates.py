"""The pipeline that drops items whose text is a copy of another item's."""

from __future__ import annotations

import logging
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, DropItem, NotConfigured
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.job import job_dir

from scrapy_mainpage.compat import wait_for, wake_engine
from scrapy_mainpage.crawl.crawl_ledger import CrawlLedger
from scrapy_mainpage.crawl.crawl_state import CrawlState, ItemPages, only_shows_pages
from scrapy_mainpage.duplicates.entry import EntryReader, url_number
from scrapy_mainpage.duplicates.pending import PendingItems
from scrapy_mainpage.duplicates.redis import CLAIM_SECONDS, RedisStore
from scrapy_mainpage.duplicates.store import (
    Findings,
    LocalStore,
    SavedFile,
    StoreFailure,
)
from scrapy_mainpage.items import ItemReader
from scrapy_mainpage.redaction import message_line
from scrapy_mainpage.redis_server import AddressRefused, part_of
from scrapy_mainpage.settings import (
    CANONICAL,
    FIRST,
    LONGEST,
    SettingsError,
    refuse,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence

    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_mainpage.duplicates.entry import Entry, Match
    from scrapy_mainpage.duplicates.pending import PendingItem
    from scrapy_mainpage.duplicates.store import Store
    from scrapy_mainpage.settings import Settings

    from .index import IndexPipeline

logger = logging.getLogger(__name__)

FILE: Final = Path("mainpage", "duplicates.sqlite")
"""Below ``JOBDIR``: the texts remembered while a crawl is paused."""

Result = TypeVar("Result")

POLL_SECONDS: Final = 0.1
"""Interval of the checks of an item that another worker has claimed."""


class DuplicateDropItem(DropItem):
    """An item dropped as a copy; logged at level DEBUG, as many will be.

    ``url`` is that of the item that was kept, ``similarity`` goes to 1.
    """

    kind = "exact"

    def __init__(self, what: str, url: str, similarity: float):
        super().__init__(f"{what} of {url or 'an item without URL'}", log_level="DEBUG")
        self.url = url
        self.similarity = similarity


class ExactDuplicate(DuplicateDropItem):
    """The text has the same words in the same order as one that was kept."""

    def __init__(self, url: str, similarity: float = 1.0):
        super().__init__("exact copy", url, similarity)


class NearDuplicate(DuplicateDropItem):
    """The text is at least ``MAINPAGE_DUPLICATES_THRESHOLD`` like one that was kept."""

    kind = "near"

    def __init__(self, url: str, similarity: float):
        super().__init__(f"near copy ({similarity:.2f})", url, similarity)


class DuplicatesPipeline:
    """Drops items whose text is that of an item that was kept, or nearly so.

    The text is the item's (see ``scrapy_mainpage.items``), else the main content of
    the page that the item describes. Items without a text
    pass, counted in ``mainpage/duplicates/unknown``. So does every item with the URL of
    the one it is like: that is the same page again.

    A text is remembered for good when its item was scraped. Until then its copies wait
    here, so that they are not dropped for an item that is dropped itself, or fails, in
    a later pipeline.
    """

    longest_wait = 60.0
    """Seconds that an item waits for the one it copies, whose end a later pipeline may
    never report."""

    def __init__(self, crawler: Crawler, settings: Settings, store: Store):
        self.crawler = crawler
        self.settings = settings
        self._store = store
        self._pending = PendingItems()
        self._sources = CrawlState.of(crawler).keep(ItemPages)
        self._reader = EntryReader(
            ItemReader(
                settings.item_fields,
                settings.index_fields,
                routes=settings.render_hash_routes,
            )
        )
        self._items = self._settled = self._compared = 0
        self._dropped: Counter[str] = Counter()
        self._settling = False
        self._reported = {"paused"}  # its cause was reported before
        connect = crawler.signals.connect
        connect(self.item_kept, signals.item_scraped)
        connect(self.item_lost, signals.item_dropped)
        connect(self.item_lost, signals.item_error)
        connect(self.spider_idle, signals.spider_idle)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline; an unusable store stops the crawl here."""
        settings = CrawlState.of(crawler).settings
        if not settings.enabled or only_shows_pages(crawler):
            raise NotConfigured
        return cls(crawler, settings, make_store(crawler, settings))

    async def open_spider(self) -> None:
        """Read the texts that earlier runs of the crawl remembered."""
        if count := await self._attempt(self._store.open(), 0):
            self._log(logging.INFO, "%d texts are remembered from before", count)

    async def close_spider(self) -> None:
        """Close the store, and log how many items were dropped."""
        await self._store.close()
        if self._compared:
            kinds = ", ".join(f"{kind} {n}" for kind, n in self._dropped.most_common())
            counts = self._dropped.total(), self._compared, kinds and f": {kinds}"
            self._log(logging.INFO, "duplicates: %d of %d items dropped%s", *counts)

    async def process_item(self, item: Any) -> Any:
        """Return the item, or raise :exc:`DuplicateDropItem` if it is a copy."""
        self._pending.enter()
        self._items += 1
        source = self._sources.get(item)
        entry = self._reader.read(item, source.page if source else None)
        if entry is None:
            self._count("unknown")
            return item
        self._compared += 1
        # The page has come again: what it was in an earlier crawl does not count.
        await self._attempt(self._store.forget_former(entry.own), None)
        try:
            await self._admit(item, entry)
        except DuplicateDropItem as copy:
            self._dropped[copy.kind] += 1
            raise
        return item

    async def _admit(self, item: Any, entry: Entry) -> None:
        """Let the item pass, or raise :exc:`DuplicateDropItem`.

        No await stands between the decision and the beginning of the pending item: of
        two copies at once, the second sees the first. The store sees those of other
        workers.
        """
        while True:
            findings, replaces = await self._decide(entry)
            pending = self._pending.begin(item, entry, replaces)
            if await self._attempt(self._store.claim(entry, findings), True):
                return
            self._pending.end(pending)

    async def _decide(self, entry: Entry) -> tuple[Findings, Sequence[Match]]:
        """Return the matches that the entry replaces; raise if it is a copy."""
        threshold = self.settings.duplicates_threshold
        waited = 0.0
        while True:
            search = self._store.find(entry, threshold)
            findings = await self._attempt(search, Findings([]))
            same = [m for m in findings.matches if m.entry.has_url_of(entry)]
            others = [m for m in findings.claimed if not m.entry.has_url_of(entry)]
            if same and not self._store.is_shared:
                return findings, same
            if not same:
                self._check(entry, findings.matches)
            pending = self._pending.matches(entry, threshold)
            if any(each.entry.has_url_of(entry) for each in pending):
                return findings, same or findings.matches
            if pending:
                await _wait(self.longest_wait, self._pending.watch(pending[0]))
                if self._pending.check_overdue(pending[0]):
                    self._count("unsettled")
            elif others:
                if waited >= self._store.claim_time:
                    self._count("unsettled")
                    return findings, same or findings.matches
                await _wait(POLL_SECONDS)
                waited += POLL_SECONDS
            else:
                return findings, same or findings.matches

    async def _attempt(self, operation: Awaitable[Result], default: Result) -> Result:
        """The result of an operation of the store; *default* if it fails."""
        try:
            return await operation
        except StoreFailure as failure:
            self._report(failure)
            return default

    def _check(self, entry: Entry, matches: Sequence[Match]) -> None:
        """Raise for the best of the matches that the entry does not replace."""
        for match in matches:
            # One that may be in an index, or nowhere, is replaced.
            if self._store.is_unsettled(match.key):
                continue
            if self._is_preferred(entry, match.entry):
                continue
            if entry.is_exact_copy(match.entry):
                raise ExactDuplicate(match.entry.url)
            raise NearDuplicate(match.entry.url, match.similarity)

    def _is_preferred(self, entry: Entry, other: Entry) -> bool:
        """Whether an entry replaces one that came before."""
        keep = self.settings.duplicates_keep
        if keep == LONGEST:
            return entry.is_clearly_longer(other)
        return keep == CANONICAL and entry.is_more_canonical(other)

    async def item_kept(self, item: Any) -> None:
        """Remember the text of a scraped item."""
        pending = self._pending.find(item)
        if pending is None:
            return
        keys = [match.key for match in pending.replaces]
        try:
            operation = self._store.remember(pending.entry, keys)
            if forgotten := await self._attempt(operation, 0):
                self._report_forgotten(forgotten)
        finally:
            self._pending.end(pending)
        await self._replace(pending)

    async def forget(self, url: str) -> None:
        """Forget what earlier crawls remembered of a page, which has left the site."""
        number = url_number(url, routes=self.settings.render_hash_routes)
        await self._attempt(self._store.forget_former(number), None)

    async def item_lost(self, item: Any) -> None:
        """Forget the text of an item that a later pipeline dropped or failed on."""
        pending = self._pending.find(item)
        if pending is None:
            return
        self._pending.end(pending)
        await self._attempt(self._store.release(pending.entry), None)

    async def _replace(self, pending: PendingItem) -> None:
        """Delete the items that this one replaces from the indexes."""
        better = pending.entry
        for match in pending.replaces:
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
        """Before the end, delete the items of this worker that others replaced.

        Only this worker knows that they are deleted after they were written; or the one
        that writes the journal of a killed worker.
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
                replaced = await self._attempt(
                    self._store.filter_replaced(restored), []
                )
                others = await self._attempt(self._store.take_replaced(), [])
                for url in [*replaced, *others]:
                    await self._delete(url)
        finally:
            self._settled, self._settling = items, False
            wake_engine(self.crawler)

    def _report_forgotten(self, number: int) -> None:
        if not self._stats.get_value("mainpage/duplicates/forgotten"):
            most = self.settings.duplicates_memory
            line = "More than %d texts (MAINPAGE_DUPLICATES_MEMORY): the oldest are "
            self._log(logging.WARNING, line + "forgotten, copies of them pass", most)
        self._count("forgotten", number)

    def _report(self, failure: StoreFailure) -> None:
        """Count a failure, and log the first of its kind."""
        self._count(f"failed/{failure.reason}")
        if failure.reason not in self._reported:
            self._reported.add(failure.reason)
            line = "The store of texts failed (%s), copies may pass: %s"
            url = self.settings.duplicates_store or self.settings.shared or ""
            problem = message_line(str(failure), url)
            self._log(logging.ERROR, line, failure.reason, problem)

    def _count(self, name: str, number: int = 1) -> None:
        self._stats.inc_value(f"mainpage/duplicates/{name}", number)

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.crawler.spider})

    @property
    def _stats(self) -> Any:
        return self.crawler.stats


def make_store(crawler: Crawler, settings: Settings) -> Store:
    """Return the store that the settings name; an unusable one stops the crawl."""
    try:
        import rensa  # noqa: F401 - fail at the start, not at the first item
    except ImportError:
        name, extra = "MAINPAGE_DUPLICATES_ENABLED", "'scrapy-mainpage[duplicates]'"
        refuse(crawler, SettingsError(name, True, f"needs rensa: pip install {extra}"))
    url, name = settings.duplicates_store, "MAINPAGE_DUPLICATES_STORE"
    claim_time, ledger = CLAIM_SECONDS, CrawlState.of(crawler).kept(CrawlLedger)
    if settings.shared is not None:
        # The lost page of a dead worker is crawled again by then.
        claim_time += settings.shared_lease
        if url is None:
            url, name = part_of(settings.shared, "duplicates"), "MAINPAGE_SHARED"
            if ledger is not None:  # the next crawl has another queue
                part = f"duplicates:{ledger.scope}"
                url, name = part_of(str(settings.state), part), "MAINPAGE_STATE"
    if url is None:
        folder = job_dir(crawler.settings)
        path = Path(folder, FILE) if folder else None
        if ledger is not None:
            path = ledger.file("duplicates")
        file = SavedFile(path) if path else None
        return LocalStore(settings.duplicates_memory, file)
    try:
        return RedisStore(url, settings.duplicates_memory, claim_time, wait_for)
    except AddressRefused as refused:
        refuse(crawler, SettingsError(name, refused.shown, str(refused)))


async def _wait(seconds: float, future: Future[None] | None = None) -> None:
    """Wait until the future is done, at most for this time."""
    future = future or Future()
    timer = call_later(seconds, _finish, future)
    await wait_for(future)
    timer.cancel()


def _finish(future: Future[None]) -> None:
    if not future.done():
        future.set_result(None)
