"""Rows and batches of the pages in a file: WARC, Parquet, a feed or saved HTML."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..extraction.parsing.tree import Limits
from ..feeds import Feed
from .batch_errors import BatchError
from .locations import HTML_SUFFIXES, Location
from .responses import HeadersError, read_headers
from .schema import INPUT_SCHEMA, UNREADABLE, make_error, to_batch

if TYPE_CHECKING:
    from os import PathLike

    from typing_extensions import Self


class HtmlFiles:
    """The files as one source; each is a row with its own ``file:`` URL.

    Of a file over *max_size* only so much is read that it is refused.
    """

    def __init__(self, files: list[Location], max_size: int):
        self._files, self._max_size = files, max_size
        self._read = 0

    def tell(self) -> int:
        """Bytes of the files that were read."""
        return self._read

    def close(self) -> None:
        """Files are open only while they are read."""

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows, by path; a file that cannot be read is an error."""
        for file in self._files:
            self._read += file.size
            try:
                with file.open() as stream:
                    yield {"url": file.url, "html": stream.read(self._max_size + 1)}
            except OSError as error:
                yield make_error(UNREADABLE, f"{file}: {str(error)[:300]}")


WARC: Final = "warc"
PARQUET: Final = "parquet"
FEED: Final = "feed"
HTML: Final = "html"

_SUFFIXES: Final = {
    ".warc": WARC,
    ".parquet": PARQUET,
    **dict.fromkeys(HTML_SUFFIXES, HTML),
    **dict.fromkeys((".jsonl", ".jsonlines", ".jl", ".ndjson", ".json", ".csv"), FEED),
}
_PACKED_WARC: Final = (".warc.zst", ".warc.lz4")
"""Anything else is packed by gzip, or not at all."""

MAX_ROWS: Final = 64
"""Rows of a batch: 0.3 s of extraction, about."""

MAX_HTML_BYTES: Final = 16 * 2**20
"""HTML in a batch after which it ends."""

#: Names of the columns or fields of pages, the most likely first.
NAMES: Final = {
    "url": ("url",),
    "html": ("html", "body", "content"),
    "headers": ("headers", "http_headers", "response_headers"),
    "crawled_at": ("crawled_at",),
}


@dataclass(frozen=True)
class Opening:
    """Options for opening files.

    ``form`` is ``"warc"``, ``"parquet"``, ``"feed"`` or ``"html"``, or ``None`` for
    what the file's name says; a folder is one of HTML files. ``columns`` name the
    columns or fields that hold ``url``, ``html``, ``headers`` and ``crawled_at``.
    Bodies in archives, and HTML files, may have ``max_size`` bytes.
    """

    form: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    max_size: int = Limits().max_size


def format_of(location: Location) -> str | None:
    """The format in the file's name, ``None`` for an unknown one."""
    name = location.base.lower().removesuffix(".gz")
    if name.endswith(_PACKED_WARC):
        return WARC
    return _SUFFIXES.get(PurePosixPath(name).suffix)


