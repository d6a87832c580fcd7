"""Every ``MAINPAGE_`` setting: its default, its type, what is allowed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from functools import cached_property
from inspect import getattr_static
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import UsageError

from .extraction.algorithms import DEFAULT_ALGORITHM, AlgorithmError, get_algorithm
from .page import Metadata, Page

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PREFIX: Final = "MAINPAGE_"

BALANCED: Final = "balanced"
FAVORS: Final = (BALANCED, "precision", "recall")
FAVOR_OPTION: Final = "favor"
"""The option of an algorithm that ``MAINPAGE_FAVOR`` sets."""


class SettingsError(UsageError, ValueError):
    """A bad setting, said in one line: its name, its value and what is allowed.

    Being a usage error, it ends a ``scrapy`` command with that line and exit code 2
    wherever the command runs the crawler itself.
    """

    def __init__(self, name: str, value: object, problem: str):
        super().__init__(" ".join(f"{name}={_shortened(value)}: {problem}".split()))
        self.name = name


def _shortened(value: object, limit: int = 200) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[:limit] + "..."


class _RefusedError(ValueError):
    """What is wrong with a value, and what is allowed instead."""

    def __init__(self, problem: str, allowed: str):
        super().__init__(f"{problem}; allowed: {allowed}")


_TRUTHS: Final = {"1": True, "true": True, "0": False, "false": False}


def _bool(value: object) -> bool:
    said = str(value).lower()
    if not isinstance(value, bool | int | str) or said not in _TRUTHS:
        raise _RefusedError("not a boolean", "True, False, 1 or 0")
    return _TRUTHS[said]


def _count(value: object) -> int:
    refused = _RefusedError("not a whole number of words", "an integer from 0")
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise refused
    try:
        number = int(value)
    except ValueError:
        raise refused from None
    if number < 0:
        raise refused
    return number


def _share(value: object) -> float:
    refused = _RefusedError("not a share", "a number from 0 to 1")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise refused
    try:
        number = float(value)
    except ValueError:
        raise refused from None
    if math.isnan(number) or not 0 <= number <= 1:
        raise refused
    return number


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _RefusedError("not a name", "a non-empty string")
    return value.strip()


def _favor(value: object) -> str:
    if value not in FAVORS:
        raise _RefusedError("nothing that can be favored", ", ".join(FAVORS))
    return str(value)


def _optional_text(value: object) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise _RefusedError(
            "not a URL", "a string such as 'sqlite:///site.db', or None"
        )
    return value


def _mapping(value: object) -> dict[str, Any]:
    refused = _RefusedError(
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


def _names(value: object) -> dict[str, str]:
    mapping = _mapping(value)
    for key, name in mapping.items():
        if not isinstance(name, str) or not name:
            raise _RefusedError(f"{key!r} has no name as its value", "names to names")
    return mapping


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
    names = [name for name in declared + computed if not name.startswith("_")]
    return (*names, *(f"metadata.{item.name}" for item in fields(Metadata)))


def _item_fields(value: object) -> dict[str, str]:
    mapping, known = _names(value), page_attributes()
    for attribute in mapping.values():
        if attribute not in known:
            problem = f"a page has no attribute {attribute!r}"
            raise _RefusedError(problem + _nearest(attribute, known), ", ".join(known))
    return mapping


def _nearest(name: str, known: tuple[str, ...]) -> str:
    matches = get_close_matches(name, known, n=1)
    return f" (did you mean {matches[0]!r}?)" if matches else ""


def _read_by(read: Callable[[object], Any], **default: Any) -> Any:
    return field(metadata={"read": read}, **default)


@dataclass(frozen=True, slots=True)
class Settings:
    """The plugin's settings. ``filter_min_words`` is ``MAINPAGE_FILTER_MIN_WORDS``.

    ``item_fields`` maps fields of items to attributes of the page. Shares and the
    confidence go from 0 to 1. ``algorithm_options`` are as they were given; ``options``
    are what the algorithm gets.
    """

    enabled: bool = _read_by(_bool, default=True)
    algorithm: str = _read_by(_text, default=DEFAULT_ALGORITHM)
    algorithm_options: Mapping[str, Any] = _read_by(_mapping, default_factory=dict)
    favor: str = _read_by(_favor, default=BALANCED)
    item_fields: Mapping[str, str] = _read_by(_item_fields, default_factory=dict)
    structured_data: bool = _read_by(_bool, default=True)
    filter_enabled: bool = _read_by(_bool, default=False)
    filter_min_words: int = _read_by(_count, default=20)
    filter_min_share: float = _read_by(_share, default=0.0)
    min_confidence: float = _read_by(_share, default=0.0)
    index: str | None = _read_by(_optional_text, default=None)
    index_fields: Mapping[str, str] = _read_by(_names, default_factory=dict)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Settings:
        """Read and check the crawl's settings; strings from the command line are fine.

        Raises :exc:`SettingsError` for the first bad one. A ``MAINPAGE_`` name that
        does not exist is an error too: a misspelt setting must not be a silent one.
        """
        known = {PREFIX + item.name.upper(): item for item in fields(cls)}
        given = {
            name: settings[name]
            for name in settings
            if isinstance(name, str) and name.startswith(PREFIX)
        }
        for name, value in given.items():
            if name not in known:
                problem = "no such setting" + _nearest(name, tuple(known))
                problem += "; allowed: " + ", ".join(known)
                raise SettingsError(name, value, problem)
        values = {
            known[name].name: _read(known[name], name, given[name]) for name in given
        }
        checked = cls(**values)
        checked.check_algorithm()
        return checked

    @property
    def options(self) -> dict[str, Any]:
        """The options of the algorithm, with ``favor`` among them where it says more.

        ``balanced`` is what algorithms do anyway: nothing is said of it to those that
        do not know the option, and a ``favor`` of the algorithm's options stays.
        """
        favored = {} if self.favor == BALANCED else {FAVOR_OPTION: self.favor}
        return {**self.algorithm_options, **favored}

    def check_algorithm(self) -> None:
        """Raise :exc:`SettingsError` if the algorithm or one of its options is bad."""
        problem = _algorithm_problem(self.algorithm, self.algorithm_options)
        if problem is None:
            self._check_favor()
            return
        if self.algorithm_options and not _algorithm_problem(self.algorithm, {}):
            value = dict(self.algorithm_options)
            raise SettingsError("MAINPAGE_ALGORITHM_OPTIONS", value, problem)
        raise SettingsError("MAINPAGE_ALGORITHM", self.algorithm, problem)

    def _check_favor(self) -> None:
        own = self.algorithm_options.get(FAVOR_OPTION, self.favor)
        if self.favor != BALANCED and own != self.favor:
            problem = f"MAINPAGE_ALGORITHM_OPTIONS has {own!r}; allowed: one of the two"
        elif not _algorithm_problem(self.algorithm, self.options):
            return
        else:
            problem = f"algorithm {self.algorithm!r} cannot; allowed: {BALANCED}, or an"
            problem += f" algorithm with the option, such as {DEFAULT_ALGORITHM!r}"
        raise SettingsError("MAINPAGE_FAVOR", self.favor, problem)


def _read(item: Any, name: str, value: object) -> Any:
    try:
        return item.metadata["read"](value)
    except _RefusedError as refused:
        raise SettingsError(name, value, str(refused)) from None


def _algorithm_problem(name: str, options: Mapping[str, Any]) -> str | None:
    try:
        get_algorithm(name, options)
    except AlgorithmError as error:
        return str(error)
    return None
