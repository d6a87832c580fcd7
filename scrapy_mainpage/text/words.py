"""Words of a text, counted as the extraction counts them."""

from __future__ import annotations

import re
from typing import Final

CJK: Final = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3131-\u318e"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003fffd"
)
"""Chinese, Japanese and Korean characters, as a regular expression's set has them."""

WORD: Final = re.compile(rf"[{CJK}]|[^\W{CJK}][^\s{CJK}]*")
"""Each character of :data:`CJK` is a word, and so is every run of other characters
between blanks with a letter, a digit or an underscore in it."""


def count_words(text: str) -> int:
    """Return the number of words of a text, as ``Page.words`` counts them.

    >>> count_words("It works -- 正文 too!")
    5
    """
    return len(WORD.findall(text))
