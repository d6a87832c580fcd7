"""Entries of listings: found, with name and address; made up on pages of other types.

Sets of made pages (``python -m lab.zoo``) say in ``entries`` which links lead to the
entries of a listing. An entry is found if its address is that of such a link, and its
name is the link's text, punctuation apart, or most of it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

from lxml import html as lxml_html

from scrapy_mainpage import extract
from scrapy_mainpage.records import Entry

from .pages import labelled_rows, measure_others
from .tables import Table

PAGES = 300
MIN_ALIKE = 0.6
"""Share of the longer of two names that the shorter one has, if it is inside."""

_OTHER = re.compile(r"[\W_]+")
Names = dict[str, str]


def run(options: argparse.Namespace) -> list[Table]:
    made = [*made_pages(options.data)]
    tables = [measure_made(made)] if made else []
    return [*tables, measure_others(options.data, options.pages or PAGES, "entries")]


def made_pages(data: Path) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The pages below *data* whose line says what their entries are."""
    for file in sorted(data.glob("*/pages.jsonl")):
        yield from (
            (row, body)
            for row, body in labelled_rows(file.parent)
            if isinstance(row.get("entries"), str) and row["entries"]
        )


def measure_made(pages: Sequence[tuple[dict[str, Any], bytes]]) -> Table:
    """Precision and recall of the listings of each software."""
    header = ["software", "pages", "entries", "precision", "recall"]
    table = Table("entries of made listings", header)
    counts: dict[str, Counter[str]] = {}
    for row, body in pages:
        found = extract(body, url=row["url"]).entries
        own = count(true_entries(row, body), found)
        counts.setdefault(row["software"], Counter()).update(own)
    whole = sum(counts.values(), Counter())
    for software, own in [*sorted(counts.items()), ("all", whole)]:
        precision = own["right"] / max(own["found"], 1)
        recall = own["right"] / max(own["true"], 1)
        table.rows.append([software, own["pages"], own["true"], precision, recall])
    return table


def true_entries(row: dict[str, Any], body: bytes) -> Names:
    """The name of each entry by its address."""
    parser = lxml_html.HTMLParser(encoding="utf-8")
    tree = lxml_html.document_fromstring(body, parser=parser)
    links = tree.xpath(row["entries"])
    return {
        urldefrag(urljoin(row["url"], link.get("href"))).url: link.text_content()
        for link in links
    }


def count(true: Names, found: tuple[Entry, ...]) -> Counter[str]:
    right = sum(
        entry.url in true and is_named(entry.name or "", true[entry.url])
        for entry in found
    )
    return Counter(pages=1, true=len(true), found=len(found), right=right)


def is_named(found: str, true: str) -> bool:
    """Whether two names are the same, or one is most of the other."""
    short, long = sorted(
        (_OTHER.sub("", each).lower() for each in (found, true)), key=len
    )
    return bool(short) and short in long and len(short) >= MIN_ALIKE * len(long)
