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
from dataclasses import fields
from difflib import get_close_matches
from functools import cache, cached_property, wraps
from inspect import getattr_static
from pathlib import Path
from typing import Any, Final, TypeVar

from .page import Metadata, Page
from .records import PAGE_RECORDS
from .text.language import normalise_language

Value = TypeVar("Value")

_TRUTHS: Final = {"1": True, "true": True, "0": False, "false": False}

#: The end of ``[class*="more" i]``, which browsers know.
_CASE_FLAG: Final = re.compile(r"\s+[is]\s*\]", re.IGNORECASE)


class RefusedError(ValueError):
    """A bad value: the problem, and the values that are allowed."""

    def __init__(self, problem: str, allowed: str):
        super().__init__(f"{problem}; allowed: {allowed}")


def reader(
    problem: str, allowed: str
) -> Callable[[Callable[[Any], Value]], Callable[[object], Value]]:
    """Make a reader of a conversion, whose errors get these texts."""

    def decorate(convert: Callable[[Any], Value]) -> Callable[[object], Value]:
        @wraps(convert)
        def read(value: object) -> Value:
            try:
                return convert(value)
            except RefusedError:
                raise
            except (KeyError, OSError, OverflowError, TypeError, ValueError):
                raise RefusedError(problem, allowed) from None

        return read

    return decorate


def optional(read: Callable[[object], Value]) -> Callable[[object], Value | None]:
    """Make a reader that takes ``None`` and an empty string for ``None``."""
    return lambda value: None if value is None or value == "" else read(value)


def _check(is_good: bool) -> None:
    if not is_good:
        raise ValueError


# --- Numbers and truth values ----------------------------------------------


@reader("not a boolean", "True, False, 1 or 0")
def boolean(value: Any) -> bool:
    """Return a truth value."""
    _check(isinstance(value, bool | int | str))
    return _TRUTHS[str(value).lower()]


def whole(minimum: int) -> Callable[[object], int]:
    """Make a reader of a whole number, from *minimum* on."""

    @reader("not a whole number", f"an integer from {minimum}")
    def convert(value: Any) -> int:
        _check(isinstance(value, int | str) and not isinstance(value, bool))
        _check(int(value) >= minimum)
        return int(value)

    return convert


@reader("not a size of passages", "an integer from 0, or such as '512 tokens'")
def passage_limit(value: Any) -> tuple[int, bool]:
    """Return a number of words, or of tokens, and whether it is of tokens."""
    number, _, unit = str(value).strip().partition(" ")
    _check(unit in ("", "words", "tokens"))
    return whole(0)(number), unit == "tokens"


def _number(value: Any) -> float:
    _check(isinstance(value, int | float | str) and not isinstance(value, bool))
    return float(value)


@reader("not a time in seconds", "a number above 0")
def seconds(value: Any) -> float:
    """Return a time."""
    number = _number(value)
    _check(0 < number < math.inf)
    return number


@reader("not a share", "a number from 0 to 1")
def share(value: Any) -> float:
    """Return a share of a whole."""
    number = _number(value)
    _check(0 <= number <= 1)
    return number


def _pair(value: Any, between: str) -> Any:
    _check(isinstance(value, str | list | tuple))
    return value.lower().split(between) if isinstance(value, str) else value


@reader("not a width and a height", "a pair, or such as '1280x900'")
def size(value: Any) -> tuple[int, int]:
    """Return a width and a height in pixels."""
    width, height = _pair(value, "x")
    return whole(1)(width), whole(1)(height)


@reader("not two times in seconds", "a pair, the shorter time first")
def interval(value: Any) -> tuple[float, float]:
    """Return two times, the shorter one first."""
    least, most = map(_number, _pair(value, ","))
    _check(0 < least <= most < math.inf)
    return least, most


# --- Texts -----------------------------------------------------------------


@reader("not a name", "a non-empty string")
def text(value: Any) -> str:
    """Return a text that is not empty."""
    _check(isinstance(value, str) and bool(value.strip()))
    return str(value.strip())


