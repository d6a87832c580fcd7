"""``scrapy mainpage-train --algorithm learned``: read, validate, fit, write."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from ..evaluation.datasets import DataSetError
from ..extraction.learned.features import feature_names
from ..extraction.learned.forest import MARKUP
from ..extraction.learned.learned import Learned, load_forest
from .train_forest import BAGS, PARAMETERS, ROUNDS, cross_validate, fit_forest
from .train_leaveout import leave_out
from .train_pages import TrainingPage, chosen_blocks, page_f1, read_page
from .train_types import cross_validate_types, fit_types

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from ..evaluation.datasets import DataSet
    from ..extraction.learned.forest import Forest

    Floats = npt.NDArray[np.float64]

BINS = 10

OURS = "ours"
"""The model to start from that comes with the package."""

CARD = """\
Model card: learned
===================

:Algorithm: gradient boosted trees over {features} features of a text block, {bags}
   times {rounds} rounds of {leaves} leaves; the blocks with the highest expected F1
   of words are taken
:Data: {data}
:Blocks: {blocks}, {share:.1%} main content
:Labels: from the gold texts, by alignment of words; from snippets, the blocks that
   hold them
:Start: {start}
:Markup: {slots} hashes of class and id tokens, tags, parts and pairs of them
:Date: {today}
:Parameters: {parameters}
:Calibration: log odds times {slope:.3f} plus {offset:.3f}, fitted in cross-validation
:Made by: ``scrapy mainpage-train DATA_DIR --algorithm learned --folds {folds}
   --output DIR``
:Licence: of the data: {licence}. None of its text is in the model.

Mean word F1 per page in {folds}-fold cross-validation grouped by site, one model for
all sets:

{table}

{snippets}{left_out}
Expected calibration error of the blocks' probabilities: {ece:.3f}. Correlation of the
confidence with the F1 reached: {correlation}. Page types told right: {types}.

The confidence of these pages (their predicted F1), and the F1 that they reached:

{reliability}
"""


LEFT_OUT = """
The same with the pages of a set, or of a language in it, left out of the training, and
all pages of their sites:

