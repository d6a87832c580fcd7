"""Masks and numbers of the text blocks of one page, which the rules combine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.tags import CODES
from .regions import Region

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ..document.document import Document
    from .phrases import PhraseMatches

    Ints = npt.NDArray[np.int32]
    Mask = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

IDEOGRAPH_WORDS: Final = 0.6
"""The share of a word that a Chinese, Japanese or Korean character is."""

_BIT: Final = np.uint32(1) << np.arange(len(Region), dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class BlockContext:
    """The blocks of one page.

    ``regions`` are the elements' (see :class:`.Region`), ``main`` the mask of
    main content, ``title`` the block that is the page's title or -1; ``is_forum``
    says whether it is a page of a forum.
    """

    document: Document
    phrases: PhraseMatches
    regions: npt.NDArray[np.uint8]
    main: Mask
    title: int
    is_forum: Callable[[], bool]

    @cached_property
    def index(self) -> Ints:
        """The place of each block."""
        return np.arange(len(self.main), dtype=np.int32)

    @cached_property
    def tag(self) -> Ints:
        """The tag of the element that owns each block."""
        return self.document.elements.tag[self.document.blocks.element]

    @cached_property
    def region(self) -> npt.NDArray[np.uint8]:
        """The region of the element that each block's text begins in."""
        document = self.document
        return self.regions[document.runs.element[document.blocks.first_run]]

    @cached_property
    def _region_bits(self) -> npt.NDArray[np.uint32]:
        return _BIT[self.region]

    def within(self, *regions: Region) -> Mask:
        """Blocks in one of the *regions*."""
        wanted = np.uint32(sum(1 << region for region in regions))
        mask: Mask = (self._region_bits & wanted) != 0
        return mask

    def has_tag(self, *names: str) -> Mask:
        """Blocks whose own element has one of the tags."""
        mask = np.zeros(len(self.main), bool)
        for name in names:
            mask |= self.tag == CODES[name]
        return mask

    @cached_property
    def unknown(self) -> Mask:
        """Blocks in no known region."""
        return self.within(Region.NONE, Region.CONTENT, Region.OVERLAY)

    @cached_property
    def frame(self) -> Mask:
        """Blocks in no known region, or in one that holds all sorts of things."""
        frames = (Region.FOOTER, Region.HEADER, Region.SIDEBAR, Region.NAVIGATION)
        return self.unknown | self.within(*frames)

    @cached_property
    def words(self) -> Ints:
        """The number of words, as far as they were read."""
        return self.phrases.words

    @cached_property
    def weight(self) -> Floats:
        """Words, an ideograph as less than one."""
        blocks = self.document.blocks
        return np.asarray(blocks.words - blocks.cjk * (1 - IDEOGRAPH_WORDS))

    @cached_property
    def linked(self) -> Mask:
        """Blocks that are links for the most part."""
        blocks = self.document.blocks
        mask: Mask = 2 * blocks.linked_words > blocks.words
        return mask

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The first main block and the end of the last; the page's end if none."""
        found = np.flatnonzero(self.main)
        n = len(self.main)
        return (int(found[0]), int(found[-1]) + 1) if len(found) else (n, n)

    def around_title(self, before: int, after: int) -> Mask:
        """Blocks so close to the title; none if there is no title."""
        if self.title < 0:
            return np.zeros(len(self.main), bool)
        distance = self.index - self.title
        mask: Mask = (distance >= -before) & (distance <= after)
        return mask

    def below_title(self, maximum: int) -> Mask:
        """At most *maximum* blocks between the title and the main block after it."""
        following = np.flatnonzero(self.main[self.title + 1 :])
        end = int(following[0]) if len(following) else len(self.main)
        mask: Mask = self.around_title(-1, min(maximum, end))
        return mask
