"""Changes of the files of earlier versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..documents import STORED_FIELDS, WEIGHTS, Passage
from ..names import name_words
from .schema import COLUMNS, INSERT, PUT_WORDS, SCHEMA, pack, put_passage

if TYPE_CHECKING:
    import sqlite3

#: The version that kept texts in the FTS tables, and whose passages had no path.
WITH_TEXTS: Final = 2

_BEFORE: Final = (
    "DROP INDEX passages_of_documents",
    *(f"ALTER TABLE {name} RENAME TO old_{name}" for name in ("documents", "passages")),
    "ALTER TABLE search RENAME TO old_search",
    "DROP TABLE passage_search",
)
_AFTER: Final = tuple(
    f"DROP TABLE old_{name}" for name in ("passages", "documents", "search")
)
_DOCUMENTS: Final = (
    f"SELECT d.id, d.sections, {', '.join(f'd.{name}' for name in STORED_FIELDS)}, "
    f"{', '.join(f's.{name}' for name in WEIGHTS)} "
    "FROM old_documents AS d JOIN old_search AS s ON s.rowid = d.id"
)
_PASSAGES: Final = (
    "SELECT id, position, text, heading, anchor FROM old_passages WHERE document = ? "
    "ORDER BY position"
)


def migrate(connection: sqlite3.Connection) -> None:
    """Change an index of version :data:`WITH_TEXTS` to the current one, in place."""
    for statement in (*_BEFORE, *SCHEMA):
        connection.execute(statement)
    cut = 2 + len(STORED_FIELDS)
    for row in connection.execute(_DOCUMENTS).fetchall():
        number, sections, *rest = row
        stored = dict(zip(STORED_FIELDS, rest, strict=False))
        words = dict(zip(WEIGHTS, row[cut:], strict=True))
        names = name_words((words["title"], *(words["headings"] or "").split("\n")))
        words["headings"] = f"{words['headings']}\n{names}"
        indexed = [text or "" for text in words.values()]
        values = {"weight": 1.0, "sections": sections, "words": pack(indexed), **stored}
        connection.execute(INSERT, [values[name] for name in COLUMNS])
        (new,) = connection.execute("SELECT last_insert_rowid()").fetchone()
        connection.execute(PUT_WORDS, (new, *indexed))
        for passage in connection.execute(_PASSAGES, (number,)).fetchall():
            put_passage(connection, new, Passage(*passage))
    for statement in _AFTER:
        connection.execute(statement)
