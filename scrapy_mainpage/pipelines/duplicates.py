"""The pipeline that drops items whose text is a copy of another item's."""

from __future__ import annotations

import logging
from collections import Counter
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import signals
from scrapy.exceptions import DontCloseSpider, DropItem
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro

from scrapy_mainpage.compat import wait_for, wake_engine
from scrapy_mainpage.crawl.crawl_ledger import CrawlLedger
from scrapy_mainpage.crawl.crawl_state import Component, ItemPages
from scrapy_mainpage.items import ItemReader
from scrapy_mainpage.memory.copies import (
    EntryReader,
    PendingItem,
    PendingItems,
    url_number,
)
from scrapy_mainpage.memory.texts import Findings, TextMemory, TextsFailed
from scrapy_mainpage.redaction import message_line
from scrapy_mainpage.settings import CANONICAL, LONGEST, SettingsError, refuse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import Crawler

    from scrapy_mainpage.memory.copies import Entry, Match

    from .index import IndexPipeline

Result = TypeVar("Result")


class DuplicateDropItem(DropItem):
    """An item dropped as a copy; logged at level DEBUG, as many will be.

    ``url`` is that of the item that was kept, ``similarity`` goes to 1.
    """

    kind = "exact"

    def __init__(self, url: str, similarity: float = 1.0):
        what = f"{self.kind} copy ({similarity:.2f}) of".replace(" (1.00)", "")
        super().__init__(f"{what} {url or 'an item without URL'}", log_level="DEBUG")
        self.url, self.similarity = url, similarity


class ExactDuplicate(DuplicateDropItem):
    """The text has the same words in the same order as one that was kept."""


class NearDuplicate(DuplicateDropItem):
    """The text is at least ``MAINPAGE_DUPLICATES_THRESHOLD`` like one that was kept."""

    kind = "near"


