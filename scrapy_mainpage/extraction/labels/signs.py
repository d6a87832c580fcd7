"""What tells the labels of a document: read when it is first asked for, and once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .kinds import find_title
from .names import read_names
from .phrasebook import Meaning
from .phrases import read_phrases
from .states import State

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from .labels import Mask
    from .phrases import Sayings


class Signs:
    """The names and the words of a document, and the block that is its title.

    ``names`` has the bits of states of each element; ``title`` is -1 if there is none.
    """

    def __init__(self, document: Document, main: Mask):
        self._document, self._main = document, main

    @cached_property
    def names(self) -> npt.NDArray[np.uint64]:
        """Per element the bits of the states that its tag and attributes name."""
        return read_names(self._document)

    @cached_property
    def sayings(self) -> Sayings:
        """What each text block says."""
        return read_phrases(self._document)

    @cached_property
    def title(self) -> int:
        """The block that is the page's title, or -1."""
        return find_title(self._document, self._main)

    @property
    def of_comments(self) -> bool:
        """Whether anything names or mentions comments: else no block is labelled so."""
        named = self.names & np.uint64(State.COMMENTS.bit)
        return bool(named.any() or self.sayings.mention(Meaning.COMMENTS).any())
