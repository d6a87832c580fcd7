"""Rows of pages, whatever file they come from; columns have one of several names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

CORRUPT: Final = "corrupt_record"
TRUNCATED: Final = "truncated_record"
UNREADABLE: Final = "unreadable"

#: Names of the columns or fields of pages, the most likely first.
NAMES: Final = {
    "url": ("url",),
    "html": ("html", "body", "content"),
    "headers": ("headers", "http_headers", "response_headers"),
    "crawled_at": ("crawled_at",),
}


def make_error(error: str, message: str, url: str | None = None) -> dict[str, Any]:
    """The row of a record that cannot be read."""
    return {"url": url, "error": error, "error_message": message}


def choose_columns(names: list[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Our column -> the one of *names* that fills it; *columns* takes precedence."""
    chosen = {}
    for name, known in NAMES.items():
        wanted = (columns[name],) if name in columns else known
        if place := next((each for each in wanted if each in names), None):
            chosen[name] = place
    return chosen


def make_row(values: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """The row of *values*, by the places of our columns in them."""
    row = {name: values.get(place) for name, place in places.items()}
    for name in ("url", "crawled_at"):
        if row.get(name) is not None:
            row[name] = str(row[name])
    return row