class DuplicatesPipeline(Component):
    """Drops items whose text is that of an item that was kept, or nearly so.

    The text is the item's (see ``scrapy_mainpage.items``), else the main content of
    the page that the item describes. Items without a text
    pass, counted in ``mainpage/duplicates/unknown``. So does every item with the URL of
    the one it is like: that is the same page again.

    A text is remembered for good when its item was scraped. Until then its copies wait
    here, so that they are not dropped for an item that is dropped itself, or fails, in
    a later pipeline. A copy of an item of another worker is dropped at once: a crawl
    asks for it again if that item gives no document.
    """

    longest_wait = 60.0
    """Seconds that an item waits for the one it copies, whose end a later pipeline may
    never report."""

    stats_prefix = "mainpage/duplicates"
    writes = True

    def __init__(self, crawler: Crawler):
        check_library(crawler)
        super().__init__(crawler)
        self._ledger = self.state.kept(CrawlLedger)
        self._texts: TextMemory
        self._pending = PendingItems()
        self._sources = self.state.keep(ItemPages)
        self._reader = EntryReader(ItemReader.of(self.settings))
        self._items = self._compared = 0
        self._settled = -1  # items at the last look for replaced documents
        self._dropped: Counter[str] = Counter()
        self._settling = self._has_failed = False
        connect = crawler.signals.connect
        connect(self.item_kept, signals.item_scraped)
        connect(self.item_lost, signals.item_dropped)
        connect(self.item_lost, signals.item_error)
        connect(self.spider_idle, signals.spider_idle)

    def open_spider(self) -> None:
        """Open the memory of texts: that of the state, or one of the process."""
        ledger = self._ledger
        if ledger is None:
            self._texts = TextMemory.of_process()
        else:
            self._texts = TextMemory(ledger.store, ledger.scope, ledger.run.id)
        if count := self._attempt(0, self._texts.open):
            self.log(logging.INFO, "%d texts are remembered from before", count)

    def close_spider(self) -> None:
        """Close the memory, and log how many items were dropped."""
        self._texts.close()
        if self._compared:
            kinds = ", ".join(f"{kind} {n}" for kind, n in self._dropped.most_common())
            counts = self._dropped.total(), self._compared, kinds and f": {kinds}"
            self.log(logging.INFO, "duplicates: %d of %d items dropped%s", *counts)

    async def process_item(self, item: Any) -> Any:
        """Return the item, or raise :exc:`DuplicateDropItem` if it is a copy."""
        self._pending.begin(None)
        self._items += 1
        source = self._sources.get(item)
        entry = self._reader.read(item, source.page if source else None)
        if entry is None:
            self.count("unknown")
            return item
        self._compared += 1
        # The page has come again: what it was in an earlier crawl does not count.
        self._attempt(None, self._texts.forget_former, entry.own)
        try:
            await self._admit(entry)
        except DuplicateDropItem as copy:
            self._dropped[copy.kind] += 1
            raise
        return item

    async def _admit(self, entry: Entry) -> None:
        """Let the item pass, or raise :exc:`DuplicateDropItem`.

        No await stands between the decision and the claim: of two copies at once, the
        second sees the first. The memory sees the claims of other workers.
        """
        while True:
            findings, replaces = await self._decide(entry)
            try:
                key = self._texts.claim(entry, findings)
            except TextsFailed as failure:
                self._report(failure)
                return
            if key is not None:
                self._pending.begin(PendingItem(entry, key, replaces))
                return

    async def _decide(self, entry: Entry) -> tuple[Findings, Sequence[Match]]:
        """Return the matches that the entry replaces; raise if it is a copy."""
        threshold = self.settings.duplicates_threshold
        while True:
            findings = self._attempt(Findings(), self._texts.find, entry, threshold)
            same = [m for m in findings.matches if m.entry.has_url_of(entry)]
            if not same:
                self._check(entry, findings)
            replaces = same or findings.matches
            is_known = bool(same) and not self._texts.is_shared
            if is_known or any(m.entry.has_url_of(entry) for m in findings.own):
                return findings, replaces
            pending = self._pending.first_of(findings.own)
            if pending is None:
                return findings, replaces
            await _wait(self.longest_wait, pending.end)
            if pending in self._pending:
                self.count("unsettled")

    def _attempt(
        self, default: Result, operation: Callable[..., Result], *values: Any
    ) -> Result:
        """The result of an operation of the memory; *default* if it fails."""
        try:
            return operation(*values)
        except TextsFailed as failure:
            self._report(failure)
            return default

    def _check(self, entry: Entry, findings: Findings) -> None:
        """Raise for the best of the matches that the entry does not replace."""
        for match in findings.matches:
            # One that may be in an index, or nowhere, is replaced.
            if match.key in findings.unsettled:
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
        pending = self._pending.take()
        if pending is None:
            return
        keys = [match.key for match in pending.replaces]
        settle, better = self._texts.settle, pending.entry
        replaced = self._attempt(list[str](), settle, pending.key, better, keys)
        _finish(pending.end)
        for url in replaced:
            self.count("replaced")
            self.log(logging.DEBUG, "%s replaces %s", better.url, url)
            await self._delete(url)

    def forget(self, url: str) -> None:
        """Forget what earlier crawls remembered of a page, which has left the site."""
        number = url_number(url, routes=self.settings.render_hash_routes)
        self._attempt(None, self._texts.forget_former, number)

    def item_lost(self, item: Any) -> None:
        """Forget the text of an item that a later pipeline dropped or failed on."""
        if pending := self._pending.take():
            self._attempt(None, self._texts.release, pending.key)
            _finish(pending.end)

    async def _delete(self, url: str) -> None:
        if self._index is not None and url:
            await self._index.delete(url)

    @property
    def _index(self) -> IndexPipeline | None:
        from .index import IndexPipeline

        return self.crawler.get_item_pipeline(IndexPipeline)

    def spider_idle(self) -> None:
        """Before the end, delete the documents that were replaced.

        Those of a killed process, and those that this worker has written after another
        one had deleted them.
        """
        if self._settled == self._items:
            return
        if not self._settling:
            self._settling = True
            deferred_from_coro(self._delete_replaced(self._items))
        raise DontCloseSpider

    async def _delete_replaced(self, items: int) -> None:
        try:
            if self._index is not None and self.settings.shared:
                await self._index.take_over()
            for url in self._attempt(list[str](), self._texts.replaced):
                await self._delete(url)
        finally:
            self._settled, self._settling = items, False
            wake_engine(self.crawler)

    def _report(self, failure: TextsFailed) -> None:
        """Count a failure, and log the first."""
        self.count("failed")
        if not self._has_failed:
            self._has_failed = True
            problem = message_line(str(failure), self.settings.state or "")
            line = "The memory of texts failed, copies may pass: %s"
            self.log(logging.ERROR, line, problem)


def check_library(crawler: Crawler) -> None:
    """Stop the crawl at its start, not at the first item, if a library is missing."""
    try:
        import rensa  # noqa: F401
    except ImportError:
        name, extra = "MAINPAGE_DUPLICATES_ENABLED", "'scrapy-mainpage[duplicates]'"
        refuse(crawler, SettingsError(name, True, f"needs rensa: pip install {extra}"))


async def _wait(seconds: float, future: Future[None]) -> None:
    """Wait until the future is done, which it is after this time at the latest."""
    timer = call_later(seconds, _finish, future)
    await wait_for(future)
    timer.cancel()


def _finish(future: Future[None]) -> None:
    if not future.done():
        future.set_result(None)
