"""From a file's name to what reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ...extraction.parsing.limits import Limits
from ..errors import BatchError
from .base import Source

WARC: Final = "warc"
PARQUET: Final = "parquet"
FEED: Final = "feed"
FORMATS: Final = (WARC, PARQUET, FEED)

_SUFFIXES: Final = {
    ".warc": WARC,
    ".parquet": PARQUET,
    **dict.fromkeys((".jsonl", ".jsonlines", ".jl", ".ndjson", ".json", ".csv"), FEED),
}
_PACKED: Final = (".gz", ".zst", ".lz4")


@dataclass(frozen=True)
class Opening:
    """How files are opened.

    ``form`` is one of :data:`FORMATS`, or ``None`` for what their names say.
    ``columns`` name the columns or fields that hold ``url``, ``html``, ``headers`` and
    ``crawled_at``. Bodies in archives may have ``max_size`` bytes.
    """

    form: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    max_size: int = Limits().max_size


def format_of(path: Path) -> str | None:
    """The format that the file's name says, ``None`` if it says none."""
    name = path.name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return _SUFFIXES.get(Path(name).suffix)


def open_source(path: Path, opening: Opening | None = None) -> Source:
    """Open a file of pages. Raises :exc:`.BatchError` if it cannot be read at all."""
    import pyarrow as pa

    opening = opening or Opening()
    form = opening.form or format_of(path)
    if form is None:
        names = ", ".join(_SUFFIXES)
        raise BatchError(f"{path}: not a name that ends in {names}; say its format")
    try:
        return _opened(path, form, opening)
    except (OSError, pa.ArrowException) as error:
        what = error.strerror if isinstance(error, OSError) else None
        raise BatchError(f"{path}: {what or error}") from None


def _opened(path: Path, form: str, opening: Opening) -> Source:
    if form == WARC:
        from .warc import open_warc

        return open_warc(path, opening.max_size)
    if form == PARQUET:
        from .parquet import ParquetSource

        return ParquetSource(path, opening.columns)
    from .feeds import FeedSource, JsonLinesSource

    with path.open("rb") as file:
        is_plain = file.read(2) != b"\x1f\x8b"
    if is_plain and path.suffix.lower() not in (".json", ".csv"):
        return JsonLinesSource(path, opening.columns)
    # What is packed, and has a name that says nothing, is lines.
    return FeedSource(path, opening.columns, None if format_of(path) else "jsonlines")


__all__ = ["FORMATS", "Opening", "open_source"]
