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

from ..document import Context
from ..features import weights
from ..features._features import number_texts_of
from .base import Algorithm, Verdict, check_number
from .forest import Forest

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document import Document
    from ..layout import Layout
    from .base import Mask, Scores

    Floats = npt.NDArray[np.float64]

BETA: Final = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""Which F-measure is made as high as can be expected, for each way of favouring."""


LONG_TEXT: Final = 10
"""Words, from which on a text is taken only once."""

SHIFTS: Final = 1.5 * np.array([-1.6, -1.0, -0.5, 0.0, 0.5, 1.0, 1.6])
"""Of a page's log odds: a normal spread, found by cross-validation."""

STEEPNESS: Final = 1.2
"""Of the log odds given the shift, so that their mean is what was predicted."""

TINY: Final = 1e-9


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
        probability = forest.judge(document)
        # What is out of sight is rarely meant to be read; the trees saw too few such
        # blocks to be sure of it.
        probability[(document.blocks.flags & Context.HIDDEN) != 0] *= 0.5
        scores: Scores = probability.astype(np.float32)
        return scores

    def select(self, document: Document, scores: Scores) -> Mask:
        """The best set of blocks."""
        return self.judge_scores(document, scores).main

    def judge(self, document: Document, layout: Layout | None = None) -> Verdict:
        """The scores, the best set, and the F1 expected of it."""
        return self.judge_scores(document, self.score(document))

    def page_type(self, document: Document, scores: Scores) -> str | None:
        """The likeliest type, by the features of the blocks and their *scores*."""
        forest = load_forest(self.model)
        if forest.types is None:
            return None
        rows = forest.rows(document)
        return forest.types.page_type(document, forest.block_names, rows, scores)

    def judge_scores(self, document: Document, scores: Scores) -> Verdict:
        """The best set of blocks for given *scores*, and the F1 to be expected."""
        once = np.where(repeated(document), 0, scores.astype(np.float64))
        chosen, expected = best_set(once, weights(document), BETA[self.favor])
        few = expected_words(scores, document)
        if few < self.least_words:
            # Right if the page has no main content: the surer, the fewer are expected.
            chosen[:] = False
            expected = 1 - few / self.least_words if document.n_blocks else 0.0
        return Verdict(scores, chosen, confidence=expected)


def expected_words(scores: Scores, document: Document) -> float:
    """How many words of main content the page is expected to have."""
    return float((scores * weights(document)).sum())


def repeated(document: Document) -> Mask:
    """Longer texts that the page had before: copies for small screens, carousels."""
    blocks, (number, size) = document.blocks, number_texts_of(document)
    again = np.zeros(document.n_blocks, bool)
    seen: set[bytes] = set()
    # Texts of one number may differ in digits, as rows of tables do.
    for i in np.flatnonzero((size[number] > 1) & (weights(document) >= LONG_TEXT)):
        text = b"".join(document.text[blocks.start[i] : blocks.end[i]].lower().split())
        again[i] = text in seen
        seen.add(text)
    return again


def best_set(
    probability: Floats, words: Floats, beta: float = 1.0
) -> tuple[Mask, float]:
    """The blocks whose choice has the highest expected F-beta, and the F1 expected.

    Of some number of the likeliest blocks. How much of a page is main content is a
    matter of the page: errors of its probabilities go together. So the expectation is
    the mean over shifts of all log odds, given which blocks are independent, and each
    time the ratio of expectations.
    """
    chosen = np.zeros(len(probability), bool)
    order = np.argsort(-probability, kind="stable")
    size, likely = words[order], probability[order]
    if not (size * likely).sum() > 0:
        return chosen, 0.0
    odds = np.log(np.maximum(likely, TINY) / np.maximum(1 - likely, TINY))
    shifted = 1 / (1 + np.exp(-(STEEPNESS * odds + SHIFTS[:, None])))
    right = np.cumsum(np.where(likely > 0, shifted, 0) * size, axis=1)
    taken, wanted = np.cumsum(size), right[:, -1:]
    square = beta * beta
    expected = (1 + square) * right / np.maximum(taken + square * wanted, TINY)
    last = int(np.argmax(expected.mean(axis=0)))
    chosen[order[: last + 1]] = True
    f1 = 2 * right[:, last] / np.maximum(taken[last] + wanted[:, 0], TINY)
    return chosen, float(f1.mean())


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
