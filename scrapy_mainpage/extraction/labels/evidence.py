"""The evidence for labels that several steps need, each read once."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from .names import read_names
from .phrases import Topic, match_phrases
from .regions import Region
from .title import find_title

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from .phrases import PhraseMatches

    Mask = npt.NDArray[np.bool_]


class LabelEvidence:
    """Names, phrases and title block of a document, each read once on first use."""

    def __init__(self, document: Document, main: Mask):
        self._document, self._main = document, main

    @cached_property
    def names(self) -> npt.NDArray[np.uint64]:
        """Per element the bits of the regions that its tag and attributes name."""
        return read_names(self._document)

    @cached_property
    def phrases(self) -> PhraseMatches:
        """The conventional phrases in each text block."""
        return match_phrases(self._document)

    @cached_property
    def title(self) -> int:
        """The block that is the page's title, or -1."""
        return find_title(self._document, self._main)

    @property
    def may_have_comments(self) -> bool:
        """Whether anything names or mentions comments: else no block is labelled so."""
        named = self.names & np.uint64(Region.COMMENTS.bit)
        return bool(named.any() or self.phrases.mention(Topic.COMMENTS).any())
