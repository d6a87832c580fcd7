"""Density, R2L and DANA: lines of the source by the characters in them.

As in CETR, a line ends at each block-level tag here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from scrapy_mainpage.extraction.algorithms.algorithm import check_whole
from scrapy_mainpage.extraction.algorithms.danag import (
    line_lengths,
    main_lines,
    smooth,
)
from scrapy_mainpage.extraction.document.document import bytes_in_texts

from .baseline import Baseline, text_lengths

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

    from .baseline import Floats, Ints, Mask


@dataclass(frozen=True)
class LineDensity(Baseline):
    """Density: the region of long lines with the most text.

    J. A. Moreno, K. Deschacht, M.-F. Moens: "Language Independent Content Extraction
    from Web Pages", DIR 2009. Lines of ``c1`` characters and more are in one region
    while at most ``c2`` shorter ones lie between them.

    Chosen here: both numbers.
    """

    name: ClassVar[str] = "density"

    c1: int = 20
    c2: int = 4

    def __post_init__(self) -> None:
        check_whole("c1", self.c1, 1)
        check_whole("c2", self.c2, 0)

    def choose(self, document: Document) -> Floats:
        """1 for the texts of the region."""
        lengths = line_lengths(document)[0]
        long_lines = np.flatnonzero(lengths >= self.c1)
        lines = np.zeros(len(lengths), bool)
        if len(long_lines):
            starts = np.diff(long_lines, prepend=long_lines[0]) - 1 > self.c2
            region = np.cumsum(starts)
            best = np.argmax(np.bincount(region, lengths[long_lines]))
            members = long_lines[region == best]
            lines[members[0] : members[-1] + 1] = True
        return runs_of(document, lines).astype(np.float64)


@dataclass(frozen=True)
class RightToLeft(Baseline):
    """R2L: the characters of right-to-left scripts where they outweigh all others.

    H. Mohammadzadeh, F. Schweiggert, G. Nakhaeizadeh: "Using UTF-8 to Extract Main
    Content of Right to Left Language Web Pages", 2011, as the paper of DANAg sums it
    up (section 2.3). What is not right-to-left, code or text, counts as English.

    Chosen here: density is the difference that DANAg smooths, and paragraphs are at
    most ``gap`` lines apart, both as in DANAg.
    """

    name: ClassVar[str] = "r2l"

    gap: int = 20

    def __post_init__(self) -> None:
        check_whole("gap", self.gap, 0)

    def choose(self, document: Document) -> Floats:
        """Per text of the area the share of its characters that is right-to-left."""
        characters = np.maximum(text_lengths(document), 1)
        return self.area(document) * right_to_left(document) / characters

    def area(self, document: Document) -> Mask:
        """The texts of the main content area."""
        text, code = line_lengths(document)
        inside = np.flatnonzero(document.runs.block >= 0)
        line = document.blocks.line[document.runs.block[inside]]
        amount = right_to_left(document)[inside]
        t1 = np.bincount(line, amount, len(text)).astype(np.int64)
        t1[text == 0] = 0  # hidden
        difference = smooth(t1) - smooth(code + text - np.minimum(t1, text))
        return runs_of(document, main_lines(t1, difference, self.gap))


@dataclass(frozen=True)
class Dana(RightToLeft):
    """DANA: all text of the area that R2L finds.

    H. Mohammadzadeh, T. Gottron, F. Schweiggert, G. Nakhaeizadeh: "A Fast and Accurate
    Approach for Main Content Extraction Based on Character Encoding", 2011, as the
    paper of DANAg sums it up (section 2.3).
    """

    name: ClassVar[str] = "dana"

    def choose(self, document: Document) -> Floats:
        """1 for the texts of the area."""
        return self.area(document).astype(np.float64)


def runs_of(document: Document, lines: Mask) -> Mask:
    """The runs of the blocks in these *lines*."""
    block = document.runs.block
    inside = np.flatnonzero(block >= 0)
    mask = np.zeros(len(block), bool)
    mask[inside] = lines[document.blocks.line[block[inside]]]
    return mask


def right_to_left(document: Document) -> Ints:
    """Per run its characters of Hebrew, Arabic and the scripts between them.

    In UTF-8 these, U+0580 to U+07FF, begin with the bytes D6 to DF.
    """
    text = np.frombuffer(document.text or b" ", np.uint8)
    return bytes_in_texts(document, (text >= 0xD6) & (text <= 0xDF))
