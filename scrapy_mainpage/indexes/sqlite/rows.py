"""The file of the SQLite engine: its tables, and the rows of documents."""

from __future__ import annotations

import json
import re
import sqlite3
import unicodedata
from typing import TYPE_CHECKING, Final

from ..documents import FIELDS_VERSION, WEIGHTS, Passage, storable_text, types_of
from ..failures import Rejection
from ..fields import FieldTypeError, type_clash
from ..sql import COLUMNS, PASSAGE_COLUMNS, document_values, field_rows, packed_json
from ..tokens import segment
from .storage import pack, transaction, unpack

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ..documents import IndexDocument

#: Identify an index: PRAGMA application_id and PRAGMA user_version.
APPLICATION_ID: Final = 0x4D50_4958
SCHEMA_VERSION: Final = 5 + FIELDS_VERSION

#: Searched fields of a passage, and the weight of a match.
PASSAGE_WEIGHTS: Final = {"heading": WEIGHTS["headings"], "text": WEIGHTS["text"]}

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

# The FTS tables keep no text: it is stored once, compressed. A document's is segmented,
# snippets are cut from it; a passage is returned as it was. To remove a row, FTS5 needs
# the text as it was indexed.
SCHEMA: Final = (
    "CREATE TABLE documents (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, "
    + ", ".join(f"{c} {'REAL' * (c == 'weight')}" for c in COLUMNS if c != "url")
    + ", words BLOB)",
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
    "CREATE TABLE field_types (name TEXT PRIMARY KEY, type TEXT NOT NULL)",
    "CREATE TABLE fields (document INTEGER NOT NULL, name TEXT NOT NULL, "
    "key TEXT, number REAL, value TEXT)",
    "CREATE INDEX fields_of_documents ON fields (document, name)",
    "CREATE INDEX documents_of_fields ON fields (name, number)",
    "CREATE TABLE marks (name TEXT PRIMARY KEY, value TEXT)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)

_STORED: Final = (*COLUMNS, "words")


def _marks(names: Collection[str]) -> str:
    return ", ".join("?" * len(names))


_UPSERT: Final = (
    f"INSERT INTO documents ({', '.join(_STORED)}) VALUES ({_marks(_STORED)}) "
    "ON CONFLICT (url) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _STORED)
)
_PUT_PASSAGE: Final = (
    f"INSERT INTO passages (document, {', '.join(PASSAGE_COLUMNS)}, text) "
    "VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PASSAGES: Final = "SELECT row, heading, path, text FROM passages WHERE document = ?"


def _words_sql(table: str, columns: Collection[str]) -> tuple[str, str]:
    """Return the statements that add and remove the words of a row."""
    names, marks = ", ".join(columns), _marks(columns)
    return (
        f"INSERT INTO {table} (rowid, {names}) VALUES (?, {marks})",
        f"INSERT INTO {table} ({table}, rowid, {names}) VALUES ('delete', ?, {marks})",
    )


_PUT_WORDS, _CUT_WORDS = _words_sql("search", WEIGHTS)
_PUT_PASSAGE_WORDS, _CUT_PASSAGE_WORDS = _words_sql("passage_search", PASSAGE_WEIGHTS)

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
                _put(connection, document.named(), types)
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


def fts_text(text: str) -> str:
    """Return the text in the form in which FTS5 splits words like every engine."""
    segmented = segment(text)
    return segmented if segmented.isascii() else _UNKNOWN.sub("", segmented)


def _put(
    connection: sqlite3.Connection, document: IndexDocument, types: dict[str, str]
) -> None:
    words = [fts_text(getattr(document, name) or "") for name in WEIGHTS]
    if known := _row(connection, document.url):
        _cut_words(connection, known)
    connection.execute(_UPSERT, (*document_values(document), pack(words)))
    row = _row(connection, document.url)
    connection.execute(_PUT_WORDS, (row, *words))
    for passage in document.passages:
        _put_passage(connection, row, passage)
    for name, field in document.fields.items():
        if name not in types:
            statement = "INSERT INTO field_types VALUES (?, ?)"
            connection.execute(statement, (name, field.type))
            types[name] = field.type
    rows = [(row, *values) for values in field_rows(document)]
    connection.executemany("INSERT INTO fields VALUES (?, ?, ?, ?, ?)", rows)


def field_types(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the names and types of the documents' own fields."""
    return dict(connection.execute("SELECT name, type FROM field_types"))


def _put_passage(
    connection: sqlite3.Connection, document: int | None, passage: Passage
) -> None:
    id_, position, text, heading, anchor, path = passage
    stored = (id_, position, heading, anchor, packed_json(path), pack([text]))
    row = connection.execute(_PUT_PASSAGE, (document, *stored)).lastrowid
    words = (fts_text(passage.searched_heading), fts_text(text))
    connection.execute(_PUT_PASSAGE_WORDS, (row, *words))


def _delete(connection: sqlite3.Connection, url: str) -> int:
    row = _row(connection, url)
    if row is None:
        return 0
    _cut_words(connection, row)
    return connection.execute("DELETE FROM documents WHERE id = ?", (row,)).rowcount


def _cut_words(connection: sqlite3.Connection, document: int) -> None:
    """Remove a document's words, its fields and its passages."""
    stored = "SELECT words FROM documents WHERE id = ?"
    (packed,) = connection.execute(stored, (document,)).fetchone()
    connection.execute(_CUT_WORDS, (document, *unpack(packed)))
    for row, heading, path, text in connection.execute(
        _PASSAGES, (document,)
    ).fetchall():
        passage = Passage("", 0, unpack(text)[0], heading, None, _path(path))
        words = (fts_text(passage.searched_heading), fts_text(passage.text))
        connection.execute(_CUT_PASSAGE_WORDS, (row, *words))
    for table in ("fields", "passages"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))


def _path(stored: str | None) -> tuple[str, ...]:
    return tuple(json.loads(stored or "[]"))


def _row(connection: sqlite3.Connection, url: str) -> int | None:
    find = "SELECT id FROM documents WHERE url = ?"
    row = connection.execute(find, (url,)).fetchone()
    return None if row is None else int(row[0])
