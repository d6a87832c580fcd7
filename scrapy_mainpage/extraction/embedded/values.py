"""JSON values in scripts: whole scripts, JavaScript operands, and string literals.

Nothing is run. A literal that is JavaScript and not JSON is skipped.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..parsing.budget import Budget

OPENING_WORK: Final = 240
VALUE_WORK: Final = 200
"""Of an opening that is looked at, and of each decoded value beside its characters."""

PLACE_WORK: Final = 50

MIN_CHARACTERS: Final = 200
"""Shorter values and scripts hold no content."""

_DECODER: Final = json.JSONDecoder(strict=False)
_START: Final = re.compile(r"""[{\[](?:(?<=["].)|\s*["{\[])""")
"""An opening behind a quote, or a container whose first item may be JSON."""
_OPERAND: Final = re.compile(r"(?:[=(,:]|(?<!\w)return)\s*\Z")
_OPERAND_CHARACTERS: Final = 40
MAX_PASSED_CHARACTERS: Final = 20_000
_WRAPPERS: Final = frozenset(
    "Reactive ShallowReactive Ref ShallowRef EmptyRef EmptyShallowRef NuxtError "
    "Island payload-url P".split()
)


class JsonScanner:
    """Finds and decodes JSON; each character charges the *budget*."""

    def __init__(self, budget: Budget) -> None:
        self._spend = budget.spend

    def find(self, script: str) -> Iterator[Any]:
        """Yield the objects and arrays of *script*, in their order."""
        text = script.lstrip()
        if text[:1] in {"{", "["}:
            value, _ = self.decode(text, 0)
            if value is not None:
                yield value
                return
        yield from self._find_operands(text)

    def _find_operands(self, text: str) -> Iterator[Any]:
        """Yield the values that are assigned, passed or returned in JavaScript."""
        position = 0
        while self._spend(OPENING_WORK) and (match := _START.search(text, position)):
            opening = match.start()
            if opening > MAX_PASSED_CHARACTERS:  # errors count the lines before them
                text = text[opening - _OPERAND_CHARACTERS :]
                opening = _OPERAND_CHARACTERS
            start = opening - (text[opening - 1 : opening] == '"')
            position = opening + 1
            if not _OPERAND.search(text[max(start - _OPERAND_CHARACTERS, 0) : start]):
                continue
            value, end = self.decode(text, start)
            position = max(position, end)
            if isinstance(value, str):
                value = self.decode_nested(value)
            if value is not None and self._spend(0):
                yield value

    def decode(self, text: str, start: int) -> tuple[Any, int]:
        """Decode the value at *start*: the value, or ``None``, and where to go on."""
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (RecursionError, MemoryError):
            value, end, cost = None, len(text), len(text) - start
        except ValueError as error:
            reached = max(getattr(error, "pos", start), start)
            # An error costs about as much as decoding so many characters, and it counts
            # the lines before it.
            value, end, cost = None, start + 1, reached - start + 100 + reached // 50
        else:
            cost = end - start + VALUE_WORK
        return (value if self._spend(cost) else None), end

    def decode_nested(self, text: str) -> Any:
        """The object or array that *text* is the JSON of; ``None`` for other texts."""
        text = text.strip()
        if len(text) < MIN_CHARACTERS or text[0] + text[-1] not in {"{}", "[]"}:
            return None
        if not self._spend(len(text)):
            return None
        value, end = self.decode(text, 0)
        return value if end == len(text) else None


def is_flattened(value: object) -> bool:
    """Whether *value* is a list in which numbers stand for places of the list.

    Nuxt (devalue) and React Router (single fetch) write their state so: a container of
    places first, then the values.
    """
    if not isinstance(value, list) or len(value) <= 2:
        return False
    first = value[0]
    places = [*first.values()] if isinstance(first, dict) else []
    has_places = bool(places) and all(type(place) is int for place in places)
    return (has_places or _is_wrapper(first)) and any(
        isinstance(item, str) for item in value
    )


def _is_wrapper(item: object) -> bool:
    """Whether *item* is a mark around one place."""
    return (
        isinstance(item, list)
        and len(item) == 2
        and isinstance(item[0], str)
        and item[0] in _WRAPPERS
        and type(item[1]) is int
    )


def unflatten(flat: list[Any], budget: Budget) -> Any:
    """The value that the list *flat* stands for; places outside of it are ``None``.

    Its containers are filled in place: shared and circular references become shared
    and circular Python objects. What is beyond the *budget* keeps its numbers.
    """
    wrapped = {place: item[1] for place, item in enumerate(flat) if _is_wrapper(item)}

    def at(place: object) -> Any:
        """The value at *place*, without the wrappers around it."""
        while type(place) is int and place in wrapped and budget.spend(5 * PLACE_WORK):
            place = wrapped[place]
        if type(place) is not int or place in wrapped or not 0 <= place < len(flat):
            return None
        return flat[place]

    for place, item in enumerate(flat):
        if not isinstance(item, (dict, list)) or place in wrapped:
            continue
        if not budget.spend(PLACE_WORK * (1 + len(item))):
            break
        if isinstance(item, dict):
            for key in [*item]:
                value = at(item.pop(key))
                item[_key(key, flat)] = value
        else:
            # A tagged list has its tag first.
            places = item[1:] if item and isinstance(item[0], str) else item
            item[:] = map(at, [*places])
    return at(0)


def _key(key: str, flat: list[Any]) -> str:
    """The name of a property, which may be written as a place: ``_5``."""
    if key[:1] == "_" and key[1:].isascii() and key[1:].isdigit() and len(key) < 9:
        place = int(key[1:])
        if place < len(flat) and isinstance(flat[place], str):
            return str(flat[place])
    return key
