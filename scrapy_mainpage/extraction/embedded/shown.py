"""What a page already shows, by sequences of words."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ._sequences import Sequences

if TYPE_CHECKING:
    from collections.abc import Iterable

_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
MOST_CHARACTERS: Final = 1_000_000
"""Of all texts; what comes after them counts as new."""


def words_of(text: str) -> list[str]:
    """The words of *text* in one case; each CJK character is one."""
    return _word().findall(text.casefold())


@cache
def _word() -> re.Pattern[str]:
    # It takes milliseconds to compile.
    return re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


class Shown:
    """The sequences of words of all texts that were added.

    A text that is shorter than a sequence is only shown where a text says just that.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._known = Sequences()
        self._room = MOST_CHARACTERS
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Take note of *text*."""
        self._known.add(text[: self._room])
        self._room = max(self._room - len(text), 0)

    def share(self, text: str) -> float:
        """The share of *text* that was shown before; 1 for a text without words."""
        return self._known.share(text)

    def learn(self, text: str) -> float:
        """As :meth:`share`, and take note of *text* then."""
        share = self.share(text)
        self.add(text)
        return share


__all__ = ["Shown", "words_of"]
