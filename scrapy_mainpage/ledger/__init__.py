"""The ledger: what each run of a crawl found at each address. It knows no Scrapy.

An index outlives the crawl that filled it. The ledger says which of its documents are
unchanged, and which are gone, by evidence.
"""

from __future__ import annotations

from pathlib import Path

from ..redaction import redacted
from .records import (
    CHANGED,
    DROPPED,
    FAILED,
    GONE,
    NEW,
    OUTCOMES,
    REDIRECTED,
    UNCHANGED,
    PageRow,
    Run,
)
from .schema import LedgerUnavailable
from .sqlite import Ledger

__all__ = [
    "CHANGED",
    "DROPPED",
    "FAILED",
    "GONE",
    "NEW",
    "OUTCOMES",
    "REDIRECTED",
    "UNCHANGED",
    "Ledger",
    "LedgerUnavailable",
    "PageRow",
    "Run",
    "open_ledger",
]

FORM = "'sqlite:///FILE', or the path of a file"


def open_ledger(url: str, *, read_only: bool = False) -> Ledger:
    """Open the ledger at ``sqlite:///FILE`` or a path; create it if it does not exist.

    A ``read_only`` one must exist. Raises :exc:`LedgerUnavailable` with one line.
    """
    name = url.removeprefix("sqlite:///")
    if name == url and "://" in url:
        raise LedgerUnavailable(f"{redacted(url)!r}: no such ledger; allowed: {FORM}")
    if not name or "\0" in name or name == ":memory:":
        raise LedgerUnavailable(f"{url!r}: it names no file; allowed: {FORM}")
    return Ledger(Path(name), read_only=read_only)
