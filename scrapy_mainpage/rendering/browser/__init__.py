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

#: Marks of Playwright's errors after another document replaced the one in use.
_REPLACED: Final = ("context was destroyed", "Cannot find context", "Frame was detach")


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


def first_line(error: Exception) -> str:
    """Return the error's message in one line."""
    return str(error).split("\n")[0] or type(error).__name__


def is_replaced(error: Exception) -> bool:
    """Whether the error says that another document replaced the one in use."""
    return any(mark in str(error) for mark in _REPLACED)


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
    for mark, reason in (
        ("crashed", "crash"),
        ("net::", "network"),
        ("NS_ERROR", "network"),
        ("Download is starting", "not_html"),
        ("closed", PAGE_CLOSED),
    ):
        if mark in message:
            return RenderError(reason, message)
    return RenderError("error", f"{type(error).__name__}: {message}")
