"""The final content of the index and of the files beside it."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from .crawl import key_of


@dataclass
class Found:
    """The URLs of the index with their titles, of its journal, of the dead letters."""

    titles: dict[str, str]
    indexed: Counter[str]
    journalled: set[str]
    dead: set[str]

    @classmethod
    def of(cls, folder: Path) -> Found:
        """Read them; a killed process may have left unfinished lines."""
        indexed = _indexed(folder / "site.db")
        return cls(
            {url: title or "" for url, title in indexed},
            Counter(url for url, _ in indexed),
            _urls(folder.glob("journal/**/*.jsonl")),
            _urls(folder.glob("dead.jsonl")),
        )

    @property
    def keys(self) -> set[str]:
        """The pages of all of them."""
        return {key_of(url) for url in {*self.indexed, *self.journalled, *self.dead}}

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


def _urls(files: Iterable[Path]) -> set[str]:
    found = set()
    for file in files:
        for line in file.read_bytes().splitlines():
            with suppress(ValueError, KeyError):
                data = json.loads(line)
                found.add(data.get("url") or data["document"]["url"])
    return found


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
