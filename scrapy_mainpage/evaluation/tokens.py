"""Text as a list of words, the unit of nearly every measure.

A word is a run of letters, digits and underscores in lower case; Chinese, Japanese and
Korean, which write without blanks or with long compounds, give a word a character.
"""

from __future__ import annotations

import re
from typing import Final

_CJK: Final = (
    "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003fffd"
)
_TOKEN: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")


def tokenize(text: str) -> list[str]:
    """The words of *text*, in order.

    >>> tokenize("Don't panic: 你好 Welt_1")
    ['don', 't', 'panic', '你', '好', 'welt_1']
    """
    return _TOKEN.findall(text.lower())


__all__ = ["tokenize"]
