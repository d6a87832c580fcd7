"""Rows and batches of the pages in a file: WARC, a feed, Parquet, or saved HTML."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from ..extraction.parsing.tree import Limits
from ..feeds import JSON_LINES, SUFFIXES, Feed, FeedError
from .locations import HTML_SUFFIXES, BatchError, Location
from .schema import (
    INPUT_SCHEMA,
    NO_HEADERS,
    UNREADABLE,
    HeadersError,
    Row,
    headers_column,
    make_error,
    read_headers,
    to_batch,
)
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

#: Names of the columns or fields of pages, the most likely first.
NAMES: Final = {
    "url": ("url",),
    "html": ("html", "body", "content"),
    "headers": ("headers", "http_headers", "response_headers"),
    "crawled_at": ("crawled_at",),
}
NO_HTML: Final = "no_html"


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
        return _WARC
    return _FORMATS.get(PurePosixPath(name).suffix)


class Source:
    """A file of pages, open for reading; a context manager that closes it.

    A folder of HTML files is one, too. ``skipped`` counts the records that are no
    pages, by reason. Raises :exc:`.BatchError` if it cannot be read at all.
    """

    def __init__(self, location: Location, opening: Opening) -> None:
        self._location, self._opening = location, opening
        self.skipped: Counter[str] = Counter()
        self._read = 0
        self._file: io.BufferedReader | None = None
        try:
            self._form = self._choose_form()
            self._size = max(location.size, 1)
            if self._form != _HTML:
                self._file = location.open()
        except (OSError, ValueError) as error:
            raise BatchError(f"{location}: {error}") from None

    def _choose_form(self) -> str:
        form = self._opening.form or format_of(self._location)
        form = _HTML if self._location.is_folder else form
        if form is None:
            names = ", ".join((*_FORMATS, *_PACKED_WARC))
            raise ValueError(f"not a name that ends in {names}; say its format")
        return form

    @property
    def share(self) -> float:
        """The part of the file that was read, 0 to 1."""
        read = self._file.tell() if self._file else self._read
        return min(read / self._size, 1.0)

    def rows(self) -> Iterator[Row]:
        """Yield rows with columns of :data:`.INPUT_SCHEMA`.

        A record that is broken is a row with an error.
        """
        for found in self._records():
            if isinstance(found, str):
                self.skipped[found] += 1
            else:
                yield _normalize(found)

    def _records(self) -> Iterator[Row | str]:
        if self._file is None:
            return self._html_files()
        if self._form == _WARC:
            return read_warc(self._file, self._opening.max_size)
        form = _PARQUET if self._form == _PARQUET else None
        # A name without a known suffix: JSON lines.
        if form is None and format_of(self._location) != _FEED:
            form = JSON_LINES
        return self._items(Feed(self._location.base, form, self._file))

    def _html_files(self) -> Iterator[Row]:
        """A row for each file, with its own URL; one that cannot be read is an error.

        Of a file that is too large only so much is read that it is refused.
        """
        for file in self._location.pages():
            self._read += file.size
            try:
                with file.open() as stream:
                    html = stream.read(self._opening.max_size + 1)
                yield {"url": file.url, "html": html}
            except OSError as error:
                yield make_error(UNREADABLE, f"{file}: {error}")

    def _items(self, feed: Feed) -> Iterator[Row | str]:
        """The rows of a feed's items, by line."""
        try:
            for entry in feed.entries():
                if entry.item is None:
                    yield make_error(entry.problem, f"line {entry.line:,}")
                else:
                    row = dict(self._columns(entry.item))
                    yield _check(row) if "html" in row else NO_HTML
        except FeedError as error:
            raise BatchError(f"{self._location}: {error}") from None

    def _columns(self, item: dict[str, Any]) -> Iterator[tuple[str, Any]]:
        """Our columns, each with the value of the first field that fills it."""
        for name, known in NAMES.items():
            own = self._opening.columns.get(name)
            found = [each for each in ((own,) if own else known) if each in item]
            if found:
                yield name, item[found[0]]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file:
            self._file.close()


def _check(row: Row) -> Row:
    """The row, or an error if its URL is none; its time as text."""
    url = row.get("url")
    if isinstance(url, bytes):
        row["url"] = url.decode("utf-8", "replace")
    elif url is not None and not isinstance(url, str):
        return make_error(UNREADABLE, f"the URL is not text: {url}")
    if row.get("crawled_at") is not None:
        row["crawled_at"] = str(row["crawled_at"])
    return row


def _normalize(row: Row) -> Row:
    """Headers as structs, and text as bytes with their encoding in the headers."""
    html = row.get("html")
    try:
        headers = read_headers(row.get("headers"))
    except HeadersError:
        headers = None
    if isinstance(html, str):
        html = html.encode("utf-8", "replace")
        if headers is not None:
            kind = headers.get("content-type", "text/html").partition(";")[0]
            headers["content-type"] = f"{kind}; charset=utf-8"
    column = NO_HEADERS if headers is None else headers_column(headers)
    return {**row, "html": html if isinstance(html, bytes) else None, "headers": column}


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
    with Source(location, Opening(format, dict(columns or {}))) as source:
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
