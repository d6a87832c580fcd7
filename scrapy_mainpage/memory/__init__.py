"""The memory of crawls: what each run found at each address. It knows no Scrapy.

An index outlives the crawl that filled it. The memory says which of its documents are
unchanged, which are gone, by evidence, and which texts say the same.
"""

from __future__ import annotations

from pathlib import Path

from ..redaction import redacted
from .memory import Memory
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
from .sqlite import MemoryUnavailable, SqliteConnection

__all__ = [
    "CHANGED",
    "DROPPED",
    "FAILED",
    "GONE",
    "NEW",
    "OUTCOMES",
    "REDIRECTED",
    "UNCHANGED",
    "Memory",
    "MemoryUnavailable",
    "PageRow",
    "Run",
    "is_postgresql",
    "open_memory",
]

FORM = "'sqlite:///FILE', the path of a file, or 'postgresql://...'"


def is_postgresql(url: str) -> bool:
    """Whether the URL is that of a memory that several machines can use."""
    return url.partition("://")[0] in ("postgresql", "postgres")


def open_memory(url: str, *, read_only: bool = False) -> Memory:
    """Open the memory at ``sqlite:///FILE``, a path, or ``postgresql://...``.

    It is created if it does not exist; a ``read_only`` one must exist. Raises
    :exc:`MemoryUnavailable` with one line.
    """
    if is_postgresql(url):
        return _open_postgresql(url, read_only=read_only)
    scheme = url.partition("://")[0]
    if scheme in ("redis", "rediss", "unix"):
        problem = "a state in Redis is no longer read: use one in PostgreSQL"
        raise MemoryUnavailable(f"{redacted(url)!r}: {problem}; allowed: {FORM}")
    name = url.removeprefix("sqlite:///")
    if name == url and "://" in url:
        raise MemoryUnavailable(f"{redacted(url)!r}: no such state; allowed: {FORM}")
    if not name or "\0" in name or name == ":memory:":
        raise MemoryUnavailable(f"{url!r}: it names no file; allowed: {FORM}")
    return Memory(SqliteConnection(Path(name), read_only=read_only))


def _open_postgresql(url: str, *, read_only: bool) -> Memory:
    try:
        from .postgresql import PostgresConnection
    except ImportError as error:
        problem = f"needs {error.name}: pip install 'scrapy-mainpage[postgresql]'"
        raise MemoryUnavailable(f"{redacted(url)!r}: {problem}") from None
    return Memory(PostgresConnection(url, read_only=read_only))
