"""Rows of the SQLite engine: inserting and deleting documents."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING, Any, Final

from ..base import Rejection, reason_in
from ..documents import WEIGHTS, IndexDocument, storable_text
from ..tokens import segment
from .schema import COLUMNS, PASSAGE_WEIGHTS, transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..documents import Passage


def _marks(names: Iterable[str]) -> str:
    return ", ".join("?" for _ in names)


_SET: Final = ", ".join(f"{name} = ?" for name in COLUMNS)
_INSERT: Final = (
    f"INSERT INTO documents ({', '.join(COLUMNS)}) VALUES ({_marks(COLUMNS)})"
)
_UPDATE: Final = f"UPDATE documents SET {_SET} WHERE id = ?"
_PUT_WORDS: Final = (
    f"INSERT OR REPLACE INTO search (rowid, {', '.join(WEIGHTS)}) "
    f"VALUES (?, {_marks(WEIGHTS)})"
)
_INSERT_PASSAGE: Final = (
    "INSERT INTO passages (document, id, position, heading, anchor, text) "
    "VALUES (?, ?, ?, ?, ?, ?)"
)
_INSERT_PASSAGE_WORDS: Final = (
    f"INSERT INTO passage_search (rowid, {', '.join(PASSAGE_WEIGHTS)}) VALUES (?, ?, ?)"
)
_PASSAGES: Final = "SELECT row FROM passages WHERE document = ?"

#: URLs read at once.
URL_BATCH: Final = 1_000
_URLS: Final = "SELECT id, url FROM documents WHERE id > ? ORDER BY id LIMIT ?"

#: Part of SQLite's message on a value that it cannot store -> reason code.
_REJECTED: Final = {
    "too big": "too_big",
    "INT_MAX": "too_big",
    "Error binding parameter": "unsupported",
}

#: Combining diacritics that FTS5 would take for parts of words.
_UNKNOWN: Final = re.compile(
    "[\u0305\u030d\u030e\u0310\u0312-\u031a\u031c-\u0322\u0329-\u032c\u032f"
    "\u0332-\u036f]"
)


def put_documents(
    connection: sqlite3.Connection, documents: Sequence[IndexDocument]
) -> list[Rejection]:
    """Write the documents in one transaction; return those that SQLite cannot store.

    A rejected one rolls the others back, and they are written again: savepoints would
    avoid that, but FTS5 flushes its memory at each, a cost for every document.
    """
    rejections: list[Rejection] = []
    while rejection := _put_until_rejected(connection, documents):
        rejections.append(rejection)
        documents = [item for item in documents if item.url != rejection.url]
    return rejections


def _put_until_rejected(
    connection: sqlite3.Connection, documents: Sequence[IndexDocument]
) -> Rejection | None:
    """Write all of the documents, or none if one of them is rejected."""
    url = ""
    try:
        with transaction(connection):
            for document in documents:
                url = document.url
                _put(connection, document)
    except (sqlite3.Error, OverflowError) as exc:
        if reason := reason_in(str(exc), _REJECTED, ""):
            return Rejection(url, reason, str(exc))
        raise
    return None


def delete_documents(connection: sqlite3.Connection, urls: Iterable[str]) -> int:
    """Remove the documents in one transaction; return how many existed."""
    with transaction(connection):
        return sum(_delete(connection, storable_text(url)) for url in urls)


def url_rows(connection: sqlite3.Connection, last: int) -> list[tuple[Any, ...]]:
    """Return up to :data:`URL_BATCH` rows of id and URL after the id *last*."""
    return connection.execute(_URLS, (last, URL_BATCH)).fetchall()


def fts_text(text: str) -> str:
    """Return the text in the form in which FTS5 splits words like every engine."""
    segmented = segment(text)
    return segmented if segmented.isascii() else _UNKNOWN.sub("", segmented)


def _put(connection: sqlite3.Connection, document: IndexDocument) -> None:
    values = [getattr(document, name) for name in COLUMNS[:-1]]
    values.append(json.dumps(document.sections) if document.sections else None)
    row = _row(connection, document.url)
    if row is None:
        row = connection.execute(_INSERT, values).lastrowid
    else:
        connection.execute(_UPDATE, (*values, row))
        _delete_passages(connection, row)
    words = [fts_text(getattr(document, name) or "") for name in WEIGHTS]
    connection.execute(_PUT_WORDS, (row, *words))
    for passage in document.passages:
        _put_passage(connection, row, passage)


def _put_passage(
    connection: sqlite3.Connection, document: int | None, passage: Passage
) -> None:
    id_, position, text, heading, anchor = passage
    values = (document, id_, position, heading, anchor, text)
    row = connection.execute(_INSERT_PASSAGE, values).lastrowid
    words = (fts_text(heading or ""), fts_text(text))
    connection.execute(_INSERT_PASSAGE_WORDS, (row, *words))


def _delete(connection: sqlite3.Connection, url: str) -> int:
    row = _row(connection, url)
    if row is None:
        return 0
    _delete_passages(connection, row)
    connection.execute("DELETE FROM search WHERE rowid = ?", (row,))
    return connection.execute("DELETE FROM documents WHERE id = ?", (row,)).rowcount


def _delete_passages(connection: sqlite3.Connection, document: int) -> None:
    rows = connection.execute(_PASSAGES, (document,)).fetchall()
    if rows:
        connection.executemany("DELETE FROM passage_search WHERE rowid = ?", rows)
        connection.execute("DELETE FROM passages WHERE document = ?", (document,))


def _row(connection: sqlite3.Connection, url: str) -> int | None:
    find = "SELECT id FROM documents WHERE url = ?"
    row = connection.execute(find, (url,)).fetchone()
    return None if row is None else int(row[0])
