"""Reader of feeds: JSON lines, JSON or CSV, gzipped or not, and Parquet.

JSON lists are streamed by the standard library's decoder. ijson was tried: a list with
100,000 opening brackets took all memory, and ``NaN``, which Scrapy writes, is an error.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import stat
import sys
import zlib
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    import pyarrow as pa

    Entries = Generator["Entry", None, None]
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
_BATCH_ROWS: Final = 100

MAX_VALUE_BYTES: Final = 64 * 2**20
"""The longest line, or value of a JSON list, that is read."""

_CHUNK: Final = 2**16
_BLANKS: Final = re.compile(r"\s*")


class FeedError(Exception):
    """A feed that cannot be read at all; the message says why."""


class Entry(NamedTuple):
    """An item of a feed, or the code of a problem such as ``"not_json"``.

    ``line`` is that of the (unpacked) feed, from 1.
    """

    line: int
    item: dict[str, Any] | None = None
    problem: str = ""


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
        self._read = FORMATS[form or _form(name)]
        try:
            self._raw = file or _open(name)
        except OSError as exc:
            raise FeedError(f"{name}: {exc.strerror or exc}") from None
        self._size = 0 if file or name == "-" else _size(self._raw)
        self._found: Entries | None = None

    @property
    def share(self) -> float | None:
        """The part that was read, 0 to 1; ``None`` for a stream of unknown size."""
        return min(1.0, self._raw.tell() / self._size) if self._size else None

    def entries(self) -> Iterator[Entry]:
        """The entries; a broken one is a problem, and the next ones follow.

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
    if suffix not in _SUFFIXES:
        known = ", ".join(_SUFFIXES)
        raise FeedError(f"{name}: not a name that ends in {known}; give its --format")
    return _SUFFIXES[suffix]


def _open(name: str) -> io.BufferedReader:
    if name == "-":
        assert isinstance(sys.stdin.buffer, io.BufferedReader)
        return sys.stdin.buffer
    return Path(name).open("rb")


def _size(file: IO[bytes]) -> int:
    """Bytes of a file, 0 for a pipe."""
    status = os.fstat(file.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def _json_lines(stream: IO[bytes]) -> Entries:
    number = 0
    while line := stream.readline(MAX_VALUE_BYTES):
        number += 1
        if len(line) == MAX_VALUE_BYTES and not line.endswith(b"\n"):
            _skip_line(stream)
            yield Entry(number, problem="too_long")
            continue
        text = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
        if text.strip():
            yield _decoded(number, text)


def _skip_line(stream: IO[bytes]) -> None:
    while (more := stream.readline(MAX_VALUE_BYTES)) and not more.endswith(b"\n"):
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
    """The items of lists, and those between them, up to one that is broken."""
    with _text(stream) as text:
        values = JsonValues(text.read)
        try:
            for line, value in values:
                yield _entry(line, value)
        except ValueError:
            yield Entry(values.line, problem="not_json")


class JsonValues:
    """Line number and value of each element of a list, and of each value beside lists.

    Several values follow one another where a crawl appended to its feed, or wrote JSON
    lines. *read* returns up to so many characters, none at the end. A value that is not
    JSON raises :exc:`ValueError`, and so does a list without an end, after its last
    value; ``line`` is the place.
    """

    def __init__(self, read: Callable[[int], str]):
        self.line = 1
        self._read = read
        self._text, self._at = "", 0
        self._decoder = json.JSONDecoder()

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        while mark := self._next():
            if mark == "[":
                yield from self._elements()
            else:
                yield self.line, self._value()

    def _elements(self) -> Iterator[tuple[int, Any]]:
        self._go_to(self._at + 1)
        if self._next() == "]":
            self._go_to(self._at + 1)
            return
        while True:
            self._next()
            yield self.line, self._value()
            mark = self._next()
            if mark not in (",", "]"):
                raise ValueError("neither a comma nor the end of the list")
            self._go_to(self._at + 1)
            if mark == "]":
                return

    def _next(self) -> str:
        """The next character after blanks; empty at the end."""
        while True:
            match = _BLANKS.match(self._text, self._at)
            self._go_to(match.end() if match else self._at)
            if self._at < len(self._text) or not self._read_on():
                return self._text[self._at : self._at + 1]

    def _value(self) -> Any:
        # At the end of the text a number may be cut: before "e-" and a digit at most.
        while (found := self._decode()) is None or found[1] + 2 >= len(self._text):
            is_long = len(self._text) - self._at > MAX_VALUE_BYTES
            if is_long or not self._read_on():
                break
        if found is None:
            raise ValueError("no JSON")
        value, end = found
        self._go_to(end)
        return value

    def _decode(self) -> tuple[Any, int] | None:
        """The value here and its end; ``None`` if it is incomplete or not JSON."""
        try:
            return self._decoder.raw_decode(self._text, self._at)
        except RecursionError:
            raise ValueError("nested too deeply") from None
        except ValueError:
            return None

    def _read_on(self) -> bool:
        """Double the text that is left: long values are not decoded too often."""
        more = self._read(max(_CHUNK, len(self._text) - self._at))
        if more:
            self._text, self._at = self._text[self._at :] + more, 0
        return bool(more)

    def _go_to(self, place: int) -> None:
        self.line += self._text.count("\n", self._at, place)
        self._at = place


def _csv(stream: IO[bytes]) -> Entries:
    csv.field_size_limit(2**31 - 1)  # main texts are longer than the default
    with _text(stream, newline="") as text:
        yield from _rows(csv.DictReader(text))


def _rows(rows: csv.DictReader[str]) -> Entries:
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


def _parquet(stream: IO[bytes]) -> Entries:
    """The rows of a table, counted as lines, without null columns."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        needed = "pip install 'scrapy-mainpage[batch]'"
        raise FeedError(f"Parquet needs pyarrow: {needed}") from None
    line = 0
    try:
        with pq.ParquetFile(stream) as file:
            for batch in file.iter_batches(_BATCH_ROWS):
                for row in range(batch.num_rows):
                    line += 1
                    yield _parquet_entry(batch.slice(row, 1), line)
    except pa.ArrowException:
        yield Entry(line + 1, problem="unreadable")


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


FORMATS: Final = {
    JSON_LINES: _json_lines,
    "json": _json,
    "csv": _csv,
    "parquet": _parquet,
}
