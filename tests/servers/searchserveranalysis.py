"""Analysis of text by the settings of an index, for the search server of the tests.

It does what the settings say, in the part of the language that is known here; any
other setting is refused.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

#: A word longer than this in UTF-8 cannot be indexed.
MAX_WORD_BYTES = 32766

_CLASS = re.compile(r"\[((?:\\p\{[A-Z][a-z]?\})+)\]\+")


class RefusedError(Exception):
    """What a server refuses, with the type that it gives to the error."""

    def __init__(self, kind: str, reason: str, status: int = 400):
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.status = status


class Token(NamedTuple):
    """A word of a text, and from where to where it stands there."""

    word: str
    start: int
    end: int


class Analyzer:
    """An analyzer of type ``custom``."""

    def __init__(self, name: str, analysis: dict[str, Any]):
        definition = dict(_part(analysis, "analyzer", name))
        if definition.pop("type") != "custom":
            raise RefusedError("illegal_argument_exception", f"analyzer [{name}]")
        filters = definition.pop("char_filter", [])
        self._characters = [_char_filter(analysis, item) for item in filters]
        self._tokenizer = _tokenizer(analysis, definition.pop("tokenizer"))
        words = definition.pop("filter", [])
        self._words = [_word_filter(analysis, item) for item in words]
        _check_empty(definition)

    def tokens(self, text: str) -> list[Token]:
        """The words of the text in their order."""
        read = text
        for characters in self._characters:
            read = read.translate(characters)
        return [
            Token(self._filtered(match[0]), match.start(), match.end())
            for match in self._tokenizer.finditer(read)
        ]

    def _filtered(self, word: str) -> str:
        for change in self._words:
            word = change(word)
        return word


def _part(analysis: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    try:
        part: dict[str, Any] = analysis[kind][name]
    except KeyError:
        reason = f"Custom {kind} [{name}] is not defined"
        raise RefusedError("illegal_argument_exception", reason) from None
    return part


def _char_filter(analysis: dict[str, Any], name: str) -> dict[int, str]:
    """A filter of type ``mapping`` that leaves all characters at their places."""
    definition = dict(_part(analysis, "char_filter", name))
    pairs = [item.split(" => ") for item in definition.pop("mappings")]
    if definition.pop("type") != "mapping" or any(
        len(side) != 1 for pair in pairs for side in pair
    ):
        raise RefusedError("illegal_argument_exception", f"char_filter [{name}]")
    _check_empty(definition)
    return {ord(old): new for old, new in pairs}


def _tokenizer(analysis: dict[str, Any], name: str) -> re.Pattern[str]:
    """A tokenizer of type ``pattern`` that takes runs of some general categories."""
    definition = dict(_part(analysis, "tokenizer", name))
    match = _CLASS.fullmatch(definition.pop("pattern"))
    if definition.pop("type") != "pattern" or definition.pop("group", -1) != 0:
        raise RefusedError("illegal_argument_exception", f"tokenizer [{name}]")
    _check_empty(definition)
    if match is None:
        raise RefusedError("illegal_argument_exception", "pattern not known here")
    return _runs(tuple(re.findall(r"[A-Z][a-z]?(?=\})", match[1])))


@lru_cache
def _runs(categories: tuple[str, ...]) -> re.Pattern[str]:
    wanted = [
        unicodedata.category(chr(code)).startswith(categories)
        for code in range(sys.maxunicode + 1)
    ]
    ranges, start = [], None
    for code, is_wanted in enumerate([*wanted, False]):
        if is_wanted and start is None:
            start = code
        elif not is_wanted and start is not None:
            ranges.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = None
    return re.compile(f"[{''.join(ranges)}]+")


def _word_filter(analysis: dict[str, Any], name: str) -> Callable[[str], str]:
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    definition = dict(_part(analysis, "filter", name))
    kind = definition.pop("type")
    if kind == "truncate":
        length = int(definition.pop("length", 10))
        _check_empty(definition)
        return lambda word: word[:length]
    if kind == "pattern_replace":
        pattern = re.compile(definition.pop("pattern"))
        replacement = definition.pop("replacement", "")
        _check_empty(definition)
        return lambda word: pattern.sub(lambda _: replacement, word)
    reason = f"Unknown filter type [{kind}] for [{name}]"
    raise RefusedError("illegal_argument_exception", reason)


def _check_empty(definition: dict[str, Any]) -> None:
    if definition:
        raise RefusedError("illegal_argument_exception", f"unknown {list(definition)}")


def _lowercase(word: str) -> str:
    """Character by character."""
    return "".join(character.lower()[0] for character in word)


_BUILT_IN: dict[str, Callable[[str], str]] = {
    "lowercase": _lowercase,
}
