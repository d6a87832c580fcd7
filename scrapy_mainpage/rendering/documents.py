"""The documents that a browser page goes through: how each came, or that it did not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Final, TypeVar

from playwright.async_api import Error

from .settling import REPLACED

if TYPE_CHECKING:
    from playwright.async_api import Page, Request, Response

Result = TypeVar("Result")

_ABORTED: Final = ("net::ERR_ABORTED", "NS_BINDING_ABORTED")
"""What became a download, or gave way to another document: the page is as it was."""

_LATE: Final = 0.5
"""Seconds by which the news of a failure may come later than the failure."""


class UnreachableError(Exception):
    """The page went to an address that did not answer; *url* is that address."""

    def __init__(self, url: str, failure: str):
        super().__init__(f"{failure} at {url}")
        self.url = url


class ReplacedError(Exception):
    """Another document took the place of the one that was asked something."""


class Documents:
    """What came in the page's own place, frames aside, since this was made.

    ``is_cut``: a document began to come, and broke off.
    """

    def __init__(self, page: Page):
        self._page = page
        self._answers: list[Response] = []
        self.is_cut = False
        self._failed: asyncio.Future[UnreachableError] = (
            asyncio.get_running_loop().create_future()
        )
        page.on("response", self._keep)
        page.on("requestfailed", self._note)

    @property
    def last(self) -> Response | None:
        """The answer that the last document came with, redirects aside."""
        return self._answers[-1] if self._answers else None

    async def during(self, action: Awaitable[Result]) -> Result:
        """Return what *action* gives.

        Raises :exc:`UnreachableError` as soon as the page goes where it cannot get, and
        :exc:`ReplacedError` for what another document has cut short.
        """
        task = asyncio.ensure_future(action)
        try:
            await asyncio.wait(
                (task, self._failed), return_when=asyncio.FIRST_COMPLETED
            )
            if not self._failed.done():
                return await self._explained(task)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        raise self._failed.result()

    async def _explained(self, task: asyncio.Future[Result]) -> Result:
        try:
            return await task
        except Error as error:
            if "net::" in error.message or "NS_ERROR" in error.message:
                await asyncio.wait((self._failed,), timeout=_LATE)
            if self._failed.done():
                raise self._failed.result() from error
            if any(mark in error.message for mark in REPLACED):
                raise ReplacedError from error
            raise

    def _keep(self, answer: Response) -> None:
        if self._is_own(answer.request) and not 300 <= answer.status < 400:
            self._answers.append(answer)

    def _note(self, request: Request) -> None:
        failure = request.failure or ""
        if failure.startswith(_ABORTED) or not self._is_own(request):
            return
        if self.last is not None and self.last.request == request:
            self.is_cut = True
        elif not self._failed.done():
            self._failed.set_result(UnreachableError(request.url, failure))

    def _is_own(self, request: Request) -> bool:
        is_document = request.is_navigation_request()
        return is_document and request.frame == self._page.main_frame
