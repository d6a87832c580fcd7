"""Pages from a browser: why there is none, and how a layout comes in the body of one.

Scrapy's HTTP cache keeps bodies: the layout of a rendered page follows its source.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Final

from parsel import Selector

from ..extraction.document.document import read_tree
from ..extraction.document.layout import STAMP, Layout, LayoutError

NO_GAIN: Final = "no_gain"
"""Reason of pages that need no browser, as similar pages of the site have shown."""

BROWSER_CLOSED: Final = "browser_closed"
"""Reason of pages whose browser went away while it rendered them."""

#: Marks of Playwright's errors after another document replaced the one in use.
_REPLACED: Final = ("context was destroyed", "Cannot find context", "Frame was detach")


class RenderError(Exception):
    """Failure with the code of the statistics; *broken*: use this browser no more."""

    def __init__(self, reason: str, message: str = "", *, broken: bool = False):
        super().__init__(f"{reason}: {message}" if message else reason)
        self.reason = reason
        self.broken = broken


class UnreachableError(Exception):
    """The page navigated to *url*, which did not answer."""

    def __init__(self, url: str, failure: str):
        super().__init__(f"{failure} at {url}")
        self.url = url


def first_line(error: Exception) -> str:
    """Return the error's message in one line."""
    return str(error).split("\n")[0] or type(error).__name__


def is_replaced(error: Exception) -> bool:
    """Whether the error says that another document replaced the one in use."""
    return any(mark in str(error) for mark in _REPLACED)


def explain(error: Exception, find_refusal: Callable[[str], str | None]) -> RenderError:
    """Translate an error of a page whose browser is running.

    *find_refusal* returns the reason for which the guard refused a URL, if it did.
    """
    message = first_line(error)
    if isinstance(error, RenderError):
        return error
    if isinstance(error, UnreachableError):
        refused = find_refusal(error.url)
        return RenderError("refused" if refused else "network", refused or message)
    if isinstance(error, asyncio.TimeoutError) or "Timeout" in type(error).__name__:
        return RenderError("timeout")
    for mark, reason in (
        ("crashed", "crash"),
        ("net::", "network"),
        ("Download is starting", "not_html"),
    ):
        if mark in message:
            return RenderError(reason, message)
    if "closed" in message:  # By itself, or the browser's driver is gone unnoticed.
        return RenderError(BROWSER_CLOSED, message, broken=True)
    return RenderError("error", f"{type(error).__name__}: {message}")


# --- Layouts ---------------------------------------------------------------------

_HEAD: Final = b"\n<!--mainpage-layout "
_TAIL: Final = b"-->"

#: A snapshot takes about twenty bytes per element.
_MAX_SNAPSHOT_BYTES: Final = 2**28

_STAMPS: Final = re.compile(rb' %s="\d+"' % STAMP.encode())


def pack(html: str, snapshot: str) -> bytes:
    """Return the page's source, with stamped elements, followed by its snapshot."""
    packed = b64encode(zlib.compress(snapshot.encode("utf-8", "replace"), 6))
    return html.encode("utf-8", "replace") + _HEAD + packed + _TAIL


def unpack(body: bytes) -> tuple[bytes, Layout | LayoutError | None]:
    """Return the original source and its layout; ``None`` for a body without one.

    The layout fits the tree that is parsed from the source. A broken one is an error.
    """
    stamped, head, packed = body.rpartition(_HEAD)
    if not head or not packed.endswith(_TAIL):
        return body, None
    layout: Layout | LayoutError
    try:
        layout = _read(stamped, packed.removesuffix(_TAIL))
    except LayoutError as error:
        layout = error
    return _STAMPS.sub(b"", stamped), layout


def _read(stamped: bytes, packed: bytes) -> Layout:
    try:
        decompress = zlib.decompressobj()
        zipped = b64decode(packed, validate=True)
        snapshot = decompress.decompress(zipped, _MAX_SNAPSHOT_BYTES)
    except (ValueError, zlib.error) as error:
        raise LayoutError(f"corrupt layout snapshot: {error}") from None
    if not decompress.eof:
        raise LayoutError("layout snapshot truncated, or too large")
    root = Selector(text=stamped.decode("utf-8", "replace")).root
    return Layout.from_json(snapshot, read_tree(root))
