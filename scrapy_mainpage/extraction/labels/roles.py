"""The boilerplate role of each block: boosted trees over names, phrases and place."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...label import Label
from ..document.document import Context
from ..learned._learned import QuickForest
from . import CODE, LABELS
from ._features import NAMES, role_features

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    import numpy.typing as npt

    from ..document.document import Document
    from .phrases import PhraseMatches

    Codes = npt.NDArray[np.uint8]
    Floats = npt.NDArray[np.float64]
    Mask = npt.NDArray[np.bool_]
    Places = npt.NDArray[np.int32]
    Rows = npt.NDArray[np.float32]

ROLES: Final = tuple(code for code, label in enumerate(LABELS) if not label.is_main)
"""The codes of the roles, in the order of the model's outputs."""

MAX_DIALOG_SHARE: Final = 0.7
"""Of a page's blocks; a larger element is the page, whatever its name."""

MIN_SURE: Final = 0.3
"""Probability below which a landmark around the block decides, if there is one.

On the hand-labelled blocks no worse than without, and right on pages of few blocks.
"""

MIN_SURE_OF_FEW: Final = 0.5
FEW_BLOCKS: Final = 20
"""The same probability on pages of so few blocks, which have little else to go by."""

_LANDMARKS: Final = (
    (Context.NAVIGATION, Label.NAVIGATION),
    (Context.FOOTER, Label.FOOTER),
    (Context.FORM, Label.FORM),
)
"""Landmarks of the page by tag or ARIA role, the strongest last."""


@dataclass(frozen=True, eq=False)
class RoleModel:
    """Boosted trees as flat arrays, whose leaves have a number for every role.

    ``names`` are the features in the order of the columns, ``vectors`` the leaves of a
    tree, left to right. Log odds are ``start`` plus ``step`` times their sum.
    """

    names: tuple[str, ...]
    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    left: npt.NDArray[np.int32]
    roots: npt.NDArray[np.int32]
    vectors: npt.NDArray[np.int16]
    step: npt.NDArray[np.float32]
    start: npt.NDArray[np.float32]

    @classmethod
    def load(cls, file: BinaryIO) -> RoleModel:
        """Read a model that :meth:`save` wrote."""
        with np.load(file) as data:
            arrays = {name: data[name] for name in data.files if name != "names"}
            return cls(names=tuple(data["names"].tolist()), **arrays)

    def save(self, path: Path) -> None:
        """Write the model as a NumPy archive."""
        arrays: dict[str, Any] = {
            each.name: getattr(self, each.name) for each in fields(self)
        }
        np.savez_compressed(path, **arrays)

    def predict(self, matrix: Rows) -> Rows:
        """The probabilities of all roles (rows) for each column of *matrix*."""
        sums = self._forest.sum_vectors(matrix, self.vectors)[:, : len(self.start)].T
        totals = sums * self.step + self.start[:, None]
        powers = np.exp(totals - totals.max(axis=0))
        return np.asarray(powers / powers.sum(axis=0), np.float32)

    @cached_property
    def _forest(self) -> QuickForest:
        place = np.array([NAMES.index(name) for name in self.names], np.int32)
        no_values = np.zeros(len(self.left), np.float32)
        nodes = (self.feature, self.threshold, self.left, no_values)
        return QuickForest(*nodes, self.roots, place)


@cache
def load_roles() -> RoleModel:
    """The model that comes with the package."""
    own = files("scrapy_mainpage.extraction") / "weights" / "roles.npz"
    with own.open("rb") as file:
        return RoleModel.load(file)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class PageSigns:
    """Signs of roles on one page: names of its elements, phrases of its blocks, ...

    ``main`` is the mask of main content, ``title`` the block of the page's title or -1;
    ``forum`` says whether it is a page of a forum.
    """

    document: Document
    names: npt.NDArray[np.uint64]
    phrases: PhraseMatches
    main: Mask
    title: int
    forum: bool

    def features(self, wanted: npt.NDArray[np.int32]) -> Rows:
        """A row per feature, a column for each of the *wanted* blocks."""
        return role_features(
            self.document,
            self.names,
            self.phrases,
            np.asarray(self.main, bool).view(np.uint8),
            wanted,
            self.title,
            self.forum,
        )


def find_roles(page: PageSigns) -> tuple[Codes, Rows]:
    """The code of the likeliest role of each block, and its probability.

    Names of consent dialogs are sure. Those of main content mean nothing.
    """
    wanted = np.flatnonzero(~page.main).astype(np.int32)
    codes = np.zeros(len(page.main), np.uint8)
    probabilities = np.ones(len(page.main), np.float32)
    if len(wanted):
        matrix = page.features(wanted)
        found = load_roles().predict(matrix)
        best = _best_roles(found, page.document.blocks.flags[wanted])
        codes[wanted] = np.array(ROLES, np.uint8)[best]
        probabilities[wanted] = found[best, np.arange(len(best))]
        share = matrix[NAMES.index("near_consent")]
        sure = wanted[(share > 0) & (share <= MAX_DIALOG_SHARE)]
        codes[sure], probabilities[sure] = CODE[Label.CONSENT], 1
    return codes, probabilities


def _best_roles(found: Rows, flags: Places) -> npt.NDArray[np.intp]:
    """The places in ``ROLES`` of the likeliest roles, or of the landmarks around."""
    best: npt.NDArray[np.intp] = found.argmax(axis=0)
    least = MIN_SURE_OF_FEW if len(flags) <= FEW_BLOCKS else MIN_SURE
    unsure = found.max(axis=0) < least
    for context, label in _LANDMARKS:
        best[unsure & (flags & int(context) != 0)] = ROLES.index(CODE[label])
    return best
