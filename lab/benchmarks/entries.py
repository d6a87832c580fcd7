"""Entries of listings: found, with name, date and address; made up on other pages.

The set ``listings`` has lists of decisions, whose addresses, names and days scrapers
give, and pages whose records people marked: an entry is found if it leads to a
decision, or to where a link in a record leads.

Sets of made pages (``python -m lab.zoo``) say in ``entries`` which links lead to the
entries of a listing. An entry is found if its address is that of such a link, and its
name is the link's text, punctuation apart, or most of it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from lxml import html as lxml_html

from lab.tables import Table
from scrapy_mainpage import extract
from scrapy_mainpage.records import Entry

from .pages import labelled_rows, measure_others
from .posts import overlap

PAGES = 300
MIN_ALIKE = 0.6
"""Share of the longer of two names that the shorter one has, if it is inside."""

_OTHER = re.compile(r"[\W_]+")
Names = dict[str, str]


def run(options: argparse.Namespace) -> list[Table]:
    made = [*made_pages(options.data)]
    tables = [measure_made(made)] if made else []
    marked = [*labelled_rows(options.data / "listings")]
    tables += [measure_marked(marked)] if marked else []
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


class Marked:
    """What the entries of a page are: the truth of each by its place."""

    def __init__(self, row: dict[str, Any], body: bytes) -> None:
        self.entries: list[dict[str, Any]] = row.get("entries", [])
        self.ends = [ending(each["url_end"]) for each in self.entries]
        self.targets = targets_of(row, body) if "records" in row else {}
        places = {k for found in self.targets.values() for k in found}
        self.count = len(self.entries) or len(places)

    def match(self, url: str | None) -> set[int]:
        """The places of the entries whose address this may be."""
        own = ending(url or "")
        found = {k for k, end in enumerate(self.ends) if end and own.endswith(end)}
        return found | self.targets.get(own, set())

    def pair(self, found: Sequence[Entry]) -> list[tuple[int, Entry]]:
        """The entries that are right, each with its place."""
        pairs: dict[int, Entry] = {}
        for entry in found:
            for place in sorted(self.match(entry.url) - pairs.keys())[:1]:
                pairs[place] = entry
        return [*pairs.items()]


def ending(url: str) -> str:
    return unquote(urldefrag(url).url).lower().rstrip("/")


def targets_of(row: dict[str, Any], body: bytes) -> dict[str, set[int]]:
    """The records with links to each address."""
    tree = lxml_html.document_fromstring(body)
    base = urljoin(row["url"], next(iter(tree.xpath("//base/@href")), ""))
    found: dict[str, set[int]] = {}
    for place, record in enumerate(row["records"]):
        for element in (each for path in record for each in tree.xpath(path)):
            for link in element.xpath(
                "descendant-or-self::a/@href | ancestor::a/@href"
            ):
                with suppress(ValueError):
                    url = ending(urljoin(base, link.strip()))
                    found.setdefault(url, set()).add(place)
    return found


def measure_marked(pages: Sequence[tuple[dict[str, Any], bytes]]) -> Table:
    """F1 of entries; of those that are right the shares of names and days."""
    sums: dict[str, Counter[str]] = {}
    for row, body in pages:
        marked, own = Marked(row, body), Counter[str](pages=1)
        found = extract(body, url=row["url"]).entries
        pairs = marked.pair(found)
        own["f1"] = 2 * len(pairs) / max(marked.count + len(found), 1)  # type: ignore[assignment]
        for place, entry in pairs if marked.entries else ():
            truth = marked.entries[place]
            own["named"] += overlap(entry.name or "", truth["name"]) >= MIN_ALIKE
            own["dated"] += (entry.date or "")[:10] == truth["date"]
        own["true"] = marked.count
        sums.setdefault(row["id"].partition("-")[0], Counter()).update(own)
    header = ["set", "pages", "F1", "name", "date"]
    table = Table("entries of listings", header)
    for name, own in sums.items():
        shares = (own[each] / max(own["true"], 1) for each in ("named", "dated"))
        table.rows.append([name, own["pages"], own["f1"] / own["pages"], *shares])
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
