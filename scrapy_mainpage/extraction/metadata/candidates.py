"""Places of a page where its author and dates may stand, and the markup of an element.

A :class:`Candidate` is a piece of the visible page that may be the value of a field.
Its features are names; the models of the fields are linear (:mod:`.field_models`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ..declared.meta import attributes_by_element
from ..document.schema import HEADING_SHIFT
from ..document.site_frame import is_site_frame
from .dates import dates_in
from .plaintext import MAX_HEADINGS, title_block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..document.document import Document
    from ..document.schema import Mask

    Groups = Callable[[str], tuple[str, ...]]

MIN_LONG_WORDS: Final = 25
"""Words outside of links of a long text."""

MAX_LINE_CHARACTERS: Final = 200
MAX_LABEL_CHARACTERS: Final = 30
MAX_LEVELS: Final = 5
MIN_DIGITS: Final = 5
"""Digits of a day and a year."""

NAMES: Final = "class id itemprop"
_NAMES: Final = NAMES.split()


class Candidate(NamedTuple):
    """A text that may be a value, its text block, and its features.

    Candidates of one block and *group* stand in one list.
    """

    text: str
    block: int
    group: int
    features: tuple[str, ...]


class Places:
    """The blocks around the title and the long texts of a page."""

    def __init__(
        self, document: Document, main: Mask | None = None, title: int = -1
    ) -> None:
        """*main* is the mask of the main content, *title* the block of the title."""
        words = document.blocks.words - document.blocks.linked_words
        is_long = words >= MIN_LONG_WORDS
        if main is not None and (is_long & main).any():
            is_long &= main
        long = is_long.nonzero()[0]
        self.title = title if title >= 0 else title_block(document)
        self.first, self.last = (-1, -1)
        if len(long):
            self.first, self.last = int(long[0]), int(long[-1])
        self._document = document
        self._days: dict[int, list[tuple[int, str]]] = {}
        self._headings = [block for block, _ in document.headings[:MAX_HEADINGS]]
        self._above = bisect_right(self._headings, self.title + 1)

    @cached_property
    def _may_date(self) -> set[int]:
        blocks = self._document.blocks
        is_ascii = blocks.end - blocks.start == blocks.chars
        may_date = ~is_ascii | (blocks.digits >= MIN_DIGITS)
        may_date &= blocks.chars <= MAX_LINE_CHARACTERS
        return {*may_date.nonzero()[0].tolist()}

    def near(
        self,
        above: int,
        below: int,
        text: int,
        after: int,
        most: int = MAX_LINE_CHARACTERS,
    ) -> list[int]:
        """The short blocks from *above* the title to *below* it, else at the texts.

        *text* counts blocks around the first long text, three times as many on a page
        without a title, *after* those below the last long text. *most* is the number of
        characters of a short block.
        """
        found = {*range(self.title - above, self.title + below + 1)}
        if self.title < 0:
            found, text = set(), 3 * text
        if self.first >= 0:
            found |= {*range(self.first - text, self.first + text + 1)}
            found |= {*range(self.last, self.last + after + 1)}
        chars = self._document.blocks.chars
        blocks = np.array(sorted(b for b in found if 0 <= b < len(chars)), int)
        blocks = blocks[chars[blocks] <= most]
        return blocks.tolist()  # type: ignore[no-any-return]

    def days(self, block: int) -> list[tuple[int, str]]:
        """The dates in a short block, each with its place; empty for other blocks."""
        if block not in self._may_date:
            return []
        found = self._days.get(block)
        if found is None:
            found = dates_in(self._document.block_text(block))
            self._days[block] = found
        return found

    def headings_above(self, block: int) -> str:
        """The number of headings between the title and a block, as a feature.

        Without one right below the title, which goes on with it.
        """
        between = bisect_right(self._headings, block) - self._above
        return f"headings:{min(max(between, 0), 3)}"

    def below_title(self, block: int) -> str:
        """The distance of a block from the title, as a feature."""
        far = block - self.title
        if self.title < 0 or not -8 <= far <= 16:
            return ""
        if -2 <= far <= 4:
            return f"at:{far}"
        return "above" if far < 0 else "below" if far <= 8 else "under"

    def above_text(self, block: int) -> str:
        """The distance of a block from the first long text, as a feature."""
        far = self.first - block
        if far < 0:
            return "text:below" if far >= -8 else "behind"
        return f"text:{far}" if far <= 3 else "text:near" if far <= 8 else "text:far"


class Markup:
    """Groups of names, and attributes, of some *elements* and of those around them.

    The names are those of classes, ids and microdata, in lower case.
    """

    def __init__(
        self, document: Document, groups: Groups, elements: Iterable[int]
    ) -> None:
        self._groups = groups
        self._parent = document.elements.parent
        wanted = np.zeros(document.n_elements, bool)
        level = np.array([*elements], int)
        for _ in range(MAX_LEVELS):
            wanted[level] = True
            level = self._parent[level]
            level = level[level >= 0]
        self.attributes = attributes_by_element(document, wanted, f"{NAMES} href rel")
        self.names = {
            element: " ".join([own[name] for name in _NAMES if name in own]).lower()
            for element, own in self.attributes.items()
        }

    def groups(self, element: int) -> tuple[str, ...]:
        """The groups of names of one element."""
        names = self.names.get(element)
        return self._groups(names) if names else ()

    def around(self, element: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Level, element and groups of names of an element and those around it."""
        for level in range(MAX_LEVELS):
            if element < 0:
                return
            yield level, element, self.groups(element)
            element = self._parent.item(element)


def grouped(*groups: tuple[str, str]) -> Groups:
    """A function that gives the groups whose pattern is found in names."""
    patterns = [(group, re.compile(pattern)) for group, pattern in groups]
    return lru_cache(maxsize=4096)(
        lambda names: tuple(group for group, p in patterns if p.search(names))
    )


def block_features(document: Document, block: int, element: int) -> list[str]:
    """The features of the block and the element of a candidate."""
    flags = document.elements.flags.item(element)
    chars = document.blocks.chars.item(block) if block >= 0 else 0
    found = ["short" if chars <= 40 else "line" if chars <= 90 else "long"]
    if is_site_frame(flags):
        found.append("frame")
    if flags >> HEADING_SHIFT:
        found.append("heading")
    return found


def label_above(document: Document, block: int) -> str:
    """The text above a block, if it is so short that it may say what the block is."""
    if block < 1 or document.blocks.chars[block - 1] > MAX_LABEL_CHARACTERS:
        return ""
    return f"{document.block_text(block - 1)} "


def crossed(features: list[str], place: str, marks: tuple[str, ...]) -> list[str]:
    """Pairs of the *place* and each feature that begins with one of the *marks*."""
    return [f"{place}&{each}" for each in features if each.startswith(marks)]
