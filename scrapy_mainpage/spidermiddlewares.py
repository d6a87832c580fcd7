"""Pages onto items, and out of outgoing requests."""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from .crawl.crawl_state import FILTER_KEY, CrawlState, ItemOrigin, ItemPages
from .crawl.pages import META_KEY, known_page, mainpage, refusal
from .crawl.rendered_requests import STATE_KEY
from .items import ItemReader, as_plain, describes
from .page import Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from .extraction.extractor import Extractor

logger = logging.getLogger(__name__)


class MainPageSpiderMiddleware(BaseSpiderMiddleware):
    """Fills items from the page they were scraped from; cleans outgoing requests.

    ``MAINPAGE_ITEM_FIELDS`` maps fields of items to attributes of the page. A field
    that the spider has set stays as it is: in a dictionary or a Scrapy item one that
    is there, whatever its value; in an item with declared fields (dataclass, attrs,
    pydantic) one that is neither ``None`` nor its default. A field that a type of items
    does not have, or that cannot be set, is counted in ``mainpage/items/not_filled``
    and logged once. Records and links become dictionaries.

    An item with the URL of another page takes nothing from its response's page, and is
    counted in ``mainpage/items/other_page``; if its callback has downloaded that page
    itself and still holds the response, it is filled from there.

    A page that is yielded itself becomes an item of its values (``Page.as_row``).

    Requests leave without the page and the rendering state of a response in their meta,
    so that they stay small on disk and neither passes for that of the next response;
    the spider's own values stay.
    """

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        state = CrawlState.of(crawler)
        if not state.settings.enabled:
            raise NotConfigured
        self.item_fields = state.settings.item_fields
        fields, routes = state.settings.index_fields, state.settings.render_hash_routes
        self._reader = ItemReader(self.item_fields, fields, routes=routes)
        self._extractor = state.extractor
        self._state = state
        self._reported: set[tuple[type, str]] = set()

    def process_spider_input(self, response: Response) -> None:
        """Note that a callback gets the response: it is not an inline one."""
        if self._state.inline_responses.get(response.url) is response:
            del self._state.inline_responses[response.url]

    def get_processed_request(
        self, request: Request, response: Response | None
    ) -> Request | None:
        """Return the request, or a copy without the page and state of a response."""
        theirs = {STATE_KEY}
        if isinstance(request.meta.get(META_KEY), Page):
            theirs.add(META_KEY)
        if theirs.isdisjoint(request.meta):
            return request
        # A copy: the spider may have yielded the request of a response itself, and
        # other callbacks still read the page from its meta.
        meta = {key: value for key, value in request.meta.items() if key not in theirs}
        return request.replace(meta=meta)

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Return the item with the fields filled that the spider has not set."""
        of_item = item if isinstance(item, Page) else None
        if of_item is not None:
            item = of_item.as_row()
        if response is None or not ItemAdapter.is_item(item):
            return item
        adapter = ItemAdapter(item)
        url = self._reader.text(adapter, "url") or ""
        page = of_item or self._page_for(url, response)
        self._remember(item, page, response)
        if page is None:
            return item
        known, routes = _urls_before(response), self._reader.routes
        if not describes(url, page, *known, routes=routes):
            self.crawler.stats.inc_value("mainpage/items/other_page")
            return item
        for name, attribute in self.item_fields.items():
            self._fill(adapter, name, attribute, page)
        return item

    def _page_for(self, url: str, response: Response) -> Page | None:
        """Return the page of an inline download of the URL, else the response's."""
        inline = self._state.inline_responses.get(url)
        if inline is None:
            return _page(response, self._extractor)
        return known_page(inline)

    def _remember(self, item: Any, page: Page | None, response: Response) -> None:
        """Remember the item's page and request meta for the pipelines."""
        has_meta = response.request is not None
        wish = response.meta.get(FILTER_KEY) if has_meta else None
        pages = self._state.kept(ItemPages)
        if pages is not None:
            pages.remember(item, ItemOrigin(page, wish, response), response)

    def _fill(
        self, adapter: ItemAdapter, name: str, attribute: str, page: Page
    ) -> None:
        declared = ItemAdapter.get_field_names_from_class(adapter.item.__class__)
        if declared is not None and name not in declared:
            self._report(adapter.item.__class__, name, "it has no such field")
        elif _is_open(adapter, name):
            record, _, part = attribute.rpartition(".")
            try:
                holder = getattr(page, record) if record else page
                value = None if holder is None else as_plain(getattr(holder, part))
            except Exception as error:  # noqa: BLE001 - the item goes on without it
                self._failed(page, attribute, error)
                return
            # Without the record only a dictionary gets the field: a feed with columns
            # takes them from the first item.
            if holder is not None or declared is None:
                self._set(adapter, name, value)

    def _set(self, adapter: ItemAdapter, name: str, value: Any) -> None:
        try:
            adapter[name] = value
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            self._report(adapter.item.__class__, name, " ".join(str(error).split()))

    def _failed(self, page: Page, attribute: str, error: Exception) -> None:
        self.crawler.stats.inc_value(f"mainpage/failed/{type(error).__name__}")
        logger.error(
            "The %(attribute)s of the page cannot be made: %(url)s",
            {"attribute": attribute, "url": page.url},
            exc_info=error,
            extra={"spider": self.crawler.spider},
        )

    def _report(self, cls: type, name: str, problem: str) -> None:
        self.crawler.stats.inc_value("mainpage/items/not_filled")
        if (cls, name) in self._reported:
            return
        self._reported.add((cls, name))
        logger.error(
            "MAINPAGE_ITEM_FIELDS: field %(name)r of %(cls)s items cannot be filled: "
            "%(problem)s",
            {"name": name, "cls": cls.__qualname__, "problem": problem},
            extra={"spider": self.crawler.spider},
        )


def _urls_before(response: Response) -> list[str]:
    """The URLs that led to the response: of its request, and before redirects."""
    if response.request is None:
        return []
    return [response.request.url, *response.meta.get("redirect_urls", ())]


def _is_open(adapter: ItemAdapter, name: str) -> bool:
    """Whether the spider has not set the field."""
    if name not in adapter:
        return True
    if isinstance(adapter.item, MutableMapping):
        return False
    value = adapter[name]
    if not isinstance(value, str | int | float):
        return value is None
    return bool(value == _defaults(type(adapter.item)).get(name))


def _defaults(cls: type) -> dict[str, Any]:
    """The defaults of a class's fields; a library's mark for none equals no value."""
    declared = [
        *(fields(cls) if is_dataclass(cls) else ()),
        *getattr(cls, "__attrs_attrs__", ()),
    ]
    defaults = {item.name: item.default for item in declared}
    of_model = getattr(cls, "model_fields", {})
    return defaults | {name: item.default for name, item in of_model.items()}


def _page(response: Response, extractor: Extractor) -> Page | None:
    """Return the page to fill items of the response from; ``None`` if unwanted."""
    if (page := known_page(response)) is not None:
        return page
    unwanted = response.request is not None and response.meta.get(META_KEY) is False
    if unwanted or refusal(response):
        return None
    return mainpage(response, extractor=extractor)
