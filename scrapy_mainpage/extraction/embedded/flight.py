"""The rows that React's server components are sent as (``self.__next_f.push``).

A row is ``ID:JSON`` and a line break, ``ID:T`` with the length of a text and the text,
or something else that is passed over. Rows may be cut anywhere between two pushes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from .values import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from .values import Budget

MARK: Final = b"__next_f.push("

_ROW: Final = re.compile(rb"\s*([0-9a-f]{1,8}):(T[0-9a-f]{1,8},|[\[{])?")


class Flight:
    """The rows of a page, put together from its pushes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._starts: list[int] = []
        self._origins: list[_Element] = []
        self._size = 0

    def add(self, script: str, origin: _Element, budget: Budget) -> None:
        """Add the pushes of *script*, which stands in the element *origin*."""
        mark = MARK.decode()
        start = script.find(mark)
        while start >= 0 and budget.left > 0:
            value, end = decode(script, start + len(mark), budget)
            if isinstance(value, list) and len(value) == 2 and value[0] == 1:
                self._append(value[1], origin)
            start = script.find(mark, end)

    def _append(self, part: object, origin: _Element) -> None:
        if isinstance(part, str):
            self._starts.append(self._size)
            self._origins.append(origin)
            self._parts.append(part.encode("utf-8", "replace"))
            self._size += len(self._parts[-1])

    def rows(self) -> tuple[list[tuple[_Element, bytes]], dict[str, str]]:
        """Element and JSON of each row, and the texts that the values refer to."""
        rows: list[tuple[_Element, bytes]] = []
        texts: dict[str, str] = {}
        for start, name, row in _split(b"".join(self._parts)):
            if row[:1] in b"[{":
                origin = self._origins[bisect_right(self._starts, start) - 1]
                rows.append((origin, row))
            else:
                texts["$" + name] = row[1:].decode("utf-8", "replace")
        return rows, texts


def _split(stream: bytes) -> Iterator[tuple[int, str, bytes]]:
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


__all__ = ["MARK", "Flight"]
