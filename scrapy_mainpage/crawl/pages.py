"""The page of a response: made once, kept as long as the response."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from http import HTTPStatus
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from lxml import etree
from lxml.html import HTMLParser
from scrapy import Selector
from scrapy.http import HtmlResponse, Response
from w3lib.encoding import http_content_type_encoding, resolve_encoding
from w3lib.html import get_base_url

from ..compat import copy_decoding, explicit_encoding, has_selector
from ..extraction.page_warnings import ERROR_PAGE
from ..extraction.parsing.encoding import (
    UTF_8,
    find_encoding,
    is_binary,
    to_utf8,
)
from ..extraction.parsing.tree import REASONS
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

_OVER_LIMITS: Final = frozenset(REASONS)


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


def share_tree(response: Response, extractor: Extractor | None = None) -> Response:
    """Return the response as one that parses once; it has the same page and layout.

    Its encoding is the one by which *extractor* reads the page.

    A response of a class of the project's own, and one that a middleware has parsed,
    is returned as it is.
    """
    if type(response) is not HtmlResponse or has_selector(response):
        return response
    # response.replace() would detect the encoding, in seconds for a large page.
    names = [name for name in response.attributes if name != "encoding"]
    values = {name: getattr(response, name) for name in names}
    if extractor is None or len(response.body) > extractor.limits.max_size:
        encoding = explicit_encoding(response)
    else:
        encoding = _encoding(response, extractor.detect_encoding)
    shared = TreeResponse(**values, encoding=encoding)
    copy_decoding(response, shared)
    copy_attributes(response, shared)
    if response in _records:
        _records[shared] = _records[response]
    return shared


def known_page(response: Response) -> Page | None:
    """Return the response's page if it has been made."""
    record = _records.get(response)
    return record.page if record else None


def keep_page(response: Response, page: Page) -> None:
    """Make ``page`` the page of the response."""
    record_of(response).page = page


def record_of(response: Response) -> PageRecord:
    """Return the record of a response, a new one if there is none."""
    record = _records.get(response)
    if record is None:
        body, code = response.body, None
        if not isinstance(response, HtmlResponse):
            code = "not_html"
        elif is_binary(body):
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
        return Page.empty(response.url, "empty")
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
    return None if _OVER_LIMITS.intersection(page.warnings) else tree_of(response)


# --- The tree of a response --------------------------------------------------

_BASE_URL_CHARACTERS: Final = 4096
"""Characters at the start of a page in which Scrapy looks for its base URL."""

_MAX_BYTES_PER_CHARACTER: Final = 4
"""Bytes of a character in UTF-8, at most."""


class TreeResponse(HtmlResponse):
    """An HTML response whose selector is parsed from the bytes.

    Scrapy's selectors decode a page to text and encode that again for the parser, and
    a response and its selector keep each other alive. From the bytes of a page in
    UTF-8 the same tree takes 30% less time, and goes with its response. A page in
    another encoding, or one that does not begin with markup (a selector may take it
    for JSON), has Scrapy's selector.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._tree_selector: Selector | None = None

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle and copy it as a plain response: trees cannot be pickled."""
        plain = self.replace(cls=HtmlResponse)
        copy_attributes(self, plain)
        return copy, (plain,)

    @property
    def selector(self) -> Selector:
        """The selector of the whole page."""
        if self._tree_selector is None:
            root = _parse(self)
            self._tree_selector = (
                super().selector if root is None else Selector(root=root, type="html")
            )
        return self._tree_selector


def copy_attributes(response: HtmlResponse, target: HtmlResponse) -> None:
    """Copy attributes that a project has set, where Scrapy's responses allow any."""
    for name, value in getattr(response, "__dict__", {}).items():
        if hasattr(target, "__dict__") and not hasattr(target, name):
            setattr(target, name, value)


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


def _parse(response: HtmlResponse) -> _Element | None:
    """Parse the bytes of a page, if that gives the tree of Scrapy's selector."""
    # Versions of parsel differ in the blanks that they strip beside a NUL.
    if response.encoding != UTF_8 or b"\x00" in response.body:
        return None
    page = to_utf8(response.body, UTF_8)
    if not page.startswith(b"<"):
        return None
    base_url = get_base_url(_start(page), response.url, UTF_8)
    parser = HTMLParser(encoding=UTF_8, recover=True, huge_tree=True)
    return etree.fromstring(page, parser, base_url=base_url)


def _start(page: bytes) -> str:
    """Return the part of a page in which Scrapy looks for its base URL."""
    start = page[:_BASE_URL_CHARACTERS]
    if not start.isascii():
        start = page[: _BASE_URL_CHARACTERS * _MAX_BYTES_PER_CHARACTER]
    return start.decode(errors="ignore")[:_BASE_URL_CHARACTERS]
