"""Hydration state: the data that scripts and attributes hold for a page's framework."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from .candidates import CandidateCollector
from .values import MIN_CHARACTERS, JsonScanner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element

    from ..parsing.budget import Budget
    from .candidates import Candidate

_DATA: Final = re.compile(r"$|module$|.*\b(?:java|ecma)script|(?!.*ld\+).*\bjson\b")
"""Types of scripts that are run, or hold JSON that is not linked data."""

_STATE_ATTRIBUTES: Final = ("data-page", "data-preloaded", "data-props", "data-state")
_STATES: Final = etree.XPath(
    "|".join(
        f"descendant-or-self::*/@{name}[string-length() >= {MIN_CHARACTERS}]"
        for name in _STATE_ATTRIBUTES
    )
)
_PUSH: Final = "__next_f.push("
_ROW: Final = re.compile(rb"\s*([0-9a-f]{1,8}):(T[0-9a-f]{1,8},|[\[{])?")


def read_hydration(
    root: _Element, title: Callable[[], str | None], budget: Budget
) -> list[Candidate]:
    """The main content in the data of all scripts and attributes below *root*.

    The page's *title* is asked for if there is any data.
    """
    scanner, rows = JsonScanner(budget), _ComponentRows()
    collector = CandidateCollector(scanner, title, budget)
    for script, text in _find_scripts(root):
        if _PUSH in text:
            rows.add(text, script, scanner, budget)
            continue
        for value in scanner.find(text):
            collector.collect(value, script)
        if not budget.spend(0):
            return collector.select()
    values, collector.references = rows.read()
    for script, row in values:
        collector.collect(scanner.decode(row, 0)[0], script)
    states: Any = _STATES(root)
    for state in states:
        collector.collect(scanner.decode_nested(str(state)), state.getparent())
    return collector.select()


def _find_scripts(root: _Element) -> Iterator[tuple[_Element, str]]:
    """The scripts that may hold data, with their texts, in document order."""
    for script in root.iter("script"):
        text = script.text or ""
        kind = (script.get("type") or "").strip().lower()
        if (len(text) >= MIN_CHARACTERS or _PUSH in text) and _DATA.match(kind):
            yield script, text


class _ComponentRows:
    """The rows of React's server components, put together from ``self.__next_f.push``.

    A row is ``ID:JSON`` and a line break, ``ID:T`` with the length of a text in bytes
    and the text, or something else that is skipped. Rows may be cut anywhere between
    two pushes.
    """

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._starts: list[int] = []
        self._origins: list[_Element] = []
        self._size = 0

    def add(
        self, text: str, origin: _Element, scanner: JsonScanner, budget: Budget
    ) -> None:
        """Add the pushes of a script's *text*; the element *origin* is the script."""
        start = text.find(_PUSH)
        while start >= 0 and budget.spend(0):
            value, end = scanner.decode(text, start + len(_PUSH))
            if isinstance(value, list) and len(value) == 2 and value[0] == 1:
                self._append(value[1], origin)
            start = text.find(_PUSH, end)

    def _append(self, part: object, origin: _Element) -> None:
        if isinstance(part, str):
            self._starts.append(self._size)
            self._origins.append(origin)
            self._parts.append(part.encode("utf-8", "replace"))
            self._size += len(self._parts[-1])

    def read(self) -> tuple[list[tuple[_Element, str]], dict[str, str]]:
        """Element and JSON of each row; texts by the strings that refer to them."""
        rows: list[tuple[_Element, str]] = []
        texts: dict[str, str] = {}
        for start, name, row in _split_rows(b"".join(self._parts)):
            if row[:1] in b"[{":
                origin = self._origins[bisect_right(self._starts, start) - 1]
                rows.append((origin, row.decode("utf-8", "replace")))
            else:
                texts["$" + name] = row[1:].decode("utf-8", "replace")
        return rows, texts


def _split_rows(stream: bytes) -> Iterator[tuple[int, str, bytes]]:
    """Start, name and content of each row; that of a text begins with a ``T``."""
    position = 0
    while match := _ROW.match(stream, position):
        name, kind = match[1].decode(), match[2] or b""
        if kind[:1] == b"T":
            start, size = match.end(), int(kind[1:-1], 16)
            position = start + size
            yield match.start(), name, b"T" + stream[start:position]
            continue
        end = stream.find(b"\n", match.end())
        position = end + 1 if end >= 0 else len(stream)
        if kind:
            yield match.start(), name, stream[match.start(2) : position]
