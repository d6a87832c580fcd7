"""Reads and writes of an index that failed, and documents that it refused."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_BROKEN: Final = (
    ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""Errors of reading data that is not as it was written."""

_MAX_CHARS: Final = 200


class IndexFailure(RuntimeError):
    """A read or write that failed on an open index.

    ``reason`` is a short code for statistics, such as ``"disk_full"``. A call that is
    ``retryable`` may succeed later; any other fails again in the same way.
    """

    def __init__(self, reason: str, message: str, *, retryable: bool = False):
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable


@asynccontextmanager
async def reading() -> AsyncIterator[None]:
    """Read what an index holds or a server answers; what is broken is a failure."""
    try:
        yield
    except _BROKEN as exc:
        text = " ".join(f"{type(exc).__name__}: {exc}".split())[:_MAX_CHARS]
        raise IndexFailure("corrupt", f"data of the index is broken: {text}") from exc


class Rejection(NamedTuple):
    """Why the index refused one document of a call; see :exc:`IndexFailure`."""

    url: str
    reason: str
    message: str
    retryable: bool = False
