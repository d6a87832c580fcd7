"""Model cards as reStructuredText: data, parameters and cross-validated scores."""

from __future__ import annotations

from collections import Counter
from datetime import date
from statistics import mean
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.learned.page_types import PAGE_TYPES
from .train_forest import BAGS, PARAMETERS, ROUNDS
from .train_page_types import type_f1s
from .training_pages import TrainingPage, chosen_blocks, page_f1

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from ..extraction.learned.forest import Forest
    from .training_pages import Score, SegmentedPage

    Floats = npt.NDArray[np.float64]

N_BINS: Final = 10
"""Of probability or confidence."""

MIN_TYPE_PAGES: Final = 20
"""A type with fewer pages has no line of its own."""

LEARNED_CARD: Final = """\
Model card: learned
===================

:Algorithm: gradient boosted trees over {features} features of a text block, {bags}
   times {rounds} rounds of {leaves} leaves, and over {around} features of its
   surroundings; the blocks with the highest expected F1 of words are taken
:Data: {data}
:Blocks: {blocks}, {share:.1%} main content
:Labels: from the true elements; from the gold texts, by alignment of words; from
   snippets, the blocks that hold them
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
confidence with the F1 reached: {correlation}.
Page types: {types}.

Confidence (predicted F1) of these pages, and the F1 reached:

{reliability}
"""

LEFT_OUT: Final = """
The same for models trained without the set, or without the language of the set, and
without any page of its sites:

{table}
"""

TEXT_BLOCK_CONTEXT_CARD: Final = """\
Model card: text-block-context, {segmentation} segmentation
{underline}

:Algorithm: decision tree by the entropy criterion, at least {leaf} records a leaf,
   pruned with confidence factor {factor}, above 0.5 not at all (Kim et al. 2013,
   section 4.3); scikit-learn {version}, random state {seed}
:Features: 25, of a segment and two neighbours on each side; word density of {density}
:Nodes: {nodes}
:Data: {data}
:Records: {records} segments of {pages} pages of {sites} sites, {share:.1%} main content
:Labels: from the gold texts, by alignment of words
:Date: {today}
:Made by: ``scrapy mainpage-train DATA_DIR --algorithm text-block-context
   --segmentation {segmentation} --word-density {density} --min-num-obj {leaf}
   --confidence-factor {factor} --folds {folds} --output DIR``
:Licence: of the data: {licence}. None of its text is in the tree.

Precision, recall and F-measure of the main-content class, segment by segment, in
{folds}-fold cross-validation grouped by site:

{table}
"""


def learned_card(
    pages: Sequence[TrainingPage],
    forest: Forest,
    folds: int,
    licence: str,
    start: str | None,
    types: Counter[tuple[str, str]] | None,
    left_out: list[tuple[tuple[str, str], int, float]],
) -> str:
    """The card of a model of ``learned``.

    *types* are the pages of known type by true and predicted type;
    *left_out* the groups left out of the training, with their pages and F1.
    """
    blocks = sum(len(page.main) for page in pages)
    whole = [page for page in pages if page.known is None]
    results = [page_f1(page) for page in whole]
    reached, expected = np.array(results).reshape(-1, 2).T
    return LEARNED_CARD.format(
        features=len(forest.names),
        around=len(forest.context.names) if forest.context else 0,
        slots=len(forest.slots),
        rounds=ROUNDS,
        bags=BAGS,
        leaves=PARAMETERS["num_leaves"],
        data=_sets(page.set_name for page in pages),
        blocks=blocks,
        share=sum(int(page.main.sum()) for page in pages) / max(blocks, 1),
        today=date.today().isoformat(),
        parameters=", ".join(f"{key} {value}" for key, value in PARAMETERS.items()),
        slope=forest.slope,
        offset=forest.offset,
        licence=licence,
        folds=folds,
        table=_group_table("set", _groups(whole, reached.tolist())),
        snippets=_snippets(pages),
        left_out=LEFT_OUT.format(table=_group_table("left out", left_out))
        if left_out
        else "",
        start=f"the model {start}" if start else "nothing",
        ece=calibration_error(pages),
        reliability=_reliability_table(reached, expected),
        types=_types(types) if types else "not trained, too few labelled pages",
        correlation=_correlation(reached, expected),
    )


