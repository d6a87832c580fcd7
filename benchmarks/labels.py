"""Precision and recall of block labels, against blocks labelled by hand.

The labels are in ``tests/extraction/labels/labelled``: ``tuned.jsonl`` was used while
the rules were made, ``held-out.jsonl``, of other sites, only to measure them. The main
content of labelled blocks is taken from the labels, so that roles are measured on their
own; of the other blocks it is the set's, or the default algorithm's.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from scrapy_mainpage.evaluation.datasets import LabelledPage, read_document
from scrapy_mainpage.evaluation.gold import gold_blocks
from scrapy_mainpage.extraction.algorithms import DEFAULT_ALGORITHM, get_algorithm
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.labels import LABELS
from scrapy_mainpage.extraction.labels.evidence import label_blocks
from scrapy_mainpage.label import Label

from .pages import sampled_sets
from .tables import Table

FOLDER = Path(__file__).parents[1] / "tests" / "extraction" / "labels" / "labelled"
HALVES = ("tuned", "held-out")
FORUM_SETS = ("multilingual-forum",)
ROUNDS = 5

Row = dict[str, Any]


@dataclass
class Score:
    """Blocks by their true label and the one given."""

    pairs: Counter[tuple[Label, Label]]

    def of(self, label: Label) -> list[float]:
        """Precision and recall of *label*, and how many blocks have it."""
        right = self.pairs[label, label]
        given = sum(n for (_, found), n in self.pairs.items() if found is label)
        true = sum(n for (wanted, _), n in self.pairs.items() if wanted is label)
        return [right / max(given, 1), right / max(true, 1), true]

    def accuracy(self, *, main: bool) -> float:
        """The share that is right of the blocks of one sort."""
        right = sum(
            n for (a, b), n in self.pairs.items() if a is b and a.is_main == main
        )
        return right / max(self.number(main=main), 1)

    def number(self, *, main: bool) -> int:
        """The blocks of one sort."""
        return sum(n for (a, _), n in self.pairs.items() if a.is_main == main)


def run(options: argparse.Namespace) -> list[Table]:
    pages = {
        (data_set.name, page.id): page
        for data_set in sampled_sets(options.data, None)
        for page in data_set.pages
    }
    seconds: list[float] = []
    scores = [Score(Counter()) for _ in HALVES]
    for half, score in zip(HALVES, scores, strict=True):
        for key, rows in rows_of(half).items():
            if key in pages:
                seconds.append(measure(pages[key], key[0], rows, score))
    if not seconds:
        title = f"roles: NOTHING MEASURED, none of the pages in {options.data}"
        return [Table(title, ["label"])]
    time = Table("labels of a page", ["", "pages", "median", "p95"])
    spread = [float(x) * 1000 for x in np.percentile(seconds, [50, 95])]
    time.rows.append(["milliseconds", len(seconds), *spread])
    return [
        table("roles of boilerplate", scores, main=False),
        table("kinds of main content", scores, main=True),
        time,
    ]


def table(title: str, scores: list[Score], *, main: bool) -> Table:
    """Precision, recall and number of blocks, per label and half."""
    result = Table(title, ["label", *(f"{half} {c}" for half in HALVES for c in "PRn")])
    for label in LABELS:
        if label.is_main == main:
            result.rows.append([str(label), *(x for s in scores for x in s.of(label))])
    totals = ((s.accuracy(main=main), s.number(main=main)) for s in scores)
    result.rows.append(["all right", *(x for a, n in totals for x in (a, "", n))])
    return result


def rows_of(half: str) -> dict[tuple[str, str], list[Row]]:
    """The labelled blocks of one half, by set and page."""
    by_page: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for line in (FOLDER / f"{half}.jsonl").read_text().splitlines():
        row = json.loads(line)
        by_page[row["set"], row["page"]].append(row)
    return by_page


def measure(page: LabelledPage, set_name: str, rows: list[Row], score: Score) -> float:
    """Count the labels given to a page's labelled blocks; returns the seconds."""
    document = read_document(page.html())
    main = main_blocks(document, page)
    for row in rows:
        check(document, row)
        main[row["block"]] = Label(row["label"]).is_main
    is_forum = set_name in FORUM_SETS or page.type == "forum"
    page_type = "forum" if is_forum else None
    seconds = []
    for _ in range(ROUNDS):
        started = perf_counter()
        labels = label_blocks(document, main, lambda: page_type)
        seconds.append(perf_counter() - started)
    score.pairs.update(
        (Label(row["label"]), LABELS[labels[row["block"]]]) for row in rows
    )
    return min(seconds)


def main_blocks(document: Document, page: LabelledPage) -> npt.NDArray[np.bool_]:
    """The main content after the set, or after the default algorithm."""
    if page.text is None:
        return np.array(get_algorithm(DEFAULT_ALGORITHM).judge(document).main)
    return np.array(gold_blocks(document, page.text))


def check(document: Document, row: Row) -> None:
    """Raise ``ValueError`` if the block is not the one that was labelled."""
    text = document.block_text(row["block"])
    if sha256(text.encode()).hexdigest()[: len(row["text"])] != row["text"]:
        raise ValueError(f"not the block that was labelled: {row}")
