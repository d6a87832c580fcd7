"""scrapy-poet: callbacks and page objects that ask for the page, or its Markdown."""

from __future__ import annotations

# scrapy-poet reads the types of what it calls.
from collections.abc import Callable
from typing import Any, ClassVar

from scrapy.http import Response
from scrapy_poet.page_input_providers import PageObjectInputProvider

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
