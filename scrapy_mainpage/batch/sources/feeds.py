"""Feeds that a crawl has written, with the HTML of pages in a field of the items."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from ...feeds import FORMATS, JSON_LINES, Feed
from .base import Found, Source, even_parts, failed
from .columns import chosen, row_of

if TYPE_CHECKING:
    from ...feeds import Entry

_LEAST: Final = 1 << 18
_BLOCK: Final = 1 << 16


def _row(entry: Entry, columns: Mapping[str, str]) -> dict[str, Any] | str:
    """The row of an entry, or the code of why it is skipped."""
    if entry.item is None:
        return failed(entry.problem, f"line {entry.line:,}")
    places = chosen(list(entry.item), columns)
    return row_of(entry.item, places) if "html" in places else "no_html"


class FeedSource(Source):
    """A feed in any format, packed or not, that is read from its beginning.

    Positions count entries. *form* is that of the feed, by its name if ``None``.
    """

    end = 2**62

    def __init__(self, path: Path, columns: Mapping[str, str], form: str | None):
        self._path, self._columns, self._form = path, columns, form

    def read(self, start: int, end: int) -> Iterator[Found]:
        """As :meth:`Source.read`."""
        with Feed(str(self._path), self._form) as feed:
            for number, entry in enumerate(feed.entries()):
                if number >= end:
                    return
                if number >= start:
                    yield Found.of(number, number + 1, _row(entry, self._columns))

    def close(self) -> None:
        """Nothing is open."""


class _Lines:
    """The lines of a file from one position up to that in which *end* lies."""

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._file, self._end = file, end
        file.seek(start)
        self.position = start
        self._begins = True

    def readline(self, most: int) -> bytes:
        """The next line, or so many bytes of it; empty behind the last one."""
        if self._begins and self.position >= self._end:
            return b""
        line = self._file.readline(most)
        self.position += len(line)
        self._begins = line.endswith(b"\n")
        return line


class JsonLinesSource(Source):
    """A feed in JSON lines that is not packed; positions are bytes."""

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        self._file = path.open("rb")
        self._columns = columns
        self.end = os.fstat(self._file.fileno()).st_size

    def parts(self, most: int) -> list[tuple[int, int]]:
        """As :meth:`Source.parts`, of the same size in bytes."""
        return even_parts(self.end, most, _LEAST)

    def locate(self, position: int) -> int:
        """As :meth:`Source.locate`: the beginning of a line."""
        if not position:
            return 0
        self._file.seek(position - 1)
        while (more := self._file.readline(_BLOCK)) and not more.endswith(b"\n"):
            pass
        return self._file.tell()

    def read(self, start: int, end: int) -> Iterator[Found]:
        """As :meth:`Source.read`."""
        lines: Any = _Lines(self._file, start, end)
        position = start
        for entry in FORMATS[JSON_LINES](lines):
            what = _row(entry, self._columns)
            if isinstance(what, dict) and what.get("error"):
                what["error_message"] = f"byte {position:,}"
            yield Found.of(position, lines.position, what)
            position = lines.position

    def close(self) -> None:
        """Close the file."""
        self._file.close()


__all__ = ["FeedSource", "JsonLinesSource"]