def _types(found: Counter[tuple[str, str]]) -> str:
    right, total = sum(found[kind, kind] for kind in PAGE_TYPES), sum(found.values())
    f1s = type_f1s(found)
    each = ", ".join(f"{kind} {f1:.2f}" for kind, f1 in f1s.items())
    return (
        f"{right / max(total, 1):.1%} of {total} pages are predicted right, mean F1 "
        f"{mean(f1s.values()):.3f}\n({each})"
    )


def text_block_context_card(
    pages: Sequence[SegmentedPage],
    scores: Mapping[str, Mapping[str, Score]],
    segmentation: str,
    folds: int,
    licence: str,
    **facts: object,
) -> str:
    """The card of a tree; *scores* are those of each classifier on each set."""
    main = np.concatenate([page.main for page in pages])
    title = TEXT_BLOCK_CONTEXT_CARD.partition("\n")[0]
    rows = [
        (name, classifier, f"{s.precision:.3f}", f"{s.recall:.3f}", f"{s.f:.3f}")
        for name in next(iter(scores.values()))
        for classifier, by_set in scores.items()
        for s in [by_set[name]]
    ]
    return TEXT_BLOCK_CONTEXT_CARD.format(
        segmentation=segmentation,
        underline="=" * len(title.format(segmentation=segmentation)),
        today=date.today().isoformat(),
        licence=licence.strip().rstrip("."),
        folds=folds,
        data=_sets((page.set_name for page in pages), ",\n   "),
        records=len(main),
        pages=len(pages),
        sites=len({page.site for page in pages}),
        share=float(main.mean()),
        table=_table(("set", "classifier", "precision", "recall", "F"), rows),
        **facts,
    )


def _sets(names: Iterable[str], separator: str = ", ") -> str:
    counts = sorted(Counter(names).items())
    return separator.join(f"{name} ({count} pages)" for name, count in counts)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A simple table of reStructuredText; columns as wide as their longest cell."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    rule = " ".join("=" * width for width in widths)
    lines = [
        " ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in (heads, *rows)
    ]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule])


def _group_table(
    head: str, groups: Iterable[tuple[tuple[str, str], int, float]]
) -> str:
    rows = [(name, kind, f"{n:5}", f"{f1:.3f}") for (name, kind), n, f1 in groups]
    return _table((head, "type", "pages", "F1"), rows)


def _groups(
    pages: Sequence[TrainingPage], reached: Sequence[float]
) -> list[tuple[tuple[str, str], int, float]]:
    """The pages and mean F1 of each set, and of its types of 20 pages and more."""
    groups: dict[tuple[str, str], list[float]] = {}
    for page, f1 in zip(pages, reached, strict=True):
        groups.setdefault((page.set_name, ""), []).append(f1)
        if page.type:
            groups.setdefault((page.set_name, page.type), []).append(f1)
    return [
        ((name, kind or "all"), len(values), mean(values))
        for (name, kind), values in sorted(groups.items())
        if not kind or len(values) >= MIN_TYPE_PAGES
    ]


def _correlation(a: Floats, b: Floats) -> str:
    """Of two columns; undefined without any spread."""
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
    return _table(("confidence", "pages", "mean", "F1"), rows)


def _snippets(pages: Sequence[TrainingPage]) -> str:
    """Shares of snippets taken and left out, on the pages that have only snippets."""
    outcomes: dict[bool, list[bool]] = {True: [], False: []}
    for page in pages:
        chosen = chosen_blocks(page)[0]
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
