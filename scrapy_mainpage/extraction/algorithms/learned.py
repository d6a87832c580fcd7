"""The learned default: boosted trees over all signals, and the best set of blocks.

Each text block gets a probability of being main content; of all sets of blocks, the one
with the highest expected F-measure of its words is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from .._trees import predict_forest
from ..document import Context
from ..features import feature_matrix, feature_names
from ..features.blocks import weights
from .archives import UNREADABLE
from .base import Algorithm, Verdict, check_number

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    import numpy.typing as npt

    from ..document import Document
    from ..layout import Layout
    from .base import Mask, Scores

    Floats = npt.NDArray[np.float64]

_ARRAYS: Final = {
    "feature": np.int16,
    "threshold": np.float32,
    "left": np.int32,
    "value": np.float32,
    "roots": np.int32,
}

BETA: Final = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""Which F-measure is made as high as can be expected, for each way of favouring."""


@dataclass(frozen=True, eq=False)
class Forest:
    """Boosted trees as flat arrays, and what turns their sum into a probability.

    ``names`` are the features in the order of the columns; log odds are ``slope`` times
    the trees' sum plus ``offset``.
    """

    names: tuple[str, ...]
    feature: npt.NDArray[np.int16]
    threshold: npt.NDArray[np.float32]
    left: npt.NDArray[np.int32]
    value: npt.NDArray[np.float32]
    roots: npt.NDArray[np.int32]
    slope: float
    offset: float

    @classmethod
    def load(cls, file: BinaryIO) -> Forest:
        """Read a forest that :meth:`save` wrote; ``ValueError`` for anything else."""
        try:
            with np.load(file) as data:
                arrays = {name: data[name].astype(t) for name, t in _ARRAYS.items()}
                names = tuple(data["names"].tolist())
                slope, offset = data["calibration"].tolist()
        except UNREADABLE:
            raise ValueError("not a model of the learned algorithm") from None
        forest = cls(names=names, slope=slope, offset=offset, **arrays)
        if not forest._is_sound():
            raise ValueError("not a model of the learned algorithm: no whole trees")
        if unknown := set(names) - set(feature_names()):
            raise ValueError(f"features that are not known: {', '.join(unknown)}")
        return forest

    def _is_sound(self) -> bool:
        """Whether all numbers are some, and every row finds its way to a leaf."""
        size, below = len(self.left), self.left[self.left >= 0]
        numbers = [self.slope, self.offset, *self.threshold, *self.value]
        nodes = (self.feature, self.threshold, self.left, self.value)
        return bool(
            all(array.shape == (size,) for array in nodes)
            and np.isfinite(numbers).all()
            and ((self.feature >= 0) & (self.feature < len(self.names))).all()
            and (below > np.flatnonzero(self.left >= 0)).all()
            and (below < size - 1).all()
            and ((self.roots >= 0) & (self.roots < size)).all()
        )

    def save(self, path: Path) -> None:
        """Write the forest as a NumPy archive."""
        np.savez_compressed(
            path,
            names=np.array(self.names),
            calibration=np.array([self.slope, self.offset]),
            feature=self.feature,
            threshold=self.threshold,
            left=self.left,
            value=self.value,
            roots=self.roots,
        )

    def predict(self, rows: npt.NDArray[np.float32]) -> Floats:
        """The probability of main content for each of the *rows*."""
        total = predict_forest(
            rows, self.feature, self.threshold, self.left, self.value, self.roots
        )
        return 1 / (1 + np.exp(-(self.slope * total + self.offset)))


@dataclass(frozen=True)
class Learned(Algorithm):
    """The set of blocks with the highest expected F-measure.

    ``favor``: ``balanced`` (F1), ``precision`` (F0.5) or ``recall`` (F2).
    ``least_words``: with fewer main words expected on the whole page, it has none.
    ``model``: the path of another forest, one that ``scrapy mainpage-train`` wrote.
    """

    name: ClassVar[str] = "learned"

    favor: str = "balanced"
    least_words: float = 10.0
    model: str | None = None

    def __post_init__(self) -> None:
        if self.favor not in BETA:
            allowed = ", ".join(BETA)
            raise ValueError(f"favor must be one of {allowed}")
        check_number("least_words", self.least_words, 0)
        if not (self.model is None or isinstance(self.model, str)):
            raise ValueError(f"model must be the path of a file, not {self.model!r}")
        if self.model:
            try:
                load_forest(self.model)
            except (OSError, ValueError) as error:
                raise ValueError(f"model {self.model!r}: {error}") from None

    def score(self, document: Document, layout: Layout | None = None) -> Scores:
        """The probability of each block to be main content."""
        forest = load_forest(self.model)
        probability = forest.predict(feature_matrix(document, forest.names))
        # What is out of sight is rarely meant to be read; the trees saw too few such
        # blocks to be sure of it.
        probability[(document.blocks.flags & Context.HIDDEN) != 0] *= 0.5
        scores: Scores = probability.astype(np.float32)
        return scores

    def select(self, document: Document, scores: Scores) -> Mask:
        """The best set of blocks."""
        return self.judge_scores(document, scores).main

    def judge(self, document: Document, layout: Layout | None = None) -> Verdict:
        """The scores, the best set of blocks, and the F1 to be expected of it."""
        return self.judge_scores(document, self.score(document, layout))

    def judge_scores(self, document: Document, scores: Scores) -> Verdict:
        """The best set of blocks for given *scores*, and the F1 to be expected."""
        chosen, expected = best_set(
            scores.astype(np.float64), weights(document), BETA[self.favor]
        )
        if expected_words(scores, document) < self.least_words:
            chosen[:] = False
        return Verdict(scores, chosen, confidence=expected)


def expected_words(scores: Scores, document: Document) -> float:
    """How many words of main content the page is expected to have."""
    return float((scores * weights(document)).sum())


def best_set(
    probability: Floats, words: Floats, beta: float = 1.0
) -> tuple[Mask, float]:
    """The blocks whose choice has the highest expected F-beta, and the F1 expected.

    The best set is always a number of the likeliest blocks: taking a likelier block
    instead of another of the same length never lowers the expectation. The expectation
    of the ratio is taken as the ratio of the expectations.
    """
    chosen = np.zeros(len(probability), bool)
    if not len(probability):
        return chosen, 0.0
    order = np.argsort(-probability, kind="stable")
    size = words[order]
    right = np.cumsum(probability[order] * size)
    taken, wanted = np.cumsum(size), max(float(right[-1]), 1e-9)
    square = beta * beta
    expected = (1 + square) * right / np.maximum(taken + square * wanted, 1e-9)
    last = int(np.argmax(expected))
    chosen[order[: last + 1]] = right[last] > 0
    f1 = 2 * right[last] / max(float(taken[last] + wanted), 1e-9)
    return chosen, float(f1)


@cache
def load_forest(path: str | None = None) -> Forest:
    """The forest in a file, or the one that comes with the package.

    Raises ``OSError`` or ``ValueError`` for a file that cannot be read or is none.
    """
    if path:
        with open(path, "rb") as file:
            return Forest.load(file)
    own = files(__package__) / "models" / "learned.npz"
    with own.open("rb") as file:
        return Forest.load(file)  # type: ignore[arg-type]
