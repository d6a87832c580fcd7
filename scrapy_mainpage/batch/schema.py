"""Columns of the batches that go in and come out, and HTTP headers in any notation."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields as fields_of
from typing import Any, Final

import pyarrow as pa

from ..page import METADATA_FIELDS, Block, Link, Media, Page, Section

Row = dict[str, Any]

_HEADERS: Final = pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())]))

#: Columns of :func:`~scrapy_mainpage.batch.read_batches`. Only ``html`` is required; a
#: row with an ``error`` keeps it and is not extracted.
INPUT_SCHEMA: Final = pa.schema(
    [
        ("url", pa.string()),
        ("html", pa.binary()),
        ("headers", _HEADERS),
        ("crawled_at", pa.string()),
        ("error", pa.string()),
        ("error_message", pa.string()),
    ]
)

_TEXTS: Final = pa.list_(pa.string())

#: Attributes of the page: column, type.
_PAGE_COLUMNS: Final = (
    ("text", pa.string()),
    ("page_type", pa.string()),
    ("confidence", pa.float64()),
    ("words", pa.int64()),
    ("words_total", pa.int64()),
    ("algorithm", pa.string()),
    ("warnings", _TEXTS),
    ("sources", _TEXTS),
)

#: Fields of the page's metadata, all of them strings; addresses are the last columns.
_METADATA_COLUMNS: Final = sorted(
    METADATA_FIELDS, key=("canonical_url", "image").__contains__
)

_TYPES: Final = {
    "str": pa.string(),
    "str | None": pa.string(),
    "Label": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "tuple[str, ...]": _TEXTS,
}


def _list_of(kind: type, *without: str) -> pa.DataType:
    """The type of a list of such records of a page, without some of their fields."""
    parts = (part for part in fields_of(kind) if part.name not in without)
    return pa.list_(pa.struct([(part.name, _TYPES[str(part.type)]) for part in parts]))


#: Columns on request, with their types.
EXTRA: Final = {
    "blocks": _list_of(Block, "index", "box"),
    "comments": pa.string(),
    "html": pa.string(),
    "links": _list_of(Link),
    "markdown": pa.string(),
    "media": _list_of(Media),
    "sections": _list_of(Section, "first_block", "end_block"),
}

#: Codes of records that cannot be read.
CORRUPT: Final = "corrupt_record"
TRUNCATED: Final = "truncated_record"
UNREADABLE: Final = "unreadable"

#: Column of the page as a document of an index, in JSON.
DOCUMENT: Final = "document"


def output_schema(extra: Collection[str] = ()) -> pa.Schema:
    """The schema of what :func:`~scrapy_mainpage.batch.extract_batch` returns.

    Raises :exc:`ValueError` for an unknown *extra* column.
    """
    if unknown := set(extra) - {*EXTRA, DOCUMENT}:
        names = ", ".join(EXTRA)
        raise ValueError(f"no such column: {', '.join(sorted(unknown))}; {names} are")
    return pa.schema(
        [
            ("url", pa.string()),
            *((name, pa.string()) for name in _METADATA_COLUMNS),
            *_PAGE_COLUMNS,
            *((name, kind) for name, kind in EXTRA.items() if name in extra),
            *((name, pa.string()) for name in [DOCUMENT] if name in extra),
            ("size", pa.int64()),
            *((name, pa.string()) for name in ("crawled_at", "error", "error_message")),
        ]
    )


def make_row(page: Page, extra: Collection[str]) -> Row:
    """The columns of *page*, with those in *extra*, as plain data."""
    row: Row = {name: getattr(page, name) for name, _ in _PAGE_COLUMNS}
    row.update(page.metadata.as_dict())
    for name in EXTRA:
        if name in extra:
            value = getattr(page, name)
            row[name] = value if isinstance(value, str) else [*map(_fields, value)]
    return row


def _fields(value: Any) -> Row:
    """A record of a page as a dictionary; fields that its struct lacks are ignored."""
    row = {each.name: getattr(value, each.name) for each in fields_of(value)}
    return {**row, "label": str(row["label"])} if "label" in row else row


def make_error(error: str, message: str, url: str | None = None) -> Row:
    """The row of a record that cannot be read."""
    return {"url": url, "error": error, "error_message": message[:500]}


def to_batch(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    """The rows as a batch; missing columns are null."""
    try:
        return pa.RecordBatch.from_pylist(rows, schema=schema)
    except UnicodeEncodeError:  # half a surrogate pair, escaped in some JSON
        return pa.RecordBatch.from_pylist(_encodable(rows), schema=schema)


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {name: _encodable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(each) for each in value]
    return value


# --- Headers -----------------------------------------------------------------


class HeadersError(ValueError):
    """Headers in an unknown notation."""


#: A column of headers that :func:`read_headers` refuses, for some that it has refused.
NO_HEADERS: Final = [{"name": None, "value": None}]


def headers_column(headers: Mapping[str, str]) -> list[dict[str, str]]:
    """The headers as a value of the column."""
    return [{"name": name, "value": value} for name, value in headers.items()]


def read_headers(value: Any) -> dict[str, str]:
    """The headers by their names in lower case; the first of several with one name.

    *value* is a mapping, pairs, structs of ``name`` and ``value``, or JSON of any of
    these; a value may be a list, as in Scrapy. A header without a name or a value is
    left out. Raises :exc:`HeadersError`.
    """
    if isinstance(value, str | bytes) and value:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise HeadersError("text that is not JSON") from None
    read: dict[str, str] = {}
    for name, content in _pairs(value or ()):
        key, text = _text(name).strip().lower(), _text(content)
        if key and text:
            read.setdefault(key, text)
    return read


def _pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        value = list(value.items())
    if not isinstance(value, list | tuple):
        raise HeadersError(f"{type(value).__name__} instead of names and values")
    for each in value:
        pair = each
        if isinstance(each, Mapping) and each.keys() >= {"name", "value"}:
            pair = each["name"], each["value"]
        if not isinstance(pair, list | tuple) or len(pair) != 2 or pair[0] is None:
            raise HeadersError("a header that is not a name with a value")
        yield pair[0], pair[1]


def _text(value: Any) -> str:
    if isinstance(value, list | tuple):
        value = value[0] if value else None
    text = value.decode("latin-1") if isinstance(value, bytes) else str(value or "")
    return text.encode("utf-8", "ignore").decode()  # without half surrogate pairs
