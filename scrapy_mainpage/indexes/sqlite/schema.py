"""The file of the SQLite engine: schema, opening, and the rows of documents."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from ..base import Rejection
from ..documents import (
    FIELDS_VERSION,
    STORED_FIELDS,
    WEIGHTS,
    IndexDocument,
    storable_text,
)
from ..tokens import segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from ..documents import Passage

#: Identify an index: PRAGMA application_id and PRAGMA user_version.
APPLICATION_ID: Final = 0x4D50_4958
SCHEMA_VERSION: Final = 2 + FIELDS_VERSION

#: Seconds to wait for another writer before a write fails.
BUSY_TIMEOUT: Final = 30.0

#: Searched fields of a passage, and the weight of a match.
PASSAGE_WEIGHTS: Final = {"heading": WEIGHTS["headings"], "text": WEIGHTS["text"]}

#: The columns of a document beside the indexed words; sections are JSON.
COLUMNS: Final = (*STORED_FIELDS, "sections")

# Marks are parts of words (vowel signs of Indic scripts, among others), and symbols
# are words, so that emoji are found.
_WORD_CATEGORIES: Final = ("L", "N", "Co", "Mn", "Mc", "So")

#: Separators that FTS5 takes for words: it does not know the currency signs, skin tones
#: and direction marks that Unicode has had since 2012.
_SEPARATORS: Final = "".join(
    character
    for character in map(chr, (*range(0x60B, 0x3100), *range(0x1F300, 0x1F700)))
    if not unicodedata.category(character).startswith((*_WORD_CATEGORIES, "Cn"))
)
_TOKENIZE: Final = (
    "\"unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc So' "
    f"separators '{_SEPARATORS}'\""
)

# The FTS tables hold segmented text, which snippets are cut from. A passage is returned
# as it was, so its original text is stored, too.
_SCHEMA: Final = (
    "CREATE TABLE documents (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, "
    + ", ".join(f"{name} TEXT" for name in COLUMNS if name != "url")
    + ")",
    "CREATE TABLE passages (row INTEGER PRIMARY KEY, "
    "document INTEGER NOT NULL REFERENCES documents, id TEXT NOT NULL, "
    "position INTEGER NOT NULL, heading TEXT, anchor TEXT, text TEXT NOT NULL)",
    "CREATE INDEX passages_of_documents ON passages (document)",
    f"CREATE VIRTUAL TABLE search USING fts5({', '.join(WEIGHTS)}, "
    f"tokenize = {_TOKENIZE})",
    f"CREATE VIRTUAL TABLE passage_search USING fts5({', '.join(PASSAGE_WEIGHTS)}, "
    f"tokenize = {_TOKENIZE})",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


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

_HAS_FTS5: Final = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"


class UnusableFileError(Exception):
    """A file that is not an index of this schema, or an SQLite without FTS5."""


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open or create the file, and check that it is writable."""
    if not path.absolute().parent.is_dir():
        raise UnusableFileError(f"there is no directory {path.parent}")
    with _closed_on_error(_connect(path, "mode=rwc")) as connection:
        _check_fts5(connection)
        with transaction(connection):  # fails at once if the file is not writable
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
                for statement in _SCHEMA:
                    connection.execute(statement)
            _check_schema(connection)
        _use_log(connection)  # after the check: foreign files must not change
    return connection


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log; SQLite itself does not wait for locks here."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
            break
        except sqlite3.OperationalError as exc:
            if "is locked" not in str(exc) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode == "wal":  # some file systems do not support it
        connection.execute("PRAGMA synchronous = NORMAL")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open an existing file, also on a read-only medium."""
    if not path.is_file():
        raise UnusableFileError("there is no such file")
    try:
        # Not mode=ro: it could neither read the log of a killed writer nor remove its
        # own files. A file without write permission opens all the same.
        return _check_to_read(_connect(path, "mode=rw"))
    except sqlite3.OperationalError:
        log = path.with_name(f"{path.name}-wal")
        if os.access(path.parent, os.W_OK) or log.exists():
            raise
        return _check_to_read(_connect(path, "immutable=1"))


def _check_to_read(connection: sqlite3.Connection) -> sqlite3.Connection:
    with _closed_on_error(connection):
        _check_fts5(connection)
        connection.execute("PRAGMA query_only = ON")
        _check_schema(connection)
    return connection


def _connect(path: Path, options: str) -> sqlite3.Connection:
    name = path.absolute().as_posix()
    slash = "" if name.startswith("/") else "/"  # a Windows drive
    return sqlite3.connect(
        f"file://{slash}{quote(os.fsencode(name))}?{options}",
        uri=True,
        timeout=BUSY_TIMEOUT,
        isolation_level=None,  # transactions are explicit; see transaction()
        check_same_thread=False,  # one thread uses it, another may close it
    )


@contextmanager
def _closed_on_error(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    except BaseException:
        connection.close()
        raise


def _check_fts5(connection: sqlite3.Connection) -> None:
    if connection.execute(_HAS_FTS5).fetchone() is None:
        version = sqlite3.sqlite_version
        raise UnusableFileError(
            f"this Python's SQLite {version} was built without FTS5"
        )


def _check_schema(connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise UnusableFileError("the file is not an index of scrapy-mainpage")
    if version != SCHEMA_VERSION:
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}"
        raise UnusableFileError(f"the index has schema version {version}, {known}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit the changes of the block, or roll all of them back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def reason_in(message: str, reasons: dict[str, str], default: str) -> str:
    """Return the reason code of the first key that the message contains."""
    return next((code for part, code in reasons.items() if part in message), default)


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


_MARKS: Final = "CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value TEXT)"


def read_mark(connection: sqlite3.Connection, name: str) -> str | None:
    """Return the mark of that name; ``None`` without one."""
    if not connection.execute(
        "SELECT 1 FROM sqlite_master WHERE name = 'marks'"
    ).fetchone():
        return None
    query = "SELECT value FROM marks WHERE name = ?"
    row = connection.execute(query, (name,)).fetchone()
    return row[0] if row else None


def write_mark(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Leave a mark; the table is made for the first one."""
    with transaction(connection):
        connection.execute(_MARKS)
        query = "INSERT OR REPLACE INTO marks VALUES (?, ?)"
        connection.execute(query, (name, value))
