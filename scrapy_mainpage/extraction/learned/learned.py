"""The learned default: boosted trees over all features, then the best set of blocks.

Each text block gets a probability of being main content: from its own features, then
from these and the probabilities of what lies around it. Tables, lists and code get one
for all of their blocks. Of all sets of blocks, the one with the highest expected
F-measure of its words is taken, and the headings of its text with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from ..algorithms.algorithm import Algorithm, Selection, check_number
from ._learned import (
    MIN_COPY_WORDS,
    calibrate,
    keep_copies,
    select_blocks,
)
from .features import compute, count_weighted_words
from .forest import SAME_TEXT, Forest

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..algorithms.algorithm import Mask, Scores
    from ..document.document import Document
    from ..document.layout import Layout

    Copies = npt.NDArray[np.uint8]

BETA: Final = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}
"""The beta of the F-measure whose expectation is maximised, per way of favouring."""


@dataclass(frozen=True)
class Learned(Algorithm):
    """The set of blocks with the highest expected F-measure.

    ``favor``: ``balanced`` (F1), ``precision`` (F0.5) or ``recall`` (F2).
    ``least_words``: with fewer main words expected, none of them likely, the page has
    none.
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
        return self._evaluate(document)[0]

    def _evaluate(self, document: Document) -> tuple[Scores, Copies]:
        odds, copies = load_forest(self.model).evaluate(document)
        return calibrate(odds, document.blocks.flags), copies

    def select(self, document: Document, scores: Scores) -> Mask:
        """The best set of blocks."""
        return self.judge_scores(document, scores).main

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """The scores, the best set, and the F1 expected of it."""
        return self.judge_scores(document, *self._evaluate(document))

    def page_types(self, document: Document, scores: Scores) -> dict[str, float]:
        """The probabilities by the features of the blocks and their *scores*."""
        forest = load_forest(self.model)
        if forest.types is None:
            return {}
        rows = forest.rows(document)
        return forest.types.page_types(document, forest.block_names, rows, scores)

    def judge_scores(
        self, document: Document, scores: Scores, copies: Copies | None = None
    ) -> Selection:
        """The best set of blocks for given *scores*, and the F1 expected of it.

        It is the likeliest blocks, as many as maximise the expected F-beta. Errors of
        the probabilities of a page go together, as pages differ in how much of them is
        main content. So the expectation is the mean over shifts of all log odds, given
        which blocks are independent: each time the ratio of expectations. *copies*
        marks texts that the page had before.
        """
        if copies is None:
            copies = find_copies(document)
        chosen, expected = select_blocks(
            document, scores, copies, BETA[self.favor], self.least_words
        )
        return Selection(scores, chosen, confidence=expected)


def find_copies(document: Document) -> Copies:
    """Mark longer texts that the page had before: copies for phones, carousels."""
    again = compute(document)[SAME_TEXT] > 1
    copies: Copies = (again & (count_weighted_words(document) >= MIN_COPY_WORDS)).view(
        np.uint8
    )
    blocks = document.blocks
    keep_copies(document.text, blocks.start, blocks.end, copies)
    return copies


@cache
def load_forest(path: str | None = None) -> Forest:
    """The forest in a file, or the one that comes with the package.

    Raises ``OSError`` or ``ValueError`` for a file that cannot be read or holds none.
    """
    if path:
        with open(path, "rb") as file:
            return Forest.load(file)
    own = files("scrapy_mainpage.extraction") / "weights" / "learned.npz"
    with own.open("rb") as file:
        return Forest.load(file)  # type: ignore[arg-type]
