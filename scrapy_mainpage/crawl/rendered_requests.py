"""Requests that a browser renders: their state, copies and fingerprints.

Nothing of :mod:`scrapy_mainpage.rendering` is imported here: most crawls render
nothing.
"""

from __future__ import annotations

from hashlib import sha1
from typing import TYPE_CHECKING, Any, Final, TypedDict, cast
from urllib.parse import urlsplit

from scrapy.http.request import NO_CALLBACK
from scrapy.utils.misc import build_from_crawler, load_object

from ..addresses import route_of
from .crawl_state import CrawlState
from .pages import META_KEY

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from scrapy.utils.request import RequestFingerprinterProtocol
    from typing_extensions import Self

WISH_KEY: Final = "mainpage_render"
"""The spider's wish: ``True`` or ``False``."""

LAYOUT_KEY: Final = "mainpage_layout"
"""The spider's wish for the boxes of the elements, if the page is rendered."""

STATE_KEY: Final = "mainpage_rendering"

MAX_SIZE: Final = 32 * 2**20
"""Bytes that a page may receive over one connection of the browser, and characters of
its source."""

WRAPPED_FINGERPRINTER: Final = "_MAINPAGE_WRAPPED_FINGERPRINTER"
"""Setting in which the add-on keeps the project's own fingerprinter."""

#: Meta that the downloader writes and a copy of the request must not have.
_DOWNLOADER_KEYS: Final = (
    "download_latency",
    "cached_response",
    "_dont_cache",
    "retry_times",
)

RENDER_INCOMPLETE: Final = "render_incomplete"
"""Warning code of a rendered page that had not settled when it was taken."""


class State(TypedDict, total=False):
    """``rendered`` and ``reason`` are always set.

    ``url`` is the URL that it began with, ``rule`` and ``certain`` are for the memory
    of the site, and ``probe`` marks a rendering against that memory; ``words`` counts
    the static page's main content, which ``static`` begins, and ``title`` names.
    ``incomplete`` is set by a page that did not settle. ``done`` is set once the
    response was seen: the state of a request copied later is an old one. ``layout``
    asks for the boxes of the elements.
    """

    rendered: bool
    reason: str
    url: str
    rule: str
    certain: bool
    probe: bool
    words: int
    static: str
    title: str
    incomplete: bool
    done: bool
    layout: bool


def get_state(request: Request) -> State | None:
    """Return the request's state; ``None`` if nothing has been decided."""
    state = request.meta.get(STATE_KEY)
    return state if isinstance(state, dict) and "reason" in state else None  # type: ignore[return-value]


def get_wish(request: Request) -> bool | None:
    """Return the spider's wish; ``None`` if it leaves the decision to the plugin."""
    wish = request.meta.get(WISH_KEY)
    return None if wish is None else bool(wish)


def is_renderable(request: Request) -> bool:
    """Whether the request is for a page that the plugin may render.

    Not files that media pipelines fetch, nor requests that the spider renders itself.
    """
    if request.method != "GET" or not request.url.startswith(("http:", "https:")):
        return False
    if request.meta.get("playwright"):
        return False
    if get_wish(request) is not None:
        return True
    if request.callback is NO_CALLBACK or request.meta.get(META_KEY) is False:
        return False
    return urlsplit(request.url).path != "/robots.txt"


def is_rendered(request: Request) -> bool:
    """Whether the request's response comes, or came, from a browser."""
    state = get_state(request)
    return state is not None and bool(state.get("rendered"))


def replace_state(request: Request, state: State) -> Request:
    """Return a copy of the request in *state* that passes the duplicate filter.

    The first response goes no further, so the copy is no duplicate.
    """
    meta: dict[str, Any] = {
        key: value for key, value in request.meta.items() if key not in _DOWNLOADER_KEYS
    }
    meta[STATE_KEY] = state
    return request.replace(meta=meta, dont_filter=True)


def find_loop_problem(settings: BaseSettings) -> str | None:
    """Return why the crawl's event loop cannot render; ``None`` if it can."""
    if not settings.getbool("TWISTED_REACTOR_ENABLED", True):
        return "needs a Twisted reactor; TWISTED_REACTOR_ENABLED is False"
    reactor = settings.get("TWISTED_REACTOR") or ""
    if not str(reactor).endswith("AsyncioSelectorReactor"):
        return f"needs the asyncio reactor; TWISTED_REACTOR is {reactor!r}"
    return None


class RenderFingerprinter:
    """The project's request fingerprinter, with other fingerprints if rendered.

    The cache, the duplicate filter and the disk queues use it, so that none of them
    takes a rendered page for the static one. Static requests keep the fingerprints
    that they have without the plugin. With *routes* those of a URL are pages.
    """

    def __init__(self, wrapped: RequestFingerprinterProtocol, *, routes: bool = False):
        self.wrapped = wrapped
        self.routes = routes

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Wrap the fingerprinter that the project's settings name."""
        path = crawler.settings[WRAPPED_FINGERPRINTER]
        built = build_from_crawler(load_object(path), crawler)
        routes = CrawlState.of(crawler).settings.render_hash_routes
        return cls(cast("RequestFingerprinterProtocol", built), routes=routes)

    def fingerprint(self, request: Request) -> bytes:
        """Return the fingerprint."""
        plain = self.wrapped.fingerprint(request)
        if self.routes and (route := route_of(request.url)):
            plain = _derive(route.encode(), plain)
        state = get_state(request) or {}
        if not state.get("rendered"):
            return plain
        return _derive(b"layout" if state.get("layout") else b"rendered", plain)


def _derive(kind: bytes, plain: bytes) -> bytes:
    return sha1(b"mainpage %b\n" % kind + plain, usedforsecurity=False).digest()
