"""JSON values out of scripts: whole, assigned in JavaScript, or inside of a string.

Nothing is run, and only JSON is read: a literal that is JavaScript and not JSON is left
out. The work on a page is bounded by its :class:`Budget`, whatever the scripts hold.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from ._pruned import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

MOST_CHARACTERS: Final = 6_000_000
"""What is decoded on one page, failed attempts included."""

LEAST_CHARACTERS: Final = 200
"""A shorter value is not worth a look."""

_DECODER: Final = json.JSONDecoder(strict=False)
_ESCAPE: Final = r"""(?s)\\(?:x([0-9a-fA-F]{2})|(.))|(")"""


@dataclass
class Budget:
    """How many more characters may be decoded."""

    left: int = MOST_CHARACTERS

    def take(self, characters: int) -> bool:
        """Take *characters*; whether there were as many."""
        self.left -= characters
        return self.left >= 0


@dataclass
class Values:
    """Reads values for one reader: what cannot hold a text is left out of them.

    ``is_unwanted`` tells of a key whether what it names is left out as well, and
    ``references`` has the strings that stand for texts.
    """

    budget: Budget
    is_unwanted: Callable[[str], bool]
    references: Mapping[str, str] = field(default_factory=dict)

    def of_script(self, script: str | bytes) -> Iterator[Any]:
        """The JSON objects and arrays that *script* holds, in their order."""
        source = self._source(script)
        start = source.begin()
        if source.character(start) in {"{", "["}:
            is_value, value, _ = self._read(source, start)
            if is_value:
                if value is not None:
                    yield value
                return
        yield from self._assigned(source)

    def _source(self, text: str | bytes) -> Source:
        return Source(text, self.is_unwanted, self.references)

    def _assigned(self, source: Source) -> Iterator[Any]:
        """The values that are assigned or passed in JavaScript."""
        position = source.next_start(0)
        while position >= 0 and self.budget.left >= 0:
            if source.character(position) in "{[":
                _, value, position = self._read(source, position, lenient=True)
            else:
                value, position = self._quoted(source, position)
            if value is not None and self.budget.left >= 0:
                yield value
            position = source.next_start(position)

    def _read(
        self, source: Source, start: int, *, lenient: bool = False
    ) -> tuple[bool, Any, int]:
        """Whether there is a value at *start*, the value, and where to go on."""
        is_value, value, end = source.value(start, lenient)
        if is_value:
            self.budget.take(end - start)
            return True, value, end
        if source.too_deep:
            self.budget.take(source.size - start)
            return False, None, source.size
        self.budget.take(end + 1 - start)
        return False, None, start + 1

    def _quoted(self, source: Source, start: int) -> tuple[Any, int]:
        """The value inside the string literal at *start*, and where to go on."""
        if source.character(start) == "'":
            text, end = source.literal(start)
            self.budget.take(end - start)
            # Most are much too short, and what they mean is no longer.
            if text is None or len(text) < LEAST_CHARACTERS:
                return None, end
            text = _unescaped(text)
            return (None if text is None else self.nested(text)), end
        text, end = source.string(start)
        self.budget.take(end - start)
        return (None, start + 1) if text is None else (self.nested(text), end)

    def of_row(self, row: bytes) -> Any:
        """The value that *row* begins with; ``None`` if there is none."""
        return self._read(self._source(row), 0)[1]

    def nested(self, text: str) -> Any:
        """The object or array that *text* is the JSON of; ``None`` if it is none."""
        return self.inside(text)[1]

    def inside(self, text: str) -> tuple[bool, Any]:
        """Whether *text* is the JSON of an object or array, and that."""
        if len(text) < LEAST_CHARACTERS:
            return False, None
        if text[:3].upper() in {"%7B", "%5B"}:
            text = unquote(text)
        text = text.strip()
        if len(text) < LEAST_CHARACTERS or text[0] + text[-1] not in {"{}", "[]"}:
            return False, None
        if not self.budget.take(0):
            return False, None
        source = self._source(text)
        is_value, value, end = self._read(source, 0)
        return (True, value) if is_value and end == source.size else (False, None)


def decode(text: str, start: int, budget: Budget) -> tuple[Any, int]:
    """The whole value at *start* and where to go on; ``None`` for one that is none."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except ValueError as error:
        reached = max(getattr(error, "pos", start), start) + 1
        # The error has counted all lines before it, which is quick but not free.
        budget.take(reached - start + reached // 200)
        return None, start + 1
    except RecursionError:
        budget.take(len(text) - start)
        return None, len(text)
    budget.take(end - start)
    return value, end


def _unescaped(literal: str) -> str | None:
    """The string that the inside of a single-quoted JavaScript literal means."""
    try:
        text: str = json.loads(f'"{re.sub(_ESCAPE, _as_json, literal)}"', strict=False)
    except ValueError:
        return None
    return text


def _as_json(match: re.Match[str]) -> str:
    code, character, quote = match.groups()
    if quote:
        return '\\"'
    if code:
        return f"\\u00{code}"
    return match[0] if character in '"\\/bfnrtu' else str(character)


__all__ = ["Budget", "Values", "decode"]
