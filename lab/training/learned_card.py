"""The card of the model of ``learned``: data, parameters, cross-validated scores."""

from __future__ import annotations

from collections import Counter
from datetime import date
from statistics import mean
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.tables import simple_table
from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES

from .boosting import BAGS, PARAMETERS, ROUNDS
from .page_types import type_f1s
from .training_pages import chosen_blocks, page_f1

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from scrapy_mainpage.extraction.learned.learned import Forest

    from .training_pages import TrainingPage

    Floats = npt.NDArray[np.float64]


MIN_TYPE_PAGES: Final = 20
"""A type with fewer pages has no line of its own."""

LEARNED_CARD: Final = """\
Model card: learned
===================

:Algorithm: gradient boosted trees over {features} features of a text block, {bags}
   times {rounds} rounds of {leaves} leaves; the blocks with the highest expected F1 of
   words are taken
:Data: {data}
:Blocks: {blocks}, {share:.1%} main content
:Labels: from the true elements; from the gold texts, by alignment of words; from
   snippets, the blocks that hold them
:Markup: {slots} hashes of class and id tokens, tags, parts and pairs of them
:Date: {today}
:Parameters: {parameters}
:Calibration: log odds times {slope:.3f} plus {offset:.3f}, fitted in cross-validation
:Made by: ``python -m lab.training learned DATA_DIR --folds {folds}
   --licence LICENCE --output DIR``
:Licence: of the data: {licence}. None of its text is in the model.

Mean word F1 per page in {folds}-fold cross-validation grouped by site, one model for
all sets:

{table}
{snippets}"""


def learned_card(
    pages: Sequence[TrainingPage],
    forest: Forest,
    folds: int,
    licence: str,
) -> str:
    """The card of a model of ``learned``, with its scores on *pages*.

    These have the probabilities of the cross-validation.
    """
    blocks = sum(len(page.main) for page in pages)
    sets = Counter(page.set_name for page in pages)
    return LEARNED_CARD.format(
        features=len(forest.names),
        slots=len(forest.slots),
        rounds=ROUNDS,
        bags=BAGS,
        leaves=PARAMETERS["num_leaves"],
        data=", ".join(
            f"{name} ({count} pages)" for name, count in sorted(sets.items())
        ),
        blocks=blocks,
        share=sum(int(page.main.sum()) for page in pages) / max(blocks, 1),
        today=date.today().isoformat(),
        parameters=", ".join(f"{key} {value}" for key, value in PARAMETERS.items()),
        slope=forest.slope,
        offset=forest.offset,
        licence=licence.strip().rstrip("."),
        folds=folds,
        table=group_table("set", _groups([p for p in pages if p.known is None])),
        snippets=_snippets(pages) + _known_blocks(pages),
    )


def group_table(head: str, groups: Iterable[tuple[tuple[str, str], int, float]]) -> str:
    """The mean F1 of groups of pages: their name and type, number of pages, F1."""
    rows = [(name, kind, f"{n:5}", f"{f1:.3f}") for (name, kind), n, f1 in groups]
    return simple_table([(head, "type", "pages", "F1"), *rows])


def _groups(pages: Sequence[TrainingPage]) -> list[tuple[tuple[str, str], int, float]]:
    """The pages and mean F1 of each set, and of its types of 20 pages and more."""
    groups: dict[tuple[str, str], list[float]] = {}
    for page in pages:
        f1, _ = page_f1(page)
        groups.setdefault((page.set_name, ""), []).append(f1)
        if page.type:
            groups.setdefault((page.set_name, page.type), []).append(f1)
    return [
        ((name, kind or "all"), len(values), mean(values))
        for (name, kind), values in sorted(groups.items())
        if not kind or len(values) >= MIN_TYPE_PAGES
    ]


def _snippets(pages: Sequence[TrainingPage]) -> str:
    """Shares of snippets taken and left out, on the pages that have only snippets."""
    outcomes: dict[bool, list[bool]] = {True: [], False: []}
    for page in pages:
        chosen = chosen_blocks(page).main
        for main, at in page.snippets:
            outcomes[main].append(bool(chosen[at].any()))
    if not (outcomes[True] and outcomes[False]):
        return ""
    taken, wrong = sum(outcomes[True]), sum(outcomes[False])
    f1 = 2 * taken / max(taken + wrong + len(outcomes[True]), 1)
    return (
        f"\nOf pages with snippets alone: {taken / len(outcomes[True]):.1%} of those "
        "that are main content are taken,\n"
        f"{1 - wrong / len(outcomes[False]):.1%} of the others are left out; "
        f"F1 {f1:.3f}.\n"
    )


