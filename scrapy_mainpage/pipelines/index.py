"""A pipeline that puts every item into one or more search indexes."""

from __future__ import annotations

import logging
from collections import Counter
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import NotConfigured
from scrapy.utils.project import data_path

from scrapy_mainpage.compat import wait_for
from scrapy_mainpage.crawl.crawl_ledger import CrawlLedger
from scrapy_mainpage.crawl.crawl_state import Component, ItemPages
from scrapy_mainpage.crawl.pages import NO_PAGES, find_warning
from scrapy_mainpage.extraction.page_warnings import ERROR_PAGE
from scrapy_mainpage.indexes import (
    IndexDocument,
    IndexFailure,
    IndexUnavailable,
    open_index,
)
from scrapy_mainpage.indexes.embedders import EmbedderError, embedder_of
from scrapy_mainpage.indexes.fields import type_clash
from scrapy_mainpage.indexes.outbox import FILE, Outbox, OutboxError, needs_outbox
from scrapy_mainpage.indexes.writer import IndexWriter
from scrapy_mainpage.redaction import message_line, redacted
from scrapy_mainpage.settings import SettingsError, refuse

from .index_documents import DocumentMaker
from .publisher import CANONICAL, NOINDEX, NOSNIPPET, PublisherReader

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from concurrent.futures import Future

    from scrapy.crawler import Crawler

    from scrapy_mainpage.crawl.crawl_state import ItemOrigin
    from scrapy_mainpage.crawl.ledger import Visit
    from scrapy_mainpage.page import Page
    from scrapy_mainpage.settings import Settings


def check_indexes(
    crawler: Crawler, settings: Settings, types: Mapping[str, str]
) -> None:
    """Open each index once, so that an unusable one stops the crawl at its start.

    So does one whose fields have other *types*, and a model that cannot be used.
    """
    try:
        embedder = embedder_of(settings)
    except EmbedderError as error:
        problem = str(error)
        refuse(crawler, SettingsError("MAINPAGE_EMBEDDER", settings.embedder, problem))
    for url in settings.index:
        shown = redacted(url)
        try:
            with open_index(url, embedder=embedder) as index:
                known = index.field_types()
        except IndexUnavailable as error:
            problem = str(error).removeprefix(f"{shown!r}: ")
            refuse(crawler, SettingsError("MAINPAGE_INDEX", shown, problem))
        except IndexFailure as error:
            problem = f"{shown}: {message_line(str(error), url)}"
            name, value = "MAINPAGE_INDEX", shown
            if error.reason in ("embedder", "no_vectors"):
                name, value = "MAINPAGE_EMBEDDER", str(settings.embedder)
            refuse(crawler, SettingsError(name, value, problem))
        if clash := type_clash(types, known):
            problem = f"{shown}: {clash}; allowed: its type, or another name"
            refuse(crawler, SettingsError("MAINPAGE_INDEX_FIELDS", types, problem))


def outbox_path() -> Path:
    """Return the path of the project's outbox."""
    try:
        return Path(data_path(FILE)).absolute()
    except NotConfigured:  # a project's settings without its scrapy.cfg
        return Path(".scrapy", FILE).absolute()


def check_outbox(crawler: Crawler, settings: Settings) -> None:
    """Stop the crawl at its start if what is for a server could not be kept."""
    urls = [*filter(needs_outbox, settings.index)]
    try:
        if urls:
            Outbox(outbox_path()).check()
    except (OSError, OutboxError) as exc:
        problem = f"its outbox cannot be written: {exc}"
        refuse(crawler, SettingsError("MAINPAGE_INDEX", redacted(urls[0]), problem))


