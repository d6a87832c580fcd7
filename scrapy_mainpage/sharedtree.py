"""The tree that the extraction shares with a response's selector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from weakref import ref

import scrapy
from lxml import etree
from lxml.html import HTMLParser
from scrapy.http import TextResponse
from w3lib.html import get_base_url

from .extraction.decoding import UTF_8, to_utf8

if TYPE_CHECKING:
    from lxml.etree import _Element
    from scrapy.http import HtmlResponse

_SCANNED: Final = 4096
"""Characters at the start of a page in which Scrapy looks for its base URL."""

_MOST_BYTES: Final = 4
"""Of a character in UTF-8."""

_TEXT: Final = TextResponse.text
_PLACE: Final[Any] = vars(scrapy.Selector)["response"]


class Selector(scrapy.Selector):
    """A response's selector that does not keep the response alive.

    They would keep each other alive, and the tree as well, until the next collection of
    garbage: several hundred pages in a crawl.
    """

    __slots__ = ()

    def __new__(cls, *args: Any, **kwargs: Any) -> scrapy.Selector:  # type: ignore[misc]
        """What is selected from it is a selector as any other."""
        return scrapy.Selector(*args, **kwargs)

    @classmethod
    def of(cls, response: TextResponse, root: _Element) -> scrapy.Selector:
        """The selector of *response* with the tree below *root*."""
        # Scrapy counts it among its own.
        selector = scrapy.Selector(root=root, type="html")
        selector.__class__ = cls
        selector.response = response
        return selector

    @property
    def response(self) -> TextResponse | None:
        """The response, as long as somebody has it."""
        known: ref[TextResponse] | None = _PLACE.__get__(self)
        return None if known is None else known()

    @response.setter
    def response(self, response: TextResponse | None) -> None:
        _PLACE.__set__(self, None if response is None else ref(response))


def is_parsed(response: HtmlResponse) -> bool:
    """Whether somebody has asked for the response's selector."""
    return response._cached_selector is not None


def shared_root(response: HtmlResponse) -> _Element | None:
    """Return the root of the selector's tree, the same that the spider gets to see.

    ``None`` where the selector has none. A selector decodes the page to text, and
    encodes that again for the parser. That is a fifth of its time, and needless where
    the page is in UTF-8: then its selector is made here, from the page's bytes, unless
    somebody has asked for it before. The tree is the same.
    """
    try:
        if not is_parsed(response):
            _parse(response)
        root = response.selector.root
    except (LookupError, ValueError, etree.LxmlError):
        return None  # An encoding that Python has but no page, as "hex" is one.
    return root if etree.iselement(root) else None


def _parse(response: HtmlResponse) -> None:
    """Make the response's selector from its bytes, if that is the same."""
    page = _as_parsed(response)
    root = _root(page, response.url) if page else None
    if root is not None:
        response._cached_selector = Selector.of(response, root)


def _as_parsed(response: HtmlResponse) -> bytes:
    """The bytes that a selector parses; none if they are not just the response's.

    What does not begin with markup may be JSON to a selector; blanks beside a NUL are
    kept by some versions of it. A class of the project's may have a text of its own.
    """
    if getattr(type(response), "text", _TEXT) is not _TEXT:
        return b""
    if response.encoding != UTF_8 or b"\x00" in response.body:
        return b""
    page = to_utf8(response.body, UTF_8)
    return page if page.startswith(b"<") else b""


def _root(page: bytes, url: str) -> _Element | None:
    start = page[: _SCANNED * _MOST_BYTES].decode(errors="ignore")[:_SCANNED]
    parser = HTMLParser(encoding=UTF_8, recover=True, huge_tree=True)
    return etree.fromstring(page, parser, base_url=get_base_url(start, url, UTF_8))


__all__ = ["is_parsed", "shared_root"]
