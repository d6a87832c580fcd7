"""The definition of a word, the same for texts and for documents (``_chars.pxd``)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import chain, groupby, islice
from typing import Final, Literal

CJK: Final = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3131-\u318e"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003fffd"
)
"""Chinese, Japanese and Korean characters, for a set of a regular expression."""

#: Thai, Lao, Tibetan, Burmese and Khmer, whose words no blanks divide.
_UNSPACED_RANGES: Final = ((0xE00, 0x109F), (0x1780, 0x17FF), (0xAA60, 0xAA7F))
UNSPACED: Final = "".join(
    chr(code)
    for first, last in _UNSPACED_RANGES
    for code in range(first, last + 1)
    if chr(code).isalnum()
)
"""The letters of these scripts."""

MAX_MARKS: Final = 30
"""Combining marks on a letter, as in the stream-safe format of Unicode (UAX 15). Real
letters have up to 5; sorting more takes time that grows with their square."""

_MARKS: Final = re.compile(rf"[^\w\s]{{{MAX_MARKS + 1},}}")

UNSPACED_LETTERS: Final = 5
"""Letters of a word in these scripts; the mean of Thai words is 4.5, of Khmer 5."""


@cache
def word_pattern() -> re.Pattern[str]:
    """The expression of a word; compiling it takes 10 ms, and most pages need none.

    A word is one character of :data:`CJK`, or a run of other characters without blanks
    from a letter, digit or underscore on. A run in a script without blanks between
    words is divided after every :data:`UNSPACED_LETTERS` letters.
    """
    in_word = rf"[^\s{CJK}{UNSPACED}]*"
    return re.compile(
        rf"[{CJK}]"
        rf"|[{UNSPACED}]{in_word}"
        rf"(?:[{UNSPACED}]{in_word}){{0,{UNSPACED_LETTERS - 1}}}"
        rf"|[^\W{CJK}{UNSPACED}]{in_word}"
        rf"(?:[{UNSPACED}]{in_word}){{0,{UNSPACED_LETTERS}}}"
    )


def count_words(text: str) -> int:
    """Return the number of words of a text, as ``Page.words`` counts them.

    >>> count_words("It works -- 正文 too!")
    5
    >>> count_words("กรุงเทพมหานครเป็นเมืองหลวง")
    5
    """
    return len(word_pattern().findall(text))


def number_of(count: int, noun: str) -> str:
    """The count with the noun, in the plural with an s unless it is one.

    >>> number_of(1, "file"), number_of(1200, "page")
    ('1 file', '1,200 pages')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a language model reads the text as.

    Four letters of ASCII are a token, two of other alphabets, one of :data:`CJK`.

    >>> estimate_tokens("It works."), estimate_tokens("正文")
    (3, 2)
    """
    if text.isascii():
        return -(-len(text) // 4)
    ascii_chars = len(text.encode("ascii", "ignore"))
    cjk = len(re.compile(f"[{CJK}]").findall(text))
    return -(-(ascii_chars + 2 * (len(text) - ascii_chars - cjk) + 4 * cjk) // 4)


def normalize(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """*text* in a normal form of Unicode, without more marks than letters have.

    >>> len(normalize("NFC", "a" + "\\u0316\\u0301" * 50_000))
    30
    """
    if text.isascii():
        return text
    if form == "NFKC":  # half-width marks become these, and no letter stops their run
        text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")
    if len(text.encode("cp1252", "ignore")) < len(text):  # that has no marks
        text = _MARKS.sub(_drop_marks, text)
    return unicodedata.normalize(form, text)


def _drop_marks(match: re.Match[str]) -> str:
    runs = groupby(match[0], lambda character: unicodedata.combining(character) > 0)
    kept = (islice(run, MAX_MARKS if are_marks else None) for are_marks, run in runs)
    return "".join(chain.from_iterable(kept))
