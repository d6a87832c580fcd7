"""Columns of the batches that go in and come out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import pyarrow as pa

from ..page import Block, Page

HEADERS: Final = pa.list_(
    pa.struct([pa.field("name", pa.string()), pa.field("value", pa.string())])
)

#: Columns of :func:`~scrapy_mainpage.batch.read_batches`. Only ``html`` is required; a
#: row with an ``error`` keeps it and is not extracted.
INPUT_SCHEMA: Final = pa.schema(
    [
        pa.field("url", pa.string()),
        pa.field("html", pa.binary()),
        pa.field("headers", HEADERS),
        pa.field("crawled_at", pa.string()),
        pa.field("error", pa.string()),
        pa.field("error_message", pa.string()),
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

#: Attributes of the page's metadata, all of them strings.
METADATA_COLUMNS: Final = (
    "title",
    "language",
    "author",
    "date_published",
    "date_modified",
    "description",
    "site_name",
    "canonical_url",
    "image",
)

_BLOCK: Final = pa.struct(
    [
        pa.field("text", pa.string()),
        pa.field("label", pa.string()),
        pa.field("score", pa.float64()),
        pa.field("xpath", pa.string()),
        pa.field("tag", pa.string()),
        pa.field("words", pa.int64()),
        pa.field("link_density", pa.float64()),
        pa.field("source", pa.string()),
        pa.field("label_probability", pa.float64()),
    ]
)

_SECTION: Final = pa.struct(
    [
        pa.field("heading", pa.string()),
        pa.field("level", pa.int64()),
        pa.field("anchor", pa.string()),
        pa.field("text", pa.string()),
    ]
)

_LINK: Final = pa.struct(
    [
        pa.field("url", pa.string()),
        pa.field("text", pa.string()),
        pa.field("label", pa.string()),
        pa.field("rel", pa.string()),
    ]
)

_MEDIA: Final = pa.struct(
    [
        pa.field("kind", pa.string()),
        pa.field("url", pa.string()),
        pa.field("alt", pa.string()),
    ]
)

#: Columns on request, with their types.
EXTRA: Final = {
    "blocks": pa.list_(_BLOCK),
    "comments": pa.string(),
    "html": pa.string(),
    "links": pa.list_(_LINK),
    "markdown": pa.string(),
    "media": pa.list_(_MEDIA),
    "sections": pa.list_(_SECTION),
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
            row[name] = _plain(getattr(page, name))
    return row


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return [_fields(each) for each in value]


def _fields(value: Any) -> dict[str, Any]:
    """A frozen dataclass as a dictionary of the fields that its struct has."""
    fields = dict(vars(value))
    if "label" in fields:
        fields["label"] = str(fields["label"])
    if isinstance(value, Block):
        del fields["index"], fields["box"]
    return fields


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
