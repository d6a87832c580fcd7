"""The embedded engine: one SQLite file with FTS5, ranked by BM25."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from .base import IndexFailure, IndexUnavailable, reading
from .documents import WEIGHTS
from .sql import MAX_RANKED, SqlIndex, rarest
from .sqlite_file import (
    UnusableFileError,
    delete_documents,
    fts_text,
    open_to_read,
    open_to_write,
    put_documents,
    reason_in,
)
from .tokens import name_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from typing_extensions import Self

    from .base import Rejection
    from .documents import Hit, IndexDocument
    from .query import Query, Term
    from .sql import Row, Values

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

_SCORE: Final = f"-bm25(search, {', '.join(map(str, WEIGHTS.values()))})"
_FIND: Final = (
    "SELECT search.rowid AS row, {score} AS score FROM search "
    "WHERE search MATCH :{match} AND {where}"
)
#: What has words in its names, and what has rare ones; of very many not all.
_BOTH: Final = (
    "SELECT row, max(score) AS score FROM "
    f"(SELECT * FROM ({{}} LIMIT {MAX_RANKED}) "
    f"UNION ALL SELECT * FROM ({{}} LIMIT {MAX_RANKED})) AS u GROUP BY row"
)
_OF_IDS: Final = "SELECT value AS row, 0.0 AS score FROM json_each(:ids)"
_PASSAGE_ROWS: Final = (
    "SELECT row FROM passages WHERE document IN (SELECT row FROM ({}))"
)


class SqliteIndex(SqlIndex):
    """Documents in one SQLite file; needs no server and no other package.

    Its write-ahead log allows searches during writes and keeps the file sound, with
    every written document, if the process is killed. (After a power failure the file
    is sound, and may lack the documents of the last moments.)
    """

    TEXT: ClassVar[str] = "(SELECT w.text FROM search AS w WHERE w.rowid = d.id)"
    IDS: ClassVar[str] = "(SELECT value + 0 FROM json_each(:ids))"
    KNOWN: ClassVar[str] = (
        "SELECT value FROM json_each(:words) AS word WHERE EXISTS "
        "(SELECT 1 FROM places AS v WHERE v.term = word.value)"
    )

    def __init__(self, path: Path, connection: sqlite3.Connection):
        self._path = path.absolute()
        self._connection = connection
        self._lock = Lock()
        self._is_open = True
        self._title_ends = {}

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``sqlite:///FILE``, relative to the working directory or absolute."""
        path = _path(url)
        connect = open_to_read if read_only else open_to_write
        try:
            return cls(path, connect(path))
        except (sqlite3.Error, OSError, ValueError, UnusableFileError) as exc:
            raise IndexUnavailable(url, str(exc)) from exc

    def _put(self, documents: Sequence[IndexDocument]) -> Sequence[Rejection]:
        if not self._path.exists():  # SQLite goes on writing into a deleted file
            raise IndexFailure("index_missing", f"{self._path} was deleted")
        self._languages = self._size = None
        self._title_ends.clear()
        self.run(put_documents, documents)
        return ()

    def _delete(self, urls: Sequence[str]) -> int:
        """Remove the documents in one transaction; return how many existed."""
        return self.run(delete_documents, list(urls))

    def _rows(self, statement: str, values: Mapping[str, Any]) -> list[Row]:
        return self.run(lambda file: file.execute(statement, values).fetchall())

    def _write(self, statement: str, values: Mapping[str, Any]) -> None:
        self._rows(statement, values)  # a statement is a transaction of its own

    def _segmented(self, stored: str) -> str:
        if not isinstance(stored, str):
            raise IndexFailure("corrupt", "a text of the index is none")
        return stored

    def _matched(self, query: Query, values: Values, condition: str) -> str:
        if not query.wanted:
            where = condition.format(row="a.id")
            if query.unwanted:
                values["unwanted"] = _any(query.unwanted)
                unwanted = "SELECT rowid FROM search WHERE search MATCH :unwanted"
                where += f" AND a.id NOT IN ({unwanted})"
            return f"SELECT a.id AS row, 0.0 AS score FROM documents AS a WHERE {where}"
        where = condition.format(row="search.rowid")
        required = " AND ".join(map(_quote, query.required))
        if query.is_strict:
            values["match"] = _without(query, required)
            return _FIND.format(score="0.0", match="match", where=where)
        rare, every = _any(rarest(query.wanted)), _any(query.wanted)
        also = f" AND ({required})" if required else ""
        names = " OR ".join(map(name_word, query.names))
        in_names = f"{{title headings}} : ({names} OR {every}){also}"
        values["names"] = _without(query, in_names)
        values["match"] = _without(query, f"({rare}){also}")
        return _BOTH.format(
            *(
                _FIND.format(score=_SCORE, match=match, where=where)
                for match in ("names", "match")
            )
        )

    def passages_of(self, query: Query) -> list[int] | None:
        """Return the rows of the passages that a search by meaning may find.

        They are of pages that pass the filters, have the quoted terms and no excluded
        one; ``None`` stands for all passages.
        """
        quoted = tuple(term for term in query.wanted if term.quoted)
        plain = replace(query, terms=(*quoted, *query.unwanted), sort="")
        if not (plain.terms or plain.has_filters):
            return None
        values: Values = {}
        matched = self._filtered(replace(plain, is_strict=True), values)
        return [row for (row,) in self._rows(_PASSAGE_ROWS.format(matched), values)]

    def passages_at(self, scores: Sequence[tuple[int, float]]) -> list[Hit]:
        """Return the passages of rows with these scores, the best first."""
        found = self._passages("row", [row for row, _ in scores])
        ids = json.dumps(sorted({document for _, document, _ in found}))
        pages = self._pages(_OF_IDS, {"ids": ids})
        order = {row: place for place, (row, _) in enumerate(scores)}
        found.sort(key=lambda each: order[each[0]])
        return [
            replace(
                pages[document].hit,
                score=scores[order[row]][1],
                passage=passage.shown(pages[document].stored),
            )
            for row, document, passage in found
            if document in pages
        ]

    def close(self) -> None:
        """Close the file; its log is written back and removed."""
        with self._lock:
            self._is_open = False
            self._connection.close()

    def run(self, call: Callable[..., Result], /, *args: Any) -> Result:
        """Call with the connection; errors become failures."""
        with self._lock, reading():
            if not self._is_open:
                raise IndexFailure("closed", "the index is closed")
            try:
                return call(self._connection, *args)
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


def _without(query: Query, expression: str) -> str:
    """Return an FTS5 query without what the query excludes."""
    if query.unwanted and not query.passages:
        return f"({expression}) NOT ({_any(query.unwanted)})"
    return expression


def _any(terms: Iterable[Term]) -> str:
    return " OR ".join(map(_quote, terms))


def _quote(term: Term) -> str:
    """Return a term as an FTS5 query. It is quoted, so no text is syntax."""
    texts = (term.text, *term.forms)
    quoted = ['"{}"'.format(fts_text(text).replace('"', '""')) for text in texts]
    if term.prefix:  # the whole word counts twice
        quoted.append(f"{quoted[0]} *")
    return f"({' OR '.join(quoted)})" if len(quoted) > 1 else quoted[0]
