"""Training of the learned default: read, cross-validate, fit, write with a card.

Cards are reStructuredText: data, parameters and cross-validated scores.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Final

from tqdm import tqdm

from ..evaluation.datasets import DataSetError, site_folds
from ..extraction.learned.features import FEATURE_NAMES
from ..extraction.learned.learned import MARKUP, load_forest
from .train_forest import (
    BAGS,
    PARAMETERS,
    ROUNDS,
    cross_validate,
    fit_context,
    fit_correction,
    logistic,
    unseen,
)
from .training_pages import chosen_blocks, page_f1, read_page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ..evaluation.datasets import DataSet
    from ..extraction.learned.learned import Forest
    from .train_forest import Calibration, Fit
    from .training_pages import TrainingPage

MIN_SITE_PAGES: Final = 2

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
:Made by: ``{command} --folds {folds}
   --output DIR``
:Licence: of the data: {licence}. None of its text is in the model.

Mean word F1 per page in {folds}-fold cross-validation grouped by site, one model for
all sets:

{table}
{snippets}"""


def train_learned(
    sets: list[DataSet],
    output: Path,
    folds: int,
    licence: str,
    start: str,
    site_weight: float | None = None,
) -> str:
    """Write ``learned.npz`` and its card into the folder *output*.

    Returns the card, in which *licence* is the note on the licence of the data. The
    same data give the same model. *start* is the path of a model to go on from, or
    ``ours``. With *site_weight* each page counts as so many: only the trees that
    correct *start* are new, and folds are of pages, at most one for each. Raises
    ``OSError`` or ``ValueError`` if data cannot be read, learned from or written.
    """
    before = load_start(start)
    pages = read_pages(sets)
    title = f"the model {start}"
    if site_weight is None:
        fit = partial(fit_correction, start=before)
        forest = fit_calibrated(pages, fit, *cross_validate(pages, folds, fit))
    else:
        if len(pages) < MIN_SITE_PAGES:
            raise DataSetError(f"{MIN_SITE_PAGES} pages are needed, not {len(pages)}")
        folds = min(folds, len(pages))
        title += f", with each page counted as {site_weight:g}; folds are of pages"
        forest = _train_site(pages, folds, before, site_weight)
    card = learned_card(pages, forest, folds, licence, title)
    write_model(forest, card, output)
    return card


def load_start(start: str) -> Forest:
    """The model at the path *start*, or the package's for ``ours``.

    Raises ``ValueError`` for a model with other features.
    """
    forest = load_forest(None if start == "ours" else start)
    if forest.names not in (FEATURE_NAMES, (*FEATURE_NAMES, MARKUP)):
        raise ValueError(f"{start}: not a model of this version's features")
    return forest


def read_pages(sets: list[DataSet]) -> list[TrainingPage]:
    """The pages of all sets that have a label and a text block.

    Raises ``DataSetError`` if no block of any of them has a label.
    """
    labelled = [(group.name, page) for group in sets for page in group.pages]
    bar = tqdm(labelled, desc="reading", disable=None)
    pages = [page for page in (read_page(*item) for item in bar) if page is not None]
    if not pages:
        raise DataSetError("no labelled page has any text of its own")
    if not any(page.known is None or page.known.any() for page in pages):
        raise DataSetError("no block of any page has a label")
    return pages


def fit_calibrated(
    pages: list[TrainingPage], fit: Fit, first: Calibration, second: Calibration
) -> Forest:
    """Both forests on all *pages*, given the results of their cross-validation."""
    context = replace(fit_context(pages), slope=second[0], offset=second[1])
    return replace(fit(pages), slope=first[0], offset=first[1], context=context)


def write_model(forest: Forest, card: str, output: Path) -> None:
    """Write the model and its card into the folder *output*."""
    output.mkdir(parents=True, exist_ok=True)
    forest.save(output / "learned.npz")
    (output / "learned.rst").write_text(card, encoding="utf-8")


def _train_site(
    pages: list[TrainingPage], folds: int, start: Forest, weight: float
) -> Forest:
    """*start* with trees for these sites; sets each page's ``probability``."""

    def fit(seen: list[TrainingPage]) -> Forest:
        return replace(fit_correction(seen, start, weight), context=start.context)

    fold_of = site_folds([str(k) for k in range(len(pages))], folds)
    for forest, page in unseen(pages, fold_of, fit, "training"):
        page.probability = logistic(forest.evaluate(page.document))
    return fit(pages)


def learned_card(
    pages: Sequence[TrainingPage],
    forest: Forest,
    folds: int,
    licence: str,
    start: str,
    command: str = "scrapy mainpage-train DATA_DIR",
) -> str:
    """The card of a model of ``learned``, with its scores on *pages*.

    These have the probabilities of the cross-validation; *start* is what the training
    went on from.
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
        command=command,
        licence=licence.strip().rstrip("."),
        folds=folds,
        start=start,
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