class IndexPipeline(Component):
    """Indexes items by URL in the indexes that ``MAINPAGE_INDEX`` names.

    Every field of an index is filled from the item field of the same name, or from the
    one that ``MAINPAGE_INDEX_FIELDS`` gives for it, else from the page that the item
    comes from; see :class:`~.index_documents.DocumentMaker`. The item is passed on
    unchanged when its document is safe: written to an index in a local file, or to the
    outbox for one on a server. When too many are on their way, items wait here, and the
    crawl with them.

    An item that cannot be indexed is counted in ``mainpage/index/skipped/REASON``; for
    the others see :class:`~scrapy_mainpage.indexes.writer.IndexWriter`.
    """

    stats_prefix = "mainpage/index"
    writes = True

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        if not self.settings.index:
            raise NotConfigured("MAINPAGE_INDEX is not set")
        try:
            self._maker = DocumentMaker.from_settings(self.settings)
        except SettingsError as error:
            refuse(crawler, error)
        check_indexes(crawler, self.settings, self._maker.types)
        check_outbox(crawler, self.settings)
        self._item_pages = self.state.keep(ItemPages)
        self._publisher = PublisherReader(self.settings, self.state.extractor)
        self._ledger = self.state.kept(CrawlLedger)
        self._writers: list[IndexWriter] = []

    def open_spider(self) -> None:
        """Start the writers; they first write what earlier runs left in the outbox."""
        embedder, outbox = embedder_of(self.settings), outbox_path()
        for url in self.settings.index:
            writer = IndexWriter(url, outbox, embedder)
            writer.start()
            self._writers.append(writer)

    async def process_item(self, item: Any) -> Any:
        """Accept the item for the indexes if possible, and return it."""
        origin = self._item_pages.get(item)
        visit = None
        if self._ledger is not None and origin is not None and origin.response:
            visit = self._ledger.visits.get(origin.response)
        try:
            made = self._make(item, origin, visit)
            if isinstance(made, str):
                self.count(f"skipped/{made}")
                if visit is not None:
                    visit.reason = made
            else:
                await self._accept(made, origin.page if origin else None, visit)
        except IndexFailure:  # the writer has logged and counted it
            if visit is not None:
                visit.failed = "index"
        except Exception as exc:  # noqa: BLE001 - no error may lose the item
            if visit is not None:
                visit.failed = "index"
            self.count(f"failed/{type(exc).__name__}")
            line, name = "A %s item is not indexed", type(item).__name__
            self.log(logging.ERROR, line, name, exc_info=True)
        return item

    def _make(
        self, item: Any, origin: ItemOrigin | None, visit: Visit | None
    ) -> IndexDocument | str:
        """Return the document of an item as its publisher wants it, or a reason."""
        page, response = (origin.page, origin.response) if origin else (None, None)
        if response is not None and response.status >= HTTPStatus.BAD_REQUEST:
            return ERROR_PAGE
        if reason := find_warning(page, NO_PAGES):
            return reason
        wishes = self._publisher.read(origin)
        if NOINDEX in wishes.directives:
            return NOINDEX
        address = wishes.canonical
        if address and visit is not None:
            gives_way = self._gives_way(visit, address)
            if gives_way:
                return CANONICAL
            address = address if gives_way is None else None
        made = self._maker.make(
            item, page, url=address, indexed=wishes.page, metas=wishes.metas
        )
        if isinstance(made, str) or NOSNIPPET not in wishes.directives:
            return made
        if not made.title:
            return NOSNIPPET
        # It is found by its title, of which its snippet is made.
        return IndexDocument(made.url, made.title, made.title, language=made.language)

    def _gives_way(self, visit: Visit, address: str) -> bool | None:
        """Whether the page leaves the index to the one at its canonical address."""
        assert self._ledger is not None
        gives_way, wanted = self._ledger.gives_way(visit, address)
        if gives_way:
            visit.canonical = address
        if wanted is not None and self.crawler.engine is not None:
            self.crawler.engine.crawl(wanted)
        return gives_way

    async def _accept(
        self, document: IndexDocument, page: Page | None, visit: Visit | None
    ) -> None:
        """Write the document, unless the ledger says that the indexes have it."""
        ledger = self._ledger
        if ledger is None:
            await self._put(document)
        elif ledger.accept(document, page, visit):
            await self._put(document)
            ledger.written(document, page, visit)

    async def _put(self, document: IndexDocument) -> None:
        await self._wait([writer.put(document) for writer in self._writers])

    async def delete(self, url: str) -> None:
        """Delete the document of that URL from the indexes."""
        try:
            await self._wait([writer.delete(url) for writer in self._writers])
        except IndexFailure:  # the writer has logged and counted it
            return
        if self._ledger is not None:
            self._ledger.deleted(url)

    @property
    def pending(self) -> int:
        """The number of operations that were accepted and have not ended."""
        return sum(writer.pending for writer in self._writers)

    @property
    def failed_urls(self) -> set[str]:
        """The URLs of documents that are not in every index, and will not be."""
        return {url for writer in self._writers for url in writer.failed_urls}

    async def take_over(self) -> None:
        """Write what crawls killed meanwhile left in the outbox."""
        await self._wait([writer.take_over() for writer in self._writers])

    async def _wait(self, waits: Iterable[Future[Any]]) -> None:
        for wait in waits:
            await wait_for(wait)
        self._publish()

    async def close_spider(self) -> None:
        """Write pending documents, and close the indexes."""
        ends = [writer.close() for writer in self._writers]
        try:
            for end in ends:
                await wait_for(end)
        finally:  # on an error the outbox is for the next run
            for writer in self._writers:
                writer.stop()
        for writer in self._writers:
            counts = ", ".join(f"{name} {n}" for name, n in writer.counts.items())
            shown = writer.shown_url, counts or "nothing"
            self.log(logging.INFO, "Index %s: %s", *shown)
        self._publish()

    def _publish(self) -> None:
        """Set the stats to the sums over the writers."""
        totals = sum((Counter(each.counts) for each in self._writers), Counter[str]())
        for name, number in totals.items():
            self.crawler.stats.set_value(f"mainpage/index/{name}", number)
