"""Which strings are sentences that are made for people."""

from __future__ import annotations

import re
from typing import Final

from ._sequences import count_words
from .markup import is_html, plain_text

LONGEST_TEXT: Final = 500_000
LEAST_WORDS: Final = 12
"""Of a text; a shorter one may be anything."""

LEAST_LENGTH: Final = 30
"""Characters of a text."""

_SENTENCE: Final = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*(?:\s|$|<)|[。！？]")
_CODE: Final = re.compile(r"[{}\[\]=;|\\^~]|=>|//|%[0-9A-F]{2}")
_SAMPLE: Final = 2000
# What a program fills in: {name}, %s, %1$s.
_GAP: Final = re.compile(r"\{\w{1,30}\}|%(?:\d\$)?s\b")


def reads_as_prose(text: str) -> bool:
    """Whether *text* is sentences that are made for people, HTML or not.

    >>> reads_as_prose("The kettle boils at noon. Bring a cup, and be on time, all.")
    True
    >>> reads_as_prose("width: 100px; color: red; margin: 0 auto; padding: 1px 2px 3px")
    False
    """
    if not LEAST_LENGTH <= len(text) <= LONGEST_TEXT:
        return False
    plain = plain_text(text) if "<" in text or "&" in text else text
    sample = plain[:_SAMPLE]
    if not _SENTENCE.search(sample) and not is_html(text):
        return False
    words = count_words(sample)
    marks = len(_CODE.findall(sample))
    if len(plain) <= _SAMPLE and _GAP.search(plain):
        return False
    return words >= LEAST_WORDS and marks * 8 < words and len(sample) < 15 * words


__all__ = ["LEAST_LENGTH", "LEAST_WORDS", "reads_as_prose"]
