"""The one way from a response to its page: made once, kept as long as the response."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, WeakSet

from scrapy.http import HtmlResponse, Response

from ..extraction.parsing.encoding import to_utf8
from ..extraction.parsing.limits import REASONS, TOO_LARGE, BoundedHtml
from ..page import Page
from .response_tree import bring_on, is_parsed, shared_root

if TYPE_CHECKING:
    from lxml.etree import _Element
    from scrapy.crawler import Crawler

    from ..extraction.document.layout import Layout
    from ..extraction.extractor import Extractor
    from ..extraction.parsing.limits import Limits
    from ..settings import Settings

#: Where a crawl keeps the page of a response: ``response.meta["mainpage"]``. ``False``
#: there, set by the spider in a request, means that no page is wanted.
META_KEY: Final = "mainpage"

#: The warning of a page that was to be extracted by its layout but has none.
NO_LAYOUT: Final = "no_layout"

#: How files begin that servers send as HTML though they are not text at all.
SIGNATURES: Final = (
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"GIF8",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x1f\x8b\x08",
    b"\x00\x00\x01\x00",
    b"\x7fELF",
    b"OggS",
    b"ID3\x03",
    b"wOFF",
    b"wOF2",
)

_OVER_LIMITS: Final = frozenset(REASONS)

# A page belongs to one response object: a changed copy of a response shares its
# request, and with it the meta, but not its page.
_pages: WeakKeyDictionary[Response, Page] = WeakKeyDictionary()
_layouts: WeakKeyDictionary[Response, Layout] = WeakKeyDictionary()
_extractors: WeakKeyDictionary[Response, Extractor] = WeakKeyDictionary()
_crawls: WeakKeyDictionary[Crawler, Extractor] = WeakKeyDictionary()
_settling: WeakSet[Crawler] = WeakSet()


class NotHtmlError(ValueError):
    """A response that has no page because it is not an HTML document.

    ``reason`` is the code that statistics use: ``"not_html"`` or ``"binary"``.
    """

    def __init__(self, response: Response, reason: str):
        declared = response.headers.get(b"Content-Type") or b"unknown"
        super().__init__(
            f"{response.url} is not an HTML document: it is a "
            f"{type(response).__name__} of content type {declared.decode('latin-1')}"
            + (" that begins as a binary file does" if reason == "binary" else "")
        )
        self.reason = reason


def mainpage(response: Response, *, extractor: Extractor | None = None) -> Page:
    """Return the page of a response.

    In a crawl with the plugin that is the page of ``response.meta["mainpage"]``, made
    before anybody saw the response's tree. For any other HTML response (one whose
    request skipped the extraction, a changed copy, one that was not crawled at all) the
    page is made on the first call, from the tree as it is then, by ``extractor`` or the
    crawl's algorithm, and kept as long as the response lives.

    Raises :exc:`NotHtmlError`, a :exc:`ValueError`, if the response is not HTML. Text
    that is HTML under another content type is read after
    ``response.replace(cls=HtmlResponse)``.
    """
    page = known_page(response)
    if page is None:
        page = make_page(response, extractor or _extractors.get(response) or _default())
        keep_page(response, page)
    return page


def extractor_of(crawler: Crawler, settings: Settings) -> Extractor:
    """Return the crawl's extractor, one for all of its components."""
    if crawler not in _crawls:
        from ..extraction.extractor import Extractor

        _crawls[crawler] = Extractor(
            settings.algorithm,
            settings.options,
            structured_data=settings.structured_data,
            limits=settings.limits,
        )
    return _crawls[crawler]


def known_page(response: Response) -> Page | None:
    """Return the response's page if it has been made, or is to be when looked at."""
    page = _pages.get(response)
    if page is None:
        bring_on(response)
        page = _pages.get(response)
    return page


def keep_page(response: Response, page: Page) -> None:
    """Make ``page`` the page of the response."""
    _pages[response] = page


