"""Reading of an open browser page: navigate, wait, and take source and layout."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scrapy.http import HtmlResponse
from scrapy.http.headers import Headers

from ...crawl.rendered_requests import get_state, needs_layout
from ...extraction.document.layout import DISPLAYS, MAX_LENGTH, STAMP
from ...setting_readers import SHOW_MORE
from ..cached_pages import pack
from . import RenderError, ReplacedError
from .navigation import Documents, make_headers, open_url
from .settle import Patience, settle

if TYPE_CHECKING:
    from playwright.async_api import Page
    from playwright.async_api import Response as Answer
    from scrapy import Request
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ...settings import Settings

OVERLAY_ROLE: Final = "dialog"
OVERLAY_CLASS: Final = "cookie-consent modal"
"""Role and class added to consent overlays: both names, and the role, exclude them from
the main content."""

_HTML: Final = ("text/html", "application/xhtml+xml")

_INCOMPLETE: Final = ("limit", "navigations")
"""Ends of the wait after which more may come."""

_MAX_DOCUMENTS: Final = 3
"""Documents that settle and are replaced by the next before they have been read."""


class _Content(NamedTuple):
    content_type: str
    source: str | None
    snapshot: str | None
    is_incomplete: bool = False


async def read_page(
    request: Request, page: Page, settings: Settings, stats: StatsCollector
) -> Response:
    """Go to the request's URL and return the page as it is when it has settled.

    An HTTP redirect is returned as a response, for Scrapy to follow.

    Raises :exc:`.browser.RenderError` if the page is not HTML or too large,
    :exc:`.browser.UnreachableError`, and Playwright's errors.
    """
    documents = Documents(page)
    started = perf_counter()
    redirect = await open_url(page, request.url, documents)
    # Without the page's own time, which says nothing about the server's load.
    request.meta["download_latency"] = perf_counter() - started
    if found := redirect.make_response(request):
        return found
    _check_content_type(documents.last)
    layout = needs_layout(request)
    content = await _read_settled(
        request.url, page, documents, settings, stats, layout=layout
    )
    if content.is_incomplete and (state := get_state(request)) is not None:
        state["incomplete"] = True
    stats.inc_value("mainpage/render/time", perf_counter() - started)  # type: ignore[arg-type]
    content_type, source, snapshot, _ = content
    if not page.url.startswith(("http:", "https:")) or content_type not in _HTML:
        raise RenderError("not_html", f"{page.url}: {content_type}")
    # The page's scripts can change the type of the value.
    if not isinstance(source, str) or len(source) > settings.render_max_size:
        raise RenderError("too_large")
    answer = documents.last
    if answer is not None:
        _add_redirects(request, answer)
    return HtmlResponse(
        page.url,
        status=200 if answer is None else answer.status,
        headers=None if answer is None else await _get_headers(answer),
        body=source.encode("utf-8", "replace")
        if snapshot is None
        else pack(source, snapshot),
        encoding="utf-8",
        flags=["playwright"],
        request=request,
    )


async def _read_settled(
    url: str,
    page: Page,
    documents: Documents,
    settings: Settings,
    stats: StatsCollector,
    *,
    layout: bool,
) -> _Content:
    """Return the settled page, all of it from one document."""
    patience = Patience(
        stable=settings.render_stable,
        wait=settings.render_wait,
        scroll=settings.render_scroll,
        click=make_click_script(settings.render_click),
    )
    for _ in range(_MAX_DOCUMENTS):
        settled = await documents.watch(settle(page, patience))
        stats.inc_value(f"mainpage/render/settled/{settled.reason}")
        if settled.reason == "blocked":
            raise RenderError("blocked")
        if documents.is_truncated and not settled.words:
            raise RenderError("network", "the page broke off before its content")
        if settled.reason == "away":
            # Once more, without the clicks.
            patience = replace(patience, click="")
            await open_url(page, "about:blank", documents)
            await open_url(page, url, documents)
            continue
        if settled.clicks:
            stats.inc_value("mainpage/render/clicks", settled.clicks)
        before = documents.last
        reading = _read(page, settings, stats, layout=layout)
        with suppress(ReplacedError):
            content = await documents.watch(reading)
            if documents.last is before:
                return content._replace(is_incomplete=settled.reason in _INCOMPLETE)
    raise RenderError("navigations")


async def _read(
    page: Page, settings: Settings, stats: StatsCollector, *, layout: bool
) -> _Content:
    overlays = await page.evaluate(make_overlay_script())
    if type(overlays) is int:
        stats.inc_value("mainpage/render/overlays", overlays)
    limit = settings.render_max_size
    snapshot = await page.evaluate(make_layout_script()) if layout else None
    if not isinstance(snapshot, str) or len(snapshot) > limit:
        snapshot = None
    content_type, source = await page.evaluate(_load_script("source"), limit)
    return _Content(content_type, source, snapshot)


def _check_content_type(answer: Answer | None) -> None:
    """Refuse a page that is declared as something else than HTML before it settles."""
    declared = "" if answer is None else answer.headers.get("content-type", "")
    kind = declared.partition(";")[0].strip().lower()
    if kind and kind not in _HTML:
        raise RenderError("not_html", kind)


async def _get_headers(answer: Answer) -> Headers:
    headers = make_headers(await answer.headers_array())
    # A cache knows the encoding of the body from here only.
    headers[b"Content-Type"] = b"text/html; charset=utf-8"
    return headers


def _add_redirects(request: Request, answer: Answer) -> None:
    """Add the browser's redirects to those that the request had before."""
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


# --- Scripts -----------------------------------------------------------------


@cache
def _load_script(name: str) -> str:
    return files(__package__).joinpath("js", f"{name}.js").read_text("utf-8").strip()


def _make_call(name: str, *arguments: object) -> str:
    """Return an expression that calls the function in a script."""
    written = ", ".join(json.dumps(argument) for argument in arguments)
    return f"(\n{_load_script(name)}\n)({written})"


@cache
def make_layout_script() -> str:
    """Return a JavaScript expression that stamps the elements and returns a layout."""
    return _make_call("layout", STAMP, DISPLAYS, MAX_LENGTH)


@cache
def make_overlay_script() -> str:
    """Return a JavaScript expression that marks consent overlays and counts them."""
    return _make_call("overlays", OVERLAY_ROLE, OVERLAY_CLASS)


#: Where letters of any script begin or end; those of JavaScript's ``\b`` are Latin.
_LETTERS_END: Final = r"(?:(?<!\p{L})(?=\p{L})|(?<=\p{L})(?!\p{L}))"


@cache
def make_click_script(wanted: tuple[str, ...]) -> str:
    """Return a JavaScript expression of what clicks; empty for nothing *wanted*.

    Those are CSS selectors, and ``:show-more`` for buttons that say so. Overlays are
    marked before.
    """
    if not wanted:
        return ""
    labels = json.loads(
        files(__package__).joinpath("click_labels.json").read_text("utf-8")
    )
    selectors = [selector for selector in wanted if selector != SHOW_MORE]
    more = "|".join(labels["more"].values()) if SHOW_MORE in wanted else ""
    never = "|".join(labels["never"]).replace(r"\b", _LETTERS_END)
    call = _make_call("click", selectors, more, never)
    return f"({make_overlay_script()}, {call})"
