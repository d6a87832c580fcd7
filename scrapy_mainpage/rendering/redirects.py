"""HTTP redirects of the page itself: they are Scrapy's to follow, not the browser's.

Scrapy asks robots.txt and the allowed domains, takes credentials out, and counts. A
browser does none of that, and what it follows nobody sees.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import Error
from scrapy.http import Response
from scrapy.http.headers import Headers

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable

    from playwright.async_api import CDPSession, Page
    from scrapy import Request

    # typing.Self requires Python 3.11
    from typing_extensions import Self


#: What is about the bytes on the wire, not about the page.
_WIRE: Final = (b"Content-Encoding", b"Content-Length", b"Transfer-Encoding")


def as_headers(told: Iterable[Any]) -> Headers:
    """Return the headers that a browser tells of, without those of the transfer."""
    headers = Headers()
    for header in told:
        headers.appendlist(header["name"], header["value"])
    for name in _WIRE:
        headers.pop(name, None)
    return headers


class RedirectStop:
    """While it is open, the page goes to no address but the one that it is sent to.

    ``answer`` is the redirect that was met, as the browser's debugging protocol tells
    of it. Only Chromium can stop there; other browsers follow.
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
                "Fetch.requestPaused", lambda event: self._paused(session, event)
            )
            pattern = {"requestStage": "Response", "resourceType": "Document"}
            await session.send("Fetch.enable", {"patterns": [pattern]})
        return self

    async def __aexit__(self, *_: object) -> None:
        # The session goes with the page. Ending it here would hang if a tab crashed.
        self._is_open = False

    def response(self, request: Request) -> Response | None:
        """Return the redirect as the response to *request*; ``None``: there is none."""
        if self.answer is None:
            return None
        headers = as_headers(self.answer["responseHeaders"])
        status = self.answer["responseStatusCode"]
        return Response(request.url, status=status, headers=headers, request=request)

    def _paused(self, session: CDPSession, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._decide(session, event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _decide(self, session: CDPSession, event: dict[str, Any]) -> None:
        request = {"requestId": event["requestId"]}
        if self._is_open and _is_redirect(event):
            self.answer = event
            failed = session.send(
                "Fetch.failRequest", {**request, "errorReason": "Failed"}
            )
            await _quietly(failed)
        else:
            await _quietly(session.send("Fetch.continueRequest", request))


def _is_redirect(event: dict[str, Any]) -> bool:
    names = {header["name"].lower() for header in event.get("responseHeaders", ())}
    return 300 <= event.get("responseStatusCode", 0) < 400 and "location" in names


async def _quietly(sending: Awaitable[object]) -> None:
    """Send to a page that may be gone."""
    try:
        await sending
    except Error:
        return
