"""``scrapy mainpage-train --algorithm learned``: read, validate, fit, write."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from ..extraction.algorithms.learned import Learned
from ..extraction.features import feature_names
from .datasets import DataSetError
from .train_forest import (
    PARAMETERS,
    ROUNDS,
    TrainingPage,
    cross_validate,
    fit_forest,
    page_f1,
    read_page,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from ..extraction.algorithms.learned import Forest
    from .datasets import DataSet

    Floats = npt.NDArray[np.float64]

BINS = 10

CARD = """\
Model card: learned
===================

:Algorithm: gradient boosted trees over {features} features of a text block, {rounds}
   rounds of {leaves} leaves; the blocks with the highest expected F1 of words are taken
:Data: {data}
:Blocks: {blocks}, {share:.1%} main content
:Labels: from the gold texts, by alignment of words
:Date: {today}
:Parameters: {parameters}
:Calibration: log odds times {slope:.3f} plus {offset:.3f}, fitted in cross-validation
:Made by: ``scrapy mainpage-train DATA_DIR --algorithm learned --folds {folds}
   --output DIR``
:Licence: of the data: {licence}. None of its text is in the model.

Mean word F1 per page in {folds}-fold cross-validation grouped by site, one model for
all sets:

{table}

Expected calibration error of the blocks' probabilities: {ece:.3f}. Correlation of the
confidence with the F1 reached: {correlation}.
"""


def train_learned(sets: list[DataSet], output: Path, folds: int, licence: str) -> str:
    """Write ``learned.npz`` and its card into the folder *output*.

    Returns the card, in which *licence* is the note on the licence of the data. The
    same data give the same model. Raises ``OSError`` or ``ValueError`` for what cannot
    be read, learned or written.
    """
    pages, names = _read(sets)
    with tqdm(total=folds + 1, desc="training", unit="model") as steps:
        slope, offset = cross_validate(pages, names, folds, lambda _: steps.update())
        forest = replace(fit_forest(pages, names), slope=slope, offset=offset)
        steps.update()
    output.mkdir(parents=True, exist_ok=True)
    forest.save(output / "learned.npz")
    card = _card(pages, forest, folds, licence)
    (output / "learned.rst").write_text(card, encoding="utf-8")
    return card


def _read(sets: list[DataSet]) -> tuple[list[TrainingPage], tuple[str, ...]]:
    labelled = [
        (group.name, page)
        for group in sets
        for page in group.pages
        if page.text is not None
    ]
    if not labelled:
        raise DataSetError("no page with a gold text")
    bar = tqdm(labelled, desc="reading", unit="page")
    pages = [page for page in (read_page(*item) for item in bar) if page is not None]
    if not pages:
        raise DataSetError("no page with a gold text has any text of its own")
    return pages, feature_names()


def _card(
    pages: Sequence[TrainingPage], forest: Forest, folds: int, licence: str
) -> str:
    counts = Counter(page.set_name for page in pages)
    blocks = sum(len(page.main) for page in pages)
    results = [page_f1(page, Learned.least_words) for page in pages]
    reached, expected = np.array(results).T
    return CARD.format(
        features=len(forest.names),
        rounds=ROUNDS,
        leaves=PARAMETERS["num_leaves"],
        data=", ".join(f"{name} ({n} pages)" for name, n in sorted(counts.items())),
        blocks=blocks,
        share=sum(int(page.main.sum()) for page in pages) / max(blocks, 1),
        today=date.today().isoformat(),
        parameters=", ".join(f"{key} {value}" for key, value in PARAMETERS.items()),
        slope=forest.slope,
        offset=forest.offset,
        licence=licence,
        folds=folds,
        table=_table(pages, reached.tolist()),
        ece=calibration_error(pages),
        correlation=_correlation(reached, expected),
    )


def _correlation(a: Floats, b: Floats) -> str:
    """Of two columns; without any spread there is none."""
    if min(np.ptp(a), np.ptp(b)) == 0:
        return "none, as all are the same"
    return f"{np.corrcoef(a, b)[0, 1]:.2f}"


def calibration_error(pages: Sequence[TrainingPage]) -> float:
    """The expected calibration error of the probabilities, blocks weighted as trained.

    The mean distance, over bins of probability, from the mean probability to the share
    of main content.
    """
    probability = np.concatenate([page.probability for page in pages])
    main = np.concatenate([page.main for page in pages])
    weight = np.concatenate([page.weight for page in pages])
    bins = np.minimum((probability * BINS).astype(int), BINS - 1)
    predicted = np.bincount(bins, weight * probability, BINS)
    true = np.bincount(bins, weight * main, BINS)
    return float(np.abs(predicted - true).sum() / max(float(weight.sum()), 1e-12))


def _table(pages: Sequence[TrainingPage], reached: Sequence[float]) -> str:
    """The mean F1 as an RST table: a line per set, and per type of a set."""
    groups: dict[tuple[str, str], list[float]] = {}
    for page, f1 in zip(pages, reached, strict=True):
        groups.setdefault((page.set_name, ""), []).append(f1)
        if page.type:
            groups.setdefault((page.set_name, page.type), []).append(f1)
    rule = f"{'=' * 22} {'=' * 16} ===== ====="
    lines = [rule, f"{'set':22} {'type':16} pages F1", rule]
    for (name, kind), values in sorted(groups.items()):
        if not kind or len(values) >= 20:
            lines.append(
                f"{name:22} {kind or 'all':16} {len(values):5} {mean(values):.3f}"
            )
    return "\n".join([*lines, rule])
