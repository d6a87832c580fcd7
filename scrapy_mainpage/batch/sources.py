"""Rows and batches of the pages in a file: WARC, a feed, Parquet, or saved HTML."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from ..extraction.parsing.tree import Limits
from ..feeds import JSON_LINES, SUFFIXES, Feed, FeedError
from .extract import (
    INPUT_SCHEMA,
    NO_HEADERS,
    NO_HTML,
    HeadersError,
    Row,
    headers_column,
    make_error,
    read_headers,
    to_batch,
)
from .locations import HTML_SUFFIXES, BatchError, Location
from .warc import read_warc

if TYPE_CHECKING:
    from os import PathLike

    from typing_extensions import Self

_WARC, _PARQUET, _FEED, _HTML = "warc", "parquet", "feed", "html"
_FORMATS: Final = {
    ".warc": _WARC,
    **dict.fromkeys(HTML_SUFFIXES, _HTML),
    **dict.fromkeys(SUFFIXES, _FEED),
    ".parquet": _PARQUET,
}
_PACKED_WARC: Final = (".warc.zst", ".warc.lz4")
"""Anything else is packed by gzip, or not at all."""

MAX_ROWS: Final = 64
"""Rows of a batch: 0.3 s of extraction, about."""

MAX_HTML_BYTES: Final = 16 * 2**20
"""HTML in a batch after which it ends."""

UNREADABLE: Final = "unreadable"

#: Names of the columns or fields of pages, the most likely first.
NAMES: Final = {
    "url": ("url",),
    "html": ("html", "body", "content"),
    "headers": ("headers", "http_headers", "response_headers"),
    "crawled_at": ("crawled_at",),
}


def format_of(location: Location) -> str | None:
    """The format in the file's name, ``None`` for an unknown one."""
    name = location.base.lower().removesuffix(".gz")
    if name.endswith(_PACKED_WARC):
        return _WARC
    return _FORMATS.get(PurePosixPath(name).suffix)


class Source:
    """A file of pages, open for reading; a context manager that closes it.

    A folder of HTML files is one, too. *form* is ``"warc"``, ``"parquet"``, ``"feed"``
    or ``"html"``, or ``None`` for what the name says; *columns* name the columns or
    fields that hold those of :data:`NAMES`. Bodies in archives, and HTML files, may
    have *max_size* bytes. ``skipped`` counts the records that are no pages, by reason.
    Raises :exc:`.BatchError` if it cannot be read at all.
    """

    def __init__(
        self,
        location: Location,
        form: str | None = None,
        columns: Mapping[str, str] | None = None,
        max_size: int = Limits().max_size,
    ) -> None:
        self._location, self._max_size = location, max_size
        self._columns = {
            name: (columns[name],) if columns and name in columns else known
            for name, known in NAMES.items()
        }
        self.skipped: Counter[str] = Counter()
        self._read = 0
        self._file: io.BufferedReader | None = None
        try:
            is_folder = location.is_folder
            self._form = _HTML if is_folder else form or format_of(location)
            if self._form is None:
                names = ", ".join((*_FORMATS, *_PACKED_WARC))
                problem = f"not a name that ends in {names}; say its format"
                raise BatchError(f"{location}: {problem}")
            self._size = max(location.size, 1)
            if self._form != _HTML:
                self._file = location.open()
        except OSError as error:
            raise BatchError(f"{location}: {error}") from None

    @property
    def share(self) -> float:
        """The part of the file that was read, 0 to 1."""
        read = self._file.tell() if self._file else self._read
        return min(read / self._size, 1.0)

    def rows(self) -> Iterator[Row]:
        """Yield rows with columns of :data:`.INPUT_SCHEMA`.

        A record that is broken is a row with an error.
        """
        if self._file is None:
            found: Iterator[Row | str] = self._html_files()
        elif self._form == _WARC:
            found = read_warc(self._file, self._max_size)
        else:
            found = self._items(self._file)
        for row in found:
            if isinstance(row, str):
                self.skipped[row] += 1
            else:
                yield row

    def _html_files(self) -> Iterator[Row]:
        """A row for each file, with its own URL; one that cannot be read is an error.

        Of a file that is too large only so much is read that it is refused.
        """
        for file in self._location.pages():
            self._read += file.size
            try:
                with file.open() as stream:
                    html = stream.read(self._max_size + 1)
                yield {"url": file.url, "html": html}
            except OSError as error:
                yield make_error(UNREADABLE, f"{file}: {error}")

    def _items(self, file: io.BufferedReader) -> Iterator[Row | str]:
        """The rows of a feed's items, by line."""
        known = format_of(self._location) == _FEED
        # A name without a known suffix: JSON lines.
        form = _PARQUET if self._form == _PARQUET else None if known else JSON_LINES
        try:
            for entry in Feed(self._location.base, form, file).entries():
                if entry.item is None:
                    yield make_error(entry.problem, f"line {entry.line:,}")
                else:
                    row = self._row(entry.item)
                    yield _checked(row) if "html" in row else NO_HTML
        except FeedError as error:
            raise BatchError(f"{self._location}: {error}") from None

    def _row(self, item: dict[str, Any]) -> Row:
        """Our columns, each with the value of the first field that fills it."""
        return {
            name: item[each]
            for name, known in self._columns.items()
            for each in reversed(known)
            if each in item
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file:
            self._file.close()


def _checked(row: Row) -> Row:
    """A row of a feed in the types of its columns, or an error if its URL is none.

    Text becomes bytes with their encoding in the headers.
    """
    url, html = row.get("url"), row["html"]
    if isinstance(url, bytes):
        row["url"] = url.decode("utf-8", "replace")
    elif url is not None and not isinstance(url, str):
        return make_error(UNREADABLE, f"the URL is not text: {url}")
    if row.get("crawled_at") is not None:
        row["crawled_at"] = str(row["crawled_at"])
    try:
        headers = read_headers(row.get("headers"))
        if isinstance(html, str):
            kind = headers.get("content-type", "text/html").partition(";")[0]
            headers["content-type"] = f"{kind}; charset=utf-8"
        row["headers"] = headers_column(headers)
    except HeadersError:
        row["headers"] = NO_HEADERS
    html = html.encode("utf-8", "replace") if isinstance(html, str) else html
    return {**row, "html": html if isinstance(html, bytes) else None}


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
    location = Location(os.fspath(path))
    with Source(location, format, columns) as source:
        source.skipped = source.skipped if skipped is None else skipped
        for batch in in_batches(source.rows(), rows):
            yield to_batch(batch, INPUT_SCHEMA)


def in_batches(rows: Iterable[Row], most: int) -> Iterator[list[Row]]:
    """The rows in lists of so many, or less where their pages are large."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row.get("html") or "")
        if len(batch) >= most or size >= MAX_HTML_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
