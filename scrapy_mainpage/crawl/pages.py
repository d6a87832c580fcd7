"""The page of a response: made once, kept as long as the response."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from scrapy.http import HtmlResponse, Response
from w3lib.encoding import http_content_type_encoding, resolve_encoding

from ..compat import copy_decoding, explicit_encoding, has_selector
from ..extraction.parsing.encoding import UTF_8, find_encoding, is_binary, is_utf8
from ..extraction.parsing.limits import REASONS
from ..page import Page
from .response_tree import TreeResponse, copy_attributes, tree_of

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.layout import Layout
    from ..extraction.extractor import Extractor
    from ..extraction.page_rules import PageRules
    from ..extraction.parsing.limits import Limits

#: Where a crawl keeps the page of a response: ``response.meta["mainpage"]``. ``False``
#: there, set by the spider in a request, means that no page is wanted.
META_KEY: Final = "mainpage"

#: The warning of a page that was to be extracted by its layout but has none.
NO_LAYOUT: Final = "no_layout"

_OVER_LIMITS: Final = frozenset(REASONS)


@dataclass
class _Record:
    """The page, layout and extractor of a response, as far as they are known.

    And the seconds that the extraction took.
    """

    page: Page | None = None
    layout: Layout | None = None
    extractor: Extractor | None = None
    seconds: float = 0.0


# A page belongs to one response object: a changed copy of a response shares its
# request, and with it the meta, but not its page.
_records: WeakKeyDictionary[Response, _Record] = WeakKeyDictionary()


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
        record = _records.get(response, _Record())
        page = make_page(response, extractor or record.extractor or _default())
        keep_page(response, page)
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
    _records.setdefault(response, _Record()).page = page


def keep_extractor(response: Response, extractor: Extractor) -> None:
    """Have ``extractor`` make the response's page if :func:`mainpage` is called."""
    _records.setdefault(response, _Record()).extractor = extractor


def keep_layout(response: Response, layout: Layout) -> None:
    """Make ``layout`` the boxes of the response's elements."""
    _records.setdefault(response, _Record()).layout = layout


def known_layout(response: Response) -> Layout | None:
    """Return the boxes of the response's elements, if a browser rendered it."""
    record = _records.get(response)
    return record.layout if record else None


def keep_seconds(response: Response, seconds: float) -> None:
    """Make ``seconds`` the time that the extraction of the response took."""
    _records.setdefault(response, _Record()).seconds = seconds


def known_seconds(response: Response) -> float:
    """Return the seconds that the extraction of the response took; 0 without one."""
    record = _records.get(response)
    return record.seconds if record else 0.0


def refusal(response: Response) -> str | None:
    """Return the code of why the response cannot have a page, ``None`` if it can."""
    if not isinstance(response, HtmlResponse):
        return "not_html"
    return "binary" if is_binary(response.body) else None


def is_blank(body: bytes) -> bool:
    """Whether a body has nothing but white space."""
    return not body or body.isspace()


def make_page(response: Response, extractor: Extractor) -> Page:
    """Extract a response, from the tree that its selector shares with the spider.

    Where the algorithm reads the boxes of a rendered page and there are none, the
    default algorithm takes over; the page says so in its warnings. The seconds that it
    took are kept with the response.
    """
    started = perf_counter()
    page = _make(response, extractor)
    keep_seconds(response, perf_counter() - started)
    return page


def _make(response: Response, extractor: Extractor) -> Page:
    if reason := refusal(response):
        raise NotHtmlError(response, reason)
    assert isinstance(response, HtmlResponse)
    if is_blank(response.body):
        return Page.empty(response.url, "empty")
    from ..extraction.algorithms import LayoutRequired

    try:
        return _extract(response, extractor)
    except LayoutRequired:
        default = _default(
            extractor.structured_data,
            extractor.title_in_text,
            extractor.limits,
            extractor.detect_encoding,
            extractor.rules,
        )
        page = _extract(response, default)
        return replace(page, warnings=(*page.warnings, NO_LAYOUT))


def _extract(response: HtmlResponse, extractor: Extractor) -> Page:
    # A page that is too large is refused by its size: its encoding may take minutes.
    is_refused = len(response.body) > extractor.limits.max_size
    encoding = None if is_refused else _encoding(response, extractor.detect_encoding)
    bounded = extractor.bound(response.body, encoding)
    if bounded.reasons or not _decodes_as(response, encoding):
        root = None
    else:
        root = tree_of(response)
    if root is None:
        return extractor.extract_bounded(bounded, url=response.url)
    return extractor.extract_tree(
        root,
        url=response.url,
        layout=known_layout(response),
        source=lambda: bounded.html,
    )


def _encoding(response: HtmlResponse, detect: bool) -> str:
    """The encoding of the response's page."""
    content_type = response.headers.get(b"Content-Type") or b""
    declared = explicit_encoding(response) or http_content_type_encoding(
        content_type.decode("latin-1")
    )
    if declared is None:
        # UTF-8 shows; of other encodings Scrapy has found one that tree and page share.
        declared = UTF_8 if is_utf8(response.body) else response.encoding
    found = find_encoding(response.body, declared, detect=detect)
    return declared if resolve_encoding(declared) == found else found


def _decodes_as(response: HtmlResponse, encoding: str | None) -> bool:
    return response.encoding == encoding or response.body.isascii()


def shared_tree(response: HtmlResponse, page: Page) -> _Element | None:
    """Return the tree that the selector shares with the spider, if it is the page's.

    ``None`` where the page was made without it: its selector may take minutes.
    """
    return None if _OVER_LIMITS.intersection(page.warnings) else tree_of(response)


@lru_cache(maxsize=2)
def _default(
    structured_data: bool = True,
    title_in_text: str = "auto",
    limits: Limits | None = None,
    detect_encoding: bool = False,
    rules: PageRules | None = None,
) -> Extractor:
    from ..extraction.extractor import Extractor

    return Extractor(
        structured_data=structured_data,
        title_in_text=title_in_text,
        limits=limits,
        detect_encoding=detect_encoding,
        rules=rules,
    )
