"""The embedded engine: one SQLite file with FTS5, ranked by BM25."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .base import Hit, Index, IndexDocument, IndexFailure, IndexUnavailable
from .query import Term, parse_query
from .segmentation import is_segmented, segment, unsegment
from .sqlitefile import (
    COLUMNS,
    UnusableFileError,
    open_to_read,
    open_to_write,
    transaction,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    # typing.Self requires Python 3.11
    from typing_extensions import Self

PREFIX: Final = "sqlite:///"

#: BM25 weights of title, description and text.
WEIGHTS: Final = (10.0, 3.0, 1.0)

#: Words in a snippet; FTS5 allows 64. Where each character is a word, all of them.
SNIPPET_WORDS: Final = 32
SNIPPET_CHARACTERS: Final = 64

#: Around matches inside this module; :func:`segment` takes them out of documents.
_START, _END = "\x02", "\x03"

_SET = ", ".join(f"{name} = ?" for name in COLUMNS)
_INSERT = (
    f"INSERT INTO documents ({', '.join(COLUMNS)}) "
    f"VALUES ({', '.join('?' for _ in COLUMNS)})"
)
_UPDATE = f"UPDATE documents SET {_SET} WHERE id = ?"
_PUT_TEXT = (
    "INSERT OR REPLACE INTO search (rowid, title, description, text) "
    "VALUES (?, ?, ?, ?)"
)
_URLS = "SELECT url FROM documents ORDER BY id"

# The inner query ranks and cuts off, so snippets are made for the hits alone.
_SEARCH = f"""
SELECT d.url, d.title, hits.snippet, -hits.rank, d.site, d.language, d.page_type,
       d.author, d.date_published, d.crawled_at
FROM (
    SELECT rowid, rank, snippet(search, 2, '{_START}', '{_END}', '…', ?) AS snippet
    FROM search
    WHERE search MATCH ? AND rank MATCH 'bm25({", ".join(map(str, WEIGHTS))})'
    ORDER BY rank LIMIT ?
) AS hits JOIN documents AS d ON d.id = hits.rowid
ORDER BY hits.rank, d.url
"""

#: What SQLite says -> reason code. Error codes are in exceptions since Python 3.11.
_REASONS: Final = {
    "is locked": "locked",
    "is full": "disk_full",
    "readonly": "read_only",
    "malformed": "corrupt",
    "not a database": "corrupt",
    "disk I/O": "disk_error",
    "too big": "too_big",
    "closed database": "closed",
}


class SqliteIndex(Index):
    """Documents in one SQLite file; needs no server and no other package.

    Its write-ahead log lets others search while one writes, and keeps the file sound
    and every written document in it when the process is killed. (After a power cut
    the file is sound, and may lack the documents of the last moments.)
    """

    def __init__(self, connection: sqlite3.Connection):
        self._connection = connection
        self._lock = threading.Lock()

    @classmethod
    def open(cls, url: str, *, read_only: bool = False) -> Self:
        """Open ``sqlite:///FILE``; relative to the working directory, or absolute."""
        path = _path(url)
        try:
            return cls(open_to_read(path) if read_only else open_to_write(path))
        except (sqlite3.Error, OSError, ValueError, UnusableFileError) as exc:
            raise IndexUnavailable(url, str(exc)) from exc

    def put_many(self, documents: Sequence[IndexDocument]) -> None:
        """Write the documents in one transaction."""
        with self._using() as connection, transaction(connection):
            for document in documents:
                _put(connection, document)

    def delete(self, urls: Iterable[str]) -> int:
        """Take out the documents in one transaction; return how many there were."""
        with self._using() as connection, transaction(connection):
            return sum(_delete(connection, url) for url in urls)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        highlight: tuple[str, str] = ("**", "**"),
    ) -> list[Hit]:
        """Return the best hits by BM25; a match in the title weighs most."""
        expression = _expression(parse_query(query))
        if not expression or limit < 1:
            return []
        words = SNIPPET_CHARACTERS if is_segmented(expression) else SNIPPET_WORDS
        with self._using() as connection:
            rows = connection.execute(_SEARCH, (words, expression, limit)).fetchall()
        return [
            Hit(url, title, _marked(snippet, highlight), *rest)
            for url, title, snippet, *rest in rows
        ]

    def urls(self) -> Iterator[str]:
        """Yield the URLs in the order in which they first came."""
        with self._using() as connection:
            rows = connection.execute(_URLS).fetchall()
        return (url for (url,) in rows)

    def close(self) -> None:
        """Close the file; its log is written back and removed."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """Give the connection to one thread at a time, and SQLite's errors a reason."""
        try:
            with self._lock:
                yield self._connection
        except sqlite3.Error as exc:
            raise IndexFailure(_reason(exc), str(exc)) from exc


def _path(url: str) -> Path:
    """The file that ``sqlite:///`` URLs name; a drive letter may begin its path."""
    name = url[len(PREFIX) :]
    if not url.startswith(PREFIX) or name in {"", ":memory:"} or "\0" in name:
        raise IndexUnavailable(url, "it names no file")
    return Path(name)


def _put(connection: sqlite3.Connection, document: IndexDocument) -> None:
    kept = [_storable(getattr(document, name)) for name in COLUMNS]
    row = _row(connection, document.url)
    if row is None:
        row = connection.execute(_INSERT, kept).lastrowid
    else:
        connection.execute(_UPDATE, (*kept, row))
    searched = (document.title, document.description, document.text)
    connection.execute(_PUT_TEXT, (row, *(segment(text or "") for text in searched)))


def _delete(connection: sqlite3.Connection, url: str) -> int:
    row = _row(connection, url)
    if row is None:
        return 0
    connection.execute("DELETE FROM search WHERE rowid = ?", (row,))
    return connection.execute("DELETE FROM documents WHERE id = ?", (row,)).rowcount


def _row(connection: sqlite3.Connection, url: str) -> int | None:
    find = "SELECT id FROM documents WHERE url = ?"
    row = connection.execute(find, (_storable(url),)).fetchone()
    return None if row is None else int(row[0])


def _storable(value: str | None) -> str | None:
    """The value without halves of surrogate pairs, which SQLite cannot hold."""
    return value and value.encode("utf-8", "replace").decode()


def _expression(terms: Sequence[Term]) -> str:
    """The terms as an FTS5 query; empty if nothing is asked for.

    Each is quoted, so nothing that a user types is syntax.
    """
    wanted = [_quoted(term) for term in terms if not term.excluded]
    unwanted = [_quoted(term) for term in terms if term.excluded]
    if not wanted:
        return ""
    expression = " AND ".join(wanted)
    if not unwanted:
        return expression
    return f"({expression}) NOT ({' OR '.join(unwanted)})"


def _quoted(term: Term) -> str:
    text = segment(term.text).replace('"', '""')
    return f'"{text}" *' if term.prefix else f'"{text}"'


def _marked(snippet: str, highlight: tuple[str, str]) -> str:
    """The snippet on one line, with the caller's marks around the matches."""
    start, end = highlight
    line = " ".join(unsegment(snippet).split())
    return line.replace(_START, start).replace(_END, end)


def _reason(exc: sqlite3.Error) -> str:
    message = str(exc)
    found = (code for part, code in _REASONS.items() if part in message)
    return next(found, "database_error")
