"""Content code blurring: main content where text is not broken by much code.

T. Gottron: "Content Code Blurring: A New Approach to Content Extraction", DEXA 2008
workshops, pages 29-33. The source is a vector with 1 for content and 0 for code. Every
entry takes the weighted mean of its neighbours again and again, as a picture is
blurred, until the vector is steady; entries above a threshold are main content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from scrapy_mainpage.extraction.algorithms.algorithm import check_number, check_whole
from scrapy_mainpage.extraction.document.tags import codes

from .baseline import Baseline, gaussian, read_source

if TYPE_CHECKING:
    import numpy.typing as npt

    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Ints, Source

    Vector = npt.NDArray[np.float32]


@dataclass(frozen=True)
class ContentCodeBlurring(Baseline):
    """CCB: a vector with an entry for each character.

    ``r``: the range, in entries to each side, of the Gaussian weights. ``t``: the
    threshold above which an entry is main content. ``steady``: the vector is blurred
    until no entry changes by more than this; ``rounds`` times at most.

    Chosen here: all four numbers, and a standard deviation of half the range.
    """

    name: ClassVar[str] = "ccb"
    without: ClassVar[frozenset[int]] = frozenset()
    """Tags that are no code."""

    r: int = 40
    t: float = 0.75
    steady: float = 0.1
    rounds: int = 3

    def __post_init__(self) -> None:
        check_whole("r", self.r, 1)
        check_number("t", self.t, 0, 1)
        check_number("steady", self.steady, 0, 1)
        check_whole("rounds", self.rounds, 1)

    def choose(self, document: Document) -> Floats:
        """Per text the share of its entries above the threshold."""
        source = read_source(document, without=self.without)
        code, content = self.sizes(source)
        # One entry at least for each text, so that all are asked.
        content = np.maximum(content, 1)
        counts = np.append(np.stack([code[:-1], content], 1), 0)
        counts[-1] = code[-1]
        vector = np.repeat((np.arange(len(counts)) % 2).astype(np.float32), counts)
        above = np.concatenate(([0], np.cumsum(self.blur(vector) > self.t)))
        ends = np.cumsum(counts)[1::2]
        return source.spread(document, (above[ends] - above[ends - content]) / content)

    def sizes(self, source: Source) -> tuple[Ints, Ints]:
        """The entries of the code between the texts, and of each text."""
        return source.code, source.chars

    def blur(self, vector: Vector) -> Vector:
        """The vector when it is steady; beyond its ends there is only code."""
        weights = gaussian(self.r, self.r / 2).astype(np.float32)
        for _ in range(self.rounds if len(vector) else 0):
            blurred = np.convolve(vector, weights)[self.r : self.r + len(vector)]
            change = np.abs(blurred - vector).max()
            vector = blurred
            if change <= self.steady:
                break
        return vector


@dataclass(frozen=True)
class AdaptedContentCodeBlurring(ContentCodeBlurring):
    """ACCB: the tags of links are neither content nor code.

    Texts with many links, as those of an encyclopedia, are then no worse than others.
    """

    name: ClassVar[str] = "accb"
    without: ClassVar[frozenset[int]] = codes("a")


@dataclass(frozen=True)
class TokenContentCodeBlurring(ContentCodeBlurring):
    """TCCB: a vector with an entry for each token, a word or a tag."""

    name: ClassVar[str] = "tccb"

    r: int = 25
    t: float = 0.5

    def sizes(self, source: Source) -> tuple[Ints, Ints]:
        """The tags between the texts, and the words of each text."""
        return source.tags, source.words
