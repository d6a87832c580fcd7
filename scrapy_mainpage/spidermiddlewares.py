"""Pages onto items, and out of outgoing requests."""

from __future__ import annotations

import logging
from collections.abc import MutableMapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware

from .crawl.crawl_state import FILTER_KEY, Component, ItemOrigin, ItemPages
from .crawl.pages import META_KEY, known_page, mainpage, refusal
from .crawl.rendered_requests import STATE_KEY
from .items import ItemFields, ItemReader, describes
from .page import Page
from .records import as_plain
from .redaction import error_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from .extraction.extractor import Extractor


class MainPageSpiderMiddleware(Component, BaseSpiderMiddleware):
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
        self.item_fields = self.settings.item_fields
        self._reader = ItemReader.of(self.settings)
        self._reported: set[tuple[Any, ...]] = set()
        if crawler.settings.getdict("FEEDS"):
            # An exporter is made with the first item, when others are on their way.
            self.state.keep(ItemPages)

    def process_spider_input(self, response: Response) -> None:
        """Note that a callback gets the response: it is not an inline one."""
        if self.state.inline_responses.get(response.url) is response:
            del self.state.inline_responses[response.url]

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
        if response is None or not ItemFields.is_item(item):
            return item
        adapter = ItemFields(item)
        url = self._reader.text(adapter, "url") or ""
        page = of_item or self._page_for(url, response)
        self._remember(item, page, response)
        if page is None:
            return item
        known, routes = _urls_before(response), self._reader.routes
        if not describes(url, page, *known, routes=routes):
            self.count("items/other_page")
            return item
        problems: dict[str, str] = {}
        for name, attribute in self.item_fields.items():
            if problem := self._fill(adapter, name, attribute, page):
                problems[name] = problem
        self._report(type(item), problems)
        return item

    def _page_for(self, url: str, response: Response) -> Page | None:
        """Return the page of an inline download of the URL, else the response's."""
        inline = self.state.inline_responses.get(url)
        if inline is None:
            return _page(response, self.state.extractor)
        return known_page(inline)

    def _remember(self, item: Any, page: Page | None, response: Response) -> None:
        """Remember the item's page and request meta for the pipelines."""
        has_meta = response.request is not None
        wish = response.meta.get(FILTER_KEY) if has_meta else None
        pages = self.state.kept(ItemPages)
        if pages is not None:
            pages.remember(item, ItemOrigin(page, wish, response), response)

    def _fill(
        self, adapter: ItemFields, name: str, attribute: str, page: Page
    ) -> str | None:
        """Fill a field that is open; return why it cannot be filled."""
        declared = ItemFields.get_field_names_from_class(adapter.item.__class__)
        if declared is not None and name not in declared:
            return "it has no such field"
        if not _is_open(adapter, name):
            return None
        record, _, part = attribute.rpartition(".")
        try:
            holder = getattr(page, record) if record else page
            value = None if holder is None else as_plain(getattr(holder, part))
        except Exception as error:  # noqa: BLE001 - the item goes on without it
            self._failed(page, attribute, error)
            return None
        # Without the record only a dictionary gets the field: a feed with columns
        # takes them from the first item.
        if holder is None and declared is not None:
            return None
        try:
            adapter[name] = value
        except Exception as error:  # noqa: BLE001 - of a validator, whatever it raises
            return error_line(error)
        return None

    def _failed(self, page: Page, attribute: str, error: Exception) -> None:
        self.count(f"failed/{type(error).__name__}")
        line = "The %(attribute)s of the page cannot be made: %(url)s"
        named = {"attribute": attribute, "url": page.url}
        self.log(logging.ERROR, line, named, exc_info=error)

    def _report(self, cls: type, problems: dict[str, str]) -> None:
        """Count the fields that cannot be filled; log them once for a type of items."""
        self.count("items/not_filled", len(problems))
        if not problems or (cls, *problems) in self._reported:
            return
        self._reported.add((cls, *problems))
        line = "MAINPAGE_ITEM_FIELDS: %(cls)s items cannot be filled: %(problems)s"
        listed = "; ".join(f"{name!r}: {why}" for name, why in problems.items())
        self.log(logging.WARNING, line, {"cls": cls.__qualname__, "problems": listed})


def _urls_before(response: Response) -> list[str]:
    """The URLs that led to the response: of its request, and before redirects."""
    if response.request is None:
        return []
    return [response.request.url, *response.meta.get("redirect_urls", ())]


def _is_open(adapter: ItemFields, name: str) -> bool:
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
