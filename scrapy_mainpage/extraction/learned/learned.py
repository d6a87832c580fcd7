"""The learned default: boosted trees over all features, then the best set of blocks.

Each text block gets a probability of being main content: from its own features, then
from these and the probabilities of what lies around it. Tables, lists and code get one
for all of their blocks. Of all sets of blocks, the one with the highest expected
F-measure of its words is taken, and the headings of its text with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from ..algorithms.algorithm import Algorithm, Selection, check_number
from ._learned import calibrate, select_blocks
from .forest import Forest

if TYPE_CHECKING:
    from ..algorithms.algorithm import Mask, Scores
    from ..document.document import Document
    from ..document.layout import Layout

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
        odds = load_forest(self.model).evaluate(document)
        return calibrate(document, odds)

    def select(self, document: Document, scores: Scores) -> Mask:
        """The best set of blocks."""
        return self.judge_scores(document, scores).main

    def judge(self, document: Document, layout: Layout | None = None) -> Selection:
        """The scores, the best set, and the F1 expected of it."""
        return self.judge_scores(document, self.score(document))

    def page_types(self, document: Document, scores: Scores) -> dict[str, float]:
        """The probabilities by the features of the blocks and their *scores*."""
        forest = load_forest(self.model)
        if forest.types is None:
            return {}
        return forest.types.page_types(document, forest.block_names, scores)

    def judge_scores(self, document: Document, scores: Scores) -> Selection:
        """The best set of blocks for given *scores*, and the F1 expected of it.

        It is the likeliest blocks, as many as maximise the expected F-beta. Errors of
        the probabilities of a page go together, as pages differ in how much of them is
        main content. So the expectation is the mean over shifts of all log odds, given
        which blocks are independent: each time the ratio of expectations.
        """
        chosen, expected = select_blocks(
            document, scores, BETA[self.favor], self.least_words
        )
        return Selection(scores, chosen, confidence=expected)


@cache
def load_forest(path: str | None = None) -> Forest:
    """The forest in a file, or the one that comes with the package.

    Raises ``OSError`` or ``ValueError`` for a file that cannot be read or holds none.
    """
    own = Path(__file__).parents[1] / "weights" / "learned.npz"
    with open(path or own, "rb") as file:
        return Forest.load(file)
