"""The file of an SQLite index: opening it, its tables, and the rows of documents."""

from __future__ import annotations

import os
import re
import sqlite3
import time
import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from .base import IndexFailure
from .documents import FIELDS_VERSION, WEIGHTS, storable_text, types_of
from .fields import type_clash
from .sql import (
    COLUMNS,
    PASSAGE_COLUMNS,
    document_values,
    field_rows,
    passage_values,
)
from .tokens import segment

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from .documents import IndexDocument

#: Identify an index: PRAGMA application_id and PRAGMA user_version.
APPLICATION_ID: Final = 0x4D50_4958
SCHEMA_VERSION: Final = 7 + FIELDS_VERSION

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

# The FTS tables keep the texts, segmented; snippets are cut from them.
SCHEMA: Final = (
    "CREATE TABLE documents (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, "
    + ", ".join(f"{c} {'REAL' * (c == 'weight')}" for c in COLUMNS if c != "url")
    + ")",
    "CREATE INDEX languages ON documents (language)",
    "CREATE TABLE passages (row INTEGER PRIMARY KEY, "
    f"document INTEGER NOT NULL, {', '.join(PASSAGE_COLUMNS)})",
    "CREATE INDEX passages_of_documents ON passages (document)",
    f"CREATE VIRTUAL TABLE search USING fts5({', '.join(WEIGHTS)}, "
    f"tokenize = {_TOKENIZE})",
    "CREATE TABLE field_types (name TEXT PRIMARY KEY, type TEXT NOT NULL)",
    "CREATE TABLE fields (document INTEGER NOT NULL, name TEXT NOT NULL, "
    "key TEXT, number REAL, value TEXT)",
    "CREATE INDEX fields_of_documents ON fields (document, name)",
    "CREATE INDEX documents_of_fields ON fields (name, number)",
    "CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


def _insert(table: str, names: Collection[str]) -> str:
    marks = ", ".join("?" * len(names))
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})"


_PUT: Final = _insert("documents", COLUMNS)
_PUT_WORDS: Final = _insert("search", ("rowid", *WEIGHTS))
_PUT_PASSAGE: Final = _insert("passages", ("document", *PASSAGE_COLUMNS))
_PUT_TYPE: Final = "INSERT OR IGNORE INTO field_types VALUES (?, ?)"
_PUT_FIELD: Final = _insert("fields", ("document", "name", "key", "number", "value"))
_DELETE: Final = (
    "DELETE FROM passages WHERE document = ?",
    "DELETE FROM fields WHERE document = ?",
    "DELETE FROM search WHERE rowid = ?",
    "DELETE FROM documents WHERE id = ?",
)

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


#: Seconds to wait for another writer before a write fails.
BUSY_TIMEOUT: Final = 30.0

_VOCABULARY: Final = (
    "CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, search, 'row')",
    # Without counts, for which a whole list would be read.
    "CREATE VIRTUAL TABLE temp.places USING fts5vocab(main, search, 'instance')",
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
        with transaction(connection):
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is None:
                for statement in SCHEMA:
                    connection.execute(statement)
            _check_schema(connection)
            # Fails at once if the file is not writable, which a transaction does not.
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        _add_vocabulary(connection)
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
        _check_schema(connection)
        _add_vocabulary(connection)
        connection.execute("PRAGMA query_only = ON")
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
        known = f"this scrapy-mainpage reads version {SCHEMA_VERSION}; make it anew"
        raise UnusableFileError(f"the index has schema version {version}, {known}")


def _add_vocabulary(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA temp_store = MEMORY")
    for statement in _VOCABULARY:
        connection.execute(statement)


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
) -> None:
    """Write all of the documents in one transaction, or none.

    Raises :exc:`IndexFailure` if SQLite cannot store one of them.
    """
    try:
        with transaction(connection):
            types = dict(connection.execute("SELECT name, type FROM field_types"))
            for document in documents:
                own = types_of([document])
                if clash := type_clash(own, types):
                    raise IndexFailure("field_type", clash)
                types |= own
                connection.executemany(_PUT_TYPE, own.items())
                _put(connection, document)
    except (sqlite3.Error, OverflowError) as exc:
        if reason := reason_in(str(exc), _REJECTED, ""):
            raise IndexFailure(reason, str(exc)) from exc
        raise


def delete_documents(connection: sqlite3.Connection, urls: Iterable[str]) -> int:
    """Remove the documents in one transaction; return how many existed."""
    with transaction(connection):
        return sum(_delete(connection, storable_text(url)) for url in urls)


def fts_text(text: str) -> str:
    """Return the text in the form in which FTS5 splits words like every engine."""
    segmented = segment(text)
    return segmented if segmented.isascii() else _UNKNOWN.sub("", segmented)


def _put(connection: sqlite3.Connection, document: IndexDocument) -> None:
    _delete(connection, document.url)
    row = connection.execute(_PUT, document_values(document)).lastrowid
    named = document.named()
    words = {name: fts_text(getattr(named, name) or "") for name in WEIGHTS}
    connection.execute(_PUT_WORDS, (row, *words.values()))
    passages = passage_values(document.passages, words["text"], fts_text)
    connection.executemany(_PUT_PASSAGE, ((row, *values) for values in passages))
    rows = [(row, *values) for values in field_rows(document)]
    connection.executemany(_PUT_FIELD, rows)


def _delete(connection: sqlite3.Connection, url: str) -> int:
    find = "SELECT id FROM documents WHERE url = ?"
    row = connection.execute(find, (url,)).fetchone()
    for statement in _DELETE if row else ():
        connection.execute(statement, row)
    return row is not None
