"""The values of a JSON list, one after the other, not all in memory at once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST: Final = 64 * 2**20
"""Characters of the longest value that is read."""

_CHUNK: Final = 2**16
_BLANKS: Final = re.compile(r"\s*")


class JsonValues:
    """Yields line number and value of what is in a list, or else of the only value.

    *read* returns up to so many characters, none at the end. A value that is not JSON
    raises :exc:`ValueError`, and so does a list without an end, after its last value;
    ``line`` is where.
    """

    def __init__(self, read: Callable[[int], str]):
        self.line = 1
        self._read = read
        self._text, self._at = "", 0
        self._decoder = json.JSONDecoder()

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        if self._next() != "[":
            if self._next():
                yield self.line, self._value()
            return
        self._go_to(self._at + 1)
        if self._next() == "]":
            return
        while True:
            self._next()
            yield self.line, self._value()
            mark = self._next()
            if mark == "]":
                return
            if mark != ",":
                raise ValueError("neither a comma nor the end of the list")
            self._go_to(self._at + 1)

    def _next(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            match = _BLANKS.match(self._text, self._at)
            self._go_to(match.end() if match else self._at)
            if self._at < len(self._text) or not self._read_on():
                return self._text[self._at : self._at + 1]

    def _value(self) -> Any:
        while (found := self._decoded()) is None:
            if len(self._text) - self._at > MOST or not self._read_on():
                raise ValueError("no JSON")
        value, end = found
        self._go_to(end)
        return value

    def _decoded(self) -> tuple[Any, int] | None:
        """The value here and where it ends; ``None`` where it does not, or is none."""
        try:
            return self._decoder.raw_decode(self._text, self._at)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        except ValueError:
            return None

    def _read_on(self) -> bool:
        """Read as much again as is left, or a long value would be tried too often."""
        left = self._text[self._at :]
        more = self._read(max(_CHUNK, len(left)))
        self._text, self._at = left + more, 0
        return bool(more)

    def _go_to(self, place: int) -> None:
        self.line += self._text.count("\n", self._at, place)
        self._at = place
