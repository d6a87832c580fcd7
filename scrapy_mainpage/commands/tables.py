"""Tables as plain text for a terminal, and those of the records of a page."""

from __future__ import annotations

import shutil
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final
from unicodedata import east_asian_width

from scrapy_mainpage.commands.cli import to_line
from scrapy_mainpage.records import PAGE_RECORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scrapy_mainpage.page import Page

_LISTS: Final = {
    "entries": ("position", "name", "price", "currency", "date", "author", "url"),
    "posts": ("position", "author", "date", "text"),
}
"""Columns of the records that are lists."""

MAX_CELLS: Final = 40
"""Columns of the terminal that a column of a table has, but for the last one."""


def records_tables(page: Page, width: int | None = None) -> str:
    """A table for each record of the page; a line that says so if it has none.

    *width* is that of the lines in columns of the terminal, its own if ``None``.
    """
    width = width or shutil.get_terminal_size().columns
    tables = [
        f"{name.upper()}\n{table(rows, width)}"
        for name, rows in _find_records(page)
        if len(rows) > 1
    ]
    return "\n\n".join(tables) or "no records: no product, entries, posts or the like"


def _find_records(page: Page) -> Iterator[tuple[str, list[list[str]]]]:
    *names, search = PAGE_RECORDS
    for name in (*names, *_LISTS, search):
        found = getattr(page, name)
        if name in _LISTS:
            yield name, list_rows(found, _LISTS[name])
        elif found is not None:
            parts = [(part.name, getattr(found, part.name)) for part in fields(found)]
            rows = [[key, "; ".join(_lines(value))] for key, value in parts if value]
            yield name, [["FIELD", "VALUE"], *rows]


def list_rows(records: Sequence[Any], columns: Sequence[str]) -> list[list[str]]:
    """The rows of a table of objects, with the columns that are not empty in all."""
    values = {
        name: [_cell(getattr(each, name)) for each in records] for name in columns
    }
    filled = {name: cells for name, cells in values.items() if any(cells)}
    heads = ["#" if name == "position" else name.upper() for name in filled]
    return [heads, *map(list, zip(*filled.values(), strict=True))]


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return "" if value is None else to_line(str(value))


def _lines(value: Any) -> Iterator[str]:
    """A value in one line; each part of a list, and of a record, by itself."""
    if isinstance(value, tuple):
        for part in value:
            yield ": ".join(part) if isinstance(part, tuple) else " ".join(_lines(part))
    elif hasattr(value, "__dataclass_fields__"):
        parts = (getattr(value, part.name) for part in fields(value))
        yield to_line(" ".join(str(part) for part in parts if part))
    else:
        yield to_line(str(value))


def table(rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Rows of cells below each other; the last column takes the rest of *width*.

    Without a width its cells are as long as they are.

    >>> print(table([["NAME", "USE"], ["Enamel kettle", "tea"]]))
    NAME           USE
    Enamel kettle  tea
    """
    columns = [*zip(*rows, strict=True)]
    widths = [min(max(map(_cells, column)), MAX_CELLS) for column in columns]
    if columns and width is None:
        widths[-1] = max(map(_cells, columns[-1]))
    elif width is not None:
        widths[-1] = max(1, width - sum(widths[:-1]) - 2 * len(widths[:-1]))
    lines = (
        "  ".join(_fit(cell, size) for cell, size in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _cells(text: str) -> int:
    return sum(1 + (east_asian_width(char) in "WF") for char in text)


def _fit(text: str, width: int) -> str:
    """The text in *width* columns, cut or with blanks behind it.

    >>> _fit("Enamel kettle", 8), _fit("壺", 4)
    ('Enamel …', '壺  ')
    """
    if _cells(text) > width:
        while _cells(text) >= width:
            text = text[: min(len(text) - 1, width)]
        text += "…"
    return text + " " * (width - _cells(text))
