"""Pages to measure on: samples of labelled sets, or generated where none are found."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab import ROOT
from lab.evaluation.run import sample
from lab.server import Answer
from scrapy_mainpage import extract
from scrapy_mainpage.evaluation.datasets import DataSet, DataSetError, load_sets

from .tables import Table

DATA = ROOT.parent / "shared" / "data"
TIMED_SET = "wcxb-dev"
#: Types of pages that have no records.
OTHERS = ("article", "documentation", "service")
#: Upper bounds of the size classes, in kB.
SIZES = (50, 100, 200, 500, 1000)
WORDS = (
    "the a of to and in is it owl river stone light winter garden house paper bread "
    "morning under between small every quiet written measured"
).split()
BODY = re.compile(rb"(?is)(<body\b[^>]*>)(.*)(</body>)")
REPEATED_BYTES = 100_000


@dataclass(frozen=True)
class ServedPage:
    """A page as it was served."""

    url: str
    type: str
    body: bytes

    @property
    def size(self) -> str:
        """Its class by size."""
        kilobytes = len(self.body) / 1000
        for k, bound in enumerate(SIZES):
            if kilobytes < bound:
                return f"{SIZES[k - 1]} to {bound} kB" if k else f"below {bound} kB"
        return f"from {SIZES[-1]} kB"


def sampled_sets(data: Path, count: int | None) -> list[DataSet]:
    """*count* pages of each set below *data* (or all), the same ones in every run."""
    try:
        sets = load_sets(data)
    except DataSetError:
        return []
    return sets if count is None else [sample(data_set, count) for data_set in sets]


def served_pages(data: Path, count: int) -> tuple[str, list[ServedPage]]:
    """A description of the pages, and the pages themselves."""
    folder = data / TIMED_SET
    if not (folder / "pages.jsonl").exists():
        bodies = [generated(50 + 7 * k, seed=k).encode() for k in range(count)]
        pages = [
            ServedPage(f"http://example.com/{k}", "generated", body)
            for k, body in enumerate(bodies)
        ]
        return f"{count} GENERATED pages: {folder} is missing", pages
    (data_set,) = sampled_sets(folder, count)
    pages = [ServedPage(page.url, page.type, page.html()) for page in data_set.pages]
    return f"{len(pages)} pages of {TIMED_SET}", pages


def generated(paragraphs: int, seed: int = 0) -> str:
    """A page with navigation, text with markup, lists and a footer."""
    choose = random.Random(seed)
    body = "".join(_section(choose, k) for k in range(paragraphs))
    links = "".join(f'<li class="item"><a href="/{w}">{w}</a></li>' for w in WORDS)
    return (
        "<!DOCTYPE html><html lang=en><head><title>Generated</title></head><body>"
        f'<nav id="top"><ul>{links}</ul></nav><main class="content">{body}</main>'
        f'<footer class="site-footer"><ul>{links}</ul></footer></body></html>'
    )


def _section(choose: random.Random, number: int) -> str:
    text = " ".join(choose.choices(WORDS, k=choose.randrange(5, 60)))
    if number % 10 == 0:
        return f'<h2 id="s{number}">{text[:40]}</h2>'
    if number % 7 == 0:
        return f'<div class="card c{number}"><a href="/{number}">{text[:60]}</a></div>'
    return f'<p class="text">{text}, <b>{text[:20]}</b>. <a href="/x">More</a>.</p>\n'


def generated_page(size: int) -> bytes:
    """About *size* bytes of paragraphs, lists and headings; ASCII."""
    frame = len(generated(0))
    paragraph = (len(generated(1_000)) - frame) / 1_000
    return generated(round((size - frame) / paragraph)).encode()


def repeated_page(data: Path) -> Callable[[int], bytes]:
    """A function from a size in bytes to a real page's body, repeated to that size.

    The page is, of the ten whose bodies are nearest to 100 kB, the one with the most
    paragraphs.
    """
    bodies = [page.body for page in served_pages(data, 200)[1]]
    bodies.sort(key=lambda each: abs(len(_split_body(each)[1]) - REPEATED_BYTES))
    page = max(bodies[:10], key=lambda each: each.count(b"<p"))
    before, body, after = _split_body(page)

    def repeat(size: int) -> bytes:
        return before + body * max(1, round(size / max(1, len(body)))) + after

    return repeat


def _split_body(page: bytes) -> tuple[bytes, bytes, bytes]:
    """The bytes before the body's content, the content, and those after it."""
    match = BODY.search(page)
    if match is None:
        return b"", page, b""
    return page[: match.start(2)], match[2], page[match.end(2) :]


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
