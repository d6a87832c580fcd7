"""The definition of a word, the same for texts and for documents (``_chars.pxd``)."""

from __future__ import annotations

import re
from typing import Final

CJK: Final = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3131-\u318e"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003fffd"
)
"""Chinese, Japanese and Korean characters, for a set of a regular expression."""

WORD: Final = re.compile(rf"[{CJK}]|[^\W{CJK}][^\s{CJK}]*")
"""A word: one character of :data:`CJK`, or a run of other characters without blanks
from a letter, digit or underscore on."""


def count_words(text: str) -> int:
    """Return the number of words of a text, as ``Page.words`` counts them.

    >>> count_words("It works -- 正文 too!")
    5
    """
    return len(WORD.findall(text))
