"""Reading of an open browser page: navigate, wait, and take source and layout."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.resources import files
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from playwright.async_api import Error
from scrapy.http import HtmlResponse, Response
from scrapy.http.headers import Headers

from ...crawl.rendered_requests import MAX_SIZE, get_state
from ...extraction.document.layout import DISPLAYS, MAX_LENGTH, STAMP
from ..cached_pages import pack
from . import RenderError, UnreachableError, is_replaced
from .settle import Patience, settle

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from playwright.async_api import CDPSession, Page
    from playwright.async_api import Request as BrowserRequest
    from playwright.async_api import Response as Answer
    from scrapy import Request
    from scrapy.statscollectors import StatsCollector

    from ...settings import Settings

Result = TypeVar("Result")

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
_ABORTED: Final = ("net::ERR_ABORTED", "NS_BINDING_ABORTED")

_MAX_DELAY_SECONDS: Final = 0.5
"""Delay between an error and the event with its cause."""

#: Headers about the transfer, not about the page.
_TRANSFER_HEADERS: Final = ("Content-Encoding", "Content-Length", "Transfer-Encoding")


class _ReplacedError(Exception):
    """Another document replaced the one in use."""


class _Content(NamedTuple):
    content_type: str
    source: str | None
    snapshot: str | None


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
    redirect = await _open(page, request.url, documents)
    # Without the page's own time, which says nothing about the server's load.
    request.meta["download_latency"] = perf_counter() - started
    if redirect is not None:
        headers, status = redirect["responseHeaders"], redirect["responseStatusCode"]
        headers = _make_headers(headers)
        return Response(request.url, status=status, headers=headers, request=request)
    _check_content_type(documents.last)
    reader = _Reader(request, page, documents, settings, stats)
    content_type, source, snapshot = await reader.read()
    stats.inc_value("mainpage/render/time", perf_counter() - started)  # type: ignore[arg-type]
    if not page.url.startswith(("http:", "https:")) or content_type not in _HTML:
        raise RenderError("not_html", f"{page.url}: {content_type}")
    # The page's scripts can change the type of the value.
    if not isinstance(source, str) or len(source) > MAX_SIZE:
        raise RenderError("too_large")
    body = source.encode("utf-8", "replace")
    return await _make_response(
        request,
        page.url,
        body if snapshot is None else pack(source, snapshot),
        documents.last,
    )


def _check_content_type(answer: Answer | None) -> None:
    """Refuse a page that is declared as something else than HTML before it settles."""
    declared = "" if answer is None else answer.headers.get("content-type", "")
    kind = declared.partition(";")[0].strip().lower()
    if kind and kind not in _HTML:
        raise RenderError("not_html", kind)


async def _make_response(
    request: Request, url: str, body: bytes, answer: Answer | None
) -> HtmlResponse:
    headers = _make_headers(await answer.headers_array() if answer else ())
    if answer is not None:
        _add_redirects(request, answer)
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


# --- Reading what has settled ----------------------------------------------------


class _Reader:
    """Waits for a page and reads all of it from one document."""

    def __init__(
        self,
        request: Request,
        page: Page,
        documents: Documents,
        settings: Settings,
        stats: StatsCollector,
    ):
        self.request, self.page, self.documents = request, page, documents
        self.settings, self.stats = settings, stats

    async def read(self) -> _Content:
        """Return the page; mark its request if more of it may come."""
        patience = Patience(
            wait=self.settings.render_wait,
            scroll=self.settings.render_scroll,
            click=make_click_script(self.settings.render_click),
        )
        for _ in range(_MAX_DOCUMENTS):
            settled = await self.documents.watch(settle(self.page, patience))
            self.stats.inc_value(f"mainpage/render/settled/{settled.reason}")
            if settled.reason == "blocked":
                raise RenderError("blocked")
            if self.documents.is_truncated and not settled.words:
                raise RenderError("network", "the page broke off before its content")
            if settled.reason == "away":
                # Once more, without the clicks.
                patience = replace(patience, click="")
                await _open(self.page, "about:blank", self.documents)
                await _open(self.page, self.request.url, self.documents)
                continue
            if settled.clicks:
                self.stats.inc_value("mainpage/render/clicks", settled.clicks)
            before = self.documents.last
            with suppress(_ReplacedError):
                content = await self.documents.watch(self._take())
                if self.documents.last is before:
                    self._mark(settled.reason)
                    return content
        raise RenderError("navigations")

    def _mark(self, reason: str) -> None:
        state = get_state(self.request)
        if state is not None and reason in _INCOMPLETE:
            state["incomplete"] = True

    async def _take(self) -> _Content:
        overlays = await self.page.evaluate(make_overlay_script())
        if type(overlays) is int:
            self.stats.inc_value("mainpage/render/overlays", overlays)
        snapshot = None
        if (get_state(self.request) or {}).get("layout"):
            snapshot = await self.page.evaluate(make_layout_script())
        if not isinstance(snapshot, str) or len(snapshot) > MAX_SIZE:
            snapshot = None
        taken = await self.page.evaluate(_load_script("source"), MAX_SIZE)
        content_type, source = taken
        return _Content(content_type, source, snapshot)


# --- Navigation ------------------------------------------------------------------


class Documents:
    """The documents of a page's main frame since this object was made.

    ``is_truncated``: a document began to arrive, and broke off.
    """

    def __init__(self, page: Page):
        self._page = page
        self.last: Answer | None = None
        """The response of the last document, redirects aside."""
        self.is_truncated = False
        self._failed: asyncio.Future[UnreachableError] = (
            asyncio.get_running_loop().create_future()
        )
        page.on("response", self._add_answer)
        page.on("requestfailed", self._add_failure)

    async def watch(self, action: Awaitable[Result]) -> Result:
        """Return the result of *action*.

        Raises :exc:`UnreachableError` as soon as the page navigates to a URL that does
        not answer, and ``_ReplacedError`` if another document interrupts the action.
        """
        task = asyncio.ensure_future(action)
        try:
            await asyncio.wait(
                (task, self._failed), return_when=asyncio.FIRST_COMPLETED
            )
            if not self._failed.done():
                return await self._translate_errors(task)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        raise self._failed.result()

    async def _translate_errors(self, task: asyncio.Future[Result]) -> Result:
        try:
            return await task
        except Error as error:
            if "net::" in error.message or "NS_ERROR" in error.message:
                await asyncio.wait((self._failed,), timeout=_MAX_DELAY_SECONDS)
            if self._failed.done():
                raise self._failed.result() from error
            if is_replaced(error):
                raise _ReplacedError from error
            raise

    def _add_answer(self, answer: Answer) -> None:
        if self._is_document(answer.request) and not 300 <= answer.status < 400:
            self.last = answer

    def _add_failure(self, request: BrowserRequest) -> None:
        failure = request.failure or ""
        if failure.startswith(_ABORTED) or not self._is_document(request):
            return
        if self.last is not None and self.last.request == request:
            self.is_truncated = True
        elif not self._failed.done():
            self._failed.set_result(UnreachableError(request.url, failure))

    def _is_document(self, request: BrowserRequest) -> bool:
        is_navigation = request.is_navigation_request()
        return is_navigation and request.frame == self._page.main_frame


async def _open(page: Page, url: str, documents: Documents) -> dict[str, Any] | None:
    """Open the URL; return a redirect, as an event of the debugging protocol.

    HTTP redirects of the page itself are Scrapy's to follow: it checks robots.txt and
    the allowed domains, removes credentials, and counts. Only Chromium can stop there;
    other browsers follow.
    """
    stop = _RedirectStop()
    browser = page.context.browser
    if browser is not None and browser.browser_type.name == "chromium":
        await stop.listen(await page.context.new_cdp_session(page))
    try:
        await documents.watch(page.goto(url, wait_until="commit"))
    except (UnreachableError, Error):
        if stop.redirect is None:
            raise
    finally:
        # The session ends with the page. Ending it here hangs after a tab crash.
        stop.is_open = False
    return stop.redirect


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
