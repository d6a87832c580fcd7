"""The search for the main content column (Rae et al. 2018, section 3.3)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from .zones import Columns

    Floats = npt.NDArray[np.float64]

_ROUNDING: Final = 1e-6
"""A loss so close to delta, as a share of the page's words, is not certain."""


@dataclass(frozen=True)
class ColumnSearch:
    """The search down a column tree, by the words in the paragraphs of each column."""

    columns: Columns
    delta: float
    fallback_score: float

    def path(self, words: Floats) -> tuple[int, ...]:
        """The path down the collapsed column tree, always to the best child.

        Of equally good children it takes the first.
        """
        columns = self.columns
        stays = np.flatnonzero(columns.stays)
        order = stays[np.lexsort((stays, -words[stays], columns.outer[stays]))]
        outer = columns.outer[order]
        first = np.concatenate(([True], outer[1:] != outer[:-1]))
        best = dict(zip(outer[first].tolist(), order[first].tolist(), strict=True))
        path = [0]
        while path[-1] in best:
            path.append(best[path[-1]])
        return tuple(path)

    def choose(self, words: Floats, path: tuple[int, ...]) -> int | None:
        """The first column that loses more than delta, else the deepest good one.

        Words are subtracted before the division: integers have no rounding error, and a
        loss of exactly delta is not more than delta.
        """
        total = words[path[0]]
        if total == 0:
            return None
        following = [*(words[column] for column in path[1:]), 0.0]
        for column, kept in zip(path, following, strict=True):
            if (words[column] - kept) / total > self.delta:
                return column
        good = [
            column for column in path if words[column] / total >= self.fallback_score
        ]
        return good[-1] if good else None

    def is_settled(self, least: Floats, most: Floats) -> bool:
        """Whether the search ends at the same column for all words in between.

        *least* are the words of the zones that surely are paragraphs, *most* those of
        the zones that may be. Only an end by delta counts as certain.
        """
        column = 0
        while True:
            children = [child for child in self._below[column] if most[child] > 0]
            best = max(children, key=least.__getitem__, default=None)
            others = [child for child in children if child != best]
            if best is not None and any(most[other] >= least[best] for other in others):
                return False
            kept_least, kept_most = (
                (0, 0) if best is None else (least[best], most[best])
            )
            lost_least = least[column] - kept_least
            lost_most = most[column] - kept_most
            # loss / (loss + rest) > delta, in words, for any loss and any rest.
            rest_least, rest_most = least[0] - lost_least, most[0] - lost_most
            margin = _ROUNDING * most[0]
            if lost_least * (1 - self.delta) - rest_most * self.delta > margin:
                return True
            goes_on = rest_least * self.delta - lost_most * (1 - self.delta) > margin
            if best is None or not goes_on:
                return False
            column = best

    @cached_property
    def _below(self) -> Mapping[int, list[int]]:
        below = defaultdict[int, list[int]](list)
        for column in np.flatnonzero(self.columns.stays).tolist():
            below[int(self.columns.outer[column])].append(column)
        return below
