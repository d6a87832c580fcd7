"""The tree that the extraction shares with a response's selector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import scrapy
from lxml import etree
from lxml.html import HTMLParser
from scrapy.http import TextResponse
from w3lib.html import get_base_url

from ..extraction.parsing.encoding import UTF_8, to_utf8
from .selectors import PendingSelector, Selector

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element
    from scrapy.http import HtmlResponse, Response

_SCANNED: Final = 4096
"""Characters at the start of a page in which Scrapy looks for its base URL."""

_MOST_BYTES: Final = 4
"""Of a character in UTF-8."""

_TEXT: Final = TextResponse.text
_SELECTOR: Final = TextResponse.selector


def is_parsed(response: HtmlResponse) -> bool:
    """Whether the tree of the response's selector has been made."""
    selector = response._cached_selector
    return selector is not None and type(selector) is not PendingSelector


def put_off(response: HtmlResponse, before: Callable[[], object]) -> bool:
    """Have the response's selector call *before* as soon as its tree is asked for.

    Returns whether it will, or whoever calls :func:`bring_on`: not that of a response
    whose tree somebody has, or whose class has a way of its own to a selector.
    """
    if response._cached_selector is not None or not _is_as_of_scrapy(response):
        return False
    response._cached_selector = PendingSelector.waiting(response, before)
    return True


def bring_on(response: Response) -> None:
    """Have what has been put off until the response's tree is asked for."""
    selector = getattr(response, "_cached_selector", None)
    if type(selector) is PendingSelector:
        selector.bring_on()


def shared_root(response: HtmlResponse) -> _Element | None:
    """Return the root of the selector's tree, the same that the spider gets to see.

    ``None`` where the selector has none. A selector decodes the page to text, and
    encodes that again for the parser. That is a fifth of its time, and needless where
    the page is in UTF-8: then its selector is made here, from the page's bytes, unless
    somebody has asked for it before. The tree is the same.
    """
    try:
        root = _selector(response).root
    except (LookupError, ValueError, etree.LxmlError):
        return None  # An encoding that Python has but no page, as "hex" is one.
    return root if etree.iselement(root) else None


def _selector(response: HtmlResponse) -> scrapy.Selector:
    """The response's selector, with its tree."""
    if is_parsed(response):
        return response.selector
    known, made = response._cached_selector, _parsed(response)
    if type(known) is PendingSelector:
        made = scrapy.Selector(response) if made is None else made
        PendingSelector.become(known, made)
    elif made is not None:
        response._cached_selector = made
    return response.selector


def _parsed(response: HtmlResponse) -> scrapy.Selector | None:
    """The response's selector, made from its bytes, if that is the same."""
    page = _as_parsed(response)
    root = _root(page, response.url) if page else None
    return None if root is None else Selector.of(response, root)


def _is_as_of_scrapy(response: HtmlResponse) -> bool:
    """Whether the response has not a text or a selector of its project's own."""
    cls = type(response)
    return cls.text is _TEXT and cls.selector is _SELECTOR


def _as_parsed(response: HtmlResponse) -> bytes:
    """The bytes that a selector parses; none if they are not just the response's.

    What does not begin with markup may be JSON to a selector; blanks beside a NUL are
    kept by some versions of it.
    """
    if not _is_as_of_scrapy(response):
        return b""
    if response.encoding != UTF_8 or b"\x00" in response.body:
        return b""
    page = to_utf8(response.body, UTF_8)
    return page if page.startswith(b"<") else b""


def _root(page: bytes, url: str) -> _Element | None:
    parser = HTMLParser(encoding=UTF_8, recover=True, huge_tree=True)
    return etree.fromstring(
        page, parser, base_url=get_base_url(_start(page), url, UTF_8)
    )


def _start(page: bytes) -> str:
    """The characters of a page in which Scrapy looks for its base URL."""
    start = page[:_SCANNED]
    if not start.isascii():
        start = page[: _SCANNED * _MOST_BYTES]
    return start.decode(errors="ignore")[:_SCANNED]


__all__ = ["bring_on", "is_parsed", "put_off", "shared_root"]
