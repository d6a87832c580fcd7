"""BTE and DSC: main content where words are many and tags are few.

Both read a page as tokens, each a word or a tag. Body text extraction is the one run of
tokens with the most words inside and the most tags outside. The document slope curve,
the number of tags among the first tokens, finds every region that is flat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from scrapy_mainpage.extraction.algorithms.algorithm import check_number, check_whole

from .baseline import Baseline, read_source

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Mask


@dataclass(frozen=True)
class BodyTextExtraction(Baseline):
    """BTE: the region of tokens with the most words in it and tags around it.

    A. Finn, N. Kushmerick, B. Smyth: "Fact or Fiction: Content Classification for
    Digital Libraries", DELOS workshop 2001. The body is the region from i to j that
    maximises the tags before i, the words from i to j, and the tags after j. Of equal
    regions the one that ends first is taken.
    """

    name: ClassVar[str] = "bte"

    def choose(self, document: Document) -> Floats:
        """1 for the texts of the region."""
        source = read_source(document)
        chosen = np.zeros(len(source.texts))
        if len(chosen):
            # Maximal sum with a word for 1 and a tag for -1.
            total = np.cumsum(source.words - source.tags[:-1])
            before = total - source.words
            end = int(np.argmax(total - np.minimum.accumulate(before)))
            chosen[int(np.argmin(before[: end + 1])) : end + 1] = 1
        return source.spread(document, chosen)


@dataclass(frozen=True)
class DocumentSlopeCurve(Baseline):
    """DSC: the flat parts of the curve that counts tags over tokens.

    D. Pinto, M. Branstein, R. Coleman, W. B. Croft, M. King et al.: "QuASM: A System
    for Question Answering Using Semi-Structured Data", JCDL 2002. Windows of ``window``
    tokens, each half a window after the last, are content where their slope is at most
    ``share`` of that of the whole curve.

    Chosen here: windows of 50 tokens, or a tenth of a page of less than 500.
    """

    name: ClassVar[str] = "dsc"

    window: int = 50
    share: float = 0.5

    def __post_init__(self) -> None:
        check_whole("window", self.window, 2)
        check_number("share", self.share, 0)

    def choose(self, document: Document) -> Floats:
        """Per text the share of its words in sections of low slope."""
        source = read_source(document)
        counts = np.append(np.stack([source.tags[:-1], source.words], 1), 0)
        counts[-1] = source.tags[-1]
        is_tag = np.repeat(np.arange(len(counts)) % 2 == 0, counts)
        low = self.low_tokens(is_tag)
        total = np.concatenate(([0], np.cumsum(low)))
        ends = np.cumsum(counts)[1::2]
        inside = total[ends] - total[ends - source.words]
        return source.spread(document, inside / np.maximum(source.words, 1))

    def low_tokens(self, is_tag: Mask) -> Mask:
        """The tokens in sections of low slope, given which tokens are tags."""
        n = len(is_tag)
        size = max(2, min(self.window, n // 10))
        starts = np.arange(0, max(n - size // 2, 1), max(size // 2, 1))
        ends = np.minimum(starts + size, n)
        total = np.concatenate(([0], np.cumsum(is_tag)))
        slope = (total[ends] - total[starts]) / np.maximum(ends - starts, 1)
        low = slope <= self.share * total[-1] / max(n, 1)
        steps = np.bincount(starts[low], minlength=n + 1)
        covered: Mask = np.cumsum(steps - np.bincount(ends[low], minlength=n + 1)) > 0
        return covered[:-1]
