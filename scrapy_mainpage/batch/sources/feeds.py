"""Feeds of a crawl, with the HTML of pages in a field of the items."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any

from ...feeds import Feed
from . import choose_columns, make_error, make_row


def read_feed(
    file: io.BufferedReader, name: str, columns: Mapping[str, str]
) -> Iterator[dict[str, Any] | str]:
    """The rows of the items, by line; ``"no_html"`` for an item without a page."""
    return _read(Feed(name, file=file), columns)


def _read(feed: Feed, columns: Mapping[str, str]) -> Iterator[dict[str, Any] | str]:
    for entry in feed.entries():
        if entry.item is None:
            yield make_error(entry.problem, f"line {entry.line:,}")
            continue
        places = choose_columns(list(entry.item), columns)
        yield make_row(entry.item, places) if "html" in places else "no_html"


__all__ = ["read_feed"]
