"""Pages in files with columns or fields of some names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

#: What the columns of pages may be called, the most likely first.
NAMES: Final = {
    "url": ("url",),
    "html": ("html", "body", "content"),
    "headers": ("headers", "http_headers", "response_headers"),
    "crawled_at": ("crawled_at",),
}


def chosen(names: list[str], columns: Mapping[str, str]) -> dict[str, str]:
    """For each of our columns the one of *names* that fills it, if there is one.

    *columns* say it for some of them.
    """
    found = {}
    for name, known in NAMES.items():
        wanted = (columns[name],) if name in columns else known
        if there := next((each for each in wanted if each in names), None):
            found[name] = there
    return found


def row_of(values: Mapping[str, Any], places: Mapping[str, str]) -> dict[str, Any]:
    """The row of what stands in these places."""
    row = {name: values.get(place) for name, place in places.items()}
    for name in ("url", "crawled_at"):
        if row.get(name) is not None:
            row[name] = str(row[name])
    return row
