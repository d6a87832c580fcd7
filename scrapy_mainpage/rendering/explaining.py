"""What an error of the browser means, as the code that statistics use."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from .documents import UnreachableError
from .pool import RenderError

if TYPE_CHECKING:
    from .refusals import Refusals

CLOSED: Final = "closed"
"""The reason of pages that have closed themselves, or whose browser is gone."""

MAY_BE_GONE: Final = ("crashed", "closed", "blocked")
"""Words of errors that come first when a browser goes away."""


def first_line(error: Exception) -> str:
    """Return what the error says, in one line."""
    return str(error).split("\n")[0] or type(error).__name__


def explain(error: Exception, refusals: Refusals) -> RenderError:
    """Return the error of a page whose browser is there, with its reason."""
    message = first_line(error)
    if isinstance(error, RenderError):
        return error
    if isinstance(error, UnreachableError):
        refused = refusals.reason(error.url)
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
        return RenderError(CLOSED, message)
    return RenderError("error", f"{type(error).__name__}: {message}")
