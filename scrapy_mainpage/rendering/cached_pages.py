"""Rendered pages in Scrapy's HTTP cache: their layouts, and the decisions on them."""

from __future__ import annotations

import logging
import re
import zlib
from base64 import b64decode, b64encode
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from parsel import Selector
from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.http import TextResponse

from ..crawl.rendered_requests import STATE_KEY, RenderFingerprinter, State
from ..extraction.document.document import read_tree
from ..extraction.document.layout import STAMP, Layout, LayoutError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_DECISION: Final = b"static: "
_HEAD: Final = b"\n<!--mainpage-layout "
_TAIL: Final = b"-->"

#: A snapshot takes about twenty bytes per element.
_MAX_SNAPSHOT_BYTES: Final = 2**28

_STAMPS: Final = re.compile(rb' %s="\d+"' % STAMP.encode())


class DecisionCache:
    """Stores why pages stay static beside the cached responses.

    The signs in a page lead to the same decision every time. The memory of its site
    does not: a replay sees the pages in another order. So a decision by memory, or
    after a failure, is kept in the storage of Scrapy's HTTP cache, where it lives and
    expires as the responses do. Does nothing without that cache.
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    def get(self, request: Request) -> str | None:
        """Return the stored reason not to render the request's page, if any."""
        stored = self._call("retrieve_response", request)
        if stored is None or not stored.body.startswith(_DECISION):
            return None
        reason: str = stored.body.removeprefix(_DECISION).decode("utf-8", "replace")
        return reason

    def put(self, request: Request, reason: str) -> None:
        """Store a reason, unless the request is not to be cached."""
        body = _DECISION + reason.encode()
        response = TextResponse(request.url, body=body, encoding="utf-8")
        self._call("store_response", request, response)

    def _call(self, name: str, request: Request, *arguments: Any) -> Any:
        if self._storage is None or request.meta.get("dont_cache"):
            return None
        state: State = {"rendered": False, "reason": "record", "record": True}
        place = request.replace(meta={**request.meta, STATE_KEY: state})
        try:
            call = getattr(self._storage, name)
            return call(self.crawler.spider, place, *arguments)
        except Exception as error:  # noqa: BLE001 - any third-party storage
            extra = {"spider": self.crawler.spider}
            logger.warning(
                "The HTTP cache failed: %(error)s", {"error": error}, extra=extra
            )
            return None

    @cached_property
    def _storage(self) -> Any:
        middleware = self.crawler.get_downloader_middleware(HttpCacheMiddleware)
        if middleware is None:
            return None
        # With another fingerprinter a decision would replace the page itself.
        ours = isinstance(self.crawler.request_fingerprinter, RenderFingerprinter)
        return middleware.storage if ours else None


def pack(html: str, snapshot: str) -> bytes:
    """Return the page's source, with stamped elements, followed by its snapshot."""
    packed = b64encode(zlib.compress(snapshot.encode("utf-8", "replace"), 6))
    return html.encode("utf-8", "replace") + _HEAD + packed + _TAIL


def unpack(body: bytes) -> tuple[bytes, Layout | None]:
    """Return the original source and its layout; ``None`` for a body without one.

    The layout fits the tree that is parsed from the source. Raises
    :exc:`~scrapy_mainpage.extraction.document.layout.LayoutError` for a broken one.
    """
    stamped, head, packed = body.rpartition(_HEAD)
    if not head or not packed.endswith(_TAIL):
        return body, None
    layout = _read(stamped, packed.removesuffix(_TAIL))
    return _STAMPS.sub(b"", stamped), layout


def strip_layout(body: bytes) -> bytes:
    """Return the original source; a broken layout is ignored."""
    return _STAMPS.sub(b"", body.rpartition(_HEAD)[0] or body)


def _read(stamped: bytes, packed: bytes) -> Layout:
    try:
        decompress = zlib.decompressobj()
        snapshot = decompress.decompress(
            b64decode(packed, validate=True), _MAX_SNAPSHOT_BYTES
        )
    except (ValueError, zlib.error) as error:
        raise LayoutError(f"corrupt layout snapshot: {error}") from None
    if not decompress.eof:
        raise LayoutError("layout snapshot truncated, or too large")
    root = Selector(text=stamped.decode("utf-8", "replace")).root
    return Layout.from_json(snapshot, read_tree(root))
