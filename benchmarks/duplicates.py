"""Near-duplicates of the main text: precision and recall, by kind of copy."""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path

from scrapy_mainpage.duplicates.entry import Entry
from scrapy_mainpage.duplicates.fingerprint import Fingerprint
from scrapy_mainpage.duplicates.store import LocalStore
from scrapy_mainpage.evaluation.datasets import DataSetError

from .copies import Sample, half_of, originals, with_copies
from .tables import Table

COUNT = 2000  # pages, half of them copies
THRESHOLDS = (0.75, 0.8, 0.82, 0.85, 0.9)
KINDS = ("exact", "re-templated", "edited")
HALVES = ("tuned with", "reported on")
REMEMBERED = 100_000


def run(options: argparse.Namespace) -> list[Table]:
    return [quality(options.data)]


def quality(data: Path) -> Table:
    """Precision and recall, on one half of the sites and on the other."""
    header = ["sites", "threshold", "pages", "precision", "recall", *KINDS]
    table = Table("copies of pages: precision, recall, and recall by kind", header)
    try:
        pages = originals(data)
    except DataSetError:
        table.title += f": NOTHING MEASURED, no set in {data}"
        return table
    for half, name in enumerate(HALVES):
        ours = [page for page in pages if half_of(page.site) == half]
        samples = with_copies(ours, COUNT)
        for threshold in THRESHOLDS:
            table.rows.append(
                [name, threshold, len(samples), *scores(samples, threshold)]
            )
    return table


def scores(samples: list[Sample], threshold: float) -> list[float]:
    """Precision, recall, and the recall of each kind of copy.

    A page is a copy if one of its group came before it; the kind of a pair is that of
    the copy, also where the copy came first and the original is dropped.
    """
    kinds = {s.group: s.kind for s in samples if s.kind != "original"}
    seen: set[int] = set()
    found: Counter[str] = Counter()
    copies: Counter[str] = Counter()
    wrong = 0
    for sample, dropped in zip(samples, dropped_pages(samples, threshold), strict=True):
        if sample.group in seen:
            copies[kinds[sample.group]] += 1
            found[kinds[sample.group]] += dropped
        else:
            wrong += dropped
        seen.add(sample.group)
    right = found.total()
    by_kind = [found[kind] / max(1, copies[kind]) for kind in KINDS]
    return [right / max(1, right + wrong), right / max(1, copies.total()), *by_kind]


def dropped_pages(samples: list[Sample], threshold: float) -> list[bool]:
    """Whether each page is dropped as a copy."""
    store = LocalStore(REMEMBERED)

    async def is_dropped(sample: Sample) -> bool:
        made = Fingerprint.of(sample.text, f"{sample.title} {sample.url}")
        if made is None:
            return False
        entry = Entry.of(made, sample.url)
        if (await store.find(entry, threshold)).matches:
            return True
        await store.remember(entry)
        return False

    async def all_of() -> list[bool]:
        return [await is_dropped(sample) for sample in samples]

    return asyncio.run(all_of())
