"""What a block says in so many words: conventional phrases in several languages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from ._roles import count_phrases, step_key, word_hashes
from .phrasebook import PHRASES, Meaning

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document

    Ints = npt.NDArray[np.int32]
    Mask = npt.NDArray[np.bool_]


SHARE_SAID: Final = 0.6
"""A block says a phrase if so much of it stands in phrases of the same meaning."""


@dataclass(frozen=True, eq=False)
class Sayings:
    """What the blocks say; a row per meaning and a value per block.

    ``counts`` are the words in phrases of the meaning, ``words`` those that were looked
    at, ``numbers`` those that are numbers; ``separators`` the marks between the steps
    of a trail.
    """

    counts: Ints
    opening: npt.NDArray[np.uint32]
    words: Ints
    numbers: Ints
    separators: Ints

    def mention(self, meaning: Meaning) -> Mask:
        """Blocks in which a phrase of the *meaning* stands."""
        found: Mask = self._mentioned[meaning]
        return found

    def say(self, meaning: Meaning) -> Mask:
        """Blocks that say just that."""
        said: Mask = self._said[meaning]
        return said

    @cached_property
    def _mentioned(self) -> Mask:
        return self.counts > 0

    @cached_property
    def _said(self) -> Mask:
        return self._mentioned & (self.counts >= SHARE_SAID * self.words)

    def open(self, meaning: Meaning) -> Mask:
        """Blocks that begin with a phrase of the *meaning*."""
        mask: Mask = (self.opening >> np.uint32(meaning)) & np.uint32(1) != 0
        return mask


def read_phrases(document: Document) -> Sayings:
    """What each text block of *document* says."""
    keys, following, meaning = _steps()
    blocks = document.blocks
    return Sayings(
        *count_phrases(
            document.text,
            blocks.start,
            blocks.end,
            keys,
            following,
            meaning,
            len(Meaning),
        )
    )


@cache
def _steps() -> tuple[
    npt.NDArray[np.uint64], npt.NDArray[np.int32], npt.NDArray[np.uint32]
]:
    """The table of steps from word to word, and the meaning of each state."""
    steps: dict[tuple[int, int], int] = {}
    meanings = [0]
    for meaning, phrases in PHRASES.items():
        for phrase in phrases.split(","):
            state = 0
            for word in word_hashes(" ".join(phrase.split())):
                if (state, word) not in steps:
                    steps[state, word] = len(meanings)
                    meanings.append(0)
                state = steps[state, word]
            meanings[state] |= 1 << meaning
            if meaning == Meaning.CONSENT and "cookie" in phrase:
                meanings[state] |= 1 << Meaning.COOKIE
    size = 1 << (4 * len(steps)).bit_length()
    keys, following = np.zeros(size, np.uint64), np.full(size, -1, np.int32)
    for (state, word), target in steps.items():
        key = step_key(state, word)
        at = key & size - 1
        while following[at] >= 0:
            at = (at + 1) & size - 1
        keys[at], following[at] = key, target
    return keys, following, np.array(meanings, np.uint32)
