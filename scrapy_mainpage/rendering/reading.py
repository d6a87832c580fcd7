"""What is done with an open browser page: go there, wait, and read it."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from playwright.async_api import Error as PlaywrightError
from scrapy.http import HtmlResponse
from scrapy.http.headers import Headers

from .documents import Documents, ReplacedError, UnreachableError
from .envelope import pack
from .overlays import overlay_script
from .pool import RenderError
from .redirects import RedirectStop, as_headers
from .settling import Patience, settle
from .snapshot import snapshot_script
from .state import wants_layout

if TYPE_CHECKING:
    from playwright.async_api import Page
    from playwright.async_api import Response as Answer
    from scrapy import Request
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ..settings import Settings

_HTML: Final = ("text/html", "application/xhtml+xml")

_MOST_DOCUMENTS: Final = 3
"""Documents that settle, and are replaced by the next before they have been read."""


class _Seen(NamedTuple):
    content_type: str
    source: str | None
    snapshot: str | None


async def read_page(
    request: Request, page: Page, settings: Settings, stats: StatsCollector
) -> Response:
    """Go to the request's URL and return the page as it is when it has settled.

    A redirect by the server is returned as the response that it is.

    Raises :exc:`.pool.RenderError` for what is no HTML page or too large,
    :exc:`.documents.UnreachableError`, and whatever Playwright raises.
    """
    documents = Documents(page)
    started = perf_counter()
    redirect = await _go(page, request.url, documents)
    # The rest is the page's own time: it says nothing of how busy the server is.
    request.meta["download_latency"] = perf_counter() - started
    if found := redirect.response(request):
        return found
    _check_declared(documents.last)
    layout = wants_layout(request)
    seen = await _see(page, documents, settings, stats, layout=layout)
    stats.inc_value("mainpage/render/time", perf_counter() - started)  # type: ignore[arg-type]
    content_type, source, snapshot = seen
    if not page.url.startswith(("http:", "https:")) or content_type not in _HTML:
        raise RenderError("not_html", f"{page.url}: {content_type}")
    # What a page's scripts hand over may be anything.
    if not isinstance(source, str) or len(source) > settings.render_max_size:
        raise RenderError("too_large")
    answer = documents.last
    if answer is not None:
        _tell_redirects(request, answer)
    return HtmlResponse(
        page.url,
        status=200 if answer is None else answer.status,
        headers=None if answer is None else await _headers(answer),
        body=source.encode("utf-8", "replace")
        if snapshot is None
        else pack(source, snapshot),
        encoding="utf-8",
        flags=["playwright"],
        request=request,
    )


async def _see(
    page: Page,
    documents: Documents,
    settings: Settings,
    stats: StatsCollector,
    *,
    layout: bool,
) -> _Seen:
    """Return the page as it is when it has settled, all of it from one document."""
    for _ in range(_MOST_DOCUMENTS):
        settled = await documents.during(settle(page, _patience(settings)))
        stats.inc_value(f"mainpage/render/settled/{settled.reason}")
        if settled.reason == "blocked":
            raise RenderError("blocked")
        if documents.is_cut and not settled.words:
            raise RenderError("network", "the page broke off before its content")
        before = documents.last
        reading = _read(page, settings, stats, layout=layout)
        with suppress(ReplacedError):
            seen = await documents.during(reading)
            if documents.last is before:
                return seen
    raise RenderError("navigations")


async def _read(
    page: Page, settings: Settings, stats: StatsCollector, *, layout: bool
) -> _Seen:
    overlays = await page.evaluate(overlay_script())
    if type(overlays) is int:
        stats.inc_value("mainpage/render/overlays", overlays)
    limit = settings.render_max_size
    snapshot = await page.evaluate(snapshot_script()) if layout else None
    if not isinstance(snapshot, str) or len(snapshot) > limit:
        snapshot = None
    content_type, source = await page.evaluate(_source_script(), limit)
    return _Seen(content_type, source, snapshot)


async def _go(page: Page, url: str, documents: Documents) -> RedirectStop:
    """Open the URL, or find that it is a redirect."""
    async with RedirectStop(page) as redirect:
        try:
            await documents.during(page.goto(url, wait_until="commit"))
        except (UnreachableError, PlaywrightError):
            if redirect.answer is None:
                raise
    return redirect


def _check_declared(answer: Answer | None) -> None:
    """Refuse at once what says that it is no HTML: nothing of it would settle."""
    declared = "" if answer is None else answer.headers.get("content-type", "")
    kind = declared.partition(";")[0].strip().lower()
    if kind and kind not in _HTML:
        raise RenderError("not_html", kind)


def _patience(settings: Settings) -> Patience:
    return Patience(
        stable=settings.render_stable,
        wait=settings.render_wait,
        scroll=settings.render_scroll,
    )


async def _headers(answer: Answer) -> Headers:
    headers = as_headers(await answer.headers_array())
    # A cache knows no encoding but the one that is declared here.
    headers[b"Content-Type"] = b"text/html; charset=utf-8"
    return headers


def _tell_redirects(request: Request, answer: Answer) -> None:
    """Add the redirects of the browser to those that the request had before."""
    urls: list[str] = []
    earlier: Any = answer.request.redirected_from
    while earlier is not None:
        urls.insert(0, earlier.url)
        earlier = earlier.redirected_from
    if urls:
        before = request.meta.get("redirect_urls", [])
        times = request.meta.get("redirect_times", 0)
        request.meta["redirect_urls"] = [*before, *urls]
        request.meta["redirect_times"] = times + len(urls)


@cache
def _source_script() -> str:
    return files(__package__).joinpath("source.js").read_text("utf-8")
