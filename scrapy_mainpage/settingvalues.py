"""Readers of the values of settings: what is allowed, and what is said if it is not.

Each takes what the project or the command line gave, a string at worst, and returns
the value in its type or raises :exc:`RefusedError`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from difflib import get_close_matches
from functools import cached_property
from inspect import getattr_static
from typing import Any, Final

from .page import Metadata, Page
from .text.language import normalise_language

_TRUTHS: Final = {"1": True, "true": True, "0": False, "false": False}


class RefusedError(ValueError):
    """What is wrong with a value, and what is allowed instead."""

    def __init__(self, problem: str, allowed: str):
        super().__init__(f"{problem}; allowed: {allowed}")


def boolean(value: object) -> bool:
    """A truth value, as Scrapy writes them."""
    said = str(value).lower()
    if not isinstance(value, bool | int | str) or said not in _TRUTHS:
        raise RefusedError("not a boolean", "True, False, 1 or 0")
    return _TRUTHS[said]


def optional_boolean(value: object) -> bool | None:
    """A truth value, or ``None``: that is for the plugin to decide."""
    return None if value is None or value == "" else boolean(value)


def whole(what: str, least: int) -> Callable[[object], int]:
    """Make a reader of a whole number from *least* on."""

    def read(value: object) -> int:
        refused = RefusedError(
            f"not a whole number of {what}", f"an integer from {least}"
        )
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise refused
        try:
            number = int(value)
        except ValueError:
            raise refused from None
        if number < least:
            raise refused
        return number

    return read


def _number(value: object, refused: RefusedError) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise refused
    try:
        number = float(value)
    except (OverflowError, ValueError):
        raise refused from None
    if math.isnan(number):
        raise refused
    return number


def seconds(value: object) -> float:
    """A time in seconds."""
    refused = RefusedError("not a time in seconds", "a number above 0")
    number = _number(value, refused)
    if not 0 < number < math.inf:
        raise refused
    return number


def share(value: object) -> float:
    """A share."""
    refused = RefusedError("not a share", "a number from 0 to 1")
    number = _number(value, refused)
    if not 0 <= number <= 1:
        raise refused
    return number


def text(value: object) -> str:
    """A text that says something."""
    if not isinstance(value, str) or not value.strip():
        raise RefusedError("not a name", "a non-empty string")
    return value.strip()


def one_of(allowed: Collection[str], problem: str) -> Callable[[object], str]:
    """Make a reader of one of the *allowed* words."""

    def read(value: object) -> str:
        if value not in allowed:
            raise RefusedError(problem, ", ".join(allowed))
        return str(value)

    return read


def optional_text(value: object) -> str | None:
    """A text, or ``None``."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise RefusedError("not a text", "a string, or None")
    return value


def urls(value: object) -> tuple[str, ...]:
    """URLs of indexes: one, or a list of them (from the command line: in JSON)."""
    refused = RefusedError(
        "not a URL", "a string such as 'sqlite:///site.db', a list of them, or None"
    )
    if isinstance(value, str) and not value.lstrip().startswith("["):
        value = [value]
    try:
        return tuple(dict.fromkeys(words(value)))
    except RefusedError:
        raise refused from None


def mapping(value: object) -> dict[str, Any]:
    """A dictionary, or a JSON object."""
    refused = RefusedError(
        "not a dictionary", "a dict or a JSON object with string keys"
    )
    if isinstance(value, str):
        try:
            value = json.loads(value or "{}")
        except ValueError:
            raise refused from None
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refused
    return dict(value)


def words(value: object) -> tuple[str, ...]:
    """A list of strings; a string is one with commas, or a JSON list."""
    refused = RefusedError("not a list of strings", "a list, or a string with commas")
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except ValueError:
                raise refused from None
        else:
            value = value.split(",")
    if value is None:
        return ()
    if isinstance(value, Mapping) or not isinstance(value, Collection):
        raise refused
    if not all(isinstance(word, str) for word in value):
        raise refused
    return tuple(filter(None, (word.strip() for word in value)))


def words_of(
    allowed: Collection[str], problem: str
) -> Callable[[object], tuple[str, ...]]:
    """Make a reader of a list of *allowed* words."""
    one = one_of(allowed, problem)
    return lambda value: tuple(map(one, words(value)))


def languages(value: object) -> tuple[str, ...]:
    """A list of language tags, in lower case: ``en``, ``pt-br``."""
    read = {word: normalise_language(word) for word in words(value)}
    for word, tag in read.items():
        if tag is None:
            allowed = "tags such as 'en' and 'pt-br'"
            raise RefusedError(f"{word!r} is no language", allowed)
    return tuple(dict.fromkeys(filter(None, read.values())))


def size(value: object) -> tuple[int, int]:
    """A width and a height: a pair, or a string such as ``1280x900``."""
    refused = RefusedError("not a width and a height", "a pair, or such as '1280x900'")
    pair = value.lower().split("x") if isinstance(value, str) else value
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise refused
    read = whole("pixels", 1)
    return read(pair[0]), read(pair[1])


def names(value: object) -> dict[str, str]:
    """A dictionary from names to names."""
    read = mapping(value)
    for key, name in read.items():
        if not isinstance(name, str) or not name:
            raise RefusedError(f"{key!r} has no name as its value", "names to names")
    return read


def item_fields(value: object) -> dict[str, str]:
    """A dictionary from fields of items to attributes of the page."""
    read, known = names(value), page_attributes()
    for attribute in read.values():
        if attribute not in known:
            problem = f"a page has no attribute {attribute!r}"
            raise RefusedError(problem + nearest(attribute, known), ", ".join(known))
    return read


def page_attributes() -> tuple[str, ...]:
    """Return what ``MAINPAGE_ITEM_FIELDS`` may name: attributes of a page, in order.

    An attribute of the metadata is written with a dot, as ``metadata.author``.
    """
    declared = [item.name for item in fields(Page)]
    computed = [
        name
        for name in vars(Page)
        if isinstance(getattr_static(Page, name), property | cached_property)
    ]
    known = [name for name in declared + computed if not name.startswith("_")]
    return (*known, *(f"metadata.{item.name}" for item in fields(Metadata)))


def nearest(name: str, known: Collection[str]) -> str:
    """Return a question that names the known name most like *name*, if one is."""
    matches = get_close_matches(name, known, n=1)
    return f" (did you mean {matches[0]!r}?)" if matches else ""
