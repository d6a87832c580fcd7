"""Comparison of an index with the site: deleted wrongly, lost, stale, written."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from scrapy_mainpage.indexes.sqlite.storage import unpack

from .site import REVISION, Site

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
        "SELECT url, documents.words, crawled_at, (SELECT count(*) FROM passages "
        "WHERE document = documents.id) FROM documents "
        "JOIN search ON search.rowid = documents.id"
    )
    with closing(sqlite3.connect(path)) as database:
        try:
            rows = database.execute(query).fetchall()
        except sqlite3.OperationalError:  # killed before there was a table
            return {}
    return {
        url: Document(_token(" ".join(unpack(words))), written, passages)
        for url, words, written, passages in rows
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
