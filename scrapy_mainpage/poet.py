"""scrapy-poet: callbacks and page objects that ask for the page, or an item of it."""

from __future__ import annotations

# scrapy-poet reads the types of what it calls.
from collections.abc import Callable
from typing import Any, ClassVar

from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider

from .common_items import PROVIDED, provide_item
from .crawl.pages import mainpage
from .page import Page


class Markdown(str):
    """The main content of a page as Markdown, for callbacks and page objects."""

    __slots__ = ()


class PageProvider(PageObjectInputProvider):
    """Provides the :class:`~scrapy_mainpage.Page` of the response, or its Markdown.

    A response that is not HTML raises :exc:`~.NotHtmlError`, which goes to the
    request's errback.
    """

    name: ClassVar[str] = "mainpage"
    provided_classes = {Page, Markdown}

    def __call__(
        self, to_provide: set[Callable[..., Any]], response: Response
    ) -> list[Page | Markdown]:
        """Return what is asked for; the page is extracted once."""
        page = mainpage(response)
        made: list[Page | Markdown] = [page] if Page in to_provide else []
        return [*made, Markdown(page.markdown)] if Markdown in to_provide else made


class ItemProvider(PageObjectInputProvider):
    """Provides items of zyte-common-items, made of the page of the response.

    An item of a page that is none has the URL alone, and 0 as its probability where its
    kind has one. The module of the items is imported by the project, or never.
    """

    name: ClassVar[str] = "mainpage-items"

    def is_provided(self, type_: Callable[..., Any]) -> bool:
        """Whether it is the class of an item that pages are made into."""
        module, name = getattr(type_, "__module__", ""), getattr(type_, "__name__", "")
        return name in PROVIDED and module.startswith("zyte_common_items.")

    def __call__(
        self, to_provide: set[Callable[..., Any]], response: Response
    ) -> list[Any]:
        """Return the items of the classes; the page is extracted once."""
        page = mainpage(response)
        return [provide_item(page, cls) for cls in to_provide if isinstance(cls, type)]
