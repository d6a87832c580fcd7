"""Titles, authors and dates against what people read on labelled pages.

The set ``metadata`` has publishers, old Chinese pages, and newspapers, whose pages are
in the set ``world-news``. A field is right, wrong, or none where there is one. Dates
may differ by a day: many are written without a time zone. Words of a title and of names
count, in any order for authors; marks and letter case do not.
"""

from __future__ import annotations

import argparse
import gzip
import json
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from scrapy_mainpage import extract

from .tables import Table

FIELDS = ("title", "author", "date")
#: Of the languages of the labels: words that stand beside names.
_BESIDE = re.compile(r"\b(?:and|by|und|et|y|e|von|par|por)\b", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")

Values = Mapping[str, str | None]
Reader = Callable[[bytes, str], Values]


def run(options: argparse.Namespace) -> list[Table]:
    folder = options.data / "metadata"
    if not folder.is_dir():
        return [Table(f"metadata: NOTHING MEASURED, no set {folder}", [""])]
    readers = {"scrapy_mainpage": read_own, "trafilatura": read_trafilatura}
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for group, truth, html in labelled_pages(options.data, options.pages):
        for name, reader in readers.items():
            found = reader(html, truth["url"])
            for field in FIELDS:
                if truth.get(field):
                    verdict = judge(field, truth[field], found.get(field))
                    counts[group, field, name][verdict] += 1
    rows = [
        [group, field, name, count.total(), *shares(count)]
        for (group, field, name), count in sorted(counts.items())
    ]
    head = ["pages", "field", "extractor", "count", "right", "wrong", "none"]
    return [Table("metadata", head, rows, name="evaluation-metadata")]


def shares(count: Counter[str]) -> Iterator[float]:
    for verdict in ("right", "wrong", "none"):
        yield round(count[verdict] / count.total(), 3)


def labelled_pages(
    data: Path, most: int | None = None
) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    """Group, labels and HTML of each page."""
    lines = (data / "metadata" / "pages.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, lines[:most]):
        folder = row.get("in", "metadata")
        group = "newspaper" if "in" in row else row["id"].partition("-")[0]
        with gzip.open(data / folder / "html" / f"{row['id']}.html.gz") as file:
            yield group, row, file.read()


def judge(field: str, truth: str, found: str | None) -> str:
    if not found:
        return "none"
    same = {"title": _is_title, "author": _is_author, "date": _is_date}[field]
    return "right" if same(truth, found) else "wrong"


def _is_title(truth: str, found: str) -> bool:
    return _words(truth) == _words(found)


def _is_author(truth: str, found: str) -> bool:
    return sorted(_words(_BESIDE.sub(" ", truth))) == sorted(
        _words(_BESIDE.sub(" ", found))
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _is_date(truth: str, found: str) -> bool:
    days = _day(truth), _day(found)
    if days[0] is None or days[1] is None:
        return truth == found
    return abs(days[0] - days[1]) <= timedelta(days=1)


@cache
def _day(text: str) -> datetime | None:
    if match := _DAY.match(text):
        return datetime(*map(int, match.groups()))
    import dateparser

    found = dateparser.parse(text, settings={"RETURN_AS_TIMEZONE_AWARE": False})
    return found and datetime(found.year, found.month, found.day)


def read_own(html: bytes, url: str) -> Values:
    page = extract(html, url=url)
    return {
        "title": page.metadata.title,
        "author": page.metadata.author,
        "date": page.metadata.date_published,
    }


def read_trafilatura(html: bytes, url: str) -> Values:
    from trafilatura import extract_metadata

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    found = extract_metadata(html, default_url=url)
    return {
        "title": found.title,
        "author": found.author,
        "date": found.date,
    }
