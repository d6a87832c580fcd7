"""Readers of the values of settings: conversion, and error text for a bad value.

A reader takes the value that the project or the command line gave, a string at worst,
and returns it in its type or raises :exc:`RefusedError`.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cache, cached_property
from inspect import getattr_static
from pathlib import Path
from typing import Any, Final

from .page import Metadata, Page
from .records import PAGE_RECORDS
from .text.language import normalise_language


class RefusedError(ValueError):
    """A bad value: the problem, and the values that are allowed."""

    def __init__(self, problem: str, allowed: str):
        super().__init__(f"{problem}; allowed: {allowed}")


@dataclass(frozen=True)
class Reader:
    """A conversion; its :exc:`ValueError` and the like give the error text."""

    convert: Callable[[Any], Any]
    problem: str
    allowed: str

    def __call__(self, value: object) -> Any:
        """Return the converted value."""
        try:
            return self.convert(value)
        except RefusedError:
            raise
        except (KeyError, OSError, OverflowError, TypeError, ValueError):
            raise RefusedError(self.problem, self.allowed) from None


def optional(read: Callable[[object], Any]) -> Callable[[object], Any]:
    """Make a reader that takes ``None`` and an empty string for ``None``."""
    return lambda value: None if value is None or value == "" else read(value)


def _check(is_good: bool) -> None:
    if not is_good:
        raise ValueError


# --- Numbers and truth values ----------------------------------------------

_TRUTHS: Final = {"1": True, "true": True, "0": False, "false": False}


def _truth(value: object) -> bool:
    _check(isinstance(value, bool | int | str))
    return _TRUTHS[str(value).lower()]


def _number(value: Any) -> float:
    _check(isinstance(value, int | float | str) and not isinstance(value, bool))
    return float(value)


def _positive(value: object) -> float:
    number = _number(value)
    _check(0 < number < math.inf)
    return number


def _share(value: object) -> float:
    number = _number(value)
    _check(0 <= number <= 1)
    return number


boolean = Reader(_truth, "not a boolean", "True, False, 1 or 0")
seconds = Reader(_positive, "not a time in seconds", "a number above 0")
share = Reader(_share, "not a share", "a number from 0 to 1")


def whole(unit: str, minimum: int) -> Reader:
    """Make a reader of a whole number of *unit*, from *minimum* on."""

    def convert(value: Any) -> int:
        _check(isinstance(value, int | str) and not isinstance(value, bool))
        number = int(value)
        _check(number >= minimum)
        return number

    problem = f"not a whole number of {unit}"
    return Reader(convert, problem, f"an integer from {minimum}")


def _size(value: object) -> tuple[int, int]:
    width, height = value.lower().split("x") if isinstance(value, str) else _pair(value)
    read = whole("pixels", 1)
    return read(width), read(height)


def _pair(value: object) -> Any:
    _check(isinstance(value, list | tuple))
    return value


optional_size = optional(
    Reader(_size, "not a width and a height", "a pair, or such as '1280x900'")
)


def _interval(value: object) -> tuple[float, float]:
    least, most = value.split(",") if isinstance(value, str) else _pair(value)
    read = _positive(least), _positive(most)
    _check(read[0] <= read[1])
    return read


optional_interval = optional(
    Reader(_interval, "not two times in seconds", "a pair, the shorter time first")
)

# --- Texts -----------------------------------------------------------------


def _string(value: Any) -> str:
    _check(isinstance(value, str))
    return str(value)


def _name(value: object) -> str:
    stripped = _string(value).strip()
    _check(bool(stripped))
    return stripped


text = Reader(_name, "not a name", "a non-empty string")
optional_text = optional(Reader(_string, "not a text", "a string, or None"))


def _file_name(value: object) -> str:
    name = _name(value)
    _check(bool(Path(name % {"name": "x", "time": "x"}).name))
    return name


optional_file_name = optional(
    Reader(_file_name, "not a file name", "a string, with %(name)s and %(time)s or not")
)


def _folder(value: Any) -> str:
    path = os.fspath(value)
    os.scandir(path).close()
    return str(path)


optional_folder = optional(
    Reader(_folder, "not a folder that can be read", "the path of one, or None")
)


def one_of(allowed: Collection[str], problem: str) -> Reader:
    """Make a reader of one of the *allowed* words."""

    def convert(value: object) -> str:
        _check(value in allowed)
        return str(value)

    return Reader(convert, problem, ", ".join(allowed))


# --- Lists -----------------------------------------------------------------


def _words(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        is_json = value.lstrip().startswith("[")
        value = json.loads(value) if is_json else value.split(",")
    if value is None:
        return ()
    _check(isinstance(value, Collection) and not isinstance(value, Mapping))
    _check(all(isinstance(word, str) for word in value))
    return tuple(filter(None, (word.strip() for word in value)))


def _urls(value: object) -> tuple[str, ...]:
    if isinstance(value, str) and not value.lstrip().startswith("["):
        value = [value]
    return tuple(dict.fromkeys(_words(value)))


def languages(value: object) -> tuple[str, ...]:
    """Return a list of language tags in lower case: ``en``, ``pt-br``."""
    from langcodes import tag_is_valid

    read = {word: normalise_language(word) for word in words(value)}
    for word, tag in read.items():
        if tag is None or not tag_is_valid(tag):
            allowed = "tags such as 'en' and 'pt-br'"
            raise RefusedError(f"{word!r} is not a language", allowed)
    return tuple(dict.fromkeys(filter(None, read.values())))


words = Reader(_words, "not a list of strings", "a list, or a string with commas")
urls = Reader(
    _urls, "not a URL", "a string such as 'sqlite:///site.db', a list of them, or None"
)

#: In place of a selector: buttons whose labels say that there is more.

#: The end of ``[class*="more" i]``, which browsers know.
_CASE_FLAG: Final = re.compile(r"\s+[is]\s*\]", re.IGNORECASE)


def clicks(value: object) -> tuple[str, ...]:
    """Return a list of CSS selectors."""
    from cssselect import SelectorError, SelectorSyntaxError, parse

    if isinstance(value, str) and not value.lstrip().startswith('["'):
        value = _split(value)  # [role=tab] is no list
    read: tuple[str, ...] = words(value)
    selector = ""
    try:
        for selector in read:
            if ":show-more" in selector:
                raise SelectorSyntaxError("buttons are named by selectors of their own")
            parse(_CASE_FLAG.sub("]", selector))
    except SelectorError as error:
        problem = f"not selectors: {selector!r}: {error}"
        raise RefusedError(problem, "CSS selectors") from None
    return read


def _split(text: str) -> list[str]:
    """Split a text at the commas outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def words_of(
    allowed: Collection[str], problem: str
) -> Callable[[object], tuple[str, ...]]:
    """Make a reader of a list of *allowed* words."""
    one = one_of(allowed, problem)
    return lambda value: tuple(map(one, words(value)))


