"""The browser: its start, its contexts, and the reading of a page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

NO_GAIN: Final = "no_gain"
"""Reason of pages that need no browser, as similar pages of the site have shown."""

BROWSER_CLOSED: Final = "browser_closed"
"""Reason of pages whose browser went away while it rendered them."""

PAGE_CLOSED: Final = "closed"
"""Reason of pages that have closed themselves, or whose browser is gone."""

REPLACED: Final = ("context was destroyed", "Cannot find context", "Frame was detach")
"""Marks of Playwright's errors after another document replaced the one in use."""


class RenderError(Exception):
    """Failure with the code of the statistics; *broken*: use this browser no more."""

    def __init__(self, reason: str, message: str = "", *, broken: bool = False):
        super().__init__(f"{reason}: {message}" if message else reason)
        self.reason = reason
        self.broken = broken


class UnreachableError(Exception):
    """The page navigated to *url*, which did not answer."""

    def __init__(self, url: str, failure: str):
        super().__init__(f"{failure} at {url}")
        self.url = url


class ReplacedError(Exception):
    """Another document replaced the one in use."""


def first_line(error: Exception) -> str:
    """Return the error's message in one line."""
    return str(error).split("\n")[0] or type(error).__name__


def explain(error: Exception, find_refusal: Callable[[str], str | None]) -> RenderError:
    """Translate an error of a page whose browser is running.

    *find_refusal* returns the reason for which the guard refused a URL, if it did.
    """
    message = first_line(error)
    if isinstance(error, RenderError):
        return error
    if isinstance(error, UnreachableError):
        refused = find_refusal(error.url)
        return RenderError("refused" if refused else "network", refused or message)
    if isinstance(error, asyncio.TimeoutError) or "Timeout" in type(error).__name__:
        return RenderError("timeout")
    if "crashed" in message:
        return RenderError("crash", message)
    if "net::" in message or "NS_ERROR" in message:
        return RenderError("network", message)
    if "Download is starting" in message:
        return RenderError("not_html", "a file to download")
    if "closed" in message:
        return RenderError(PAGE_CLOSED, message)
    return RenderError("error", f"{type(error).__name__}: {message}")
