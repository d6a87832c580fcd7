"""Batches of what is in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from .extracting import to_batch
from .headers import HeadersError, read_headers
from .schema import INPUT_SCHEMA
from .sources import Found, Opening, open_source

if TYPE_CHECKING:
    from os import PathLike

ROWS: Final = 64
"""So many rows are enough for a batch: they are still quickly done."""

SIZE: Final = 16 * 2**20
"""So many bytes of HTML, too."""


def read_batches(
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - as elsewhere
    columns: Mapping[str, str] | None = None,
    rows: int = ROWS,
    skipped: Counter[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield what is in a file in batches for :func:`extract_batch`.

    *path* is that of a WARC file, of a Parquet file, or of a feed; *format* is
    ``"warc"``, ``"parquet"`` or ``"feed"`` where its name does not say so. *columns*
    are the names of columns or fields that hold ``url``, ``html``, ``headers`` and
    ``crawled_at``, where these are others. What is no page (images, requests) is left
    out and counted by reason in *skipped*; what is broken is a row with an error.
    Raises :exc:`~scrapy_mainpage.batch.BatchError` if nothing can be read at all.
    """
    counted = Counter[str]() if skipped is None else skipped
    opening = Opening(format, dict(columns or {}))
    with open_source(Path(path), opening) as source:
        for chunk in chunks(source.read(0, source.end), rows):
            counted.update(chunk.skipped)
            if chunk.rows:
                yield to_batch(chunk.rows, INPUT_SCHEMA)


@dataclass
class Chunk:
    """Rows of a file, and what was left out between them; ``next`` is behind all."""

    next: int
    rows: list[dict[str, Any]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def chunks(found: Iterator[Found], most: int = ROWS) -> Iterator[Chunk]:
    """Put together what was found: *most* rows, or as many as are large enough."""
    chunk, size = Chunk(0), 0
    for each in found:
        if each.row is None:
            chunk.skipped[each.skipped] += 1
        else:
            chunk.rows.append(_uniform(each.row))
            size += len(each.row.get("html") or "")
        chunk.next = each.next
        is_full = len(chunk.rows) >= most or size >= SIZE
        # Several things may stand at one position; they are not torn apart.
        if is_full and each.next > each.position:
            yield chunk
            chunk, size = Chunk(each.next), 0
    if chunk.rows or chunk.skipped:
        yield chunk


def _uniform(row: dict[str, Any]) -> dict[str, Any]:
    """Headers as the schema has them, and text as bytes that say what they are in."""
    html = row.get("html")
    if isinstance(html, bytes) and row.get("headers") is None:
        return row
    headers = _headers(row.get("headers"))
    if isinstance(html, str):
        html = html.encode("utf-8", "replace")
        kind = headers.get("content-type", "text/html").partition(";")[0]
        headers["content-type"] = f"{kind}; charset=utf-8"
    pairs = [{"name": name, "value": value} for name, value in headers.items()]
    return {**row, "html": html, "headers": pairs}


def _headers(value: Any) -> dict[str, str]:
    """The headers; for what are none one without a name, which says as much."""
    try:
        return read_headers(value)
    except HeadersError:
        return {"": ""}


__all__ = ["read_batches"]
