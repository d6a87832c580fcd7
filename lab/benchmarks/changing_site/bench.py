"""The state of a benchmark between rounds, its verdicts, a report of each round."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from lab.server import Answer, Server

from .project import Crawled, Project
from .site import REVISION, Page, Site

#: Wanted in place of a revision: the document as it was, whatever that is.
KEPT = "kept"


@dataclass(frozen=True)
class Document:
    """A document of the index: the revision in its text, and when it was written."""

    token: str
    written: str
    passages: int = 0


def read_index(path: Path) -> dict[str, Document]:
    """The documents of an SQLite index by URL; none if there is no index yet."""
    if not path.exists():
        return {}
    query = (
        "SELECT url, search.text, crawled_at, (SELECT count(*) FROM passages "
        "WHERE document = documents.id) FROM documents "
        "JOIN search ON search.rowid = documents.id"
    )
    with closing(sqlite3.connect(path)) as database:
        try:
            rows = database.execute(query).fetchall()
        except sqlite3.OperationalError:  # killed before there was a table
            return {}
    return {
        url: Document(_token(text), written, passages)
        for url, text, written, passages in rows
    }


def _token(text: str) -> str:
    found = REVISION.search(text)
    return found[0] if found else ""


def wanted(site: Site) -> dict[str, str]:
    """The document that each URL should have: its revision, or ``KEPT``."""
    return {
        site.base + page.path: KEPT if page.trouble else page.token
        for page in site.every()
        if site.has_document(page)
    }


@dataclass
class Verdict:
    """URLs by fault, and the numbers of a round."""

    deleted: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    written: int = 0
    changed: int = 0

    @property
    def is_good(self) -> bool:
        return not (self.deleted or self.lost or self.stale)


def compare(
    before: dict[str, Document],
    after: dict[str, Document],
    want: dict[str, str],
    *,
    is_whole: bool = True,
) -> Verdict:
    """Compare an index with what it should hold.

    A crawl that is not *is_whole* may miss changes; it may delete no page of the site.
    """
    verdict = Verdict()
    for url, token in want.items():
        if url not in after and url in before:
            verdict.deleted.append(url)
        elif url not in after and token != KEPT and is_whole:
            verdict.lost.append(url)
        elif url in after and token not in (KEPT, after[url].token) and is_whole:
            verdict.stale.append(url)
        old = before.get(url)
        verdict.changed += token != KEPT and (old is None or old.token != token)
    if is_whole:
        verdict.stale += sorted(after.keys() - want.keys())
    verdict.written = sum(before.get(url) != each for url, each in after.items())
    return verdict


#: The answer of a server with too much to do.
UNAVAILABLE = Answer(503, b"Not now.", {"Retry-After": "1"})


@dataclass
class Report:
    """What became of a round."""

    name: str
    verdict: Verdict
    documents: int
    indexed: int
    cpu: float
    bytes: int
    requests: int
    unchanged: int
    refused: list[str]
    faults: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return self.verdict.is_good and not self.faults


class Bench:
    """Site, server and project; a round changes the site and crawls it."""

    def __init__(self, site: Site, server: Server, folder: Path) -> None:
        self.site, self.server = site, server
        self.folder = folder
        self.project = Project(folder / "project", site.base)
        self._choose = random.Random(site.seed)
        self._begin()

    def _begin(self) -> None:
        self.crawled = Crawled(0, 0.0)
        self.faults: list[str] = []
        #: Whether the crawl of the round reaches the whole site.
        self.is_whole = True
        #: Documents that the round writes without a change of their text, if known.
        self.rewritten: int | None = 0

    def round(self, name: str, act: Callable[[Bench], None]) -> Report:
        """Let a day pass, act, and compare."""
        self._begin()
        self.next_day()
        self.server.reset()
        self.before = self.read()
        act(self)
        after, want = self.read(), wanted(self.site)
        verdict = compare(self.before, after, want, is_whole=self.is_whole)
        is_known = self.is_whole and self.rewritten is not None
        if is_known and verdict.written != verdict.changed + (self.rewritten or 0):
            self.faults.append("other documents are written than have changed")
        server, crawled = self.server, self.crawled
        numbers = (crawled.cpu, server.bytes, server.requests, server.statuses[304])
        counts = (len(want), len(after), *numbers)
        return Report(name, verdict, *counts, crawled.refused, self.faults)

    def read(self) -> dict[str, Document]:
        """The index; the document of a copy stands for that of its original."""
        found = read_index(self.project.index)
        for page in self.site.pages.values():
            if page.copy_of and self.site.base + page.copy_of.path not in found:
                document = found.pop(self.site.base + page.path, None)
                if document:
                    found[self.site.base + page.copy_of.path] = document
        return found

    def next_day(self) -> None:
        self.site.day += 1

    # --- Actions

    def some(self, share: float) -> list[Page]:
        """Pages with a text, chosen at random."""
        texts = self.site.texts()
        count = max(1, round(len(self.site.pages) * share))
        return self._choose.sample(texts, min(count, len(texts)))

    def edit(self, share: float) -> list[Page]:
        """New texts for a share of the pages."""
        pages = self.some(share)
        for page in pages:
            page.edit(self.site.day)
        return pages

    def rebuild(self, shell: int) -> None:
        """Write all pages anew, in another shell."""
        self.site.shell, self.site.shell_day = shell, self.site.day

    def crawl(
        self, *arguments: str, end: Callable[[], bool] | None = None, by: int = 0
    ) -> Crawled:
        """Crawl the site; unexpected ends are faults of the round."""
        self.site.refresh()
        crawled = self.project.crawl(*arguments, end=end, by=by)
        self.crawled += crawled
        if crawled.code and not by:
            self.faults.append(f"exit code {crawled.code}")
        return crawled

    def refusing(self, *arguments: str, level: str = "ERROR") -> None:
        """Crawl; the sweep must be refused, with a line of that level in the log."""
        crawled = self.crawl(*arguments)
        if not crawled.refused:
            self.faults.append("the sweep was not refused")
        elif not crawled.stats.get(f"log_count/{level}"):
            self.faults.append(f"the sweep was refused without {level} in the log")

    def half(self) -> Callable[[], bool]:
        """A condition: half of the site has been requested in this round."""
        half = self.server.requests + len(self.site.pages) // 2
        return lambda: self.server.requests >= half

    def trouble(self, pages: Iterable[Page], answer: Answer) -> list[Page]:
        """Let pages answer something else until :meth:`calm`."""
        troubled = list(pages)
        for page in troubled:
            page.trouble = answer
        return troubled

    def calm(self) -> None:
        """End all passing troubles."""
        site = self.site
        site.robots = site.sitemap = site.everything = None
        for page in site.every():
            page.trouble = None

    # --- Index and state

    def sql(self, script: str) -> None:
        """Change the index behind the back of the crawls."""
        with closing(sqlite3.connect(self.project.index)) as database:
            database.executescript(script)

    def save_index(self) -> None:
        """Keep a copy of the index."""
        with (
            closing(sqlite3.connect(self.project.index)) as index,
            closing(sqlite3.connect(self.folder / "older.db")) as copy,
        ):
            index.backup(copy)

    def restore_index(self) -> None:
        """Put the copy in place of the index."""
        for file in self.project.folder.glob("site.db*"):
            file.unlink()
        shutil.copy(self.folder / "older.db", self.project.index)
        self.before = self.read()

    def lose_state(self) -> None:
        for file in self.project.state_files():
            file.unlink()

    def new_section(self, name: str, records: range) -> None:
        """Add a hub with pages."""
        path = f"/{name}/"
        self.site.hubs[path] = Page(path, 2_000_000 + len(self.site.hubs), path)
        for record in records:
            self.site.add(record, path)

    def section(self, number: int) -> tuple[Page, list[Page]]:
        """The hub and the pages of a section."""
        hubs = list(self.site.hubs.values())
        hub = hubs[number % len(hubs)]
        pages = self.site.pages.values()
        return hub, [page for page in pages if page.section == hub.path]

    @property
    def next_record(self) -> int:
        """A record number that no page has."""
        return 1 + max(page.record for page in self.site.pages.values())
