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

from ..algorithms.base import Algorithm, Selection, check_number
from ._selection import LONG_TEXT, best_prefix, choose, keep_copies, scores_of
from .features import weights
from .features._features import compute
from .forest import SAME_TEXT, Forest

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..algorithms.base import Mask, Scores
    from ..document.document import Document
    from ..document.layout import Layout

    Copied = npt.NDArray[np.uint8]
    Floats = npt.NDArray[np.float64]

BETA: Final = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""Which F-measure is made as high as can be expected, for each way of favouring."""


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
        return self._read(document)[0]

    def _read(self, document: Document) -> tuple[Scores, Copied]:
        """The scores, and which texts the page has more than once."""
        forest = load_forest(self.model)
        sums, copied = forest.judge(document)
        flags = document.blocks.flags
        return scores_of(sums, forest.slope, forest.offset, flags), copied

    def select(self, document: Document, scores: Scores) -> Mask:
        """The best set of blocks."""
        return self.judge_scores(document, scores).main

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """The scores, the best set, and the F1 expected of it."""
        return self.judge_scores(document, *self._read(document))

    def page_type(self, document: Document, scores: Scores) -> str | None:
        """The likeliest type, by the features of the blocks and their *scores*."""
        forest = load_forest(self.model)
        if forest.types is None:
            return None
        rows = forest.rows(document)
        return forest.types.page_type(document, forest.block_names, rows, scores)

    def judge_scores(
        self, document: Document, scores: Scores, copied: Copied | None = None
    ) -> Selection:
        """The best set of blocks for given *scores*, and the F1 to be expected.

        *copied* may say which texts, digits apart, the page has more than once.
        """
        if copied is None:
            copied = copied_texts(document)
        chosen, expected = choose(
            document,
            scores,
            copied,
            BETA[self.favor],
            self.least_words,
        )
        return Selection(scores, chosen, confidence=expected)


def copied_texts(document: Document) -> Copied:
    """The texts that the page has more than once if only letters count."""
    copied: Copied = (compute(document)[SAME_TEXT] > 1).view(np.uint8)
    return copied


def repeated(document: Document, copied: Copied | None = None) -> Mask:
    """Longer texts that the page had before: copies for small screens, carousels.

    They are among the texts that are *copied* if only letters count.
    """
    if copied is None:
        copied = copied_texts(document)
    again: Mask = (copied > 0) & (weights(document) >= LONG_TEXT)
    blocks = document.blocks
    keep_copies(document.text, blocks.start, blocks.end, again.view(np.uint8))
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
    # A product and a sum: the threads of linear algebra would cost more than they give.
    if not (probability * words).sum() > 0:
        return chosen, 0.0
    order = np.argsort(-probability, kind="stable")
    count, f1 = best_prefix(probability, words, order, beta)
    chosen[order[:count]] = True
    return chosen, f1


@cache
def load_forest(path: str | None = None) -> Forest:
    """The forest in a file, or the one that comes with the package.

    Raises ``OSError`` or ``ValueError`` for a file that cannot be read or is none.
    """
    if path:
        with open(path, "rb") as file:
            return Forest.load(file)
    own = files("scrapy_mainpage.extraction") / "weights" / "learned.npz"
    with own.open("rb") as file:
        return Forest.load(file)  # type: ignore[arg-type]
