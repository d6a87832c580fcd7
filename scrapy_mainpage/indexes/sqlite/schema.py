"""The file of the SQLite engine: schema, opening, and the rows of documents."""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from ..documents import (
    FIELDS_VERSION,
    STORED_FIELDS,
    WEIGHTS,
    IndexDocument,
    Passage,
    storable_text,
    types_of,
)
from ..failures import IndexFailure, Rejection
from ..fields import FieldTypeError, type_clash
from ..tokens import segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: Identify an index: PRAGMA application_id and PRAGMA user_version.
APPLICATION_ID: Final = 0x4D50_4958
SCHEMA_VERSION: Final = 4 + FIELDS_VERSION

#: Of compression: higher ones make texts hardly shorter.
_LEVEL: Final = 5

#: Searched fields of a passage, and the weight of a match.
PASSAGE_WEIGHTS: Final = {"heading": WEIGHTS["headings"], "text": WEIGHTS["text"]}

#: The columns of a document; sections are JSON, words a :func:`pack` of the indexed.
COLUMNS: Final = (*STORED_FIELDS, "weight", "sections", "words")

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

_TYPES: Final = {"weight": "REAL", "words": "BLOB"}

# The FTS tables keep no text: it is stored once, compressed. A document's is segmented,
# snippets are cut from it; a passage is returned as it was. To remove a row, FTS5 needs
# the text as it was indexed.
SCHEMA: Final = (
    "CREATE TABLE documents (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, "
    + ", ".join(f"{c} {_TYPES.get(c, 'TEXT')}" for c in COLUMNS if c != "url")
    + ")",
    "CREATE INDEX languages ON documents (language)",
    "CREATE TABLE passages (row INTEGER PRIMARY KEY, "
    "document INTEGER NOT NULL REFERENCES documents, id TEXT NOT NULL, "
    "position INTEGER NOT NULL, heading TEXT, anchor TEXT, path TEXT, "
    "text BLOB NOT NULL)",
    "CREATE INDEX passages_of_documents ON passages (document)",
    f"CREATE VIRTUAL TABLE search USING fts5({', '.join(WEIGHTS)}, content = '', "
    f"tokenize = {_TOKENIZE})",
    f"CREATE VIRTUAL TABLE passage_search USING fts5({', '.join(PASSAGE_WEIGHTS)}, "
    f"content = '', tokenize = {_TOKENIZE})",
    "CREATE TABLE field_types (name TEXT PRIMARY KEY, type TEXT NOT NULL) "
    "WITHOUT ROWID",
    "CREATE TABLE fields (document INTEGER NOT NULL, name TEXT NOT NULL, "
    "key NOT NULL, value, PRIMARY KEY (document, name, key)) WITHOUT ROWID",
    "CREATE INDEX documents_of_fields ON fields (name, key)",
    "CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)


def _marks(names: Iterable[str]) -> str:
    return ", ".join("?" for _ in names)


_SET: Final = ", ".join(f"{name} = ?" for name in COLUMNS)
INSERT: Final = (
    f"INSERT INTO documents ({', '.join(COLUMNS)}) VALUES ({_marks(COLUMNS)})"
)
_UPDATE: Final = f"UPDATE documents SET {_SET} WHERE id = ?"
_INSERT_PASSAGE: Final = (
    "INSERT INTO passages (document, id, position, heading, anchor, path, text) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PASSAGES: Final = (
    "SELECT row, id, position, text, heading, anchor, path FROM passages "
    "WHERE document = ?"
)


def _words_sql(table: str, columns: Iterable[str]) -> tuple[str, str]:
    """Return the statements that add and remove the words of a row."""
    names, marks = ", ".join(columns), _marks(columns)
    return (
        f"INSERT INTO {table} (rowid, {names}) VALUES (?, {marks})",
        f"INSERT INTO {table} ({table}, rowid, {names}) VALUES ('delete', ?, {marks})",
    )


PUT_WORDS, _CUT_WORDS = _words_sql("search", WEIGHTS)
_PUT_PASSAGE_WORDS, _CUT_PASSAGE_WORDS = _words_sql("passage_search", PASSAGE_WEIGHTS)

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
            types = field_types(connection)
            for document in documents:
                url = document.url
                if clash := type_clash(types_of([document]), types):
                    raise FieldTypeError(clash)
                _put(connection, document)
                _put_fields(connection, document, types)
    except FieldTypeError as exc:
        return Rejection(url, "field_type", str(exc))
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


def pack(texts: Sequence[str]) -> bytes:
    """Return the texts compressed."""
    return zlib.compress("\0".join(texts).encode("utf-8", "surrogatepass"), _LEVEL)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unpack(packed: bytes) -> list[str]:
    """Return the texts from :func:`pack`; raise :exc:`IndexFailure` for others."""
    try:
        return zlib.decompress(packed).decode("utf-8", "surrogatepass").split("\0")
    except (TypeError, ValueError, zlib.error) as exc:
        raise IndexFailure("corrupt", f"a text cannot be unpacked: {exc}") from exc


def _put(connection: sqlite3.Connection, document: IndexDocument) -> None:
    words = [fts_text(getattr(document, name) or "") for name in WEIGHTS]
    values = [getattr(document, name) for name in COLUMNS[:-2]]
    sections = [part[:4] for part in document.sections]
    values.append(_compact(sections) if sections else None)
    values.append(pack(words))
    row = _row(connection, document.url)
    if row is None:
        row = connection.execute(INSERT, values).lastrowid
    else:
        _cut_words(connection, row)
        connection.execute(_UPDATE, (*values, row))
    connection.execute(PUT_WORDS, (row, *words))
    for passage in document.passages:
        put_passage(connection, row, passage)


def field_types(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the names and types of the documents' own fields."""
    return dict(connection.execute("SELECT name, type FROM field_types"))


def _put_fields(
    connection: sqlite3.Connection, document: IndexDocument, types: dict[str, str]
) -> None:
    if not document.fields:
        return
    row = _row(connection, document.url)
    for name, field in document.fields.items():
        if name not in types:
            statement = "INSERT INTO field_types VALUES (?, ?)"
            connection.execute(statement, (name, field.type))
            types[name] = field.type
        rows = [(row, name, key, value) for key, value in field.rows()]
        connection.executemany("INSERT INTO fields VALUES (?, ?, ?, ?)", rows)


def put_passage(
    connection: sqlite3.Connection, document: int | None, passage: Passage
) -> None:
    """Write a passage of the document in that row."""
    id_, position, text, heading, anchor, path = passage
    stored = _compact(path) if path else None
    values = (document, id_, position, heading, anchor, stored, pack([text]))
    row = connection.execute(_INSERT_PASSAGE, values).lastrowid
    connection.execute(_PUT_PASSAGE_WORDS, (row, *_passage_words(passage)))


def _passage_words(passage: Passage) -> tuple[str, str]:
    return fts_text(passage.searched_heading), fts_text(passage.text)


def read_passage(row: Sequence[Any]) -> Passage:
    """Return the passage of its stored columns, the path and the packed text last."""
    id_, position, text, heading, anchor, path = row
    return Passage(
        id_, position, unpack(text)[0], heading, anchor, tuple(json.loads(path or "[]"))
    )


def _delete(connection: sqlite3.Connection, url: str) -> int:
    row = _row(connection, url)
    if row is None:
        return 0
    _cut_words(connection, row)
    return connection.execute("DELETE FROM documents WHERE id = ?", (row,)).rowcount


def _cut_words(connection: sqlite3.Connection, document: int) -> None:
    """Remove a document's words, and its passages."""
    stored = "SELECT words FROM documents WHERE id = ?"
    (packed,) = connection.execute(stored, (document,)).fetchone()
    connection.execute(_CUT_WORDS, (document, *unpack(packed)))
    connection.execute("DELETE FROM fields WHERE document = ?", (document,))
    passages = connection.execute(_PASSAGES, (document,)).fetchall()
    for row, *columns in passages:
        words = _passage_words(read_passage(columns))
        connection.execute(_CUT_PASSAGE_WORDS, (row, *words))
    if passages:
        connection.execute("DELETE FROM passages WHERE document = ?", (document,))


def _row(connection: sqlite3.Connection, url: str) -> int | None:
    find = "SELECT id FROM documents WHERE url = ?"
    row = connection.execute(find, (url,)).fetchone()
    return None if row is None else int(row[0])


def read_mark(connection: sqlite3.Connection, name: str) -> str | None:
    """Return the mark of that name; ``None`` without one."""
    query = "SELECT value FROM marks WHERE name = ?"
    row = connection.execute(query, (name,)).fetchone()
    return row[0] if row else None


def write_mark(connection: sqlite3.Connection, name: str, value: str) -> None:
    """Leave a mark."""
    with transaction(connection):
        query = "INSERT OR REPLACE INTO marks VALUES (?, ?)"
        connection.execute(query, (name, value))
