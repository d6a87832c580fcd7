"""Verification: what the index holds, and pages served against their outcomes."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_mainpage.indexes.outbox import FILE

from .crawl import ACCEPTED, DROPPED, FAILED, REACHED, key_of
from .site import LISTED, Outcome

if TYPE_CHECKING:
    from .runs import Crawl
    from .site import Site


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


Answered = Mapping[str, Counter[int]]
COPIES = {"ExactDuplicate", "NearDuplicate"}


@dataclass
class Verdict:
    """Figures, and faulty pages by fault."""

    figures: dict[str, object]
    wrong: dict[str, list[str]] = field(default_factory=dict)

    def __or__(self, other: Verdict) -> Verdict:
        return Verdict(self.figures | other.figures, self.wrong | other.wrong)


def verify(crawl: Crawl, answered: Answered) -> Verdict:
    """Compare the server's record, the crawl's, and the index."""
    found = Found.of(crawl.folder)
    by_kind, outcomes = crawl.pages, crawl.outcomes.keys()
    served = {"/".join(path.split("/")[1:3]) for path in answered}
    wrong = {
        "never asked for": sorted(_everything(crawl.site) - served),
        "answered, and nothing became of it": sorted(served - outcomes),
        "reached the extraction, and nothing became of it": sorted(
            by_kind[REACHED] - outcomes
        ),
        "accepted, and in no index": sorted(by_kind[ACCEPTED] - found.keys),
        "lost at a signal": [key for stop in crawl.stops for key in stop.lost],
        "failed": sorted(by_kind[FAILED]),
        "asked for twice without a SIGKILL": _repeated(crawl, answered),
        **_of_index(crawl, found),
    }
    return Verdict(_figures(crawl, answered, found), wrong)


def verify_again(crawl: Crawl) -> Verdict:
    """Compare the second edition of the site and the index after its crawl.

    An unchanged page has no outcome of its own: neither callback nor pipelines see it.
    """
    found = Found.of(crawl.folder)
    edited = {f"p/{n}" for n in range(crawl.site.count) if crawl.site.is_edited(n)}
    current = {key_of(url) for url, title in found.titles.items() if "edition" in title}
    wrong = {"failed": sorted(crawl.pages[FAILED]), **_of_index(crawl, found)}
    wrong["stale"] = sorted(edited ^ current)
    figures = {"edited": len(edited), "extracted": len(crawl.pages[REACHED])}
    figures["indexed"] = len(found.indexed)
    named = {f"second crawl: {name}": number for name, number in figures.items()}
    return Verdict(named, {f"second crawl: {name}": k for name, k in wrong.items()})


def _of_index(crawl: Crawl, found: Found) -> dict[str, list[str]]:
    """Faulty documents, and what did not get that far."""
    return {
        "left in the outbox": sorted(found.on_their_way),
        "dead letters": sorted(found.dead),
        "indexed twice": sorted(k for k, n in found.indexed_keys.items() if n > 1),
        "the index is not sound": [] if is_sound(crawl.folder) else ["site.db"],
        **_against_truth(crawl.site, found),
    }


def _everything(site: Site) -> set[str]:
    listings = range((site.count + LISTED - 1) // LISTED)
    pages = {f"p/{number}" for number in range(site.count)}
    return pages | {f"list/{number}" for number in listings}


def _repeated(crawl: Crawl, answered: Answered) -> list[str]:
    """Paths requested again after a good answer, though nothing was killed."""
    if any(stop.signal == "SIGKILL" for stop in crawl.stops):
        return []
    again = [path for path, counts in answered.items() if counts[200] > 1]
    # Incomplete answers are requested again.
    return sorted(path for path in again if not _is_cut_short(crawl.site, path))


def _is_cut_short(site: Site, path: str) -> bool:
    name, number = path.split("/")[1:3]
    return name == "p" and site.kind(int(number)) == "cut_short"


def _against_truth(site: Site, found: Found) -> dict[str, list[str]]:
    """Pages missing from the index, and pages that should not be in it."""
    indexed = found.indexed_keys
    copies: defaultdict[int, list[int]] = defaultdict(list)
    missing, unwanted = [], []
    for number in range(site.count):
        expected = site.outcome(number)
        if expected is Outcome.ONE_OF_COPIES:
            copies[site.original(number)].append(number)
        elif expected is Outcome.INDEXED and f"p/{number}" not in indexed:
            missing.append(f"p/{number} ({site.kind(number)})")
        elif expected is Outcome.NONE and f"p/{number}" in indexed:
            unwanted.append(f"p/{number} ({site.kind(number)})")
    twice = []
    for original, group in copies.items():
        exact = [n for n in group if site.kind(n) != "near_copy"]
        if not any(f"p/{n}" in indexed for n in group):
            missing.append(f"p/{original} ({len(group)} copies)")
        if sum(f"p/{n}" in indexed for n in exact) > 1:
            twice.append(f"p/{original}")
    return {
        "should be indexed, and is not": missing,
        "should not be indexed, and is": unwanted,
        "indexed, and a copy of it, too": twice,
    }


def _figures(crawl: Crawl, answered: Answered, found: Found) -> dict[str, object]:
    last = crawl.outcomes
    dropped = Counter(
        why.partition(":")[0] for kind, why in last.values() if kind == DROPPED
    )
    statuses: Counter[int] = Counter()
    for counts in answered.values():
        statuses.update(counts)
    kills = [stop for stop in crawl.stops if stop.signal == "SIGKILL"]
    return {
        "pages and listings": len(_everything(crawl.site)),
        "answers": sum(statuses.values()),
        "answers that were pages": statuses[200],
        "answers again": sum(
            max(0, counts[200] - 1) for counts in answered.values()
        ),
        "indexed": len(found.indexed),
        "dropped as copies": sum(dropped[name] for name in COPIES),
        "dropped as boilerplate": sum(
            count for name, count in dropped.items() if name not in COPIES
        ),
        "without a page": sum(kind not in (ACCEPTED, DROPPED) for kind, _ in
                              last.values()),
        "stops by SIGTERM": len(crawl.stops) - len(kills),
        "stops by SIGKILL": len(kills),
    }  # fmt: skip
