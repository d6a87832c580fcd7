"""How well an extraction fits the gold: one small pure function per measure.

All but the snippets give a :class:`Score` for one page; over pages, take the mean.
Nothing extracted where nothing is to be extracted is perfect; if only one of the two
is empty, precision, recall and F are 0.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from ..text.words import CJK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


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
        return score_counts(self.found, self.found + wrong, self.required)


def score_words(predicted: Sequence[str], gold: Sequence[str]) -> Score:
    """The words that both have, as bags: order does not count, repetition does.

    >>> score_words(["a", "b", "b", "x"], ["b", "a", "b", "c", "d"])
    Score(precision=0.75, recall=0.6)
    """
    common = (Counter(predicted) & Counter(gold)).total()
    return score_counts(common, len(predicted), len(gold))


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


def score_counts(common: int, predicted: int, gold: int) -> Score:
    """Precision and recall of *common* things among the *predicted* and the *gold*."""
    if not predicted and not gold:
        return Score(1.0, 1.0)
    return Score(
        common / predicted if predicted else 0.0, common / gold if gold else 0.0
    )
