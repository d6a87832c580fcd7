"""Conventional phrases in text blocks, in several languages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..vocabulary import read_phrases
from . import MAX_ROLES
from ._words import WORD_SLOTS, WordTable

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..document.document import Document
    from ..document.schema import Ints, Mask


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
    that a block begins with. ``totals`` are the words that were read, those of them
    that are numbers, and the marks between the steps of a trail. ``slots`` has for each
    block (row) the places of its words, and of those beside it, among the weights.
    """

    counts: Ints
    opening: npt.NDArray[np.uint32]
    totals: Ints
    slots: Ints

    def mention(self, topic: Topic) -> Mask:
        """Blocks with a phrase of the *topic*."""
        found: Mask = self.counts[topic] > 0
        return found


def match_phrases(document: Document) -> PhraseMatches:
    """Find the phrases in each text block of *document*."""
    blocks = document.blocks
    found = _load_table().count(document.text, blocks.start, blocks.end, len(Topic))
    return PhraseMatches(*found)


@cache
def load_word_weights(path: Path | None = None) -> npt.NDArray[np.int8]:
    """The weights of the slots of words (rows) for all roles (columns, 16)."""
    own = Path(__file__).parents[1] / "weights" / "role_words.npz"
    with np.load(path or own) as data:
        weights = np.zeros((WORD_SLOTS, MAX_ROLES), np.int8)
        weights[np.unpackbits(data["known"], axis=1).view(bool)] = data["weights"]
        return weights


@cache
def _load_table() -> WordTable:
    rows: dict[str, int] = {}
    phrases = read_phrases("phrases")
    for topic in Topic:
        for phrase in phrases[topic.name.lower()]:
            rows[phrase] = rows.get(phrase, 0) | 1 << topic
            if topic == Topic.CONSENT and "cookie" in phrase:
                rows[phrase] |= 1 << Topic.COOKIE
    return WordTable(rows)
