"""What is known of the blocks of one page, as masks: what roles are told by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ..document.tags import CODES
from .states import State

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from ..document.document import Document
    from .labels import Mask
    from .phrases import Sayings

    Ints = npt.NDArray[np.int32]
    Floats = npt.NDArray[np.float64]

IDEOGRAPH: Final = 0.6
"""The share of a word that a Chinese, Japanese or Korean character is."""

_BIT: Final = np.uint32(1) << np.arange(len(State), dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class Look:
    """The blocks of one page.

    ``states`` are the elements' (see :class:`~.states.State`), ``main`` the mask of
    main content, ``title`` the block that is the page's title or -1; ``is_forum``
    tells whether it is a page of a forum.
    """

    document: Document
    sayings: Sayings
    states: npt.NDArray[np.uint8]
    main: Mask
    title: int
    is_forum: Callable[[], bool]

    @property
    def forum(self) -> bool:
        """Whether it is a page of a forum."""
        return self.is_forum()

    @cached_property
    def index(self) -> Ints:
        """The place of each block."""
        return np.arange(len(self.main), dtype=np.int32)

    @cached_property
    def tag(self) -> Ints:
        """The tag of the element that owns each block."""
        return self.document.elements.tag[self.document.blocks.element]

    @cached_property
    def state(self) -> npt.NDArray[np.uint8]:
        """The state of the element that each block's text begins in."""
        document = self.document
        return self.states[document.runs.element[document.blocks.first_run]]

    @cached_property
    def _state_bits(self) -> npt.NDArray[np.uint32]:
        return _BIT[self.state]

    def within(self, *states: State) -> Mask:
        """Blocks in one of the *states*."""
        wanted = np.uint32(sum(1 << state for state in states))
        mask: Mask = (self._state_bits & wanted) != 0
        return mask

    def has_tag(self, *names: str) -> Mask:
        """Blocks whose own element has one of the tags."""
        mask = np.zeros(len(self.main), bool)
        for name in names:
            mask |= self.tag == CODES[name]
        return mask

    @cached_property
    def unknown(self) -> Mask:
        """Blocks that no name or heading tells."""
        return self.within(State.NONE, State.CONTENT, State.OVERLAY)

    @cached_property
    def frame(self) -> Mask:
        """Blocks that are nothing, or in a part that holds all sorts of things."""
        frames = (State.FOOTER, State.HEADER, State.SIDEBAR, State.NAVIGATION)
        return self.unknown | self.within(*frames)

    @cached_property
    def words(self) -> Ints:
        """Words, at most as many as were looked at."""
        return self.sayings.words

    @cached_property
    def weight(self) -> Floats:
        """Words, an ideograph as less than one."""
        blocks = self.document.blocks
        return np.asarray(blocks.words - blocks.cjk * (1 - IDEOGRAPH))

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

    def below_title(self, most: int) -> Mask:
        """At most so many blocks between the title and the main block after it."""
        following = np.flatnonzero(self.main[self.title + 1 :])
        end = int(following[0]) if len(following) else len(self.main)
        mask: Mask = self.around_title(-1, min(most, end))
        return mask
