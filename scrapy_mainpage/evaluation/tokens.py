"""Text as a list of words, the unit of nearly every measure.

A word is a run of letters, digits and underscores in lower case; Chinese, Japanese and
Korean, which write without blanks or with long compounds, give a word a character.
"""

from __future__ import annotations

import re
from typing import Final

from ..text.words import CJK

_TOKEN: Final = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def tokenize(text: str) -> list[str]:
    """The words of *text*, in order.

    >>> tokenize("Don't panic: 你好 Welt_1")
    ['don', 't', 'panic', '你', '好', 'welt_1']
    """
    return _TOKEN.findall(text.lower())


__all__ = ["tokenize"]
