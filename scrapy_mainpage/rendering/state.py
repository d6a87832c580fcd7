"""State of rendering of a request, its fingerprint, and the layout in its response."""

from __future__ import annotations

import re
import zlib
from base64 import b64decode, b64encode
from hashlib import sha1
from typing import TYPE_CHECKING, Any, Final, Protocol, TypedDict, cast

from parsel import Selector
from scrapy.utils.misc import build_from_crawler, load_object

from ..extraction.document.document import read_tree
from ..extraction.document.layout import STAMP, Layout, LayoutError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self

WISH_KEY: Final = "mainpage_render"
"""The spider's wish: ``True`` or ``False``."""

STATE_KEY: Final = "mainpage_rendering"

WRAPPED_FINGERPRINTER: Final = "_MAINPAGE_WRAPPED_FINGERPRINTER"
"""Setting in which the add-on keeps the project's own fingerprinter."""

#: Meta that the downloader writes and a copy of the request must not have.
_DOWNLOADER_KEYS: Final = (
    "download_latency",
    "cached_response",
    "_dont_cache",
    "retry_times",
)


class State(TypedDict, total=False):
    """``rendered`` and ``reason`` are always set.

    ``url`` is the URL that it began with, ``key`` identifies the rule in the site's
    history and ``advice`` is the decision by it; ``sketch`` samples the static page's
    text and ``words`` counts its main content. ``done`` is set once the response was
    seen: the state of a request copied later is an old one. ``layout`` asks for the
    boxes of the elements. ``record`` marks no request but the place of a stored
    decision.
    """

    rendered: bool
    reason: str
    url: str
    key: list[str]
    advice: Any
    sketch: list[int]
    words: int
    done: bool
    layout: bool
    record: bool


def get_state(request: Request) -> State | None:
    """Return the request's state; ``None`` if nothing has been decided."""
    state = request.meta.get(STATE_KEY)
    return state if isinstance(state, dict) and "reason" in state else None  # type: ignore[return-value]


def is_rendered(request: Request) -> bool:
    """Whether the request's response comes, or came, from a browser."""
    state = get_state(request)
    return state is not None and bool(state.get("rendered"))


def needs_layout(request: Request) -> bool:
    """Whether the rendered page is to come with its layout."""
    return bool((get_state(request) or {}).get("layout"))


def replace_state(request: Request, state: State) -> Request:
    """Return a copy of the request in *state* that passes the duplicate filter.

    The first response goes no further, so the copy is no duplicate.
    """
    meta: dict[str, Any] = {
        key: value for key, value in request.meta.items() if key not in _DOWNLOADER_KEYS
    }
    meta[STATE_KEY] = state
    return request.replace(meta=meta, dont_filter=True)


# --- Fingerprints ------------------------------------------------------------


class Fingerprinter(Protocol):
    """Scrapy's interface of request fingerprinters."""

    def fingerprint(self, request: Request) -> bytes:
        """Return the request's fingerprint."""
        ...


class RenderFingerprinter:
    """The project's request fingerprinter, with other fingerprints if rendered.

    The cache, the duplicate filter and the disk queues ask it, so that none of them
    takes a rendered page for the static one. Static requests keep the fingerprints
    that they have without the plugin.
    """

    def __init__(self, wrapped: Fingerprinter):
        self.wrapped = wrapped

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Wrap the fingerprinter that the project's settings name."""
        path = crawler.settings[WRAPPED_FINGERPRINTER]
        built = build_from_crawler(load_object(path), crawler)
        return cls(cast("Fingerprinter", built))

    def fingerprint(self, request: Request) -> bytes:
        """Return the fingerprint."""
        plain = self.wrapped.fingerprint(request)
        state = get_state(request) or {}
        if state.get("record"):
            return _derive(b"decision", plain)
        if not state.get("rendered"):
            return plain
        return _derive(b"layout" if state.get("layout") else b"rendered", plain)


def _derive(kind: bytes, plain: bytes) -> bytes:
    return sha1(b"mainpage %b\n" % kind + plain, usedforsecurity=False).digest()


_HEAD: Final = b"\n<!--mainpage-layout "
_TAIL: Final = b"-->"

#: A snapshot takes about twenty bytes per element.
_MAX_SNAPSHOT_BYTES: Final = 2**28

_STAMPS: Final = re.compile(rb' %s="\d+"' % STAMP.encode())


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
