"""Sentences with a verb, by a sentence splitter and a part-of-speech tagger.

Both come with the extra ``[tagger]`` and are loaded on first use: sentencex, and for
English, German and Dutch HanTa. Neither loads anything from the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from ....text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_TAGGED_WORDS: Final = 2_000
"""Words of a page that are tagged at most: about a fifth of a second."""

MAX_KNOWN_WORDS: Final = 50_000
"""Words of a language whose tags are kept: about 10 MB."""

MAX_SENTENCE_TOKENS: Final = 60
MAX_TOKEN_CHARACTERS: Final = 16
"""Longer words are cut: the time for an unknown word is not linear in its length."""

# The model of each language, and what the tags of its verbs begin with.
_MODELS: Final = {
    "en": ("morphmodel_en.pgz", "V"),
    "de": ("morphmodel_ger.pgz", "V"),
    "nl": ("morphmodel_dutch.pgz", "WW"),
}

# The tagger passes over tags of a word that are less likely than the best by this much.
_CUTOFF: Final = 5.0

# Contractions are two tokens: do n't, we 've.
_TOKEN: Final = re.compile(r"\w+(?=n't\b)|n't\b|'\w+|\w+(?:-\w+)*|[^\w\s]")


class VerbTagger:
    """Finds verbs: by the words alone where they suffice, else by the whole sentence.

    ``is_verb`` says of a word, and whether it is the first one, if it is always a verb,
    never (``False``), or one in some sentences (``None``).
    """

    def __init__(self, model: Any, verb: str) -> None:
        self.model, self.verb = model, verb
        self.is_verb = lru_cache(MAX_KNOWN_WORDS)(partial(_is_verb, model, verb))

    def judge_words(self, tokens: list[str]) -> bool | None:
        """Whether a sentence has a verb; ``None`` if it takes the tagger to say."""
        some: bool | None = False
        for number, token in enumerate(tokens):
            if token[0].isalpha() or token[0] == "'":
                verb = self.is_verb(token, number == 0)
                if verb:
                    return True
                some = None if verb is None else some
        return some

    def has_verb(self, tokens: list[str]) -> bool:
        """Whether the tagger finds a verb in a sentence."""
        tags = self.model.tag_sent(tokens, 0)
        return any(tag.startswith(self.verb) for tag in tags)


@dataclass(frozen=True)
class SentenceFinder:
    """Finds the sentences of a text in ``language``.

    Without a tagger for the language a sentence needs ``least_words`` words instead of
    a verb.
    """

    language: str
    least_words: int
    split: Callable[[str, str], Any]
    tagger: VerbTagger | None

    @classmethod
    def load(cls, language: str | None, least_words: int) -> SentenceFinder | None:
        """The finder for a BCP 47 tag; ``None`` without the extra or the language."""
        split = _load_splitter()
        if language is None or split is None:
            return None
        primary = language.split("-")[0]
        return cls(primary, least_words, split, load_tagger(primary))

    def find(self, text: str) -> Iterator[tuple[list[str], bool | None]]:
        """The tokens of each sentence, and whether it counts as one.

        ``None``: the tagger has to read it.
        """
        for sentence in self.split(self.language, text):
            if self.tagger is None:
                yield [], count_words(sentence) >= self.least_words
                continue
            found = _TOKEN.findall(sentence.replace("’", "'"))[:MAX_SENTENCE_TOKENS]
            tokens = [token[:MAX_TOKEN_CHARACTERS] for token in found]
            yield tokens, self.tagger.judge_words(tokens)


@dataclass
class ParagraphJudge:
    """Says which texts of a page have as many sentences as a paragraph needs."""

    finder: SentenceFinder
    least_sentences: int
    tagged: int = 0

    def is_paragraph(self, text: str) -> bool:
        """Whether *text* is one; a page with too many words to tag is believed.

        The tagger reads sentences only if the others are too few, the short ones first.
        """
        found = 0
        unclear: list[list[str]] = []
        for tokens, counts in self.finder.find(text):
            if counts:
                found += 1
                if found >= self.least_sentences:
                    return True
            elif self.tagged > MAX_TAGGED_WORDS:
                return True
            else:
                self.tagged += len(tokens)
                if counts is None:
                    unclear.append(tokens)
        tagger = self.finder.tagger
        if tagger is None or found + len(unclear) < self.least_sentences:
            return False
        for tokens in sorted(unclear, key=len):
            found += tagger.has_verb(tokens)
            if found >= self.least_sentences:
                return True
        return False


def _is_verb(model: Any, verb: str, word: str, first: bool) -> bool | None:
    """Whether all likely tags of a word are those of verbs, none, or some."""
    tags = model.tag_word(word, casesensitive=not first)
    limit = tags[0][1] - _CUTOFF
    verbs = {tag.startswith(verb) for tag, likelihood in tags if likelihood >= limit}
    return verbs.pop() if len(verbs) == 1 else None


@cache
def _load_splitter() -> Callable[[str, str], Any] | None:
    try:
        from sentencex import segment
    except ImportError:
        return None
    split: Callable[[str, str], Any] = segment
    return split


@cache
def load_tagger(language: str) -> VerbTagger | None:
    """Load the tagger of a language once; ``None`` if there is none."""
    try:
        from HanTa.HanoverTagger import HanoverTagger
    except ImportError:
        return None
    if language not in _MODELS:
        return None
    model, verb = _MODELS[language]
    return VerbTagger(HanoverTagger(model), verb)
