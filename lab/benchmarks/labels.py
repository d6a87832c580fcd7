"""Precision and recall of block labels, against blocks labelled by hand.

The labels are in ``lab/training/labelled``: ``tuned.jsonl`` was used while
the rules were made, ``held-out.jsonl``, of other sites, only to measure them;
``rare.jsonl`` has blocks of a third group of sites, rare roles by preference, labelled
once, from excerpts. The main content of labelled blocks is taken from the labels, so
that roles are measured on their own; of the other blocks it is the set's, or the
default algorithm's.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from lab import ROOT
from lab.evaluation.gold import gold_blocks
from lab.tables import Table
from scrapy_mainpage.evaluation.datasets import LabelledPage, read_document
from scrapy_mainpage.extraction.algorithms import DEFAULT_ALGORITHM, get_algorithm
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.labels import LABELS
from scrapy_mainpage.extraction.labels.labelling import LabelEvidence, label_blocks
from scrapy_mainpage.extraction.title_rule import TitleFinder
from scrapy_mainpage.label import Label

from .pages import sampled_sets

FOLDER = ROOT / "lab" / "training" / "labelled"
PARTS = ("tuned", "held-out", "rare")
FORUM_SETS = ("multilingual-forum",)

Row = dict[str, Any]


@dataclass
class Score:
    """Blocks by their true label and the one given."""

    pairs: Counter[tuple[Label, Label]]

    def of(self, label: Label) -> list[float]:
        """Precision, recall and F of *label*, and how many blocks have it."""
        right = self.pairs[label, label]
        given = sum(n for (_, found), n in self.pairs.items() if found is label)
        true = sum(n for (wanted, _), n in self.pairs.items() if wanted is label)
        f = 2 * right / max(given + true, 1)
        return [right / max(given, 1), right / max(true, 1), f, true]

    def macro_f(self, *, main: bool) -> float:
        """The mean F of the labels of one sort that some block has."""
        found = [self.of(label) for label in LABELS if label.is_main == main]
        return sum(f for *_, f, n in found if n) / max(sum(n > 0 for *_, n in found), 1)

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
    scores = {part: Score(Counter()) for part in PARTS}
    for part, score in scores.items():
        for key, rows in rows_of(part).items():
            if key in pages:
                measure(pages[key], key[0], rows, score)
    scores = {part: score for part, score in scores.items() if score.pairs}
    if not scores:
        title = f"roles: NOTHING MEASURED, none of the pages in {options.data}"
        return [Table(title, ["label"])]
    tables = [table("roles of boilerplate", scores, main=False)]
    return [*tables, table("kinds of main content", scores, main=True)]


def table(title: str, scores: dict[str, Score], *, main: bool) -> Table:
    """Precision, recall, F and number of blocks, per label and part."""
    scores = {part: s for part, s in scores.items() if s.number(main=main)}
    result = Table(
        title, ["label", *(f"{part} {c}" for part in scores for c in "PRFn")]
    )
    each = scores.values()
    for label in LABELS:
        if label.is_main == main:
            result.rows.append([str(label), *(x for s in each for x in s.of(label))])
    totals = ((s.accuracy(main=main), s.number(main=main)) for s in each)
    result.rows.append(["all right", *(x for a, n in totals for x in (a, "", "", n))])
    means = (("", "", s.macro_f(main=main), "") for s in each)
    result.rows.append(["mean F", *(x for row in means for x in row)])
    return result


def rows_of(part: str) -> dict[tuple[str, str], list[Row]]:
    """The labelled blocks of one part, by set and page."""
    by_page: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for line in (FOLDER / f"{part}.jsonl").read_text().splitlines():
        row = json.loads(line)
        by_page[row["set"], row["page"]].append(row)
    return by_page


def measure(page: LabelledPage, set_name: str, rows: list[Row], score: Score) -> None:
    """Count the labels given to a page's labelled blocks."""
    document = read_document(page.html())
    main = main_blocks(document, page)
    if not all(is_same(document, row) for row in rows):
        print(f"left out, as its blocks have changed: {set_name} {page.id}")
        return
    for row in rows:
        main[row["block"]] = Label(row["label"]).is_main
    is_forum = set_name in FORUM_SETS or page.type == "forum"
    title = TitleFinder(document).find_block(main)
    evidence = LabelEvidence(document, main, title)
    labels, _ = label_blocks(evidence, lambda: "forum" if is_forum else None)
    score.pairs.update(
        (Label(row["label"]), LABELS[labels[row["block"]]]) for row in rows
    )


def main_blocks(document: Document, page: LabelledPage) -> npt.NDArray[np.bool_]:
    """The main content after the set, or after the default algorithm."""
    if page.text is None:
        return np.array(get_algorithm(DEFAULT_ALGORITHM).judge(document).main)
    return np.array(gold_blocks(document, page.text))


def is_same(document: Document, row: Row) -> bool:
    """Whether the block is still the one that was labelled."""
    text = document.block_text(row["block"]) if row["block"] < document.n_blocks else ""
    return sha256(text.encode()).hexdigest().startswith(row["text"])
