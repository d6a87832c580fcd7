"""Reader of feeds: JSON lines or JSON, gzipped or not, and Parquet."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Self

JSON_LINES: Final = "jsonlines"

#: Formats of feeds, by the ends of their names.
SUFFIXES: Final = {
    **dict.fromkeys((".jsonl", ".jsonlines", ".jl", ".ndjson"), JSON_LINES),
    ".json": "json",
    ".parquet": "parquet",
}
_GZIP: Final = b"\x1f\x8b"
_BATCH_ROWS: Final = 64

MAX_VALUE_BYTES: Final = 64 * 2**20
"""The longest line, and the longest JSON list, that is read."""

_BETWEEN_ITEMS: Final = "[], \t\r\n"


class FeedError(Exception):
    """A feed that cannot be read at all; the message says why."""


class Entry(NamedTuple):
    """An item of a feed, or the code of a problem such as ``"not_json"``.

    ``line`` is that of the (unpacked) feed, from 1.
    """

    line: int
    item: dict[str, Any] | None = None
    problem: str = ""


_Entries = Generator[Entry, None, None]


class Feed:
    """A feed of items; a context manager that closes its file.

    *name* is a path, or ``-`` for standard input, which is JSON lines unless *form*
    says otherwise; with an open *file*, it only says the format. Raises
    :exc:`FeedError` if it cannot be opened.
    """

    def __init__(
        self,
        name: str,
        form: str | None = None,
        file: io.BufferedReader | None = None,
    ) -> None:
        self.name = "standard input" if name == "-" else name
        self._read = _READERS[form or _form(name)]
        try:
            self._raw = file or _open(name)
        except OSError as exc:
            raise FeedError(f"{name}: {exc.strerror or exc}") from None
        self._found: _Entries | None = None

    def entries(self) -> Iterator[Entry]:
        """The entries; a broken one is a problem, and the next ones follow.

        Where nothing more can be read, a problem is the last entry. Raises
        :exc:`FeedError` for a file that is no Parquet.
        """
        self._found = self._entries()
        return self._found

    def _entries(self) -> _Entries:
        line = 0
        try:
            packed = self._raw.peek(2)[:2] == _GZIP
            stream: Any = gzip.GzipFile(fileobj=self._raw) if packed else self._raw
            with closing(self._read(stream)) as found:
                for entry in found:
                    line = entry.line
                    yield entry
        except (EOFError, OSError, zlib.error):  # gzip raises each of them
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
    if suffix not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise FeedError(f"{name}: not a name that ends in {known}; give its --format")
    return SUFFIXES[suffix]


def _open(name: str) -> io.BufferedReader:
    if name == "-":
        assert isinstance(sys.stdin.buffer, io.BufferedReader)
        return sys.stdin.buffer
    return Path(name).open("rb")


def _json_lines(stream: IO[bytes]) -> _Entries:
    number = 0
    while line := stream.readline(MAX_VALUE_BYTES):
        number += 1
        if len(line) == MAX_VALUE_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_VALUE_BYTES)
            yield Entry(number, problem="too_long")
            continue
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if text.strip():
            yield _decoded(number, text)


def _decoded(line: int, text: bytes) -> Entry:
    try:
        return _entry(line, json.loads(text))
    except (ValueError, RecursionError):
        return Entry(line, problem="not_json")


def _entry(line: int, value: object) -> Entry:
    if isinstance(value, dict):
        return Entry(line, value)
    return Entry(line, problem="no_item")


def _json(stream: IO[bytes]) -> _Entries:
    """The items of lists, or one after another, up to one that is broken."""
    data = stream.read(MAX_VALUE_BYTES + 1)
    text, decoder = data.decode("utf-8-sig", "replace"), json.JSONDecoder()
    line, place = 1, 0
    while place < len(text):
        if text[place] in _BETWEEN_ITEMS:
            line += text[place] == "\n"
            place += 1
            continue
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            is_cut = len(data) > MAX_VALUE_BYTES
            yield Entry(line, problem="too_long" if is_cut else "not_json")
            return
        yield _entry(line, value)
        line += text.count("\n", place, end)
        place = end


def _parquet(stream: IO[bytes]) -> _Entries:
    """The rows of a table, counted as lines, without null columns.

    A group of rows that is broken is one problem.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        needed = "pip install 'scrapy-mainpage[batch]'"
        raise FeedError(f"Parquet needs pyarrow: {needed}") from None
    try:
        file = pq.ParquetFile(stream)
    except pa.ArrowException as error:
        raise FeedError(f"it is no Parquet file: {error}") from None
    first = 1
    for group in range(file.metadata.num_row_groups):
        yield from _row_group(file, group, first)
        first += file.metadata.row_group(group).num_rows


def _row_group(file: Any, group: int, first: int) -> _Entries:
    import pyarrow as pa

    line = first
    try:
        for batch in file.iter_batches(_BATCH_ROWS, row_groups=[group]):
            for row in range(batch.num_rows):
                yield _parquet_entry(batch.slice(row, 1), line)
                line += 1
    except (OSError, pa.ArrowException):
        yield Entry(line, problem="unreadable")


def _parquet_entry(row: pa.RecordBatch, line: int) -> Entry:
    try:
        (values,) = row.to_pylist()
    except (ArithmeticError, KeyError, ValueError):
        # Such as a time outside of the years that Python has, or in an unknown zone.
        return Entry(line, problem="unreadable")
    return Entry(line, {k: v for k, v in values.items() if v is not None})


_READERS: Final = {
    JSON_LINES: _json_lines,
    "json": _json,
    "parquet": _parquet,
}
