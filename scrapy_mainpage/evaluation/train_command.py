"""What ``scrapy mainpage-train`` does: read, cross-validate, fit, write the card."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from .datasets import load_sets
from .train_tree import (
    MIN_LEAF,
    Score,
    SegmentedPage,
    cross_validate,
    fit_tree,
    segment_page,
)

if TYPE_CHECKING:
    from ..extraction.algorithms.text_block_context import Tree

CARD = """\
Model card: text-block-context, {segmentation} segmentation
{underline}

:Algorithm: decision tree by the entropy criterion, at least {leaf} records a leaf, no
   pruning (Kim et al. 2013, section 4.3)
:Features: 25, of a segment and two neighbours on each side
:Nodes: {nodes}
:Data: {data}
:Records: {records} segments of {pages} pages, {share:.1%} main content
:Labels: from the gold texts, by alignment of words
:Date: {today}
:Made by: ``scrapy mainpage-train DATA_DIR --algorithm text-block-context
   --segmentation {segmentation} --output DIR``
:Licence: wcxb-dev (the development split of WCXB v1.0) is (c) 2026 Murrough Foley,
   CC-BY-4.0; the pages belong to their publishers. None of their text is in the tree.

Precision, recall and F-measure of the main-content class, segment by segment, in
{folds}-fold cross-validation grouped by site:

{table}
"""


def train_text_block_context(
    data: str, segmentation: str, output: str, folds: int
) -> None:
    """Write ``text_block_context_SEGMENTATION.npz`` and its card into *output*.

    Raises ``OSError`` or ``ValueError`` for what cannot be read or written.
    """
    pages = _read(Path(data), segmentation)
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    scores = cross_validate(pages, folds)
    tree = fit_tree(pages)
    name = f"text_block_context_{segmentation}"
    np.savez_compressed(folder / f"{name}.npz", **asdict(tree))
    card = _card(pages, tree, scores, segmentation, folds)
    (folder / f"{name}.rst").write_text(card, encoding="utf-8")
    print(card)


def _read(folder: Path, segmentation: str) -> list[SegmentedPage]:
    labelled = [
        (data.name, page)
        for data in load_sets(folder)
        for page in data.pages
        if page.text is not None
    ]
    bar = tqdm(labelled, desc="reading", unit="page")
    pages = [segment_page(name, page, segmentation) for name, page in bar]
    return [page for page in pages if page is not None]


def _card(
    pages: list[SegmentedPage],
    tree: Tree,
    scores: dict[str, dict[str, Score]],
    segmentation: str,
    folds: int,
) -> str:
    title = f"Model card: text-block-context, {segmentation} segmentation"
    names = sorted({page.set_name for page in pages})
    counts = {name: sum(page.set_name == name for page in pages) for name in names}
    records = sum(len(page.main) for page in pages)
    return CARD.format(
        segmentation=segmentation,
        underline="=" * len(title),
        leaf=MIN_LEAF,
        nodes=len(tree.left),
        data=", ".join(f"{name} ({count} pages)" for name, count in counts.items()),
        records=records,
        pages=len(pages),
        share=sum(int(page.main.sum()) for page in pages) / max(records, 1),
        today=date.today().isoformat(),
        folds=folds,
        table=_table(scores),
    )


def _table(scores: dict[str, dict[str, Score]]) -> str:
    """The scores as an RST table: a line per set and classifier."""
    rule = f"{'=' * 22} {'=' * 22} ========= ========= ========="
    lines = [rule, f"{'set':22} {'classifier':22} precision recall    F", rule]
    for name in next(iter(scores.values())):
        for classifier, by_set in scores.items():
            score = by_set[name]
            lines.append(
                f"{name:22} {classifier:22} {score.precision:<9.3f} "
                f"{score.recall:<9.3f} {score.f:<9.3f}"
            )
    return "\n".join([*lines, rule])