@reader("not a file name", "a string, with %(name)s and %(time)s or not")
def file_name(value: Any) -> str:
    """Return the path of a file that a name and a time may be put into."""
    name = text(value)
    _check(bool(Path(name % {"name": "x", "time": "x"}).name))
    return name


@reader("not a folder that can be read", "the path of one, or None")
def folder(value: Any) -> str:
    """Return the path of a folder that can be read."""
    path = os.fspath(value)
    os.scandir(path).close()
    return str(path)


def one_of(allowed: Collection[str]) -> Callable[[object], str]:
    """Make a reader of one of the *allowed* words."""

    @reader("none of these words", ", ".join(allowed))
    def convert(value: Any) -> str:
        _check(value in allowed)
        return str(value)

    return convert


# --- Lists -----------------------------------------------------------------


@reader("not a list of strings", "a list, or a string with commas")
def words(value: Any) -> tuple[str, ...]:
    """Return a list of texts."""
    if isinstance(value, str):
        is_json = value.lstrip().startswith("[")
        value = json.loads(value) if is_json else value.split(",")
    if value is None:
        return ()
    _check(isinstance(value, Collection) and not isinstance(value, Mapping))
    _check(all(isinstance(word, str) for word in value))
    return tuple(filter(None, (word.strip() for word in value)))


def words_of(allowed: Collection[str]) -> Callable[[object], tuple[str, ...]]:
    """Make a reader of a list of *allowed* words."""
    return lambda value: tuple(map(one_of(allowed), words(value)))


def urls(value: object) -> tuple[str, ...]:
    """Return a list of URLs, each once."""
    if isinstance(value, str) and not value.lstrip().startswith("["):
        value = [value]
    try:
        return tuple(dict.fromkeys(words(value)))
    except RefusedError:
        allowed = "a string such as 'sqlite:///site.db', a list of them, or None"
        raise RefusedError("not a URL", allowed) from None


def languages(value: object) -> tuple[str, ...]:
    """Return a list of language tags in lower case: ``en``, ``pt-br``."""
    from langcodes import tag_is_valid

    read = {word: normalise_language(word) for word in words(value)}
    for word, tag in read.items():
        if tag is None or not tag_is_valid(tag):
            allowed = "tags such as 'en' and 'pt-br'"
            raise RefusedError(f"{word!r} is not a language", allowed)
    return tuple(dict.fromkeys(filter(None, read.values())))


def clicks(value: object) -> tuple[str, ...]:
    """Return a list of CSS selectors; a string is one, or several as in a style."""
    from cssselect import SelectorError, parse

    if isinstance(value, str) and not value.lstrip().startswith('["'):
        value = [value]  # [role=tab] is no list
    read, selector = words(value), ""
    try:
        for selector in read:
            parse(_CASE_FLAG.sub("]", selector))
    except SelectorError as error:
        problem = f"not selectors: {selector!r}: {error}"
        raise RefusedError(problem, "CSS selectors") from None
    return read


# --- Mappings --------------------------------------------------------------


@reader("not a dictionary", "a dict or a JSON object with string keys")
def mapping(value: Any) -> dict[str, Any]:
    """Return a dictionary."""
    if isinstance(value, str):
        value = json.loads(value or "{}")
    if value is None:
        return {}
    _check(isinstance(value, Mapping) and all(isinstance(key, str) for key in value))
    return dict(value)


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
        if not 0 < read[pattern] < math.inf:
            raise RefusedError(f"{pattern!r} has the weight {factor!r}", allowed)
    return read


def item_fields(value: object) -> dict[str, str]:
    """Return a dictionary from fields of items to attributes of the page."""
    read, known = mapping(value), page_attributes()
    for key, attribute in read.items():
        if not isinstance(attribute, str) or not attribute:
            raise RefusedError(f"{key!r} has no name as its value", "names to names")
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
