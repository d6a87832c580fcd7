"""Tables 2 and 3 and figure 5 of Kim et al.: text segments in cross-validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from lab.training.text_block_context import cross_validate, read_segments

from .tables import PaperTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.training.text_block_context import SegmentedPage
    from scrapy_mainpage.evaluation.datasets import DataSet

    from .tables import Cell

TITLE: Final = "Kim et al. 2013: Main Content Extraction Using Text Block Context"
MEASURES: Final = ("Precision", "Recall", "F-Measure")


def kim_tables(sets: Sequence[DataSet], folds: int) -> list[PaperTable]:
    """The tables of labelled *sets*, each with classifiers that learned from all."""
    pages = read_segments(sets, "paper")
    names = list(dict.fromkeys(page.set_name for page in pages))
    records = tuple(
        _records(name, [page for page in pages if page.set_name == name])
        for name in names
    )
    head = (
        "Data set", "Documents", "Records", "per doc", "Main", "Main share", "per doc",
        "Non-main", "Non-main share", "per doc",
    )  # fmt: skip
    scores = cross_validate(pages, folds)
    lines: list[tuple[Cell, ...]] = [
        (classifier, *(value for name in names for value in by_set[name]))
        for classifier, by_set in scores.items()
    ]
    titles = (f"{name} {measure}" for name in names for measure in MEASURES)
    figures = []
    for letter, name in zip("abcdefghijklmnopqrstuvwxyz", names, strict=False):
        bars = {
            measure: {label: by_set[name][k] for label, by_set in scores.items()}
            for k, measure in enumerate(MEASURES)
        }
        figures.append(PaperTable(f"figure-5{letter}", name, bars=bars))
    return [
        PaperTable("table-2", "Records and classes", head, records),
        PaperTable("table-3", "Main content class", ("", *titles), tuple(lines)),
        *figures,
    ]


def _records(name: str, pages: Sequence[SegmentedPage]) -> tuple[Cell, ...]:
    is_main = np.concatenate([page.main for page in pages])
    total, main, n = len(is_main), int(is_main.sum()), len(pages)
    counts: list[Cell] = [name, n, total, total / n]
    for part in (main, total - main):
        counts += [part, part / total, part / n]
    return tuple(counts)
