"""Pages to measure on: samples of labelled sets, or else recorded pages."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab import ROOT
from lab.evaluation.run import readable_sets, sample
from lab.server import Answer
from lab.tables import Table
from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import DataSet, load_sets

DATA = ROOT.parent / "shared" / "data"
TIMED_SET = "wcxb-dev"
RECORDED = ROOT / "lab/zoo/recorded.tar.xz"
#: Types of pages that have no records.
OTHERS = ("article", "documentation", "service")


@dataclass(frozen=True)
class ServedPage:
    """A page as it was served."""

    url: str
    type: str
    body: bytes


def sampled_sets(data: Path, count: int | None) -> list[DataSet]:
    """*count* pages of each set below *data* (or all), the same ones in every run.

    Sets whose labels are of something else than the main content are left out.
    """
    is_set = (data / "pages.jsonl").exists()
    sets = load_sets(data) if is_set else readable_sets(data)
    return sets if count is None else [sample(data_set, count) for data_set in sets]


def served_pages(data: Path, count: int) -> tuple[str, list[ServedPage]]:
    """A description of the pages, and the pages themselves."""
    folder = data / TIMED_SET
    if not (folder / "pages.jsonl").exists():
        pages = recorded_pages(count)
        return f"{len(pages)} RECORDED pages: {folder} is missing", pages
    (data_set,) = sampled_sets(folder, count)
    pages = [ServedPage(page.url, page.type, page.html()) for page in data_set.pages]
    return f"{len(pages)} pages of {TIMED_SET}", pages


def recorded_pages(count: int) -> list[ServedPage]:
    """Pages of real software with made contents, recorded by ``lab.zoo``."""
    pages = []
    with tarfile.open(RECORDED) as archive:
        for entry in archive:
            file = archive.extractfile(entry)
            if entry.name.endswith(".html") and file is not None:
                url = f"https://{entry.name}"
                pages.append(ServedPage(url, "recorded", file.read()))
    return pages[:count]


def labelled_rows(
    folder: Path, most: int | None = None
) -> Iterator[tuple[dict[str, Any], bytes]]:
    """The lines of a set with their pages; none where the set is missing.

    A line may name another set that its page is in.
    """
    file = folder / "pages.jsonl"
    lines = file.read_bytes().splitlines() if file.exists() else []
    for row in map(json.loads, lines[:most]):
        own = folder.parent / row.get("in", folder.name)
        yield row, gzip.decompress((own / "html" / f"{row['id']}.html.gz").read_bytes())


def other_pages(data: Path, pages: int) -> Iterator[tuple[str, str, bytes]]:
    """Type, address and HTML of articles, documentation and services."""
    for data_set in sampled_sets(data / TIMED_SET, pages):
        for page in data_set.pages:
            if page.type in OTHERS:
                yield page.type, page.url, page.html()


def measure_others(data: Path, pages: int, output: str) -> Table:
    """How many pages of each type that have no such *output* get any.

    A product counts with its price: services declare themselves as products without.
    """
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for kind, url, body in other_pages(data, pages):
        found = getattr(extract(body, url=url), output)
        counts[kind][0] += 1
        counts[kind][1] += bool(found and getattr(found, "price", True))
    rows: list[list[Any]] = [[kind, *pair] for kind, pair in sorted(counts.items())]
    header = ["type", "pages", f"with {output}"]
    return Table(f"{output} on pages of other types", header, rows)


class FixedPages:
    """A site of pages by path, as HTML without a charset, for the server of the lab."""

    def __init__(self, pages: Mapping[str, bytes]) -> None:
        self.pages = pages

    def answer(self, path: str, headers: dict[str, str], asked: int) -> Answer:
        """The page of a path."""
        del headers, asked
        body = self.pages.get(path)
        kind = {"Content-Type": "text/html"}
        return Answer(404 if body is None else 200, body or b"", kind)
