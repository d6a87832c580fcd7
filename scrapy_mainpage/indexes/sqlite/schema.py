"""The file of the SQLite engine: schema, opening, transactions."""

from __future__ import annotations

import os
import sqlite3
import time
import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from ..documents import STORED_FIELDS, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Identify an index: PRAGMA application_id and PRAGMA user_version.
APPLICATION_ID: Final = 0x4D50_4958
SCHEMA_VERSION: Final = 2

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
