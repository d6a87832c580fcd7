"""Sentences with a verb, by a sentence splitter and a part-of-speech tagger.

Both come with the extra ``[tagger]`` and are loaded on first use: sentencex, and for
English, German and Dutch HanTa. Neither loads anything from the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final

from ....text.words import count_words
from ..algorithm import check_switch

if TYPE_CHECKING:
    from collections.abc import Callable

    HasVerb = Callable[[str, str], bool]

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

# Contractions are two tokens: do n't, we 've.
_TOKEN: Final = re.compile(r"\w+(?=n't\b)|n't\b|'\w+|\w+(?:-\w+)*|[^\w\s]")


@dataclass
class ParagraphJudge:
    """Says which texts of a page have as many sentences as a paragraph needs (3.3).

    Without a tagger for the language, ``has_verb``, a sentence needs ``least_words``
    words instead of a verb.
    """

    language: str
    least_sentences: int
    least_words: int
    split: Callable[[str, str], Any]
    has_verb: HasVerb | None
    words: int = 0

    @classmethod
    def load(
        cls, language: str | None, sentences: int, words: int, tagger: bool | str = True
    ) -> ParagraphJudge | None:
        """The judge for a BCP 47 tag; ``None`` without the extra or the language."""
        split = _load_splitter()
        if language is None or split is None or not tagger:
            return None
        primary = language.split("-")[0]
        if isinstance(tagger, str):
            has_verb: HasVerb | None = resolve_name(tagger)
        else:
            has_verb = load_tagger(primary)
        return cls(primary, sentences, words, split, has_verb)

    def is_paragraph(self, text: str) -> bool:
        """Whether *text* is one; a page with too many words to tag is believed."""
        found = 0
        for sentence in self.split(self.language, text):
            if self.words > MAX_TAGGED_WORDS:
                return True
            words = count_words(sentence)
            self.words += words
            if self.has_verb is None:
                found += words >= self.least_words
            else:
                found += self.has_verb(sentence, self.language)
            if found >= self.least_sentences:
                return True
        return False


def check_tagger(tagger: object) -> None:
    """Raise ``ValueError`` unless *tagger* is true, false or the path of a function."""
    if not isinstance(tagger, str):
        check_switch("tagger", tagger)
        return
    try:
        found = resolve_name(tagger)
    except (ImportError, AttributeError, ValueError) as error:
        raise ValueError(f"tagger {tagger!r}: {error}") from None
    if not callable(found):
        raise ValueError(f"tagger {tagger!r} is no function")


@cache
def _load_splitter() -> Callable[[str, str], Any] | None:
    try:
        from sentencex import segment
    except ImportError:
        return None
    split: Callable[[str, str], Any] = segment
    return split


@cache
def load_tagger(language: str) -> HasVerb | None:
    """HanTa's tagger of a language, loaded once; ``None`` if there is none."""
    try:
        from HanTa.HanoverTagger import HanoverTagger
    except ImportError:
        return None
    if language not in _MODELS:
        return None
    name, verb = _MODELS[language]
    model = HanoverTagger(name)

    def has_verb(sentence: str, language: str) -> bool:
        found = _TOKEN.findall(sentence.replace("’", "'"))[:MAX_SENTENCE_TOKENS]
        tokens = [token[:MAX_TOKEN_CHARACTERS] for token in found]
        return any(tag.startswith(verb) for tag in model.tag_sent(tokens, 0))

    return has_verb
