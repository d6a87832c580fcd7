"""References of JSON-LD written out: the thing in place of its name.

A thing may refer to another one by ``@id``, and that one back. Each reference is
visited once, when the list of things is made; what it brings is charged to a room, so
that things that name each other many times do not multiply.
"""

from __future__ import annotations

from typing import Any, Final

MAX_LEVELS: Final = 40


class References:
    """The *things* of a page by name; *room* is for so many characters of copies."""

    def __init__(self, things: list[dict[str, Any]], room: int) -> None:
        self._things: dict[str, dict[str, Any]] = {}
        self._sizes: dict[str, int] = {}
        self._room = room
        for thing in things:
            if name := _name_of(thing):
                # Of several things of a name the fullest; a name alone is none.
                other = self._things.get(name, {"@id": name})
                if len(thing) > len(other):
                    self._things[name] = thing

    def write_out(self, thing: dict[str, Any]) -> dict[str, Any]:
        """A *thing* with the things that it refers to, but for those around it."""
        if not self._things:
            return thing
        around = tuple(filter(None, [_name_of(thing)]))
        return {key: self._open(value, around, 1) for key, value in thing.items()}

    def _open(self, value: Any, around: tuple[str, ...], level: int) -> Any:
        if level > MAX_LEVELS:
            return value
        if isinstance(value, list):
            return [self._open(v, around, level + 1) for v in _without_doubles(value)]
        if not isinstance(value, dict):
            return value
        if name := _name_of(value):
            if name not in around:
                value = self._joined(name, value)
            around = (*around, name)
        return {key: self._open(v, around, level + 1) for key, v in value.items()}

    def _joined(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        other = self._things.get(name, value)
        if other is value:
            return value
        if name not in self._sizes:
            self._sizes[name] = _size(other)
        if self._sizes[name] > self._room:
            return value
        self._room -= self._sizes[name]
        return {**other, **value}


def _name_of(value: Any) -> str | None:
    name = value.get("@id") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def _size(thing: dict[str, Any]) -> int:
    """The characters of a thing, all that is inside of it included."""
    stack: list[Any] = [thing]
    size = 0
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += value.values()
        elif isinstance(value, list):
            stack += value
        size += len(value) if isinstance(value, str) else 1
    return size


def _without_doubles(values: list[Any]) -> list[Any]:
    """The *values* of a property without what it refers to for a second time."""
    names: set[str] = set()
    found = []
    for value in values:
        name = _name_of(value) if isinstance(value, dict) and len(value) == 1 else None
        if name is None or name not in names:
            found.append(value)
        if name:
            names.add(name)
    return found
