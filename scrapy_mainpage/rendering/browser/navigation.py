"""Navigation of a browser page: its documents in turn, and its HTTP redirects."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from playwright.async_api import Error
from scrapy.http import Response
from scrapy.http.headers import Headers

from . import REPLACED, ReplacedError, UnreachableError

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page
    from playwright.async_api import Request as PlaywrightRequest
    from playwright.async_api import Response as PlaywrightResponse
    from scrapy import Request
    from typing_extensions import Self

Result = TypeVar("Result")

_ABORTED: Final = ("net::ERR_ABORTED", "NS_BINDING_ABORTED")
"""Failures of requests that became a download, or gave way to another document."""

_MAX_DELAY_SECONDS: Final = 0.5
"""Delay between an error and the event with its cause."""

#: Headers about the transfer, not about the page.
_TRANSFER_HEADERS: Final = (
    b"Content-Encoding",
    b"Content-Length",
    b"Transfer-Encoding",
)


class Documents:
    """The documents of a page's main frame since this object was made.

    ``is_truncated``: a document began to arrive, and broke off.
    """

    def __init__(self, page: Page):
        self._page = page
        self._answers: list[PlaywrightResponse] = []
        self.is_truncated = False
        self._failed: asyncio.Future[UnreachableError] = (
            asyncio.get_running_loop().create_future()
        )
        page.on("response", self._add_answer)
        page.on("requestfailed", self._add_failure)

    @property
    def last(self) -> PlaywrightResponse | None:
        """The response of the last document, redirects aside."""
        return self._answers[-1] if self._answers else None

    async def watch(self, action: Awaitable[Result]) -> Result:
        """Return the result of *action*.

        Raises :exc:`UnreachableError` as soon as the page navigates to a URL that does
        not answer, and :exc:`ReplacedError` if another document interrupts the action.
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
            if any(mark in error.message for mark in REPLACED):
                raise ReplacedError from error
            raise

    def _add_answer(self, answer: PlaywrightResponse) -> None:
        if self._is_document(answer.request) and not 300 <= answer.status < 400:
            self._answers.append(answer)

    def _add_failure(self, request: PlaywrightRequest) -> None:
        failure = request.failure or ""
        if failure.startswith(_ABORTED) or not self._is_document(request):
            return
        if self.last is not None and self.last.request == request:
            self.is_truncated = True
        elif not self._failed.done():
            self._failed.set_result(UnreachableError(request.url, failure))

    def _is_document(self, request: PlaywrightRequest) -> bool:
        is_navigation = request.is_navigation_request()
        return is_navigation and request.frame == self._page.main_frame


# --- HTTP redirects ------------------------------------------------------------


def make_headers(items: Iterable[Any]) -> Headers:
    """Return headers as the browser reports them, without those of the transfer."""
    headers = Headers()
    for item in items:
        headers.appendlist(item["name"], item["value"])
    for name in _TRANSFER_HEADERS:
        headers.pop(name, None)
    return headers


class RedirectStop:
    """Stops HTTP redirects of the page itself while it is open.

    Redirects are Scrapy's to follow: it checks robots.txt and the allowed domains,
    removes credentials, and counts. ``answer`` is the redirect, as an event of the
    debugging protocol. Only Chromium can stop there; other browsers follow.
    """

    def __init__(self, page: Page):
        self.answer: dict[str, Any] | None = None
        self._page = page
        self._is_open = True
        self._tasks: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> Self:
        browser = self._page.context.browser
        if browser is not None and browser.browser_type.name == "chromium":
            session = await self._page.context.new_cdp_session(self._page)
            session.on(
                "Fetch.requestPaused", lambda event: self._on_paused(session, event)
            )
            pattern = {"requestStage": "Response", "resourceType": "Document"}
            await session.send("Fetch.enable", {"patterns": [pattern]})
        return self

    async def __aexit__(self, *_: object) -> None:
        # The session ends with the page. Ending it here hangs after a tab crash.
        self._is_open = False

    def make_response(self, request: Request) -> Response | None:
        """Return the redirect as the response to *request*, if one was met."""
        if self.answer is None:
            return None
        headers = make_headers(self.answer["responseHeaders"])
        status = self.answer["responseStatusCode"]
        return Response(request.url, status=status, headers=headers, request=request)

    def _on_paused(self, session: CDPSession, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._resume(session, event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _resume(self, session: CDPSession, event: dict[str, Any]) -> None:
        parameters = {"requestId": event["requestId"]}
        method = "Fetch.continueRequest"
        if self._is_open and _is_redirect(event):
            self.answer = event
            method = "Fetch.failRequest"
            parameters["errorReason"] = "Failed"
        try:
            await session.send(method, parameters)
        except Error:
            return  # The page is gone.


def _is_redirect(event: dict[str, Any]) -> bool:
    names = {header["name"].lower() for header in event.get("responseHeaders", ())}
    return 300 <= event.get("responseStatusCode", 0) < 400 and "location" in names


async def open_url(page: Page, url: str, documents: Documents) -> RedirectStop:
    """Open the URL, or find that it is a redirect."""
    async with RedirectStop(page) as redirect:
        try:
            await documents.watch(page.goto(url, wait_until="commit"))
        except (UnreachableError, Error):
            if redirect.answer is None:
                raise
    return redirect
