"""Columns of the batches that go in and come out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields as fields_of
from typing import Any, Final

import pyarrow as pa

from ..page import METADATA_FIELDS, Block, Link, Media, Page, Section

HEADERS: Final = pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())]))

#: Columns of :func:`~scrapy_mainpage.batch.read_batches`. Only ``html`` is required; a
#: row with an ``error`` keeps it and is not extracted.
INPUT_SCHEMA: Final = pa.schema(
    [
        ("url", pa.string()),
        ("html", pa.binary()),
        ("headers", HEADERS),
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
METADATA_COLUMNS: Final = tuple(
    sorted(
        METADATA_FIELDS,
        key=("canonical_url", "image").__contains__,
    )
)

_TYPES: Final = {
    "str": pa.string(),
    "str | None": pa.string(),
    "Label": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "tuple[str, ...]": pa.list_(pa.string()),
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
    fields = [pa.field("url", pa.string())]
    fields += [pa.field(name, pa.string()) for name in METADATA_COLUMNS]
    fields += [pa.field(name, kind) for name, kind in _PAGE_COLUMNS]
    fields += [pa.field(name, EXTRA[name]) for name in EXTRA if name in extra]
    fields += [pa.field(DOCUMENT, pa.string())] if DOCUMENT in extra else []
    fields += [pa.field("size", pa.int64()), pa.field("crawled_at", pa.string())]
    fields += [pa.field("error", pa.string()), pa.field("error_message", pa.string())]
    return pa.schema(fields)


def make_row(page: Page, extra: Collection[str]) -> dict[str, Any]:
    """The columns of *page*, with those in *extra*, as plain data."""
    row: dict[str, Any] = {name: getattr(page, name) for name, _ in _PAGE_COLUMNS}
    row.update(page.metadata.as_dict())
    for name in EXTRA:
        if name in extra:
            value = getattr(page, name)
            row[name] = value if isinstance(value, str) else [*map(_fields, value)]
    return row


def _fields(value: Any) -> dict[str, Any]:
    """A frozen dataclass as a dictionary of the fields that its struct has."""
    row = {each.name: getattr(value, each.name) for each in fields_of(value)}
    if "label" in row:
        row["label"] = str(row["label"])
    if isinstance(value, Block):
        del row["index"], row["box"]
    return row


def make_error(error: str, message: str, url: str | None = None) -> dict[str, Any]:
    """The row of a record that cannot be read."""
    return {"url": url, "error": error, "error_message": message}


def to_batch(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.RecordBatch:
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
