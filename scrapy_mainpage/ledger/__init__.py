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
from .sqlite import LedgerUnavailable, SqliteLedger
from .store import Ledger

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

FORM = "'sqlite:///FILE', the path of a file, 'postgresql://...' or 'redis://...'"

_SERVERS = {
    "postgresql": "PostgreSQL",
    "postgres": "PostgreSQL",
    **dict.fromkeys(("redis", "rediss", "unix"), "Redis"),
}


def open_ledger(url: str, *, read_only: bool = False) -> Ledger:
    """Open the ledger at ``sqlite:///FILE``, a path, or the URL of a server.

    It is created if it does not exist; a ``read_only`` one must exist. Raises
    :exc:`LedgerUnavailable` with one line.
    """
    scheme = url.partition("://")[0]
    if scheme in _SERVERS:
        return _open_server(url, scheme, read_only)
    name = url.removeprefix("sqlite:///")
    if name == url and "://" in url:
        raise LedgerUnavailable(f"{redacted(url)!r}: no such ledger; allowed: {FORM}")
    if not name or "\0" in name or name == ":memory:":
        raise LedgerUnavailable(f"{url!r}: it names no file; allowed: {FORM}")
    return SqliteLedger(Path(name), read_only=read_only)


def _open_server(url: str, scheme: str, read_only: bool) -> Ledger:
    try:
        if _SERVERS[scheme] == "Redis":
            from .redis import RedisLedger

            return RedisLedger(url, read_only=read_only)
        from .postgresql import PostgresqlLedger

        return PostgresqlLedger(url, read_only=read_only)
    except ImportError as error:
        extra = f"pip install 'scrapy-mainpage[{_SERVERS[scheme].lower()}]'"
        problem = f"needs {error.name}: {extra}"
        raise LedgerUnavailable(f"{redacted(url)!r}: {problem}") from None
