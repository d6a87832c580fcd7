"""Titles, authors and dates against what people read on labelled pages.

The set ``metadata`` has publishers, old Chinese pages, and newspapers, whose pages are
in the set ``world-news``. A field is right, wrong, or none where there is one. Dates
may differ by a day: many are written without a time zone. Words of a title and of names
count, in any order for authors; marks and letter case do not.
"""

from __future__ import annotations

import argparse
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lab.tables import Table
from scrapy_mainpage import extract

from .pages import labelled_rows

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
    readers = {
        "scrapy_mainpage": read_own,
        "trafilatura": read_trafilatura,
        "newspaper4k": read_newspaper,
        "extruct": read_extruct,
        "htmldate": read_htmldate,
    }
    readers = {
        name: read
        for name, read in readers.items()
        if find_spec(name.removesuffix("4k"))
    }
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
        if name != "htmldate" or field == "date"
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
    for row, body in labelled_rows(data / "metadata", most):
        yield "newspaper" if "in" in row else row["id"].partition("-")[0], row, body


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


def read_newspaper(html: bytes, url: str) -> Values:
    """Nothing in languages for which it needs another package."""
    from newspaper import Article

    article = Article(url, fetch_images=False)
    article.download(input_html=html.decode("utf-8", "replace"))
    try:
        article.parse()
    except ImportError:
        return {}
    day = article.publish_date
    return {
        "title": article.title,
        "author": ", ".join(article.authors) or None,
        "date": day.isoformat() if day else None,
    }


def read_htmldate(html: bytes, url: str) -> Values:
    from htmldate import find_date

    return {"date": find_date(html, url=url, original_date=True)}


def read_extruct(html: bytes, url: str) -> Values:
    """The first node with a headline of JSON-LD and microdata, then Open Graph."""
    import extruct

    found = extruct.extract(
        html.decode("utf-8", "replace"), url, errors="ignore", uniform=True,
        syntaxes=["json-ld", "microdata", "opengraph"],
    )  # fmt: skip
    nodes = [node for each in ("json-ld", "microdata") for node in found.get(each, ())]
    own = next((node for node in _flat(nodes) if node.get("headline")), {})
    graph = next(iter(found.get("opengraph", ())), {})
    authors = own.get("author") or ()
    authors = authors if isinstance(authors, list) else [authors]
    names = [each.get("name") if isinstance(each, dict) else each for each in authors]
    return {
        "title": own.get("headline") or graph.get("og:title"),
        "author": ", ".join(name for name in names if isinstance(name, str)) or None,
        "date": own.get("datePublished") or graph.get("article:published_time"),
    }


def _flat(nodes: list[Any]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        if isinstance(node, dict):
            yield node
            yield from _flat(node.get("@graph") or [])
