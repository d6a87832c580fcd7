"""The embedded engine: one SQLite file with FTS5, ranked by BM25."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..base import Index, IndexUnavailable
from ..failures import IndexFailure, reading
from .connections import UnusableFileError, open_to_read, open_to_write
from .query import count_values, find, known_words, languages, words_from
from .schema import (
    delete_documents,
    field_types,
    put_documents,
    read_mark,
    reason_in,
    url_rows,
    write_mark,
)
from .vectors import SqliteVectors

if TYPE_CHECKING:
    from collections.abc import (
        AsyncIterator,
        Callable,
        Iterable,
        Mapping,
        Sequence,
        Set,
    )

    from typing_extensions import Self

    from ..documents import IndexDocument
    from ..failures import Rejection
    from ..fields import Facets
    from ..query import Query
    from ..ranking import Found

Result = TypeVar("Result")

PREFIX: Final = "sqlite:///"

#: Part of SQLite's message -> reason code. Exceptions have codes since Python 3.11.
_REASONS: Final = {
    "is locked": "locked",
    "is full": "disk_full",
    "readonly": "read_only",
    "malformed": "corrupt",
    "not a database": "corrupt",
    "disk I/O": "disk_error",
    "unable to open": "disk_error",
    "closed database": "closed",
}
#: Another writer ends, and space may be freed.
_RETRYABLE: Final = {"locked", "disk_full", "disk_error"}


class SqliteIndex(Index):
    """Documents in one SQLite file; needs no server and no other package.

    Its write-ahead log allows searches during writes and keeps the file sound, with
    every written document, if the process is killed. (After a power failure the file
    is sound, and may lack the documents of the last moments.)

    SQLite blocks, so a thread of the index makes all calls, one after another.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, thread: ThreadPoolExecutor
    ):
        self._path = path.absolute()
        self._connection = connection
        self._thread = thread
        self._is_open = True
        self.vectors = SqliteVectors(self._run)
        #: The languages before the last write of this program.
        self._languages: list[str] | None = None

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``sqlite:///FILE``, relative to the working directory or absolute."""
        path = _path(url)
        connect = open_to_read if read_only else open_to_write
        thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-sqlite")
        loop = asyncio.get_running_loop()
        try:
            connection = await loop.run_in_executor(thread, connect, path)
            return cls(path, connection, thread)
        except (sqlite3.Error, OSError, ValueError, UnusableFileError) as exc:
            thread.shutdown(wait=False)
            raise IndexUnavailable(url, str(exc)) from exc

    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        if not self._path.exists():  # SQLite goes on writing into a deleted file
            raise IndexFailure("index_missing", f"{self._path} was deleted")
        self._languages = None
        return await self._run(put_documents, documents)

    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents in one transaction; return how many existed."""
        return await self._run(delete_documents, list(urls))

    async def _candidates(self, query: Query) -> list[Found]:
        return await self._run(find, query)

    async def _facets(self, query: Query, names: Sequence[str]) -> Facets:
        return await self._run(count_values, query, names)

    async def field_types(self) -> Mapping[str, str]:
        """Return the names and types of the documents' own fields."""
        return await self._run(field_types)

    async def languages(self) -> Sequence[str]:
        """Return the language tags of the documents."""
        if self._languages is None:
            self._languages = await self._run(languages)
        return self._languages

    async def known_words(
        self, words: Set[str], *, as_written: bool = False
    ) -> Set[str]:
        """Return those of the words that the index has."""
        return await self._run(known_words, words, as_written)

    async def words_from(self, beginning: str) -> Sequence[str]:
        """Return words of the index that begin so."""
        return await self._run(words_from, beginning)

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs in the order of their first insertion."""
        last = 0
        while rows := await self._run(url_rows, last):
            for last, url in rows:  # noqa: B007 the next rows are those after it
                yield url

    async def mark(self, name: str) -> str | None:
        """Return the mark of that name; ``None`` without one."""
        return await self._run(read_mark, name)

    async def put_mark(self, name: str, value: str) -> bool:
        """Leave a mark in a table of its own."""
        await self._run(write_mark, name, value)
        return True

    async def close(self) -> None:
        """Close the file; its log is written back and removed."""
        if not self._is_open:
            return
        self._is_open = False
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown(wait=False)

    async def _run(self, call: Callable[..., Result], /, *args: Any) -> Result:
        """Call with the connection in the thread; errors become failures."""
        if not self._is_open:
            raise IndexFailure("closed", "the index is closed")
        loop = asyncio.get_running_loop()
        try:
            async with reading():
                return await loop.run_in_executor(
                    self._thread, call, self._connection, *args
                )
        except sqlite3.Error as exc:
            reason = reason_in(str(exc), _REASONS, "database_error")
            retryable = reason in _RETRYABLE
            raise IndexFailure(reason, str(exc), retryable=retryable) from exc


def _path(url: str) -> Path:
    """Return the file of a ``sqlite:///`` URL; it may begin with a drive letter."""
    name = url[len(PREFIX) :]
    if not url.startswith(PREFIX) or name in {"", ":memory:"} or "\0" in name:
        raise IndexUnavailable(url, "it names no file")
    return Path(name)
