"""Posts of threads: found, author, date, superfluous, by site; posts made up elsewhere.

A post is found if its text shares most words with the one that people marked. The
figures of threads are means over sites. On pages of other sets that are no forums, a
page with posts is counted beside its type: comments below an article are posts.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from datetime import date
from typing import Any
from urllib.parse import urljoin, urlsplit

from lab.tables import Table
from scrapy_mainpage import extract
from scrapy_mainpage.extraction.metadata.dates import normalise_date
from scrapy_mainpage.records import Post

from .pages import labelled_rows, measure_others

PAGES = 300
MIN_OVERLAP = 0.6
"""Word F1 from which on two texts are the same post."""

_WORD = re.compile(r"\w+")
_DASH = re.compile(r"(?<=[0-9])-(?=[^\W\d])|(?<=[^\W\d])-(?=[0-9])")
Marked = dict[str, Any]


def run(options: argparse.Namespace) -> list[Table]:
    threads = [*labelled_rows(options.data / "threads")]
    others = measure_others(options.data, options.pages or PAGES, "posts")
    return [*([measure_threads(threads)] if threads else []), others]


def measure_threads(pages: list[tuple[Marked, bytes]]) -> Table:
    """The figures of each site, then those of all."""
    sites: dict[str, Counter[str]] = defaultdict(Counter)
    for row, body in pages:
        counts = count(row["posts"], extract(body, url=row["url"]).posts, row["url"])
        sites[urlsplit(row["url"]).hostname.removeprefix("www.")] += counts
    header = ["site", "posts", "found", "author", "date", "superfluous"]
    whole = sum(sites.values(), Counter())
    table = Table(f"posts of {len(sites)} sites", header, name="posts")
    for site, counts in [*sorted(sites.items()), ("all", whole)]:
        total = counts["posts"]
        shares = (counts["found"] / total, counts["author"] / max(counts["authors"], 1),
                  counts["date"] / max(counts["dates"], 1),
                  counts["more"] / total)  # fmt: skip
        table.rows.append([site, total, *shares])
    return table


def count(marked: list[Marked], posts: tuple[Post, ...], url: str) -> Counter[str]:
    """Posts, those found, their authors and dates, and those that nobody marked."""
    counts: Counter[str] = Counter(posts=len(marked), more=len(posts))
    left = list(posts)
    for truth in marked:
        counts["authors"] += bool(truth["author"])
        counts["dates"] += bool(truth["date"])
        best = max(
            left, key=lambda post: overlap(truth["text"], post.text), default=None
        )
        if best is None or overlap(truth["text"], best.text) < MIN_OVERLAP:
            continue
        left.remove(best)
        counts["found"] += 1
        counts["more"] -= 1
        counts["author"] += is_author(truth["author"], best, url)
        counts["date"] += is_date(truth["date"], best.date)
    return counts


def overlap(one: str, other: str) -> float:
    """The F1 of the words of two texts; of their characters where they have none."""
    a, b = (Counter(_WORD.findall(text.lower()) or list(text)) for text in (one, other))
    return 2 * (a & b).total() / max(a.total() + b.total(), 1)


def is_author(marked: str | None, post: Post, url: str) -> bool:
    """Whether the name or the profile's address is the marked one."""
    if not marked:
        return False
    same = {marked.strip().lower(), urljoin(url, marked).lower()}
    own = {(post.author or "").lower(), (post.author_url or "").lower()} - {""}
    # Relative to the page's base.
    tail = "/" + marked.strip().lower().lstrip("./")
    return bool(same & own) or any(name.endswith(tail) for name in own)


def is_date(marked: str | None, found: str | None) -> bool:
    """Whether *found* is the day that was marked, as far as that can be read."""
    if not marked or not found:
        return False
    text = _DASH.sub(" ", marked.strip())
    read = [normalise_date(text, tag) for tag in (None, "en-us", "en-gb", "de")]
    days = {day[:10] for day in read if day}
    if days:
        # With a zone the day may be another one than the reader's.
        slack = 1 if len(found) > 19 else 0
        return any(_distance(found[:10], day) <= slack for day in days)
    numbers = [int(number) for number in re.findall("[0-9]+", found)]
    return {int(n) for n in re.findall("[0-9]+", marked)[:1]} <= {
        n % 100 for n in numbers
    }


def _distance(one: str, other: str) -> int:
    try:
        return abs((date.fromisoformat(one) - date.fromisoformat(other)).days)
    except ValueError:  # less than a day is known
        return int(one != other)
