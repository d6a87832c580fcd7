"""How often metadata are right at the probability that the models give them.

Authors and dates of the visible page, on pages that declare them and show what they
declare, by models that never saw the host. Titles against what people read, with the
shares of sources of the other hosts.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from lab.evaluation.run import sample
from lab.training.__main__ import SETS
from lab.training.fields import (
    judged_choices,
    judged_values,
    read_examples,
    source_shares,
)
from scrapy_mainpage.evaluation.datasets import load_sets, site_of

from .metadata import judge, labelled_pages
from .tables import Table

FOLDS = 8
BINS = 10
Judged = tuple[str, float, bool]


def run(options: argparse.Namespace) -> list[Table]:
    """One table: a row for each field, and a row for each of its bins."""
    if not (options.data / "metadata").is_dir():
        return [Table(f"calibration: NOTHING MEASURED, no set in {options.data}", [""])]
    labelled = [*labelled_pages(options.data, options.pages)]
    sets = load_sets(options.data, SETS["fields"])
    if options.pages:
        sets = [sample(data_set, options.pages) for data_set in sets]
    hosts = {site_of(row["url"] or "") for _, row, _ in labelled} - {""}
    judged = [
        *judged_titles(options.data, options.pages),
        *judged_choices(read_examples(sets, frozenset(hosts)), FOLDS),
    ]
    head = ["field", "probability", "pages", "mean probability", "right", "error"]
    title = "probabilities of metadata, by hosts that no model saw"
    return [Table(title, head, [*rows(judged)], name="evaluation-calibration")]


def judged_titles(data: Path, most: int | None) -> Iterator[Judged]:
    """The titles that people read, each by the sources of all other hosts."""
    pages = [*labelled_pages(data, most)]
    judged = [[*judged_values([page], judge)] for page in pages]
    for k, (_, row, _) in enumerate(pages):
        others = (
            value
            for (_, other, _), values in zip(pages, judged, strict=True)
            if site_of(other["url"] or "") != site_of(row["url"] or "")
            for value in values
        )
        shares = source_shares(others).get("title", {})
        for field, source, is_right in judged[k]:
            if field == "title" and source in shares:
                yield field, shares[source], is_right


def rows(judged: Iterable[Judged]) -> Iterator[list[object]]:
    """The expected calibration error of each field, then its bins."""
    bins: dict[str, dict[int, list[tuple[float, bool]]]] = {}
    for field, share, is_right in judged:
        number = min(int(share * BINS), BINS - 1)
        cell = bins.setdefault(field, defaultdict(list))[number]
        cell.append((share, is_right))
    for field, cells in bins.items():
        known = {number: _means(values) for number, values in sorted(cells.items())}
        count = sum(map(len, cells.values()))
        error = sum(
            len(cells[number]) / count * abs(share - right)
            for number, (share, right) in known.items()
        )
        every = _means([pair for values in cells.values() for pair in values])
        yield [field, "all", count, *every, error]
        for number, (share, right) in known.items():
            width = f"{number / BINS:.1f} to {(number + 1) / BINS:.1f}"
            yield [field, width, len(cells[number]), share, right, abs(share - right)]


def _means(values: list[tuple[float, bool]]) -> tuple[float, float]:
    shares, rights = zip(*values, strict=True)
    return sum(shares) / len(shares), sum(rights) / len(rights)