class Source:
    """A file of pages, open for reading; a context manager that closes it.

    Raises :exc:`.BatchError` if it cannot be read at all.
    """

    def __init__(self, location: Location, opening: Opening) -> None:
        form = opening.form or format_of(location)
        form = HTML if location.is_folder else form
        if form is None:
            names = ", ".join((*_SUFFIXES, *_PACKED_WARC))
            raise BatchError(
                f"{location}: not a name that ends in {names}; say its format"
            )
        try:
            self._size = max(location.size, 1)
            self._file: io.BufferedReader | HtmlFiles
            if form == HTML:
                self._file = HtmlFiles(location.pages(), opening.max_size)
                self._rows: Iterator[dict[str, Any] | str] = self._file.rows()
            else:
                self._file = location.open()
                self._rows = _read(self._file, location, form, opening)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise BatchError(f"{location}: {error}") from None

    @property
    def share(self) -> float:
        """The part of the file that was read, 0 to 1."""
        return min(self._file.tell() / self._size, 1.0)

    def read(self, skipped: Counter[str]) -> Iterator[dict[str, Any]]:
        """Yield rows with columns of :data:`.INPUT_SCHEMA`, and count other records.

        A record that is broken is a row with an error.
        """
        for found in self._rows:
            if isinstance(found, str):
                skipped[found] += 1
            else:
                yield _normalize(found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()


def _read(
    file: io.BufferedReader, location: Location, form: str, opening: Opening
) -> Iterator[dict[str, Any] | str]:
    if form == WARC:
        from .warc import read_warc

        return read_warc(file, location.base, opening.max_size)
    if form == PARQUET:
        return _read_parquet(file, opening.columns)
    # A name without a known suffix: JSON lines.
    name = location.base if format_of(location) == FEED else "feed.jsonl"
    return _feed_rows(Feed(name, file=file), opening.columns)


def read_batches(
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - as elsewhere
    columns: Mapping[str, str] | None = None,
    rows: int = MAX_ROWS,
    skipped: Counter[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield the pages in a file, in batches for :func:`extract_batch`.

    *path* is a WARC file, a Parquet file, a feed, an HTML file or a folder of those,
    local or as a URL of an object store; *format* is ``"warc"``, ``"parquet"``,
    ``"feed"`` or ``"html"`` where its name does not say so. *columns* are the names of
    the columns or fields for ``url``, ``html``, ``headers`` and ``crawled_at``, where
    they differ. Other records (images, requests) are counted by reason in *skipped*; a
    broken record is a row with an error. Raises
    :exc:`~scrapy_mainpage.batch.BatchError` if nothing can be read at all.
    """
    skipped = Counter() if skipped is None else skipped
    location = Location(os.fspath(path))
    with Source(location, Opening(format, dict(columns or {}))) as source:
        batch: list[dict[str, Any]] = []
        size = 0
        for row in source.read(skipped):
            batch.append(row)
            size += len(row.get("html") or "")
            if len(batch) >= rows or size >= MAX_HTML_BYTES:
                yield to_batch(batch, INPUT_SCHEMA)
                batch, size = [], 0
        if batch:
            yield to_batch(batch, INPUT_SCHEMA)


def _normalize(row: dict[str, Any]) -> dict[str, Any]:
    """Headers as structs, and text as bytes with their encoding in the headers."""
    html = row.get("html")
    if not isinstance(html, bytes | str):
        html = None
    if isinstance(html, bytes) and row.get("headers") is None:
        return row
    try:
        headers = read_headers(row.get("headers"))
    except HeadersError:
        headers = {"": ""}  # read again, it is an error again
    if isinstance(html, str):
        html = html.encode("utf-8", "replace")
        kind = headers.get("content-type", "text/html").partition(";")[0]
        headers["content-type"] = f"{kind}; charset=utf-8"
    pairs = [{"name": name, "value": value} for name, value in headers.items()]
    return {**row, "html": html, "headers": pairs}


def _read_parquet(
    file: BinaryIO, columns: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """The rows; a row group that is broken is one row with an error."""
    table = pq.ParquetFile(file)
    names = table.schema_arrow.names
    places = _choose_columns(names, columns)
    if "html" not in places:
        known = ", ".join(names)
        hint = "name the one that has them, as with --field html=COLUMN"
        raise ValueError(f"no column of pages among {known}; {hint}")
    for place in places.values():
        if names.count(place) > 1:
            raise ValueError(f"column {place} stands there twice")
    return _parquet_rows(table, places)


def _parquet_rows(
    table: pq.ParquetFile, places: dict[str, str]
) -> Iterator[dict[str, Any]]:
    columns = list(dict.fromkeys(places.values()))
    number = 0
    for group in range(table.metadata.num_row_groups):
        end = number + table.metadata.row_group(group).num_rows
        try:
            batches = table.iter_batches(MAX_ROWS, row_groups=[group], columns=columns)
            for batch in batches:
                for row in range(batch.num_rows):
                    yield _read_row(batch, row, number, places)
                    number += 1
        except (OSError, pa.ArrowException) as error:
            yield make_error(UNREADABLE, f"row {number:,}: {str(error)[:300]}")
        number = end


def _read_row(
    batch: pa.RecordBatch, row: int, number: int, places: dict[str, str]
) -> dict[str, Any]:
    try:
        values = {
            name: batch.column(name)[row].as_py() for name in set(places.values())
        }
    except (ArithmeticError, KeyError, ValueError, pa.ArrowException) as error:
        # Such as a time outside of the years that Python has, or in an unknown zone.
        return make_error(UNREADABLE, f"row {number:,}: {str(error)[:300]}")
    return _make_row(values, places)


def _feed_rows(
    feed: Feed, columns: Mapping[str, str]
) -> Iterator[dict[str, Any] | str]:
    """The rows of the items, by line; ``"no_html"`` for an item without a page."""
    for entry in feed.entries():
        if entry.item is None:
            yield make_error(entry.problem, f"line {entry.line:,}")
            continue
        places = _choose_columns(list(entry.item), columns)
        yield _make_row(entry.item, places) if "html" in places else "no_html"


def _choose_columns(names: list[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Our column -> the one of *names* that fills it; *columns* takes precedence."""
    chosen = {}
    for name, known in NAMES.items():
        wanted = (columns[name],) if name in columns else known
        if place := next((each for each in wanted if each in names), None):
            chosen[name] = place
    return chosen


def _make_row(values: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """The row of *values*, by the places of our columns in them."""
    row = {name: values.get(place) for name, place in places.items()}
    url = row.get("url")
    if isinstance(url, bytes):
        row["url"] = url.decode("utf-8", "replace")
    elif url is not None and not isinstance(url, str):
        return make_error(UNREADABLE, f"the URL is not text: {str(url)[:300]}")
    if row.get("crawled_at") is not None:
        row["crawled_at"] = str(row["crawled_at"])
    return row
