"""The page of a response: made once, kept as long as the response."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from http import HTTPStatus
from time import perf_counter
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from lxml import etree
from scrapy.http import HtmlResponse, Response
from w3lib.encoding import http_content_type_encoding, resolve_encoding

from ..compat import explicit_encoding, has_selector
from ..extraction.page_warnings import CHALLENGE, ERROR_PAGE, TROUBLES, WALL
from ..extraction.parsing.encoding import UTF_8, binary_type, find_encoding
from ..extraction.parsing.tree import EMPTY, REASONS, TIME
from ..page import Page

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.layout import Layout
    from ..extraction.extractor import Extractor

#: Where a crawl keeps the page of a response: ``response.meta["mainpage"]``. ``False``
#: there, set by the spider in a request, means that no page is wanted.
META_KEY: Final = "mainpage"

#: The warning of a page that was to be extracted by its layout but has none.
NO_LAYOUT: Final = "no_layout"

#: Warnings of what is no page of its site, and of what may stand in for one.
NO_PAGES: Final = frozenset({ERROR_PAGE, CHALLENGE, WALL})
STAND_INS: Final = TROUBLES | {EMPTY, TIME}


@dataclass
class PageRecord:
    """The page of a response, the boxes of its elements if a browser rendered it, the
    extractor for a call of :func:`mainpage`, and the seconds that the extraction took.

    ``refusal`` is the code of why the response cannot have a page, ``None`` if it can;
    ``is_blank`` says that its body has nothing but white space.
    """

    refusal: str | None
    is_blank: bool
    page: Page | None = None
    layout: Layout | None = None
    extractor: Extractor | None = None
    seconds: float = 0.0


# A page belongs to one response object: a changed copy of a response shares its
# request, and with it the meta, but not its page.
_records: WeakKeyDictionary[Response, PageRecord] = WeakKeyDictionary()


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
    before the spider got the response. For any other HTML response (one whose request
    skipped the extraction, a changed copy, one that was not crawled at all) the page is
    made on the first call, from the tree as it is then, by ``extractor`` or the crawl's
    algorithm, and kept as long as the response lives.

    Raises :exc:`TypeError` for anything but a response, and :exc:`NotHtmlError`, a
    :exc:`ValueError`, if the response is not HTML. Text
    that is HTML under another content type is read after
    ``response.replace(cls=HtmlResponse)``.
    """
    if not isinstance(response, Response):
        name = type(response).__name__
        raise TypeError(
            f"mainpage() takes a response, not {name}; extract() takes HTML"
        )
    page = known_page(response)
    if page is None:
        from ..extraction.extractor import default_extractor

        record = record_of(response)
        extractor = extractor or record.extractor or default_extractor()
        page = make_page(response, extractor)
        record.page = page
    return page


def right_encoding(response: Response, extractor: Extractor) -> Response:
    """Return the response with the encoding by which *extractor* reads its page.

    So the spider's selector has the tree of the page. A copy has the same page and
    layout. A response of a class of the project's own, one that a middleware has
    parsed, and one that is too large to be read, are returned as they are.
    """
    is_plain = type(response) is HtmlResponse and not has_selector(response)
    if not is_plain or len(response.body) > extractor.limits.max_size:
        return response
    assert isinstance(response, HtmlResponse)
    encoding = _encoding(response, extractor.detect_encoding)
    if encoding == response.encoding or response.body.isascii():
        return response
    right = response.replace(encoding=encoding)
    if response in _records:
        _records[right] = _records[response]
    return right


def known_page(response: Response) -> Page | None:
    """Return the response's page if it has been made."""
    record = _records.get(response)
    return record.page if record else None


def find_warning(page: Page | None, among: frozenset[str]) -> str | None:
    """Return a warning of the page that is *among* these."""
    return min(among.intersection(page.warnings if page else ()), default=None)


def record_of(response: Response) -> PageRecord:
    """Return the record of a response, a new one if there is none."""
    record = _records.get(response)
    if record is None:
        body, code = response.body, None
        if not isinstance(response, HtmlResponse):
            code = "not_html"
        elif binary_type(body):
            code = "binary"
        record = _records[response] = PageRecord(code, not body or body.isspace())
    return record


def refusal(response: Response) -> str | None:
    """Return the code of why the response cannot have a page, ``None`` if it can."""
    return record_of(response).refusal


def make_page(response: Response, extractor: Extractor) -> Page:
    """Extract a response, from the tree that its selector shares with the spider.

    Where the algorithm reads the boxes of a rendered page and there are none, the
    default algorithm takes over; the page says so in its warnings. The seconds that it
    took are kept with the response.
    """
    started = perf_counter()
    page = _make(response, extractor)
    if response.status >= HTTPStatus.BAD_REQUEST and ERROR_PAGE not in page.warnings:
        page = replace(page, warnings=(*page.warnings, ERROR_PAGE))
    record_of(response).seconds = perf_counter() - started
    return page


def _make(response: Response, extractor: Extractor) -> Page:
    if reason := refusal(response):
        raise NotHtmlError(response, reason)
    assert isinstance(response, HtmlResponse)
    if record_of(response).is_blank:
        return Page.empty(response.url, EMPTY)
    from ..extraction.algorithms import LayoutRequired
    from ..extraction.extractor import default_extractor

    try:
        return _extract(response, extractor)
    except LayoutRequired:
        fallback = copy(extractor)
        fallback.algorithm = default_extractor().algorithm
        fallback.warnings = (NO_LAYOUT,)
        return _extract(response, fallback)


def _extract(response: HtmlResponse, extractor: Extractor) -> Page:
    # A page that is too large is refused by its size: its encoding may take minutes.
    is_refused = len(response.body) > extractor.limits.max_size
    encoding = None if is_refused else _encoding(response, extractor.detect_encoding)
    bounded = extractor.bound(response.body, encoding)
    root = None
    if not bounded.reasons and (
        response.encoding == encoding or response.body.isascii()
    ):
        root = tree_of(response)
    if root is None:
        return extractor.extract_bounded(bounded, url=response.url)
    return extractor.extract_tree(
        root,
        url=response.url,
        layout=record_of(response).layout,
        source=lambda: bounded.html,
    )


def _encoding(response: HtmlResponse, detect: bool) -> str:
    """The encoding of the response's page."""
    content_type = response.headers.get(b"Content-Type") or b""
    declared = explicit_encoding(response) or http_content_type_encoding(
        content_type.decode("latin-1")
    )
    found = find_encoding(response.body, declared, detect=detect)
    if declared is None:
        # The same encoding by another name would cost a second parse.
        declared = UTF_8 if found == UTF_8 else response.encoding
    return declared if resolve_encoding(declared) == found else found


def shared_tree(response: HtmlResponse, page: Page) -> _Element | None:
    """Return the tree that the selector shares with the spider, if it is the page's.

    ``None`` where the page was made without it: its selector may take minutes.
    """
    return None if set(REASONS).intersection(page.warnings) else tree_of(response)


def tree_of(response: HtmlResponse) -> _Element | None:
    """Return the root of the selector's tree, the one that the spider sees.

    ``None`` if the selector has none: the page is JSON, or its encoding is one that
    Python has but no page, such as "hex".
    """
    try:
        root = response.selector.root
    except (LookupError, ValueError, etree.LxmlError):
        return None
    return root if etree.iselement(root) else None
