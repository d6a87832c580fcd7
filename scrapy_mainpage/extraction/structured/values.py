"""JSON values out of scripts: whole, assigned in JavaScript, or inside of a string.

Nothing is run, and only JSON is read: a literal that is JavaScript and not JSON is left
out. The work on a page is bounded by its :class:`Budget`, whatever the scripts hold.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CHARACTERS: Final = 6_000_000
"""What is decoded on one page, failed attempts included."""

LEAST_CHARACTERS: Final = 200
"""A shorter value is not worth a look."""

PIECE: Final = 4096
"""Characters that are tried first."""

LONGEST_WORD: Final = 16
"""Characters of JSON that are read as one, outside of strings: ``-Infinity``."""

_OPEN: Final = "Unterminated string"
_DECODER: Final = json.JSONDecoder(strict=False)
# Where a value may begin in JavaScript: assigned, passed, returned. It begins with a
# set of characters, which is searched for at a much higher speed than alternatives.
_BEGINS: Final = re.compile(
    r"""[=(,:r](?:(?<!r)|(?<=\br)eturn)\s*(?:(?P<container>[{\[](?=\s*["{\[]))"""
    r"""|(?P<quote>["'])(?=[{\[]|%7[Bb]|%5[Bb]))"""
)
_SINGLE: Final = re.compile(r"'([^'\\\n]*(?:\\.[^'\\\n]*)*)'")
_ESCAPE: Final = re.compile(r"""\\(?:x([0-9a-fA-F]{2})|(.))|(")""", re.DOTALL)
_UNDEFINED: Final = re.compile(r"([:,\[])\s*(?:undefined|NaN|void 0)\s*(?=[,}\]])")


@dataclass
class Budget:
    """How many more characters may be decoded."""

    left: int = MOST_CHARACTERS

    def take(self, characters: int) -> bool:
        """Take *characters*; whether there were as many."""
        self.left -= characters
        return self.left >= 0


def values_of(script: str, budget: Budget) -> Iterator[Any]:
    """The JSON objects and arrays that *script* holds, in their order."""
    text = script.strip()
    if text[:1] in {"{", "["}:
        value, _ = decode(text, 0, budget)
        if value is not None:
            yield value
            return
    yield from _assigned(text, budget)


def _assigned(text: str, budget: Budget) -> Iterator[Any]:
    """The values that are assigned or passed in JavaScript."""
    position, repaired = 0, False
    while match := _BEGINS.search(text, position):
        start = match.end() - 1
        if match["quote"]:
            value, position = _quoted(text, start, budget)
        else:
            value, position = decode(text, start, budget)
        if value is None and not repaired and match["container"]:
            # Repaired once for the whole script: what remains of it is still JSON.
            rest = _UNDEFINED.sub(r"\1null", text[start:])
            repaired, text = True, text[:start] + rest
            value, position = decode(text, start, budget)
        if budget.left < 0:
            return
        if isinstance(value, (dict, list)) and value:
            yield value


def decode(text: str, start: int, budget: Budget) -> tuple[Any, int]:
    """The value at *start* and where to go on; ``None`` for one that is no JSON."""
    try:
        value, end = _decoded(text, start)
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


def _decoded(text: str, start: int) -> tuple[Any, int]:
    """The value at *start* and its end, from a piece of the text if that will do.

    An error counts all lines before it, and most attempts fail soon. What fails at the
    end of the piece may go on behind it.
    """
    if start < PIECE or start + PIECE >= len(text):
        return _DECODER.raw_decode(text, start)
    try:
        value, end = _DECODER.raw_decode(text[start : start + PIECE])
    except json.JSONDecodeError as error:
        if error.pos < PIECE - LONGEST_WORD and not error.msg.startswith(_OPEN):
            error.pos += start
            raise
        return _DECODER.raw_decode(text, start)
    return value, start + end


def _quoted(text: str, start: int, budget: Budget) -> tuple[Any, int]:
    """The value inside the string literal at *start*."""
    if text[start] == '"':
        inner, end = decode(text, start, budget)
    else:
        match = _SINGLE.match(text, start)
        end = match.end() if match else _line_end(text, start)
        budget.take(end - start)
        inner = _unescaped(match[1]) if match else None
    return (nested(inner, budget) if isinstance(inner, str) else None), end


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end + 1 if end >= 0 else len(text)


def _unescaped(literal: str) -> str | None:
    """The string that the inside of a single-quoted JavaScript literal means."""
    try:
        text: str = json.loads(f'"{_ESCAPE.sub(_as_json, literal)}"', strict=False)
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


def nested(text: str, budget: Budget) -> Any:
    """The object or array that *text* is the JSON of; ``None`` if it is none."""
    if text[:3].upper() in {"%7B", "%5B"}:
        text = unquote(text)
    text = text.strip()
    if len(text) < LEAST_CHARACTERS or text[0] + text[-1] not in {"{}", "[]"}:
        return None
    if not budget.take(0):
        return None
    value, end = decode(text, 0, budget)
    return value if end == len(text) else None


__all__ = ["Budget", "decode", "nested", "values_of"]
