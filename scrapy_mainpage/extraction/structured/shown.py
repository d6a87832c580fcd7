"""What a page already shows, by sequences of words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
MOST_CHARACTERS: Final = 1_000_000
"""Of all texts; what comes after them counts as new."""

LENGTH: Final = 4
"""Words of a sequence."""


def words_of(text: str) -> list[str]:
    """The words of *text* in one case; each CJK character is one."""
    return _WORD.findall(text.casefold())


class Shown:
    """The sequences of words of all texts that were added.

    A text that is shorter than a sequence is only shown where a text says just that.
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._known: set[int] = set()
        self._room = MOST_CHARACTERS
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """Take note of *text*."""
        self._known.update(_sequences(words_of(text[: self._room])))
        self._room = max(self._room - len(text), 0)

    def share(self, text: str) -> float:
        """The share of *text* that was shown before; 1 for a text without words."""
        return self._share(_sequences(words_of(text)))

    def learn(self, text: str) -> float:
        """As :meth:`share`, and take note of *text* then."""
        if len(text) > self._room:
            share = self.share(text)
            self.add(text)
            return share
        sequences = _sequences(words_of(text))
        share = self._share(sequences)
        self._known.update(sequences)
        self._room -= len(text)
        return share

    def _share(self, sequences: list[int]) -> float:
        if not sequences:
            return 1.0
        return sum(number in self._known for number in sequences) / len(sequences)


def _sequences(words: list[str]) -> list[int]:
    """The sequences of words, as numbers: they are only compared."""
    if len(words) < LENGTH:
        return [hash(tuple(words))] if words else []
    parts = (words[k:] for k in range(LENGTH))
    return list(map(hash, zip(*parts, strict=False)))


__all__ = ["Shown", "words_of"]