# --- Mappings --------------------------------------------------------------


def _mapping(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        value = json.loads(value or "{}")
    if value is None:
        return {}
    _check(isinstance(value, Mapping) and all(isinstance(key, str) for key in value))
    return dict(value)


mapping = Reader(
    _mapping, "not a dictionary", "a dict or a JSON object with string keys"
)


def names(value: object) -> dict[str, str]:
    """Return a dictionary from names to names."""
    read: dict[str, str] = mapping(value)
    for key, name in read.items():
        if not isinstance(name, str) or not name:
            raise RefusedError(f"{key!r} has no name as its value", "names to names")
    return read


def index_fields(value: object) -> dict[str, str | dict[str, Any]]:
    """Return a dictionary from fields of an index to names, or places of values."""
    read: dict[str, Any] = mapping(value)
    for key, source in read.items():
        if not source or not isinstance(source, str | dict):
            allowed = "names of item fields, attributes of pages, and dicts of a source"
            raise RefusedError(f"{key!r} has no source as its value", allowed)
    return read


def weights(value: object) -> dict[str, float]:
    """Return a dictionary from regular expressions for URLs to positive numbers."""
    allowed = "regular expressions to positive numbers"
    read = {}
    for pattern, factor in mapping(value).items():
        try:
            re.compile(pattern)
            read[pattern] = float(factor)
        except (re.error, TypeError, ValueError) as exc:
            raise RefusedError(f"{pattern!r}: {exc}", allowed) from exc
        if not 0 < read[pattern] < float("inf"):
            raise RefusedError(f"{pattern!r} has the weight {factor!r}", allowed)
    return read


def item_fields(value: object) -> dict[str, str]:
    """Return a dictionary from fields of items to attributes of the page."""
    read, known = names(value), page_attributes()
    for attribute in read.values():
        if attribute not in known:
            problem = f"a page has no attribute {attribute!r}"
            raise RefusedError(problem + nearest(attribute, known), ", ".join(known))
    return read


@cache
def page_attributes() -> tuple[str, ...]:
    """Return the attributes of a page that ``MAINPAGE_ITEM_FIELDS`` may name, in order.

    An attribute of the metadata or of a record is written with a dot, as
    ``metadata.author`` and ``product.price``.
    """
    declared = [item.name for item in fields(Page)]
    computed = [
        name
        for name in vars(Page)
        if isinstance(getattr_static(Page, name), property | cached_property)
    ]
    known = [name for name in declared + computed if not name.startswith("_")]
    parts: dict[str, type[Any]] = {"metadata": Metadata, **PAGE_RECORDS}
    return (
        *known,
        *(f"{name}.{part.name}" for name, cls in parts.items() for part in fields(cls)),
    )


def nearest(name: str, known: Collection[str]) -> str:
    """Return a question with the known name most like *name*; empty if none is."""
    matches = get_close_matches(name, known, n=1)
    return f" (did you mean {matches[0]!r}?)" if matches else ""
