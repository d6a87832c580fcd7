"""Feeds that a crawl has written, read again: JSON lines, JSON, CSV, also gzipped.

A Parquet file of ``scrapy mainpage-batch`` is read as a feed, too.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import stat
import sys
import zlib
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from .jsonvalues import MOST, JsonValues

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    Entries = Generator["Entry", None, None]

    # typing.Self requires Python 3.11
    from typing_extensions import Self

JSON_LINES: Final = "jsonlines"
_SUFFIXES: Final = {
    ".jsonl": JSON_LINES,
    ".jsonlines": JSON_LINES,
    ".jl": JSON_LINES,
    ".ndjson": JSON_LINES,
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
}
_GZIP: Final = b"\x1f\x8b"
_ROWS: Final = 100


class FeedError(Exception):
    """A feed that cannot be read at all; the message says why."""


class Entry(NamedTuple):
    """What stands in one place of a feed: an item, or a problem instead.

    ``line`` counts the lines of the (unpacked) feed from 1. ``problem`` is a short code
    such as ``"not_json"``.
    """

    line: int
    item: dict[str, Any] | None = None
    problem: str = ""


class Feed:
    """A feed of items; a context manager that closes itself.

    ``name`` is a file, or ``-`` for standard input, which is JSON lines where ``form``
    does not say otherwise. Raises :exc:`FeedError` if it cannot be opened.
    """

    def __init__(self, name: str, form: str | None = None):
        self.name = "standard input" if name == "-" else name
        self._read = FORMATS[form or _form(name)]
        try:
            self._raw = _open(name)
        except OSError as exc:
            raise FeedError(f"{name}: {exc.strerror or exc}") from None
        self._size = _size(self._raw) if name != "-" else 0
        self._found: Entries | None = None

    @property
    def share(self) -> float | None:
        """How much of it was read, from 0 to 1; ``None`` where nobody can know."""
        return min(1.0, self._raw.tell() / self._size) if self._size else None

    def entries(self) -> Iterator[Entry]:
        """Its entries; what is broken is a problem, and the rest comes.

        Where nothing more can be read, a problem is the last entry.
        """
        self._found = self._entries()
        return self._found

    def _entries(self) -> Entries:
        line = 0
        try:
            packed = self._raw.peek(2)[:2] == _GZIP
            stream: Any = gzip.GzipFile(fileobj=self._raw) if packed else self._raw
            with closing(self._read(stream)) as found:
                for entry in found:
                    line = entry.line
                    yield entry
        except (EOFError, OSError, zlib.error):  # also what gzip says
            yield Entry(line + 1, problem="unreadable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._found is not None:
            self._found.close()  # before the file
        if self._raw is not sys.stdin.buffer:
            self._raw.close()


def _form(name: str) -> str:
    if name == "-":
        return JSON_LINES
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    if suffix not in _SUFFIXES:
        known = ", ".join(_SUFFIXES)
        raise FeedError(f"{name}: not a name that ends in {known}; --format says more")
    return _SUFFIXES[suffix]


def _open(name: str) -> io.BufferedReader:
    if name == "-":
        assert isinstance(sys.stdin.buffer, io.BufferedReader)
        return sys.stdin.buffer
    return Path(name).open("rb")


def _size(file: IO[bytes]) -> int:
    """Bytes of a file, 0 for what has no end yet, such as a pipe."""
    status = os.fstat(file.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _json_lines(stream: IO[bytes]) -> Entries:
    number = 0
    while line := stream.readline(MOST):
        number += 1
        if len(line) == MOST and not line.endswith(b"\n"):
            _skip_line(stream)
            yield Entry(number, problem="too_long")
            continue
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if text.strip():
            yield _decoded(number, text)


def _skip_line(stream: IO[bytes]) -> None:
    while (more := stream.readline(MOST)) and not more.endswith(b"\n"):
        pass


def _decoded(line: int, text: bytes) -> Entry:
    try:
        return _entry(line, json.loads(text))
    except (ValueError, RecursionError):
        return Entry(line, problem="not_json")


def _entry(line: int, value: object) -> Entry:
    if isinstance(value, dict):
        return Entry(line, value)
    return Entry(line, problem="no_item")


def _json(stream: IO[bytes]) -> Entries:
    """The items of a list; nothing can be read after one that is broken."""
    with _text(stream) as text:
        values = JsonValues(text.read)
        try:
            for line, value in values:
                yield _entry(line, value)
        except ValueError:
            yield Entry(values.line, problem="not_json")


def _csv(stream: IO[bytes]) -> Entries:
    csv.field_size_limit(2**31 - 1)  # main texts are longer than what is usual
    with _text(stream, newline="") as text:
        yield from _rows(csv.DictReader(text))


def _rows(rows: csv.DictReader[str]) -> Entries:
    line = 1
    while True:
        try:
            if line == 1 and rows.fieldnames:  # what follows them is the first item
                line = rows.line_num + 1
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield Entry(line, problem="not_csv")
        else:
            # What stands right of the last name has the name None.
            yield Entry(line, {name: row[name] for name in row if name and row[name]})
        line = rows.line_num + 1


def _parquet(stream: IO[bytes]) -> Entries:
    """The rows of a table; lines count them. A row that has an error has no text."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        needed = "pip install 'scrapy-mainpage[batch]'"
        raise FeedError(f"Parquet needs pyarrow: {needed}") from None
    line = 0
    try:
        with pq.ParquetFile(stream) as file:
            for batch in file.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    line += 1
                    yield Entry(line, {k: v for k, v in row.items() if v is not None})
    except pa.ArrowException:
        yield Entry(line + 1, problem="unreadable")


@contextmanager
def _text(stream: IO[bytes], newline: str | None = None) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(stream, "utf-8-sig", "replace", newline)
    try:
        yield text
    finally:
        text.detach()  # it would close standard input


FORMATS: Final = {
    JSON_LINES: _json_lines,
    "json": _json,
    "csv": _csv,
    "parquet": _parquet,
}
