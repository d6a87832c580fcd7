"""Whole crawls of documentation that Debian packages install, with each algorithm."""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from scrapy_mainpage.indexes import open_index

from .crawling import Crawl, indexed_texts, serve, uncaught
from .stages import static_algorithms
from .tables import Table

DOC = Path("/usr/share/doc")


@dataclass(frozen=True)
class Documentation:
    """A package's site: which lines are navigation; a query, and the page it wants."""

    package: str
    folder: Path
    navigation: str
    query: str
    answer: str


SITES = (
    Documentation(
        "postgresql-doc-15",
        DOC / "postgresql-doc-15/html",
        r"(Prev|Up|Home|Next)\b.*\b(Home|Next)|Prev|Up|Home|Next",
        "create index concurrently",
        "/sql-createindex.html",
    ),
    Documentation(
        "python-django-doc",
        DOC / "python-django-doc/html",
        r"« previous\b.*|Table of Contents|Previous topic|Next topic|This Page"
        r"|Home\b.*\bModules",
        "per-view cache",
        "/topics/cache.html",
    ),
)
HEADER = [
    "", "served", "extracted", "failed", "errors", "indexed", "with navigation",
    "rank of answer", "seconds", "pages/s", "ms/page", "words kept",
]  # fmt: skip


def run(options: argparse.Namespace) -> list[Table]:
    return [measure(site) for site in SITES]


def measure(documentation: Documentation) -> Table:
    folder = documentation.folder
    if not folder.exists():
        package = documentation.package
        return Table(f"NOTHING MEASURED: install the Debian package {package}", [""])
    pages = {
        f"/{path.relative_to(folder).as_posix()}": path.read_bytes()
        for path in sorted(folder.rglob("*.html"))
    }
    table = Table(f"crawl of {documentation.package}, {len(pages)} pages", HEADER)
    for name, options in variants():
        label = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
        table.rows.append([label, *crawled(documentation, pages, name, options)])
    return table


def variants() -> list[tuple[str, dict[str, bool]]]:
    """The algorithms with their defaults, and danag as the example project has it."""
    return [("danag", {"whole_area": False}), *((n, {}) for n in static_algorithms())]


def crawled(
    site: Documentation, pages: dict[str, bytes], name: str, options: dict[str, bool]
) -> list[object]:
    settings = {
        "MAINPAGE_ALGORITHM": name,
        "MAINPAGE_ALGORITHM_OPTIONS": json.dumps(options),
    }
    with serve(pages) as server, tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        crawl = Crawl(Path(folder), "crawl", f"{server.url}/index.html", settings)
        crawl.end()
        seconds = time.perf_counter() - started
        texts = [text for _, text in indexed_texts(Path(folder))]
        rank = rank_of(f"{folder}/site.db", site.query, server.url + site.answer)
        stats, errors = crawl.stats, uncaught(crawl)
    extracted = int(stats.get("mainpage/extracted", 0))
    line = re.compile(rf"^({site.navigation})$", re.MULTILINE)
    kept, dropped = (stats.get(f"mainpage/words_{x}", 0) for x in ("kept", "dropped"))
    return [
        len(pages),
        extracted,
        sum(n.startswith("mainpage/failed") for n in stats),
        errors,
        len(texts),
        sum(line.search(text) is not None for text in texts),
        rank,
        seconds,
        extracted / seconds,
        1000 * stats.get("mainpage/time", 0) / max(1, extracted),
        kept / max(1, kept + dropped),
    ]


def rank_of(path: str, query: str, url: str) -> int | str:
    """At which place a search finds the URL."""
    with open_index(f"sqlite:///{path}", read_only=True) as index:
        urls = [hit.url for hit in index.search(query, limit=100)]
    return urls.index(url) + 1 if url in urls else "-"