{table}
"""


def train_learned(
    sets: list[DataSet],
    output: Path,
    folds: int,
    licence: str,
    start: str | None = None,
    without: bool = False,
) -> str:
    """Write ``learned.npz`` and its card into the folder *output*.

    Returns the card, in which *licence* is the note on the licence of the data. The
    same data give the same model. *start* is the path of a model to go on from, or
    ``ours``. With *without*, the card also says how well the pages of each set and of
    each language are read without any of them in the training. Raises ``OSError`` or
    ``ValueError`` for what cannot be read, learned or written.
    """
    before = load_forest(None if start == OURS else start) if start else None
    pages, names = _read(sets)
    if before and before.names not in (names, (*names, MARKUP)):
        raise ValueError(f"{start}: not a model of this version's features")
    with tqdm(total=folds + 1, desc="training", unit="model") as steps:
        slope, offset = cross_validate(
            pages, names, folds, lambda _: steps.update(), before
        )
        forest = fit_forest(pages, names, before)
        types = fit_types(pages, names)
        forest = replace(
            forest, slope=slope, offset=offset, types=types or forest.types
        )
        steps.update()
    output.mkdir(parents=True, exist_ok=True)
    forest.save(output / "learned.npz")
    told = cross_validate_types(pages, names, folds) if types else None
    rows = leave_out(pages, names, (slope, offset)) if without else []
    card = _card(pages, forest, folds, licence, start, told, rows)
    (output / "learned.rst").write_text(card, encoding="utf-8")
    return card


def _read(sets: list[DataSet]) -> tuple[list[TrainingPage], tuple[str, ...]]:
    labelled = [(group.name, page) for group in sets for page in group.pages]
    bar = tqdm(labelled, desc="reading", unit="page")
    pages = [page for page in (read_page(*item) for item in bar) if page is not None]
    if not pages:
        raise DataSetError("no labelled page has any text of its own")
    if not any(page.known is None or page.known.any() for page in pages):
        raise DataSetError("no block of any page has a label")
    return pages, feature_names()


def _card(
    pages: Sequence[TrainingPage],
    forest: Forest,
    folds: int,
    licence: str,
    start: str | None,
    told: tuple[int, int] | None,
    rows: list[tuple[tuple[str, str], int, float]],
) -> str:
    counts = Counter(page.set_name for page in pages)
    blocks = sum(len(page.main) for page in pages)
    whole = [page for page in pages if page.known is None]
    results = [page_f1(page, Learned.least_words) for page in whole]
    reached, expected = np.array(results).reshape(-1, 2).T
    return CARD.format(
        features=len(forest.names),
        slots=len(forest.slots),
        rounds=ROUNDS,
        bags=BAGS,
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
        table=_table(whole, reached.tolist()),
        snippets=_snippets(pages),
        left_out=_left_out(rows),
        start=f"the model {start}" if start else "nothing",
        ece=calibration_error(pages),
        reliability=_reliability(reached, expected),
        types=f"{told[0] / max(told[1], 1):.1%} of {told[1]} pages"
        if told
        else "not told, for want of labelled pages",
        correlation=_correlation(reached, expected),
    )


def _correlation(a: Floats, b: Floats) -> str:
    """Of two columns; without any spread there is none."""
    if not len(a) or min(np.ptp(a), np.ptp(b)) == 0:
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


def _reliability(reached: Floats, expected: Floats) -> str:
    """Pages by their confidence as an RST table: how many, mean confidence, mean F1."""
    rule = "=========== ===== ========== ====="
    lines = [rule, "confidence  pages mean       F1", rule]
    bins = np.minimum((expected * BINS).astype(int), BINS - 1)
    for k in range(BINS):
        inside = bins == k
        if inside.any():
            means = f"{expected[inside].mean():.3f}      {reached[inside].mean():.3f}"
            span = f"{k / BINS:.1f} to {(k + 1) / BINS:.1f}"
            lines.append(f"{span:11} {int(inside.sum()):5} {means}")
    return "\n".join([*lines, rule])


def _left_out(rows: list[tuple[tuple[str, str], int, float]]) -> str:
    if not rows:
        return ""
    lines = [f"{name:22} {kind:16} {n:5} {f1:.3f}" for (name, kind), n, f1 in rows]
    return LEFT_OUT.format(table=_ruled("left out", lines))


def _ruled(what: str, lines: list[str]) -> str:
    """*lines* of a set, a type, pages and F1 as an RST table."""
    rule = f"{'=' * 22} {'=' * 16} ===== ====="
    return "\n".join([rule, f"{what:22} {'type':16} pages F1", rule, *lines, rule])


def _snippets(pages: Sequence[TrainingPage]) -> str:
    """How many snippets of pages that have only these are taken, and left out."""
    outcomes: dict[bool, list[bool]] = {True: [], False: []}
    for page in pages:
        chosen = chosen_blocks(page, Learned.least_words)[0]
        for main, at in page.snippets:
            outcomes[main].append(bool(chosen[at].any()))
    if not (outcomes[True] and outcomes[False]):
        return ""
    taken, wrong = sum(outcomes[True]), sum(outcomes[False])
    f1 = 2 * taken / max(taken + wrong + len(outcomes[True]), 1)
    return (
        f"Of pages with snippets alone: {taken / len(outcomes[True]):.1%} of those "
        "that are main content are taken,\n"
        f"{1 - wrong / len(outcomes[False]):.1%} of the others are left out; "
        f"F1 {f1:.3f}.\n"
    )


def _table(pages: Sequence[TrainingPage], reached: Sequence[float]) -> str:
    """The mean F1 as an RST table: a line per set, and per type of a set."""
    groups: dict[tuple[str, str], list[float]] = {}
    for page, f1 in zip(pages, reached, strict=True):
        groups.setdefault((page.set_name, ""), []).append(f1)
        if page.type:
            groups.setdefault((page.set_name, page.type), []).append(f1)
    lines = []
    for (name, kind), values in sorted(groups.items()):
        if not kind or len(values) >= 20:
            lines.append(
                f"{name:22} {kind or 'all':16} {len(values):5} {mean(values):.3f}"
            )
    return _ruled("set", lines)