def _known_blocks(pages: Sequence[TrainingPage]) -> str:
    """The shares chosen of main blocks, on pages of which only some are known."""
    shares: dict[str, list[float]] = {}
    for page in pages:
        if page.is_part:
            share = chosen_blocks(page).main[page.main].mean()
            shares.setdefault(page.set_name, []).append(float(share))
    lines = [f"{mean(own):.1%} of {name}" for name, own in sorted(shares.items())]
    return f"\nOf the known main blocks of a page: {', '.join(lines)}.\n" * bool(lines)


N_BINS: Final = 10
"""Bins of probability or confidence."""

MIN_F1: Final = 0.6
"""A page with a lower one has a serious fault."""

MIN_FAULTS: Final = 5
"""Pages of a type with and without one, for a measure of its own."""

LEFT_OUT: Final = """
The same for models trained without the set, or without the language of the set, and
without any page of its sites:

{table}
"""

MEASURED: Final = """
Expected calibration error of the blocks' probabilities: {ece:.3f}. Correlation of the
confidence with the F1 reached: {correlation}.
{faults}
Page types: {types}.

Confidence (predicted F1) of these pages, and the F1 reached:

{reliability}
"""


def measured_card(
    pages: Sequence[TrainingPage],
    types: Counter[tuple[str, str]] | None,
    left_out: Sequence[tuple[tuple[str, str], int, float]],
) -> str:
    """Measures of a model by the cross-validated probabilities of *pages*.

    *types* are the pages of known type by true and predicted type; *left_out* the
    groups left out of the training, with their pages and F1.
    """
    whole = [page for page in pages if page.known is None]
    results = [page_f1(page) for page in whole]
    reached, expected = np.array(results).reshape(-1, 2).T
    without = LEFT_OUT.format(table=group_table("left out", left_out))
    return (without if left_out else "") + MEASURED.format(
        ece=calibration_error([page for page in pages if not page.is_part]),
        reliability=_reliability_table(reached, expected),
        types=_types(types) if types else "not trained, too few labelled pages",
        correlation=_correlation(reached, expected),
        faults=_faults([page.type for page in whole], reached, expected),
    )


def _types(found: Counter[tuple[str, str]]) -> str:
    right, total = sum(found[kind, kind] for kind in PAGE_TYPES), sum(found.values())
    f1s = type_f1s(found)
    each = ", ".join(f"{kind} {f1:.2f}" for kind, f1 in f1s.items())
    return (
        f"{right / max(total, 1):.1%} of {total} pages are predicted right, mean F1 "
        f"{mean(f1s.values()):.3f}\n({each})"
    )


def _faults(kinds: Sequence[str], reached: Floats, expected: Floats) -> str:
    """How surely a low confidence tells serious faults: the AUC, also within types.

    All pages together tell it too well, as whole types are harder than others.
    """
    own = [("all", np.ones(len(kinds), bool))]
    own += [(kind, np.array(kinds) == kind) for kind in PAGE_TYPES]
    found = []
    for kind, mask in own:
        bad, auc = reached[mask] < MIN_F1, fault_auc(reached[mask], expected[mask])
        if min(bad.sum(), (~bad).sum()) >= MIN_FAULTS:
            found.append(f"{kind} {auc:.2f} ({bad.sum()} of {len(bad)})")
    return f"AUC of the confidence for an F1 below {MIN_F1}: {', '.join(found) or '-'}."


def fault_auc(reached: Floats, expected: Floats) -> float:
    """The share of pairs of a page with a serious fault and one without, ranked right.

    >>> fault_auc(np.array([0.3, 0.9, 0.8]), np.array([0.5, 0.9, 0.4]))
    0.5
    """
    bad = expected[reached < MIN_F1][:, None]
    good = expected[reached >= MIN_F1][None]
    pairs = max(bad.size * good.size, 1)
    return float(((bad < good).sum() + (bad == good).sum() / 2) / pairs)


def _correlation(a: Floats, b: Floats) -> str:
    """Correlation of two columns; undefined without any spread."""
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
    bins = np.minimum((probability * N_BINS).astype(int), N_BINS - 1)
    predicted = np.bincount(bins, weight * probability, N_BINS)
    true = np.bincount(bins, weight * main, N_BINS)
    return float(np.abs(predicted - true).sum() / max(float(weight.sum()), 1e-12))


def _reliability_table(reached: Floats, expected: Floats) -> str:
    """Pages by their confidence: how many, mean confidence, mean F1."""
    bins = np.minimum((expected * N_BINS).astype(int), N_BINS - 1)
    rows = [
        (
            f"{k / N_BINS:.1f} to {(k + 1) / N_BINS:.1f}",
            f"{int((bins == k).sum()):5}",
            f"{expected[bins == k].mean():.3f}",
            f"{reached[bins == k].mean():.3f}",
        )
        for k in np.unique(bins).tolist()
    ]
    return simple_table([("confidence", "pages", "mean", "F1"), *rows])
