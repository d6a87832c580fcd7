"""Function words of languages: the language of a text, and words that searches skip."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Final

MIN_SHARE: Final = 0.12
"""Share of a text's words that are function words of its language, at least."""

MIN_LEAD: Final = 1.25
"""So many times as frequent are they as those of the next language."""

MIN_WORDS: Final = 8

_WORD: Final = re.compile(r"[^\W\d_]+")


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the frequent words of a language's grammar; empty if it is not known.

    >>> "the" in function_words("en-gb")
    True
    """
    return _by_language().get(language.partition("-")[0], frozenset())


def language_by_words(text: str) -> str | None:
    """Return the language whose function words a text is full of, ``None`` if unsure.

    >>> language_by_words("The page has a list of all the commands that you can use.")
    'en'
    >>> language_by_words("SELECT date_trunc, now")
    """
    counts = Counter(_WORD.findall(text.lower()))
    total = counts.total()
    if total < MIN_WORDS:
        return None
    found = sorted(
        (sum(counts[word] for word in words), language)
        for language, words in _by_language().items()
    )
    (second, _), (first, language) = found[-2:]
    is_sure = first >= MIN_SHARE * total and first >= MIN_LEAD * second
    return language if is_sure else None


@cache
def _by_language() -> dict[str, frozenset[str]]:
    text = files(__package__).joinpath("function_words.txt").read_text("utf-8")
    lines = map(str.split, text.splitlines())
    return {language: frozenset(words) for language, *words in lines}
