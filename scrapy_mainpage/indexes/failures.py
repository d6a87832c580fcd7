"""Reads and writes of an index that failed, and documents that it refused."""

from __future__ import annotations

from typing import NamedTuple


class IndexFailure(RuntimeError):
    """A read or write that failed on an open index.

    ``reason`` is a short code for statistics, such as ``"disk_full"``. A call that is
    ``retryable`` may succeed later; any other fails again in the same way.
    """

    def __init__(self, reason: str, message: str, *, retryable: bool = False):
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable


class Rejection(NamedTuple):
    """Why the index refused one document of a call; see :exc:`IndexFailure`."""

    url: str
    reason: str
    message: str
    retryable: bool = False
