"""Values that are written as a list in which numbers stand for places of the list.

Two formats of this kind are in use: Nuxt's (devalue) and that of React Router's single
fetch. Shared and circular references become shared and circular Python objects.
"""

from __future__ import annotations

from typing import Any, Final

MOST_PLACES: Final = 500_000
MOST_WRAPPERS: Final = 50
_WRAPPERS: Final = frozenset(
    "Reactive ShallowReactive Ref ShallowRef EmptyRef EmptyShallowRef NuxtError "
    "Island payload-url P".split()
)


def is_flat(value: object) -> bool:
    """Whether *value* looks like such a list: a container of places, then values."""
    return (
        isinstance(value, list)
        and 2 < len(value) <= MOST_PLACES
        and _has_places(value[0])
        and any(isinstance(item, str) for item in value)
    )


def _has_places(first: object) -> bool:
    if isinstance(first, dict):
        return bool(first) and all(type(place) is int for place in first.values())
    return _is_wrapper(first)


def _is_wrapper(item: object) -> bool:
    """Whether *item* is nothing but a mark around the place that it names."""
    return (
        isinstance(item, list)
        and len(item) == 2
        and isinstance(item[0], str)
        and item[0] in _WRAPPERS
        and type(item[1]) is int
    )


def unflatten(flat: list[Any]) -> Any:
    """What the list *flat* means; places that do not exist are ``None``."""
    whole = [_empty(item) for item in flat]
    for item, value in zip(flat, whole, strict=True):
        if isinstance(item, dict):
            value.update(
                (_key(key, flat), _at(whole, flat, place))
                for key, place in item.items()
            )
        elif isinstance(item, list) and isinstance(value, list):
            value.extend(_at(whole, flat, place) for place in _places(item))
    return _at(whole, flat, 0)


def _empty(item: Any) -> Any:
    if isinstance(item, dict):
        return {}
    return [] if isinstance(item, list) else item


def _places(item: list[Any]) -> list[Any]:
    """The places that a list names; a tagged one has its tag first."""
    return item[1:] if item and isinstance(item[0], str) else item


def _key(key: str, flat: list[Any]) -> str:
    """A property's name, which itself may be written as a place: ``_5``."""
    if key[:1] == "_" and key[1:].isascii() and key[1:].isdigit() and len(key) < 9:
        place = int(key[1:])
        if place < len(flat) and isinstance(flat[place], str):
            return str(flat[place])
    return key


def _at(whole: list[Any], flat: list[Any], place: object) -> Any:
    """The value at *place*, without the wrappers around it."""
    for _ in range(MOST_WRAPPERS):
        if type(place) is not int or not 0 <= place < len(flat):
            return None
        item = flat[place]
        if not _is_wrapper(item):
            return whole[place]
        place = item[1]
    return None


__all__ = ["is_flat", "unflatten"]
