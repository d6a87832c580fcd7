"""The part of a model card that only the shipped model of ``learned`` has."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, Final

import numpy as np

from lab.training.learned_card import group_table, table
from lab.training.training_pages import page_f1
from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES

from .page_types import type_f1s

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    import numpy.typing as npt

    from lab.training.training_pages import TrainingPage

    Floats = npt.NDArray[np.float64]

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
        ece=calibration_error(pages),
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
    return table(("confidence", "pages", "mean", "F1"), rows)
