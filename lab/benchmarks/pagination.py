"""The other pages of a listing: next, previous and all links, against people's labels.

The addresses of the set ``pagination`` are by people; a label that no program can
follow (``javascript:``) counts as one that is missed. "Pages" are all three labels
together. On pages of other sets a next page is counted by the type of the page.
autopager, if it is installed, was trained on these very pages: its figures are no
measurement of pages that it does not know.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np

from scrapy_mainpage import extract
from scrapy_mainpage.records import Pagination

from .pages import labelled_rows, measure_others
from .tables import Table

PAGES = 300
Finder = Callable[[bytes, str], Pagination]


def run(options: argparse.Namespace) -> list[Table]:
    pages = [*labelled_rows(options.data / "pagination")]
    others = measure_others(options.data, options.pages or PAGES, "next_page")
    return [*([measure_labelled(pages)] if pages else []), others]


def measure_labelled(pages: list[tuple[dict[str, Any], bytes]]) -> Table:
    """Shares that are right where there is one, and made up where there is none."""
    header = ["", "next", "made up", "previous", "made up ", "pages P", "pages R", "ms"]
    table = Table("pagination, 100 labelled pages", header, name="pagination")
    for name, find in finders().items():
        counts: Counter[str] = Counter()
        seconds = []
        for row, body in pages:
            found, time = find(body, row["url"]), Clock.last
            seconds.append(time)
            count(row, found, counts)
        table.rows.append([name, *figures(counts), float(np.median(seconds)) * 1000])
    return table


class Clock:
    """The time of the last search, without that of the extraction before it."""

    last = 0.0


def finders() -> dict[str, Finder]:
    """The ways to find pages by name: ours, and that of autopager if there is one."""
    found: dict[str, Finder] = {"ours": find_ours}
    try:
        import autopager
    except ImportError:
        return found

    def find_autopager(body: bytes, url: str) -> Pagination:
        begin = perf_counter()
        links: dict[str, list[str]] = defaultdict(list)
        for kind, link in autopager.extract(body.decode("utf-8", "replace")):
            links[kind].append(autopager.urljoin(url, link.attrib.get("href", "")))
        Clock.last = perf_counter() - begin
        first = {kind: urls[0] for kind, urls in links.items()}
        every = [url for urls in links.values() for url in urls]
        return Pagination(first.get("NEXT"), first.get("PREV"), tuple(every))

    return found | {"autopager (knows the pages)": find_autopager}


def find_ours(body: bytes, url: str) -> Pagination:
    page = extract(body, url=url, encoding="utf-8")
    begin = perf_counter()
    found = Pagination(page.next_page, page.previous_page, page.page_links)
    Clock.last = perf_counter() - begin
    return found


def count(row: dict[str, Any], found: Pagination, counts: Counter[str]) -> None:
    """Add what was *found* on a labelled page to the *counts*."""
    pairs = {"next": found.next_page, "previous": found.previous_page}
    for key, url in pairs.items():
        labelled = row[key]
        counts[f"{key} {'there' if labelled else 'none'}"] += 1
        counts[f"{key} right"] += bool(labelled) and comparable(url) in set(
            map(comparable, labelled)
        )
        counts[f"{key} made up"] += not labelled and url is not None
    own = {comparable(row["url"])}
    true = distinct([*row["next"], *row["previous"], *row["pages"]]) - own
    links = distinct(found.page_links) - own
    counts["pages true"] += len(true)
    counts["pages found"] += len(links)
    counts["pages right"] += len(true & links)


def figures(counts: Counter[str]) -> list[float]:
    """The figures of a row of the table."""
    ways = [
        counts[f"{key} {part}"] / max(counts[f"{key} {of}"], 1)
        for key in ("next", "previous")
        for part, of in (("right", "there"), ("made up", "none"))
    ]
    right = counts["pages right"]
    return [
        *ways,
        right / max(counts["pages found"], 1),
        right / max(counts["pages true"], 1),
    ]


def distinct(urls: Iterable[str]) -> set[str | None]:
    return {comparable(url) for url in urls if not url.startswith("javascript")}


def comparable(url: str | None) -> str | None:
    """An address without scheme, fragment and percent-encoding."""
    if url is None:
        return None
    parts = urlsplit(url)
    return unquote(f"{parts.netloc}{parts.path or '/'}?{parts.query}")
