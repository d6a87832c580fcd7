"""Parquet files with a page in each row, and feeds with HTML in a field of items."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..feeds import Feed
from .schema import UNREADABLE, make_error

_BATCH_ROWS: Final = 64

#: Names of the columns or fields of pages, the most likely first.
NAMES: Final = {
    "url": ("url",),
    "html": ("html", "body", "content"),
    "headers": ("headers", "http_headers", "response_headers"),
    "crawled_at": ("crawled_at",),
}


def read_parquet(
    file: BinaryIO, columns: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """The rows; a row group that is broken is one row with an error.

    Raises ``ValueError`` for a table without a column of pages, ``OSError`` or
    :exc:`pyarrow.ArrowException` for another file.
    """
    table = pq.ParquetFile(file)
    names = table.schema_arrow.names
    places = _choose_columns(names, columns)
    if "html" not in places:
        raise ValueError(f"no column of pages among {', '.join(names)}")
    return _parquet_rows(table, places)


def _parquet_rows(
    table: pq.ParquetFile, places: dict[str, str]
) -> Iterator[dict[str, Any]]:
    columns = list(dict.fromkeys(places.values()))
    number = 0
    for group in range(table.metadata.num_row_groups):
        end = number + table.metadata.row_group(group).num_rows
        try:
            batches = table.iter_batches(
                _BATCH_ROWS, row_groups=[group], columns=columns
            )
            for batch in batches:
                for row in range(batch.num_rows):
                    values = {name: batch.column(name)[row].as_py() for name in columns}
                    yield _make_row(values, places)
                    number += 1
        except (OSError, pa.ArrowException) as error:
            yield make_error(UNREADABLE, f"row {number:,}: {str(error)[:300]}")
        number = end


def read_feed(
    file: io.BufferedReader, name: str, columns: Mapping[str, str]
) -> Iterator[dict[str, Any] | str]:
    """The rows of the items, by line; ``"no_html"`` for an item without a page."""
    return _feed_rows(Feed(name, file=file), columns)


def _feed_rows(
    feed: Feed, columns: Mapping[str, str]
) -> Iterator[dict[str, Any] | str]:
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
    for name in ("url", "crawled_at"):
        if row.get(name) is not None:
            row[name] = str(row[name])
    return row


__all__ = ["read_feed", "read_parquet"]
