"""The tables of the SQLite engine: putting documents into them, taking them out."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING, Final

from ..documents import WEIGHTS, IndexDocument, Section, storable_text
from ..errors import Rejection
from ..text import segment
from .schema import COLUMNS, PASSAGE_WEIGHTS, transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..documents import Passage

_SET = ", ".join(f"{name} = ?" for name in COLUMNS)
_INSERT = (
    f"INSERT INTO documents ({', '.join(COLUMNS)}) "
    f"VALUES ({', '.join('?' for _ in COLUMNS)})"
)
_UPDATE = f"UPDATE documents SET {_SET} WHERE id = ?"
_PUT_WORDS = (
    f"INSERT OR REPLACE INTO search (rowid, {', '.join(WEIGHTS)}) "
    f"VALUES (?, {', '.join('?' for _ in WEIGHTS)})"
)
_INSERT_PASSAGE = (
    "INSERT INTO passages (document, id, position, heading, anchor, text) "
    "VALUES (?, ?, ?, ?, ?, ?)"
)
_INSERT_PASSAGE_WORDS = (
    f"INSERT INTO passage_search (rowid, {', '.join(PASSAGE_WEIGHTS)}) VALUES (?, ?, ?)"
)
_PASSAGES = "SELECT row FROM passages WHERE document = ?"

#: What SQLite says of a value that it cannot hold -> reason code.
_UNFIT: Final = {
    "too big": "too_big",
    "INT_MAX": "too_big",
    "Error binding parameter": "unsupported",
}

#: Diacritics that stand apart and that FTS5 would take for parts of words.
_UNKNOWN: Final = re.compile(
    "[\u0305\u030d\u030e\u0310\u0312-\u031a\u031c-\u0322\u0329-\u032c\u032f"
    "\u0332-\u036f]"
)


def put_documents(
    connection: sqlite3.Connection, documents: Sequence[IndexDocument]
) -> list[Rejection]:
    """Write the documents in one transaction; return those that SQLite cannot hold.

    One that is rejected rolls the others back, and they are written again: savepoints
    would spare that, but FTS5 empties its memory at each, and every document would
    pay for it.
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
        message = str(exc)
        for part, reason in _UNFIT.items():
            if part in message:
                return Rejection(url, reason, message)
        raise
    return None


def delete_documents(connection: sqlite3.Connection, urls: Iterable[str]) -> int:
    """Take out the documents in one transaction; return how many there were."""
    with transaction(connection):
        return sum(_delete(connection, storable_text(url)) for url in urls)


def sections_of(column: str | None) -> tuple[Section, ...]:
    """The sections that the column holds."""
    return tuple(Section(*part) for part in json.loads(column)) if column else ()


def words_of(text: str) -> str:
    """The text as FTS5 finds the words of it that every engine finds."""
    segmented = segment(text)
    return segmented if segmented.isascii() else _UNKNOWN.sub("", segmented)


def _put(connection: sqlite3.Connection, document: IndexDocument) -> None:
    kept = [getattr(document, name) for name in COLUMNS[:-1]]
    kept.append(json.dumps(document.sections) if document.sections else None)
    row = _row(connection, document.url)
    if row is None:
        row = connection.execute(_INSERT, kept).lastrowid
    else:
        connection.execute(_UPDATE, (*kept, row))
        _delete_passages(connection, row)
    words = [words_of(getattr(document, name) or "") for name in WEIGHTS]
    connection.execute(_PUT_WORDS, (row, *words))
    for passage in document.passages:
        _put_passage(connection, row, passage)


def _put_passage(
    connection: sqlite3.Connection, document: int | None, passage: Passage
) -> None:
    kept = (passage.id, passage.position, passage.heading, passage.anchor, passage.text)
    row = connection.execute(_INSERT_PASSAGE, (document, *kept)).lastrowid
    words = (words_of(passage.heading or ""), words_of(passage.text))
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
