"""How well an extraction fits the gold: one small pure function per measure.

All but the snippets give a :class:`Score` for one page; over pages, take the mean.
Nothing extracted where nothing is to be extracted is perfect; if only one of the two
is empty, precision, recall and F are 0.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..extraction.document.document import RunKind
from ..text.words import CJK
from .alignment import common_length

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from ..extraction.document.document import Document

    Mask = npt.NDArray[np.bool_]


_TOKEN: Final = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def tokenize(text: str) -> list[str]:
    """The words of *text* in lower case, in order; a CJK character is a word.

    Chinese, Japanese and Korean write without blanks or with long compounds.

    >>> tokenize("Don't panic: 你好 Welt_1")
    ['don', 't', 'panic', '你', '好', 'welt_1']
    """
    return _TOKEN.findall(text.lower())


class Score(NamedTuple):
    """Precision and recall, from 0 to 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f(1)

    def f(self, beta: float) -> float:
        """The F-measure that gives recall *beta* times the weight of precision."""
        weight = beta * beta
        divisor = weight * self.precision + self.recall
        return (1 + weight) * self.precision * self.recall / divisor if divisor else 0.0


class Snippets(NamedTuple):
    """Counts of snippets; they are added up over pages before they are divided."""

    found: int
    required: int
    absent: int
    forbidden: int

    @property
    def score(self) -> Score:
        """Each snippet is a case: found is a positive, forbidden but found a false one.

        Recall is the share of the required that are found.
        """
        wrong = self.forbidden - self.absent
        return _score(self.found, self.found + wrong, self.required)


def score_words(predicted: Sequence[str], gold: Sequence[str]) -> Score:
    """The words that both have, as bags: order does not count, repetition does.

    >>> score_words(["a", "b", "b", "x"], ["b", "a", "b", "c", "d"])
    Score(precision=0.75, recall=0.6)
    """
    common = (Counter(predicted) & Counter(gold)).total()
    return _score(common, len(predicted), len(gold))


def score_subsequence(predicted: Sequence[str], gold: Sequence[str]) -> Score:
    """The longest common subsequence of words: order counts.

    As the evaluation of DANAg and GCE has it, on words where they have characters.

    >>> score_subsequence(["b", "a", "c", "x"], ["a", "b", "c", "d"])
    Score(precision=0.5, recall=0.5)
    """
    common = common_length(predicted, gold)
    return _score(common, len(predicted), len(gold))


def score_blocks(
    predicted: Mask, gold: Mask, weights: npt.NDArray[np.integer] | None = None
) -> Score:
    """The class "main content" over text blocks.

    With the words of each block as *weights* a block counts for as many as it has, as
    Rae et al. count their zones.

    >>> main = np.array([True, True, False, False])
    >>> score_blocks(main, np.array([True, False, True, False]))
    Score(precision=0.5, recall=0.5)
    """
    weight = np.ones(len(gold), np.int64) if weights is None else weights
    return _score(
        int(weight[predicted & gold].sum()),
        int(weight[predicted].sum()),
        int(weight[gold].sum()),
    )


def score_text_nodes(document: Document, predicted: Mask, gold: Mask) -> Score:
    """Matched text blocks as in the evaluation of GCE: text nodes of the DOM.

    *predicted* and *gold* have a value per text block; each text node takes that of
    its block, and counts as one, long or short.
    """
    runs = document.runs
    block = runs.block[(runs.kind == RunKind.TEXT) & (runs.block >= 0)]
    return score_blocks(predicted[block], gold[block])


def score_nodes(document: Document, predicted: Mask, gold: Mask) -> Score:
    """Retrieved DOM nodes, as Alarte and Silva measure: elements of the main content.

    An element belongs to it if all of its text blocks do; one without any (an image,
    a word in bold) if the nearest element around it does that has some.
    """
    found, right = (main_elements(document, mask) for mask in (predicted, gold))
    return score_blocks(found, right)


def main_elements(document: Document, main: Mask) -> Mask:
    """Which elements belong to the main content, given which text blocks do."""
    elements = document.elements
    count = np.concatenate([[0], np.cumsum(main)])
    blocks = elements.end_block - elements.first_block
    whole = count[elements.end_block] - count[elements.first_block] == blocks
    inside: Mask = (whole & (blocks > 0))[_with_blocks(document)]
    return inside


def _with_blocks(document: Document) -> npt.NDArray[np.intp]:
    """Each element's nearest element with text blocks, itself included, or the root."""
    elements = document.elements
    own = elements.end_block > elements.first_block
    nearest = np.where(own, np.arange(len(own)), np.maximum(elements.parent, 0))
    # Each round doubles the distance.
    while not np.array_equal(further := nearest[nearest], nearest):
        nearest = further
    return nearest


def count_snippets(
    text: str, required: Iterable[str], forbidden: Iterable[str]
) -> Snippets:
    """How many *required* snippets *text* holds, and how many *forbidden* it does not.

    Runs of blanks and line ends are one blank: line breaks carry no meaning.

    >>> count_snippets("The owl\\nsleeps.", ["owl sleeps", "mice"], ["Menu"])
    Snippets(found=1, required=2, absent=1, forbidden=1)
    """
    plain = _plain(text)
    found = [_plain(snippet) in plain for snippet in required]
    absent = [_plain(snippet) not in plain for snippet in forbidden]
    return Snippets(sum(found), len(found), sum(absent), len(absent))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _score(common: int, predicted: int, gold: int) -> Score:
    if not predicted and not gold:
        return Score(1.0, 1.0)
    return Score(
        common / predicted if predicted else 0.0, common / gold if gold else 0.0
    )
