"""Sentences with a verb, by a sentence splitter and a part-of-speech tagger.

Both come with the extra ``[tagger]`` and are loaded on first use: sentencex, and for
English, German and Dutch HanTa. Neither loads anything from the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ....text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_TAGGED_WORDS: Final = 2_000
"""Words of a page that are tagged at most: about a fifth of a second."""

MAX_SENTENCE_TOKENS: Final = 60
MAX_TOKEN_CHARACTERS: Final = 16
"""Longer words are cut: the time for an unknown word is not linear in its length."""

# The model of each language, and what the tags of its verbs begin with.
_MODELS: Final = {
    "en": ("morphmodel_en.pgz", "V"),
    "de": ("morphmodel_ger.pgz", "V"),
    "nl": ("morphmodel_dutch.pgz", "WW"),
}

# Words that are verbs wherever they stand: most sentences need no tagger.
_ALWAYS_VERBS: Final = {
    "en": frozenset(
        "am are be been could did does had has have is should was were would".split()
    ),
    "de": frozenset("bin bist hat hatte hatten ist sind war waren wird wurde".split()),
    "nl": frozenset("ben bent had hadden heb heeft is werd wordt".split()),
}

# Contractions are two tokens: do n't, we 've.
_TOKEN: Final = re.compile(r"\w+(?=n't\b)|n't\b|'\w+|\w+(?:-\w+)*|[^\w\s]")


@dataclass(frozen=True)
class SentenceFinder:
    """Finds the sentences of a text in ``language``.

    Without a tagger for the language a sentence needs ``least_words`` words instead of
    a verb.
    """

    language: str
    least_words: int
    split: Callable[[str, str], Any]
    tagger: Any | None

    @classmethod
    def load(cls, language: str | None, least_words: int) -> SentenceFinder | None:
        """The finder for a BCP 47 tag; ``None`` without the extra or the language."""
        split = _load_splitter()
        if language is None or split is None:
            return None
        primary = language.split("-")[0]
        return cls(primary, least_words, split, load_tagger(primary))

    def find(self, text: str) -> Iterator[tuple[int, bool]]:
        """The tokens of each sentence, and whether it counts as one."""
        for sentence in self.split(self.language, text):
            if self.tagger is None:
                yield 0, count_words(sentence) >= self.least_words
                continue
            tokens = _TOKEN.findall(sentence.replace("’", "'"))[:MAX_SENTENCE_TOKENS]
            if _ALWAYS_VERBS[self.language].isdisjoint(map(str.lower, tokens)):
                yield len(tokens), self._has_verb(tokens)
            else:
                yield 0, True

    def _has_verb(self, tokens: list[str]) -> bool:
        if not tokens or self.tagger is None:
            return False
        short = [token[:MAX_TOKEN_CHARACTERS] for token in tokens]
        verb = _MODELS[self.language][1]
        return any(tag.startswith(verb) for tag in self.tagger.tag_sent(short, 0))


@dataclass
class ParagraphJudge:
    """Says which texts of a page have as many sentences as a paragraph needs."""

    finder: SentenceFinder
    least_sentences: int
    tagged: int = 0

    def is_paragraph(self, text: str) -> bool:
        """Whether *text* is one; a page with too many words to tag is believed."""
        found = 0
        for tokens, counts in self.finder.find(text):
            if self.tagged > MAX_TAGGED_WORDS:
                return True
            self.tagged += tokens
            found += counts
            if found >= self.least_sentences:
                return True
        return False


@cache
def _load_splitter() -> Callable[[str, str], Any] | None:
    try:
        from sentencex import segment
    except ImportError:
        return None
    split: Callable[[str, str], Any] = segment
    return split


@cache
def load_tagger(language: str) -> Any | None:
    """Load the tagger of a language once; ``None`` if there is none."""
    try:
        from HanTa.HanoverTagger import HanoverTagger
    except ImportError:
        return None
    return HanoverTagger(_MODELS[language][0]) if language in _MODELS else None
