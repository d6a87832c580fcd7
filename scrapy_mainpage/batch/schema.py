"""What goes in and what comes out: the columns of a batch."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import pyarrow as pa

from ..page import Block, Page

HEADERS: Final = pa.list_(
    pa.struct([pa.field("name", pa.string()), pa.field("value", pa.string())])
)

#: What :func:`~scrapy_mainpage.batch.read_batches` gives. Only ``html`` has to be
#: there; a row with an ``error`` stays one, with what is said of it.
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

#: Of the page: column, type.
_OF_PAGE: Final = (
    ("text", pa.string()),
    ("page_type", pa.string()),
    ("confidence", pa.float64()),
    ("words", pa.int64()),
    ("words_total", pa.int64()),
    ("algorithm", pa.string()),
    ("warnings", _TEXTS),
    ("sources", _TEXTS),
)

#: What the page says of itself, all of it texts.
OF_METADATA: Final = (
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

#: Columns that come when they are asked for: their types.
EXTRA: Final = {
    "blocks": pa.list_(_BLOCK),
    "comments": pa.string(),
    "html": pa.string(),
    "links": pa.list_(_LINK),
    "markdown": pa.string(),
    "media": pa.list_(_MEDIA),
    "sections": pa.list_(_SECTION),
}

#: The page as an index takes it, in JSON: what the command writes indexes from.
DOCUMENT: Final = "document"


def output_schema(extra: Collection[str] = ()) -> pa.Schema:
    """The schema of what :func:`~scrapy_mainpage.batch.extract_batch` returns.

    Raises :exc:`ValueError` for an *extra* column that there is not.
    """
    if unknown := set(extra) - {*EXTRA, DOCUMENT}:
        names = ", ".join(EXTRA)
        raise ValueError(f"no such column: {', '.join(sorted(unknown))}; {names} are")
    fields = [pa.field("url", pa.string())]
    fields += [pa.field(name, pa.string()) for name in OF_METADATA]
    fields += [pa.field(name, kind) for name, kind in _OF_PAGE]
    fields += [pa.field(name, EXTRA[name]) for name in EXTRA if name in extra]
    fields += [pa.field(DOCUMENT, pa.string())] if DOCUMENT in extra else []
    fields += [pa.field("size", pa.int64()), pa.field("crawled_at", pa.string())]
    fields += [pa.field("error", pa.string()), pa.field("error_message", pa.string())]
    return pa.schema(fields)


def row_of(page: Page, extra: Collection[str]) -> dict[str, Any]:
    """The columns of *page*, with those of *extra*, as plain data."""
    row: dict[str, Any] = {name: getattr(page, name) for name, _ in _OF_PAGE}
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
    """A frozen dataclass as a dictionary: what its struct has not is left out."""
    fields = dict(vars(value))
    if "label" in fields:
        fields["label"] = str(fields["label"])
    if isinstance(value, Block):
        del fields["index"], fields["box"]
    return fields


__all__ = ["EXTRA", "INPUT_SCHEMA", "output_schema"]
