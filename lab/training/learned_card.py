"""The card of the model of ``learned``: data, parameters, cross-validated scores."""

from __future__ import annotations

from collections import Counter
from datetime import date
from statistics import mean
from typing import TYPE_CHECKING, Final

from .boosting import BAGS, PARAMETERS, ROUNDS
from .training_pages import chosen_blocks, page_f1

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy_mainpage.extraction.learned.learned import Forest

    from .training_pages import TrainingPage

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
:Markup: {slots} hashes of class and id tokens, tags, parts and pairs of them
:Date: {today}
:Parameters: {parameters}
:Calibration: log odds times {slope:.3f} plus {offset:.3f}, fitted in cross-validation
:Made by: ``python -m lab.training learned DATA_DIR --folds {folds}
   --output DIR``
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
        around=len(forest.context.names) if forest.context else 0,
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
        snippets=_snippets(pages),
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A simple table of reStructuredText; columns as wide as their longest cell."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    rule = " ".join("=" * width for width in widths)
    lines = [
        " ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in (heads, *rows)
    ]
    return "\n".join([rule, lines[0], rule, *lines[1:], rule])


def group_table(head: str, groups: Iterable[tuple[tuple[str, str], int, float]]) -> str:
    """The mean F1 of groups of pages: their name and type, number of pages, F1."""
    rows = [(name, kind, f"{n:5}", f"{f1:.3f}") for (name, kind), n, f1 in groups]
    return table((head, "type", "pages", "F1"), rows)


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
