"""The other pages of a listing: next, previous and all links, against people's labels.

The addresses of the set ``pagination`` are by people; a label that no program can
follow (``javascript:``) counts as one that is missed. "Pages" are all three labels
together. On pages of other sets a next page is counted by the type of the page.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

from lab.tables import Table
from scrapy_mainpage import extract
from scrapy_mainpage.records import Pagination

from .pages import labelled_rows, measure_others

PAGES = 300


def run(options: argparse.Namespace) -> list[Table]:
    pages = [*labelled_rows(options.data / "pagination")]
    others = measure_others(options.data, options.pages or PAGES, "next_page")
    return [*([measure_labelled(pages)] if pages else []), others]


def measure_labelled(pages: list[tuple[dict[str, Any], bytes]]) -> Table:
    """Shares that are right where there is one, and made up where there is none."""
    header = ["", "next", "made up", "previous", "made up ", "pages P", "pages R"]
    table = Table("pagination, 100 labelled pages", header, name="pagination")
    counts: Counter[str] = Counter()
    for row, body in pages:
        page = extract(body, url=row["url"], encoding="utf-8")
        found = Pagination(page.next_page, page.previous_page, page.page_links)
        count(row, found, counts)
    table.rows.append(["ours", *figures(counts)])
    return table


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
