"""Reader of feeds: JSON lines, JSON or CSV, gzipped or not, and Parquet."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import stat
import sys
import zlib
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
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
    ".csv": "csv",
    ".parquet": "parquet",
}
_GZIP: Final = b"\x1f\x8b"
_BATCH_ROWS: Final = 64

MAX_VALUE_BYTES: Final = 64 * 2**20
"""The longest line, or value of a JSON list, that is read."""

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
        self._size = 0 if file or name == "-" else _size(self._raw)
        self._found: _Entries | None = None

    @property
    def share(self) -> float | None:
        """The part that was read, 0 to 1; ``None`` for a stream of unknown size."""
        return min(1.0, self._raw.tell() / self._size) if self._size else None

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


def _size(file: IO[bytes]) -> int:
    """Bytes of a file, 0 for a pipe."""
    status = os.fstat(file.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


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
    """The items of lists, or one after another, up to one that is broken.

    An item ends at the end of a line, as Scrapy and others write lists; so a list is
    not read as a whole.
    """
    text, begin = "", 1
    with _text(stream) as lines:
        for number, line in enumerate(lines, 1):
            if not text.strip(_BETWEEN_ITEMS):
                text, begin = "", number
            text += line
            if text.rstrip(_BETWEEN_ITEMS).endswith("}"):
                values, text = _values(text)
                yield from (_entry(begin, value) for value in values)
            if len(text) > MAX_VALUE_BYTES:
                break
    values, text = _values(text)
    yield from (_entry(begin, value) for value in values)
    if text:
        yield Entry(begin, problem="not_json")


def _values(text: str) -> tuple[list[Any], str]:
    """The values at the beginning of the text, and what follows them."""
    found: list[Any] = []
    decoder, place = json.JSONDecoder(), _next(text, 0)
    try:
        while place < len(text):
            value, place = decoder.raw_decode(text, place)
            found.append(value)
            place = _next(text, place)
    except (ValueError, RecursionError):
        pass
    return found, text[place:]


def _next(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BETWEEN_ITEMS:
        place += 1
    return place


def _csv(stream: IO[bytes]) -> _Entries:
    csv.field_size_limit(2**31 - 1)  # main texts are longer than the default
    with _text(stream, newline="") as text:
        yield from _rows(csv.DictReader(text))


def _rows(rows: csv.DictReader[str]) -> _Entries:
    line = 1
    while True:
        try:
            if line == 1 and rows.fieldnames:  # the first item follows them
                line = rows.line_num + 1
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield Entry(line, problem="not_csv")
        else:
            # Cells right of the last name have the name None.
            yield Entry(line, {name: row[name] for name in row if name and row[name]})
        line = rows.line_num + 1


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


@contextmanager
def _text(stream: IO[bytes], newline: str | None = None) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(stream, "utf-8-sig", "replace", newline)
    try:
        yield text
    finally:
        text.detach()  # it would close standard input


_READERS: Final = {
    JSON_LINES: _json_lines,
    "json": _json,
    "csv": _csv,
    "parquet": _parquet,
}
