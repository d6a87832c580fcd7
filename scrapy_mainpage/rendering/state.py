"""Rendering state of a request, in its meta, and its fingerprint in that state.

The state is a dictionary under :data:`STATE_KEY`, plain and small on disk. A request
that has one was decided on, which guards against loops; the spider middleware removes
it from the requests that a spider makes from a response's meta.
"""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Any, Final, Protocol, TypedDict, cast

from scrapy.utils.misc import build_from_crawler, load_object

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
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