def settles_pages(crawler: Crawler) -> None:
    """Say that something has the crawl's pages made when their callbacks have ended."""
    _settling.add(crawler)


def has_pages_settled(crawler: Crawler) -> bool:
    """Whether pages may wait to be made until somebody looks at them."""
    return crawler in _settling


def keep_extractor(response: Response, extractor: Extractor) -> None:
    """Say what makes the response's page if somebody asks for it."""
    _extractors[response] = extractor


def keep_layout(response: Response, layout: Layout) -> None:
    """Say where a browser put the elements of the response's tree."""
    _layouts[response] = layout


def known_layout(response: Response) -> Layout | None:
    """Return where a browser put the elements of the response, if one rendered it."""
    return _layouts.get(response)


def refusal(response: Response) -> str | None:
    """Return the code of why the response cannot have a page, ``None`` if it can."""
    if not isinstance(response, HtmlResponse):
        return "not_html"
    return "binary" if response.body.startswith(SIGNATURES) else None


def is_blank(body: bytes) -> bool:
    """Whether there is nothing in a body but white space."""
    return not body or body.isspace()


def make_page(response: Response, extractor: Extractor) -> Page:
    """Extract a response, from the tree that its selector shares with the spider.

    Where the algorithm reads the boxes of a rendered page and there are none, the
    default algorithm takes over; the page says so in its warnings.
    """
    if reason := refusal(response):
        raise NotHtmlError(response, reason)
    assert isinstance(response, HtmlResponse)
    if is_blank(response.body):
        return Page.empty(response.url, "empty")
    from ..extraction.algorithms import LayoutRequired

    try:
        return _extract(response, extractor)
    except LayoutRequired:
        default = _default(extractor.structured_data, extractor.limits)
        page = _extract(response, default)
        return replace(page, warnings=(*page.warnings, NO_LAYOUT))


def _extract(response: HtmlResponse, extractor: Extractor) -> Page:
    # What a parse would have cost has been paid where somebody has parsed it before.
    is_large = len(response.body) > extractor.limits.max_full_size
    if (is_large or not is_parsed(response)) and (
        bounded := over_limits(response, extractor.limits)
    ):
        return extractor.extract_bounded(bounded, url=response.url)
    root = shared_root(response)
    if root is None:
        bounded = _bound(response, extractor.limits)
        return extractor.extract_bounded(bounded, url=response.url)
    return extractor.extract_tree(
        root,
        url=response.url,
        layout=known_layout(response),
        source=lambda: to_utf8(response.body, response.encoding),
    )


def shared_tree(response: HtmlResponse, page: Page) -> _Element | None:
    """Return the tree that the selector shares with the spider, if it is the page's.

    ``None`` where the page was made without it: its selector may take minutes.
    """
    if _OVER_LIMITS.intersection(page.warnings):
        return None
    return shared_root(response)


def over_limits(response: HtmlResponse, limits: Limits) -> BoundedHtml | None:
    """Return the page as it may be parsed, if its selector may not be asked for it.

    ``None`` for nearly all responses: their trees cost no more than those of other
    pages of their size.
    """
    body = response.body
    if len(body) <= limits.max_size:
        if _is_wide(response.encoding):
            body = to_utf8(body, response.encoding)
        if not limits.needs_bounding(body):
            return None
    bounded = _bound(response, limits)
    return bounded if bounded.reasons else None


def _is_wide(encoding: str) -> bool:
    """Whether markup in *encoding* has other bytes than in ASCII."""
    return encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32"))


def _bound(response: HtmlResponse, limits: Limits) -> BoundedHtml:
    if len(response.body) > limits.max_size:
        return BoundedHtml(b"", (TOO_LARGE,))
    body = response.body
    return limits.bound(to_utf8(body, response.encoding))


@lru_cache(maxsize=2)
def _default(structured_data: bool = True, limits: Limits | None = None) -> Extractor:
    from ..extraction.extractor import Extractor

    return Extractor(structured_data=structured_data, limits=limits)
