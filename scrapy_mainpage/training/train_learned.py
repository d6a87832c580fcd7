"""Training of the learned default: read, cross-validate, fit, write."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TYPE_CHECKING, Final

import numpy as np
from tqdm import tqdm

from ..evaluation.datasets import DataSetError, site_folds
from ..extraction.learned.features import feature_names
from ..extraction.learned.forest import MARKUP
from ..extraction.learned.learned import load_forest
from ..extraction.learned.page_types import PAGE_TYPES
from .cards import learned_card
from .train_forest import boost, cross_validate, fit_context, fit_forest, page_rows
from .train_page_types import cross_validate_types, fit_types
from .training_pages import TrainingPage, page_f1, read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ..evaluation.datasets import DataSet
    from ..extraction.learned.forest import Forest
    from .train_forest import Calibration, Rows
    from .training_pages import TrainingPage

    Group = tuple[str, str]
    Groups = dict[Group, list[TrainingPage]]


def fit_site(pages: Sequence[TrainingPage], start: Forest, weight: float) -> Forest:
    """The forest *start* with trees that correct it on *pages*.

    Each page counts as *weight* pages, so that it outweighs the trees' caution.
    """
    rows = [page_rows(start, page) for page in pages]
    before = [start.log_odds(seen) for seen in rows]
    trees = boost(pages, rows, start.names, before=before, factor=weight)
    return replace(start.followed_by(trees), context=start.context)


def cross_validate_site(
    pages: Sequence[TrainingPage],
    folds: int,
    start: Forest,
    weight: float,
    progress: Callable[[int], object] = lambda fold: None,
) -> None:
    """Set each page's ``probability`` by trees that saw other pages, also of its site.

    Raises ``ValueError`` if there are fewer pages than folds.
    """
    fold_of = site_folds([str(k) for k in range(len(pages))], folds)
    for fold in range(folds):
        progress(fold)
        inside = [page for page, own in zip(pages, fold_of, strict=True) if own != fold]
        forest = fit_site(inside, start, weight)
        for page, own in zip(pages, fold_of, strict=True):
            if own == fold:
                odds = forest.evaluate(page.document)
                page.probability = 1 / (1 + np.exp(-odds))


OURS: Final = "ours"
"""The model to start from that comes with the package."""

MIN_LANGUAGE_PAGES: Final = 50
"""A language with fewer pages is not left out."""

MIN_SITE_PAGES: Final = 2


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
    ``ours``. With *without*, the card also has the F1 on the pages of each set and of
    each language by models trained without them. Raises ``OSError`` or
    ``ValueError`` if data cannot be read, learned from or written.
    """
    before = load_forest(None if start == OURS else start) if start else None
    pages, names = _read(sets)
    if before:
        _check_features(before, names, start)
    with tqdm(total=2 * folds + 1, desc="training", unit="model") as steps:
        markup, first, second = cross_validate(
            pages, names, folds, lambda _: steps.update(), before
        )
        forest = _fit(pages, names, markup, first, second, before)
        types = fit_types(pages, names)
        forest = replace(forest, types=types or forest.types)
        steps.update()
    types_right = cross_validate_types(pages, names, folds) if types else None
    rows = leave_out(pages, names, markup, first, second) if without else []
    card = learned_card(pages, forest, folds, licence, start, types_right, rows)
    _write(forest, card, output)
    return card


def train_site(
    sets: list[DataSet],
    output: Path,
    folds: int,
    licence: str,
    start: str,
    weight: float,
) -> str:
    """The same for a few pages of few sites, each counted as *weight* pages.

    Only the trees that correct the model *start* are new. Folds are of pages, as many
    as there are pages at most.
    """
    before = load_forest(None if start == OURS else start)
    pages, names = _read(sets)
    _check_features(before, names, start)
    if len(pages) < MIN_SITE_PAGES:
        raise DataSetError(f"{MIN_SITE_PAGES} pages are needed, not {len(pages)}")
    folds = min(folds, len(pages))
    with tqdm(total=folds + 1, desc="training", unit="model") as steps:
        cross_validate_site(pages, folds, before, weight, lambda _: steps.update())
        forest = fit_site(pages, before, weight)
        steps.update()
    start = f"{start}, with each page counted as {weight:g}; folds are of pages"
    card = learned_card(pages, forest, folds, licence, start, None, [])
    _write(forest, card, output)
    return card


def _write(forest: Forest, card: str, output: Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    forest.save(output / "learned.npz")
    (output / "learned.rst").write_text(card, encoding="utf-8")


def _check_features(before: Forest, names: tuple[str, ...], start: str | None) -> None:
    if before.names not in (names, (*names, MARKUP)):
        raise ValueError(f"{start}: not a model of this version's features")


def _fit(
    pages: Sequence[TrainingPage],
    names: Sequence[str],
    markup: Sequence[Rows] | None,
    first: Calibration,
    second: Calibration,
    start: Forest | None = None,
) -> Forest:
    forest = fit_forest(pages, names, markup, start)
    context = replace(fit_context(pages), slope=second[0], offset=second[1])
    return replace(forest, slope=first[0], offset=first[1], context=context)


def _read(sets: list[DataSet]) -> tuple[list[TrainingPage], tuple[str, ...]]:
    labelled = [(group.name, page) for group in sets for page in group.pages]
    bar = tqdm(labelled, desc="reading", unit="page")
    pages = [page for page in (read_page(*item) for item in bar) if page is not None]
    if not pages:
        raise DataSetError("no labelled page has any text of its own")
    if not any(page.known is None or page.known.any() for page in pages):
        raise DataSetError("no block of any page has a label")
    return pages, feature_names()


def groups_to_leave_out(pages: Sequence[TrainingPage]) -> Groups:
    """The pages with a gold text by set; and by language, where that is their type."""
    whole = [page for page in pages if page.known is None]
    groups: Groups = {}
    for page in whole:
        groups.setdefault((page.set_name, "all"), []).append(page)
    languages: Groups = {}
    for page in whole:
        if page.type and page.type not in PAGE_TYPES:
            languages.setdefault((page.set_name, page.type), []).append(page)
    return groups | {k: v for k, v in languages.items() if len(v) >= MIN_LANGUAGE_PAGES}


def leave_out(
    pages: Sequence[TrainingPage],
    names: Sequence[str],
    markup: Sequence[Rows] | None,
    first: Calibration,
    second: Calibration,
) -> list[tuple[Group, int, float]]:
    """The mean F1 of each group by trees that saw neither its pages nor their sites.

    Articles of a set with page types have a line of their own.
    """
    rows: list[tuple[Group, int, float]] = []
    for group, own in groups_to_leave_out(pages).items():
        sites, ids = {page.site for page in own}, {id(page) for page in own}
        kept = [
            k
            for k, page in enumerate(pages)
            if id(page) not in ids and page.site not in sites
        ]
        if not kept:
            continue
        train = [pages[k] for k in kept]
        sums = [markup[k] for k in kept] if markup else None
        forest = _fit(train, names, sums, first, second)
        reached = []
        for page in own:
            odds = forest.evaluate(page.document)
            seen = replace(page, probability=1 / (1 + np.exp(-odds)))
            reached.append(page_f1(seen)[0])
        rows.append((group, len(own), mean(reached)))
        kinds = [
            f1 for page, f1 in zip(own, reached, strict=True) if page.type == "article"
        ]
        if kinds and len(kinds) < len(own):
            rows.append(((group[0], "article"), len(kinds), mean(kinds)))
    return rows
