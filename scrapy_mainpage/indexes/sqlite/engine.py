"""The embedded engine: one SQLite file with FTS5, ranked by BM25."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..base import Index
from ..documents import WEIGHTS, Hit, Passage
from ..errors import IndexFailure, IndexUnavailable
from ..snippets import snippet_for
from .schema import (
    PASSAGE_WEIGHTS,
    UnusableFileError,
    open_to_read,
    open_to_write,
)
from .rows import delete_documents, put_documents, sections_of, words_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from ..documents import IndexDocument
    from ..errors import Rejection
    from ..query import Query, Term

Result = TypeVar("Result")

PREFIX: Final = "sqlite:///"

#: How many URLs are read at once.
_URLS_AT_ONCE: Final = 1_000
_URLS = "SELECT id, url FROM documents WHERE id > ? ORDER BY id LIMIT ?"

#: What is kept of a document and given back with a hit.
_KEPT: Final = (
    "url",
    "title",
    "site",
    "language",
    "page_type",
    "author",
    "date_published",
    "crawled_at",
)
_HIT = f"hits.text, -hits.rank, d.sections, {', '.join(f'd.{c}' for c in _KEPT)}"


def _search_sql(table: str, weights: dict[str, float]) -> str:
    """The query that ranks and cuts off, so texts are read for the hits alone.

    FTS5's own snippets take minutes for a text with a word a hundred thousand times.
    """
    return f"""
SELECT rowid, rank, text
FROM {table}
WHERE {table} MATCH :expression AND {{filters}}
      AND rank MATCH 'bm25({", ".join(map(str, weights.values()))})'
ORDER BY rank LIMIT :limit
"""


_FIND = f"""
SELECT {_HIT}
FROM ({_search_sql("search", WEIGHTS)}) AS hits
JOIN documents AS d ON d.id = hits.rowid
ORDER BY hits.rank, d.url
"""
_FILTERED = "EXISTS (SELECT 1 FROM documents AS f WHERE f.id = search.rowid AND {})"

_FIND_PASSAGES = f"""
SELECT {_HIT}, p.id, p.position, p.text, p.heading, p.anchor
FROM ({_search_sql("passage_search", PASSAGE_WEIGHTS)}) AS hits
JOIN passages AS p ON p.row = hits.rowid
JOIN documents AS d ON d.id = p.document
ORDER BY hits.rank, d.url, p.position
"""
_FILTERED_PASSAGES = (
    "EXISTS (SELECT 1 FROM passages AS g JOIN documents AS f ON f.id = g.document "
    "WHERE g.row = passage_search.rowid AND {})"
)

#: Not LIKE, to which parts of the value would be wildcards.
_FILTERS: Final = {
    "site": "(f.site = :site OR substr(f.site, -length(:site) - 1) = '.' || :site)",
    "page_type": "f.page_type = :page_type",
    "language": "(f.language = :language OR "
    "substr(f.language, 1, length(:language) + 1) = :language || '-')",
}

#: What SQLite says -> reason code. Error codes are in exceptions since Python 3.11.
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
#: Another writer ends, and space may come back.
_RETRYABLE: Final = {"locked", "disk_full", "disk_error"}


class SqliteIndex(Index):
    """Documents in one SQLite file; needs no server and no other package.

    Its write-ahead log lets others search while one writes, and keeps the file sound
    and every written document in it when the process is killed. (After a power cut
    the file is sound, and may lack the documents of the last moments.)

    SQLite blocks, so a thread of the index's own makes all calls, one after another.
    """

    def __init__(self, connection: sqlite3.Connection, thread: ThreadPoolExecutor):
        self._connection = connection
        self._thread = thread
        self._is_open = True

    @classmethod
    async def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``sqlite:///FILE``; relative to the working directory, or absolute."""
        path = _path(url)
        connect = open_to_read if read_only else open_to_write
        thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-sqlite")
        loop = asyncio.get_running_loop()
        try:
            return cls(await loop.run_in_executor(thread, connect, path), thread)
        except (sqlite3.Error, OSError, ValueError, UnusableFileError) as exc:
            thread.shutdown(wait=False)
            raise IndexUnavailable(url, str(exc)) from exc

    async def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        return await self._run(put_documents, documents)

    async def delete(self, urls: Iterable[str]) -> int:
        """Take out the documents in one transaction; return how many there were."""
        return await self._run(delete_documents, list(urls))

    async def _search(self, query: Query) -> list[Hit]:
        return await self._run(_find, query)

    async def urls(self) -> AsyncIterator[str]:
        """Yield the URLs in the order in which they first came."""
        last = 0
        while rows := await self._run(_rows, _URLS, (last, _URLS_AT_ONCE)):
            for last, url in rows:  # noqa: B007 the next rows are those after it
                yield url

    async def close(self) -> None:
        """Close the file; its log is written back and removed."""
        if not self._is_open:
            return
        self._is_open = False
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown(wait=False)

    async def _run(self, call: Callable[..., Result], /, *args: Any) -> Result:
        """Make the call with the connection, in the thread; errors get a reason."""
        if not self._is_open:
            raise IndexFailure("closed", "the index is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._thread, call, self._connection, *args
            )
        except sqlite3.Error as exc:
            reason = _reason(exc)
            raise IndexFailure(
                reason, str(exc), retryable=reason in _RETRYABLE
            ) from exc


def _path(url: str) -> Path:
    """The file that ``sqlite:///`` URLs name; a drive letter may begin its path."""
    name = url[len(PREFIX) :]
    if not url.startswith(PREFIX) or name in {"", ":memory:"} or "\0" in name:
        raise IndexUnavailable(url, "it names no file")
    return Path(name)


def _rows(
    connection: sqlite3.Connection, statement: str, values: Any
) -> list[tuple[Any, ...]]:
    return connection.execute(statement, values).fetchall()


def _find(connection: sqlite3.Connection, query: Query) -> list[Hit]:
    """The best hits by BM25."""
    values = {name: getattr(query, name) for name in (*_FILTERS, "limit")}
    values["expression"] = _expression(query)
    rows = _rows(connection, _statement(query), values)
    return [_hit(row, query) for row in rows]


def _statement(query: Query) -> str:
    """The SQL of the search, with the filters that the query has."""
    wanted = [sql for name, sql in _FILTERS.items() if getattr(query, name) is not None]
    search, filtered = (
        (_FIND_PASSAGES, _FILTERED_PASSAGES) if query.passages else (_FIND, _FILTERED)
    )
    filters = filtered.format(" AND ".join(wanted)) if wanted else "TRUE"
    return search.format(filters=filters)


def _hit(row: Sequence[Any], query: Query) -> Hit:
    text, score, sections, *rest = row
    passage = rest[len(_KEPT) :]
    return Hit(
        **dict(zip(_KEPT, rest, strict=False)),
        snippet=snippet_for(query, text),
        score=score,
        sections=sections_of(sections),
        passage=Passage(*passage) if passage else None,
    )


def _expression(query: Query) -> str:
    """The terms as an FTS5 query. Each is quoted, so nothing in them is syntax."""
    expression = " AND ".join(map(_quoted, query.wanted))
    if not query.unwanted:
        return expression
    return f"({expression}) NOT ({' OR '.join(map(_quoted, query.unwanted))})"


def _quoted(term: Term) -> str:
    text = words_of(term.text).replace('"', '""')
    return f'"{text}" *' if term.prefix else f'"{text}"'


def _reason(exc: sqlite3.Error) -> str:
    message = str(exc)
    found = (code for part, code in _REASONS.items() if part in message)
    return next(found, "database_error")
