"""What each family of features of the learned default is worth, beside what it costs.

Worth: the word F1 that is lost, cross-validated by site, when both forests are trained
without it. Families share what they tell, so the losses do not add up. Cost: what the
family adds to the time of the features. The systems' signals stay in any case: the
default is to use all of them.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import thread_time_ns

import numpy as np
import numpy.typing as npt

from lab.training.forest import cross_validate, weigh_sets
from lab.training.training_pages import TrainingPage, page_f1, read_page
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.learned.features import (
    FAMILIES,
    FEATURE_NAMES,
    compute,
)
from scrapy_mainpage.extraction.learned.learned import load_forest

from .pages import sampled_sets
from .tables import Table

PAGES = 150
FOLDS = 3
ROUNDS = 9
MIN_COST = 1.0
"""Microseconds; what costs less is free."""

F1s = npt.NDArray[np.float64]


def run(options: argparse.Namespace) -> list[Table]:
    pages = read_pages(options)
    if not pages:
        return [Table(f"families: NOTHING MEASURED, no pages in {options.data}", [""])]
    what = f"{len(pages)} pages of {len({page.set_name for page in pages})} sets"
    table = Table(
        f"families of features, {what}, {FOLDS} folds by site",
        ["without", "features", "microseconds a page", "F1 lost in 1/1000", "+-",
         "1/1000 a 10 microseconds"],
        name="speed-families",
    )  # fmt: skip
    costs = time_families([page.document for page in pages])
    whole = measure(pages)
    for name, size in [*((k, len(v)) for k, v in FAMILIES.items()), ("markup", 1)]:
        with left_out(pages, name):
            loss = 1000 * set_mean(pages, whole - (f1 := measure(pages)))
            error = 1000 * standard_error(pages, whole - f1)
        cost = max(costs[name] / 1000, 0.0)  # a difference: of small ones noise is left
        is_worth = loss > error and cost >= MIN_COST
        worth: float | str = 10 * loss / cost if is_worth else ""
        table.rows.append([name, size, cost, loss, error, worth])
        print(*table.rows[-1], flush=True)
    return [table]


def read_pages(options: argparse.Namespace) -> list[TrainingPage]:
    """The pages with a gold text; the same number of each set."""
    pages = [
        read
        for data_set in sampled_sets(options.data, options.pages or PAGES)
        for page in data_set.pages
        if page.text is not None and (read := read_page(data_set.name, page))
    ]
    weigh_sets(pages)
    return pages


def measure(pages: Sequence[TrainingPage]) -> F1s:
    """The word F1 of each page by forests that saw no page of its site."""
    cross_validate(pages, FEATURE_NAMES, FOLDS)
    return np.array([page_f1(page)[0] for page in pages])


@contextmanager
def left_out(pages: Sequence[TrainingPage], family: str) -> Iterator[None]:
    """Make a family of features, or the markup, say nothing."""
    names = FAMILIES.get(family, ())
    columns = [FEATURE_NAMES.index(name) for name in names]
    kept = [(page.rows[:, columns], page.slots) for page in pages]
    for page in pages:
        page.rows[:, columns] = 0
        if not names:
            page.slots = None
    try:
        yield
    finally:
        for page, (rows, slots) in zip(pages, kept, strict=True):
            page.rows[:, columns] = rows
            page.slots = slots


def set_mean(pages: Sequence[TrainingPage], values: F1s) -> float:
    """The mean over the sets of their pages' means."""
    return float(np.mean([own.mean() for own in by_set(pages, values)]))


def standard_error(pages: Sequence[TrainingPage], values: F1s) -> float:
    """Standard error of :func:`set_mean`."""
    groups = by_set(pages, values)
    return float(np.sqrt(sum(own.var() / len(own) for own in groups)) / len(groups))


def by_set(pages: Sequence[TrainingPage], values: F1s) -> list[F1s]:
    """The pages' values, an array a set."""
    groups: dict[str, list[float]] = defaultdict(list)
    for page, value in zip(pages, values, strict=True):
        groups[page.set_name].append(value)
    return [np.array(own) for own in groups.values()]


def time_families(documents: Sequence[Document]) -> dict[str, float]:
    """Nanoseconds a page that each family adds, and the markup; the least of rounds."""
    weights = load_forest(None).table
    total = np.zeros(len(FAMILIES) + 2)
    for document in documents:
        rounds = [_time_page(document, weights) for _ in range(ROUNDS)]
        total += np.min(rounds, axis=0)
    added = np.diff(total) / len(documents)
    return dict(zip([*FAMILIES, "markup"], added.tolist(), strict=True))


def _time_page(
    document: Document, weights: npt.NDArray[np.float32] | None
) -> list[int]:
    """Of no family, of one more each time, and of all with the markup."""
    times = []
    for number in (*range(len(FAMILIES) + 1), None):
        started = thread_time_ns()
        if number is None:
            compute(document, weights)
        else:
            compute(document, None, number)
        times.append(thread_time_ns() - started)
    return times
