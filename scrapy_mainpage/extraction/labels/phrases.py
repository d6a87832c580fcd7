"""Conventional phrases in text blocks, in several languages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from ..vocabulary import read_phrases
from . import MAX_ROLES
from ._phrases import WORD_SLOTS, count_phrases, step_key, word_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from ..document.schema import Bits, Ints, Mask, Shorts


class Topic(IntEnum):
    """The topic of a phrase: a section of the word list, and a row of counts."""

    CONSENT = 0
    COOKIE = 1
    """Speaks of cookies: consent, if it is not a line of the footer."""
    LEGAL = 2
    SHARE = 3
    COMMENTS = 4
    RELATED = 5
    ADVERTISEMENT = 6
    PAGINATION = 7
    HOME = 8
    BYLINE = 9
    FORM = 10
    ACCOUNT = 11
    NAVIGATION = 12
    TOPICS = 13
    """Heads a list of the site's own subjects."""
    COPYRIGHT = 14
    """Who owns the page: legal, also among other words."""
    NETWORK = 15
    """Names one of the social networks."""


@dataclass(frozen=True, eq=False)
class PhraseMatches:
    """Phrases and words of blocks; ``counts`` has a row per topic.

    ``counts`` are the words in phrases of the topic, ``opening`` the bits of the topics
    that a block begins with, ``words`` the words that were read, ``numbers`` those of
    them that are numbers, ``separators`` the marks between the steps of a trail.
    ``word_sums`` has for each block of boilerplate and role (columns, 16) the sum of
    the learned weights of its words and of those beside it, whose number is in
    ``slots``.
    """

    counts: Ints
    opening: npt.NDArray[np.uint32]
    words: Ints
    numbers: Ints
    separators: Ints
    word_sums: Shorts
    slots: Ints

    def mention(self, topic: Topic) -> Mask:
        """Blocks with a phrase of the *topic*."""
        found: Mask = self.counts[topic] > 0
        return found


def match_phrases(document: Document, main: Mask) -> PhraseMatches:
    """Find the phrases in each text block of *document*, given the main content."""
    keys, following, topic = _read_steps()
    blocks = document.blocks
    return PhraseMatches(
        *count_phrases(
            document.text,
            blocks.start,
            blocks.end,
            keys,
            following,
            topic,
            len(Topic),
            load_word_weights(),
            np.asarray(main, bool).view(np.uint8),
        )
    )


@cache
def load_word_weights() -> npt.NDArray[np.int8]:
    """The weights of the slots of words (rows) for all roles (columns, 16)."""
    own = files("scrapy_mainpage.extraction") / "weights" / "role_words.npz"
    with own.open("rb") as file, np.load(file) as data:
        weights = np.zeros((WORD_SLOTS, MAX_ROLES), np.int8)
        weights[:, : data["weights"].shape[1]] = data["weights"]
        return weights


@cache
def _read_steps() -> tuple[Bits, Ints, npt.NDArray[np.uint32]]:
    """Hash table of the steps from word to word, and the topics of each state."""
    steps: dict[tuple[int, int], int] = {}
    topics = [0]
    phrases = read_phrases("phrases")
    for topic in Topic:
        for phrase in phrases[topic.name.lower()]:
            state = 0
            for word in word_hashes(phrase):
                if (state, word) not in steps:
                    steps[state, word] = len(topics)
                    topics.append(0)
                state = steps[state, word]
            topics[state] |= 1 << topic
            if topic == Topic.CONSENT and "cookie" in phrase:
                topics[state] |= 1 << Topic.COOKIE
    size = 1 << (4 * len(steps)).bit_length()
    keys, following = np.zeros(size, np.uint64), np.full(size, -1, np.int32)
    for (state, word), target in steps.items():
        key = step_key(state, word)
        at = key & size - 1
        while following[at] >= 0:
            at = (at + 1) & size - 1
        keys[at], following[at] = key, target
    return keys, following, np.array(topics, np.uint32)
