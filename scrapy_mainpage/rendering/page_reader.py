"""Reading of an open browser page: navigate, wait, and take source and layout."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from playwright.async_api import Error
from scrapy.http import HtmlResponse, Response
from scrapy.http.headers import Headers
from w3lib.encoding import html_body_declared_encoding

from ..addresses import page_address
from ..crawl.rendered_requests import MAX_SIZE, State, get_state
from ..extraction.document.layout import DISPLAYS, MAX_LENGTH, STAMP
from . import RenderError, UnreachableError, first_line, is_replaced, pack
from .settle import settle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.async_api import CDPSession, Page, Route
    from playwright.async_api import Request as BrowserRequest
    from playwright.async_api import Response as Answer
    from scrapy import Request
    from scrapy.statscollectors import StatsCollector

    from ..settings import Settings

OVERLAY_ROLE: Final = "dialog"
OVERLAY_CLASS: Final = "cookie-consent modal"
"""Role and class added to consent overlays: both names, and the role, exclude them from
the main content."""

_HTML: Final = ("text/html", "application/xhtml+xml")

_INCOMPLETE: Final = ("limit", "navigations")
"""Ends of the wait after which more may come."""

_MAX_DOCUMENTS: Final = 3
"""Documents that settle and are replaced by the next before they have been read."""

#: Failures of requests that became a download, or gave way to another document.
_ABORTED: Final = "net::ERR_ABORTED"

_ERROR_PAGE: Final = "chrome-error:"
"""Scheme of what the browser shows in place of a document that did not come."""

#: Headers about the transfer, not about the page.
_TRANSFER_HEADERS: Final = ("content-encoding", "content-length", "transfer-encoding")


_BODY_SECONDS: Final = 2.0
"""Time for the bytes of a document that has settled: some servers never end one."""


class _Content(NamedTuple):
    content_type: str
    encoding: str
    source: str | None
    snapshot: str | None


async def read_page(
    request: Request, page: Page, settings: Settings, stats: StatsCollector
) -> Response:
    """Go to the request's URL and return the page as it is when it has settled.

    An HTTP redirect is returned as a response, for Scrapy to follow.

    Raises :exc:`.RenderError` if the page is not HTML or too large,
    :exc:`.UnreachableError`, and Playwright's errors.
    """
    documents = Documents(page)
    started = perf_counter()
    redirect = await _open(page, request.url)
    # Without the page's own time, which says nothing about the server's load.
    request.meta["download_latency"] = perf_counter() - started
    if redirect is not None:
        headers, status = redirect["responseHeaders"], redirect["responseStatusCode"]
        headers = _make_headers(headers)
        url = page_address(request.url, routes=True)
        return Response(url, status=status, headers=headers, request=request)
    found = await _read(request, page, documents, settings, stats)
    content_type, _, source, snapshot = found
    stats.inc_value("mainpage/render/time", perf_counter() - started)  # type: ignore[arg-type]
    if not page.url.startswith(("http:", "https:")) or content_type not in _HTML:
        raise RenderError("not_html", f"{page.url}: {content_type}")
    # The page's scripts can change the type of the value.
    if not isinstance(source, str) or len(source) > MAX_SIZE:
        raise RenderError("too_large")
    body = source.encode("utf-8", "replace")
    return await _make_response(
        request,
        page_address(page.url, routes=True),
        body if snapshot is None else pack(source, snapshot),
        documents.last,
    )


async def _make_response(
    request: Request, url: str, body: bytes, answer: Answer | None
) -> HtmlResponse:
    headers = _make_headers(await answer.headers_array() if answer else ())
    if answer is not None:
        # A cache knows the encoding of the body from here only.
        headers[b"Content-Type"] = b"text/html; charset=utf-8"
    return HtmlResponse(
        url,
        status=200 if answer is None else answer.status,
        headers=headers,
        body=body,
        encoding="utf-8",
        flags=["playwright"],
        request=request,
    )


def _make_headers(items: Iterable[Any]) -> Headers:
    """Return headers as the browser reports them, without those of the transfer."""
    headers = Headers()
    for item in items:
        headers.appendlist(item["name"], item["value"])
    for name in _TRANSFER_HEADERS:
        headers.pop(name, None)
    return headers


# --- Reading what has settled ----------------------------------------------------


async def _read(
    request: Request,
    page: Page,
    documents: Documents,
    settings: Settings,
    stats: StatsCollector,
) -> _Content:
    """Wait for a page and read all of it from one document.

    Its request is marked if more of the page may come.
    """
    click = make_click_script(settings.render_click)
    wait, scroll = settings.render_wait, settings.render_scroll
    state = get_state(request) or State()
    for _ in range(_MAX_DOCUMENTS):
        settled = await settle(page, wait, scroll=scroll, click=click)
        if page.url.startswith(_ERROR_PAGE):
            raise UnreachableError(documents.failed, "no answer")
        stats.inc_value(f"mainpage/render/settled/{settled.reason}")
        if settled.reason == "blocked":
            raise RenderError("blocked")
        if documents.is_truncated and not settled.measured.words:
            raise RenderError("network", "the page broke off before its content")
        if settled.reason == "away":
            # Once more, without the clicks.
            click = ""
            await _open_again(page, request.url)
            continue
        if settled.clicks:
            stats.inc_value("mainpage/render/clicks", settled.clicks)
        before = documents.last
        content = await _take(page, stats, with_layout=bool(state.get("layout")))
        if content is None or documents.last is not before:
            continue
        if before is not None and await _correct(page, before, content):
            await _open_again(page, request.url)
            continue
        if settled.reason in _INCOMPLETE:
            state["incomplete"] = True
        return content
    raise RenderError("navigations")


async def _take(
    page: Page, stats: StatsCollector, *, with_layout: bool
) -> _Content | None:
    """Return the page as it is; ``None`` if another document replaced it."""
    snapshot = None
    try:
        overlays = await page.evaluate(make_overlay_script())
        if with_layout:
            snapshot = await page.evaluate(make_layout_script())
        parts = await page.evaluate(_load_script("source"), MAX_SIZE)
        content_type, encoding, source = parts
    except Error as error:
        if is_replaced(error):
            return None
        raise
    if type(overlays) is int:
        stats.inc_value("mainpage/render/overlays", overlays)
    if not isinstance(snapshot, str) or len(snapshot) > MAX_SIZE:
        snapshot = None
    return _Content(content_type, encoding, source, snapshot)


async def _correct(page: Page, answer: Answer, content: _Content) -> bool:
    """Have the next request of a document answered in UTF-8, if it was misread.

    Browsers guess legacy encodings where nothing declares one, but not UTF-8, and read
    the page's scripts in what they guess. The server is not asked again.
    """
    declared = "charset" in answer.headers.get("content-type", "").lower()
    if declared or content.encoding == "UTF-8":
        return False
    try:
        # Read as UTF-8, unless the document declares another encoding.
        html = await asyncio.wait_for(answer.text(), _BODY_SECONDS)
    except (Error, asyncio.TimeoutError, UnicodeError):
        return False
    is_utf8 = "\ufffd" not in html and not html_body_declared_encoding(html.encode())
    if not is_utf8 or (html.isascii() and (content.source or "").isascii()):
        return False
    headers = {k: v for k, v in answer.headers.items() if k not in _TRANSFER_HEADERS}
    headers["content-type"] = "text/html; charset=utf-8"

    async def fulfill(route: Route) -> None:
        with suppress(Error):  # The page may be gone.
            await route.fulfill(status=answer.status, headers=headers, body=html)

    address = answer.url.partition("#")[0]
    await page.route(lambda url: url.partition("#")[0] == address, fulfill, times=1)
    return True


# --- Navigation ------------------------------------------------------------------


class Documents:
    """The documents of a page's main frame since this object was made.

    ``last`` is the response of the last one, redirects aside, ``failed`` the URL of the
    last one that did not answer. ``is_truncated``: one began to arrive, and broke off.
    """

    def __init__(self, page: Page):
        self._page = page
        self.last: Answer | None = None
        self.failed = ""
        self.is_truncated = False
        page.on("response", self._add_answer)
        page.on("requestfailed", self._add_failure)

    def _add_answer(self, answer: Answer) -> None:
        if self._is_document(answer.request) and not 300 <= answer.status < 400:
            self.last = answer

    def _add_failure(self, request: BrowserRequest) -> None:
        is_aborted = (request.failure or "").startswith(_ABORTED)
        if is_aborted or not self._is_document(request):
            return
        if self.last is not None and self.last.request == request:
            self.is_truncated = True
        else:
            self.failed = request.url

    def _is_document(self, request: BrowserRequest) -> bool:
        is_navigation = request.is_navigation_request()
        return is_navigation and request.frame == self._page.main_frame


async def _open(page: Page, url: str) -> dict[str, Any] | None:
    """Open the URL; return a redirect, as an event of the debugging protocol.

    HTTP redirects of the page itself are Scrapy's to follow: it checks robots.txt and
    the allowed domains, removes credentials, and counts. Raises
    :exc:`UnreachableError`.
    """
    stop = _RedirectStop()
    await stop.listen(await page.context.new_cdp_session(page))
    try:
        await page.goto(url, wait_until="commit")
    except Error as error:
        if stop.redirect is not None:
            return stop.redirect
        if "net::" in error.message:
            raise UnreachableError(url, first_line(error)) from error
        raise
    finally:
        # The session ends with the page. Ending it here hangs after a tab crash.
        stop.is_open = False
    return stop.redirect


async def _open_again(page: Page, url: str) -> None:
    """Open the URL anew: without the blank page a fragment would only be a place."""
    await _open(page, "about:blank")
    await _open(page, url)


class _RedirectStop:
    """Lets a page's first document fail where it is a redirect."""

    def __init__(self) -> None:
        self.redirect: dict[str, Any] | None = None
        self.is_open = True
        self._tasks: set[asyncio.Future[None]] = set()

    async def listen(self, session: CDPSession) -> None:
        def resume(event: dict[str, Any]) -> None:
            task = asyncio.ensure_future(self._resume(session, event))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        session.on("Fetch.requestPaused", resume)
        pattern = {"requestStage": "Response", "resourceType": "Document"}
        await session.send("Fetch.enable", {"patterns": [pattern]})

    async def _resume(self, session: CDPSession, event: dict[str, Any]) -> None:
        method, parameters = "Fetch.continueRequest", {"requestId": event["requestId"]}
        names = {header["name"].lower() for header in event.get("responseHeaders", ())}
        is_redirect = 300 <= event.get("responseStatusCode", 0) < 400
        if self.is_open and is_redirect and "location" in names:
            self.redirect = event
            method = "Fetch.failRequest"
            parameters["errorReason"] = "Failed"
        with suppress(Error):  # The page may be gone.
            await session.send(method, parameters)


# --- Scripts ---------------------------------------------------------------------


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


@cache
def make_click_script(selectors: tuple[str, ...]) -> str:
    """Return a JavaScript expression of what clicks the selected elements, if any.

    Overlays are marked before.
    """
    if not selectors:
        return ""
    return f"({make_overlay_script()}, {_make_call('click', selectors)})"
