"""The embedded engine: one SQLite file with FTS5, ranked by BM25."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from ..base import IndexUnavailable
from ..documents import WEIGHTS
from ..failures import IndexFailure, reading
from ..sql import SqlIndex
from .connections import UnusableFileError, open_to_read, open_to_write
from .rows import (
    PASSAGE_WEIGHTS,
    delete_documents,
    fts_text,
    put_documents,
    reason_in,
)
from .storage import transaction, unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from typing_extensions import Self

    from ..documents import IndexDocument
    from ..failures import Rejection
    from ..query import Query, Term
    from ..ranking import Found
    from ..sql import Row, Values

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

#: Matches that are ranked at most: FTS5 takes 0.01 ms for each. They are those of the
#: pages that were stored first, which are nearest to the start of a crawl.
MAX_RANKED: Final = 3_000

#: Table of words, all rows, weights, and columns of headings: of documents, passages.
_SEARCHED: Final = (
    ("search", "SELECT id AS row FROM documents", WEIGHTS, "{title headings}"),
    ("passage_search", "SELECT row FROM passages", PASSAGE_WEIGHTS, "{heading}"),
)
_TEXT: Final = list(WEIGHTS).index("text")
_COUNTS: Final = (
    "SELECT term, doc FROM vocabulary "
    "WHERE term IN (SELECT value FROM json_each(:words))"
)


class SqliteIndex(SqlIndex):
    """Documents in one SQLite file; needs no server and no other package.

    Its write-ahead log allows searches during writes and keeps the file sound, with
    every written document, if the process is killed. (After a power failure the file
    is sound, and may lack the documents of the last moments.)

    SQLite blocks, so a thread of the index makes all calls, one after another.
    """

    TEXT: ClassVar[str] = "d.words"
    KNOWN: ClassVar[str] = (
        "SELECT value FROM json_each(:words) AS word WHERE EXISTS "
        "(SELECT 1 FROM places AS v WHERE v.term = word.value)"
    )

    def __init__(
        self, path: Path, connection: sqlite3.Connection, thread: ThreadPoolExecutor
    ):
        from ..vectors import Vectors

        self._path = path.absolute()
        self._connection = connection
        self._thread = thread
        self._is_open = True
        self.vectors = Vectors(self.run, self.passages_in)

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
        return await self.run(put_documents, documents)

    async def delete(self, urls: Iterable[str]) -> int:
        """Remove the documents in one transaction; return how many existed."""
        return await self.run(delete_documents, list(urls))

    async def _rows(self, statement: str, values: Mapping[str, Any]) -> list[Row]:
        return await self.run(_fetch, statement, values)

    async def _write(self, statement: str, values: Mapping[str, Any]) -> None:
        await self.run(_execute, statement, values)

    def _unpacked(self, stored: Any) -> str:
        return unpack(stored)[0]

    def _segmented(self, stored: Any) -> str:
        return unpack(stored)[_TEXT]

    async def _matched(self, query: Query, values: Values, condition: str) -> str:
        table, every, weights, headings = _SEARCHED[query.passages]
        if not query.wanted:
            where = condition.format(row="a.row")
            return f"SELECT a.row, 0.0 AS score FROM ({every}) AS a WHERE {where}"
        values["match"] = _expression(query, headings)
        if query.minimum is not None:  # who has enough of the words has one of these
            rare = await self._rarest(query.wanted, query.minimum)
            values["match"] = f"({' OR '.join(rare)}) AND ({values['match']})"
        score, most = "0.0", ""
        if not query.sort:
            score = f"-bm25({table}, {', '.join(map(str, weights.values()))})"
            most = f"LIMIT {MAX_RANKED}"
        where = condition.format(row=f"{table}.rowid")
        return (
            f"SELECT {table}.rowid AS row, {score} AS score FROM {table} "
            f"WHERE {table} MATCH :match AND {where} {most}"
        )

    async def _rarest(self, terms: Sequence[Term], minimum: int) -> list[str]:
        """Return so many of the terms that who lacks them has not the minimum."""
        words = json.dumps([word for term in terms for word in term.words])
        counts: dict[str, int] = dict(await self._rows(_COUNTS, {"words": words}))

        def frequency(term: Term) -> int:
            return min((counts.get(word, 0) for word in term.words), default=0)

        rare = sorted(terms, key=frequency)[: len(terms) - minimum + 1]
        return list(map(_quote, rare))

    async def passages_in(
        self, query: Query, scores: Mapping[int, float]
    ) -> list[Found]:
        """Return those passages of these rows that pass the query's filters."""
        query = replace(query, terms=(), passages=True, sort="")
        values: Values = {"rows": json.dumps([*scores])}
        matched = await self._filtered(query, values)
        inside = "row IN (SELECT value FROM json_each(:rows))"
        best = f"SELECT row, row AS score FROM ({matched}) WHERE {inside}"
        found = [
            replace(each, hit=replace(each.hit, score=scores[int(each.hit.score)]))
            for each in await self._hits_of(best, query, values)
        ]
        return sorted(found, key=lambda each: (-each.hit.score, each.hit.url))

    async def close(self) -> None:
        """Close the file; its log is written back and removed."""
        if not self._is_open:
            return
        self._is_open = False
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._connection.close)
        self._thread.shutdown(wait=False)

    async def run(self, call: Callable[..., Result], /, *args: Any) -> Result:
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


def _fetch(
    connection: sqlite3.Connection, statement: str, values: Mapping[str, Any]
) -> list[Row]:
    return connection.execute(statement, values).fetchall()


def _execute(
    connection: sqlite3.Connection, statement: str, values: Mapping[str, Any]
) -> None:
    with transaction(connection):
        connection.execute(statement, values)


def _expression(query: Query, headings: str) -> str:
    """Return the terms as an FTS5 query. Each is quoted, so none is syntax."""
    between = " AND " if query.minimum is None else " OR "
    expression = between.join(map(_quote, query.wanted))
    if query.in_headings:
        expression = f"{headings} : ({expression})"
    if not query.unwanted:
        return expression
    return f"({expression}) NOT ({' OR '.join(map(_quote, query.unwanted))})"


def _quote(term: Term) -> str:
    texts = (term.text, *term.forms)
    quoted = ['"{}"'.format(fts_text(text).replace('"', '""')) for text in texts]
    if term.prefix:
        quoted[0] += " *"
    return f"({' OR '.join(quoted)})" if len(quoted) > 1 else quoted[0]
