"""How well the learned default does where nothing like it was in the training."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import TYPE_CHECKING

from ..extraction.learned.learned import Learned
from ..extraction.learned.page_types import PAGE_TYPES
from .train_forest import fit_forest, page_rows
from .train_pages import page_f1

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .train_pages import TrainingPage

    Group = tuple[str, str]
    Groups = dict[Group, list[TrainingPage]]


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
    return groups | {k: v for k, v in languages.items() if len(v) >= LEAST_PAGES}


LEAST_PAGES = 50
"""Of a language, to be left out."""


def leave_out(
    pages: Sequence[TrainingPage],
    names: Sequence[str],
    calibration: tuple[float, float],
    progress: Callable[[], object] = lambda: None,
) -> list[tuple[Group, int, float]]:
    """The mean F1 of each group by trees that saw neither its pages nor their sites.

    Articles of a set with page types have a line of their own.
    """
    slope, offset = calibration
    rows: list[tuple[Group, int, float]] = []
    for group, own in groups_to_leave_out(pages).items():
        sites, ids = {page.site for page in own}, {id(page) for page in own}
        train = [p for p in pages if id(p) not in ids and p.site not in sites]
        progress()
        if not train:
            continue
        forest = replace(fit_forest(train, names), slope=slope, offset=offset)
        reached = []
        for page in own:
            likely = forest.predict(page_rows(forest, page))
            seen = replace(page, probability=likely)
            reached.append(page_f1(seen, Learned.least_words)[0])
        rows.append((group, len(own), mean(reached)))
        kinds = [
            f1 for page, f1 in zip(own, reached, strict=True) if page.type == "article"
        ]
        if kinds and len(kinds) < len(own):
            rows.append(((group[0], "article"), len(kinds), mean(kinds)))
    return rows
