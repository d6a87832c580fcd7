"""What ``scrapy mainpage-train`` does: read, cross-validate, fit, write the card."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import sklearn
from tqdm import tqdm

from ..evaluation.datasets import DataSetError
from .train_tree import (
    MIN_LEAF,
    SEED,
    Score,
    SegmentedPage,
    cross_validate,
    fit_tree,
    segment_page,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.datasets import DataSet

CARD = """\
Model card: text-block-context, {segmentation} segmentation
{underline}

:Algorithm: decision tree by the entropy criterion, at least {leaf} records a leaf, no
   pruning (Kim et al. 2013, section 4.3); scikit-learn {version}, random state {seed}
:Features: 25, of a segment and two neighbours on each side
:Nodes: {nodes}
:Data: {data}
:Records: {records} segments of {pages} pages of {sites} sites, {share:.1%} main content
:Labels: from the gold texts, by alignment of words
:Date: {today}
:Made by: ``scrapy mainpage-train DATA_DIR --algorithm text-block-context
   --segmentation {segmentation} --folds {folds} --output DIR``
:Licence: of the data: {licence}. None of its text is in the tree.

Precision, recall and F-measure of the main-content class, segment by segment, in
{folds}-fold cross-validation grouped by site:

{table}
"""


def train_text_block_context(
    sets: list[DataSet], segmentation: str, output: Path, folds: int, licence: str
) -> str:
    """Write ``text_block_context_SEGMENTATION.npz`` and its card into *output*.

    Returns the card, in which *licence* is the note on the licence of the data. The
    same data give the same tree. Raises ``OSError`` or ``ValueError`` for what cannot
    be read, learned or written.
    """
    pages = _read(sets, segmentation)
    output.mkdir(parents=True, exist_ok=True)
    scores = cross_validate(pages, folds)
    tree = fit_tree(pages)
    card = CARD.format(
        segmentation=segmentation,
        underline="=" * len(CARD.partition("\n")[0].format(segmentation=segmentation)),
        leaf=MIN_LEAF,
        version=sklearn.__version__,
        seed=SEED,
        nodes=len(tree.left),
        today=date.today().isoformat(),
        licence=licence.strip().rstrip("."),
        folds=folds,
        table=_table(scores),
        **_contents(pages),
    )
    name = f"text_block_context_{segmentation}"
    np.savez_compressed(output / f"{name}.npz", **asdict(tree))
    (output / f"{name}.rst").write_text(card, encoding="utf-8")
    return card


def _read(sets: list[DataSet], segmentation: str) -> list[SegmentedPage]:
    labelled = [(data.name, page) for data in sets for page in data.pages]
    bar = tqdm(labelled, desc="Reading", unit=" pages", disable=None)
    read = [segment_page(name, page, segmentation) for name, page in bar]
    pages = [page for page in read if page is not None]
    if not pages:
        raise DataSetError("no page has a gold text")
    return pages


def _contents(pages: list[SegmentedPage]) -> dict[str, object]:
    """What the card says of the data."""
    counts = sorted(Counter(page.set_name for page in pages).items())
    main = np.concatenate([page.main for page in pages])
    return {
        "data": ",\n   ".join(f"{name} ({count} pages)" for name, count in counts),
        "records": len(main),
        "pages": len(pages),
        "sites": len({page.site for page in pages}),
        "share": float(main.mean()),
    }


def _table(scores: dict[str, dict[str, Score]]) -> str:
    """The scores as an RST table: a line per set and classifier."""
    rule = f"{'=' * 22} {'=' * 22} ========= ====== ====="
    rows = [
        f"{name:22} {classifier:22} {score.precision:.3f}     {score.recall:.3f}  "
        f"{score.f:.3f}"
        for name in next(iter(scores.values()))
        for classifier, by_set in scores.items()
        for score in [by_set[name]]
    ]
    heading = f"{'set':22} {'classifier':22} precision recall F"
    return "\n".join([rule, heading, rule, *rows, rule])
