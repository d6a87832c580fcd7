"""The final content of the index and of the files beside it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from scrapy_mainpage.indexes.delivery.outbox import FILE

from .crawl import key_of


@dataclass
class Found:
    """The URLs of the index with their titles, of the outbox, of the dead letters."""

    titles: dict[str, str]
    indexed: Counter[str]
    on_their_way: set[str]
    dead: set[str]

    @classmethod
    def of(cls, folder: Path) -> Found:
        """Read them."""
        indexed = _indexed(folder / "site.db")
        return cls(
            {url: title or "" for url, title in indexed},
            Counter(url for url, _ in indexed),
            _outbox(folder, "reason IS NULL"),
            _outbox(folder, "reason IS NOT NULL"),
        )

    @property
    def keys(self) -> set[str]:
        """The pages of all of them."""
        return {key_of(url) for url in {*self.indexed, *self.on_their_way, *self.dead}}

    @property
    def indexed_keys(self) -> Counter[str]:
        """The number of documents in the index by page."""
        keys: Counter[str] = Counter()
        for url, count in self.indexed.items():
            keys[key_of(url)] += count
        return keys


def _indexed(path: Path) -> list[tuple[str, str | None]]:
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as database:
        try:
            return database.execute("SELECT url, title FROM documents").fetchall()
        except sqlite3.OperationalError:  # killed before there was a table
            return []


def _outbox(folder: Path, condition: str) -> set[str]:
    path = folder / ".scrapy" / FILE
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute(f"SELECT url FROM operations WHERE {condition}")
        return {url for (url,) in rows}


def is_sound(folder: Path) -> bool:
    """Whether the index passes the integrity checks of SQLite and FTS5."""
    with closing(sqlite3.connect(folder / "site.db")) as database:
        (verdict,) = database.execute("PRAGMA integrity_check").fetchone()
        try:
            database.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        except sqlite3.DatabaseError:
            return False
        documents, rows = (
            {key for (key,) in database.execute(query)}
            for query in ("SELECT id FROM documents", "SELECT rowid FROM search")
        )
    return bool(verdict == "ok" and documents == rows)
