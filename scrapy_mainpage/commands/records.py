"""The records of a page as tables of plain text, within the width of the terminal."""

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
MAX_CELLS: Final = 40
"""Columns of the terminal that a column of a table has, but for the last one."""


def records_tables(page: Page, width: int | None = None) -> str:
    """A table for each record of the page; a line that says so if it has none.

    *width* is that of the lines in columns of the terminal, its own if ``None``.
    """
    width = width or shutil.get_terminal_size().columns
    tables = [
        _table(name, rows, width) for name, rows in _find_rows(page) if len(rows) > 1
    ]
    return "\n\n".join(tables) or "no records: no product, entries, posts or the like"


def _find_rows(page: Page) -> Iterator[tuple[str, list[list[str]]]]:
    *names, search = PAGE_RECORDS
    for name in (*names, *_LISTS, search):
        found = getattr(page, name)
        if name in _LISTS:
            yield name, _rows_of_list(found, _LISTS[name])
        elif found is not None:
            parts = [(part.name, getattr(found, part.name)) for part in fields(found)]
            rows = [[key, "; ".join(_lines(value))] for key, value in parts if value]
            yield name, [["FIELD", "VALUE"], *rows]


def _rows_of_list(records: Sequence[Any], columns: Sequence[str]) -> list[list[str]]:
    used = [c for c in columns if any(getattr(each, c) for each in records)]
    heads = ["#" if column == "position" else column.upper() for column in used]
    return [
        heads,
        *([to_line(str(getattr(r, c) or "")) for c in used] for r in records),
    ]


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


def _table(name: str, rows: Sequence[Sequence[str]], width: int) -> str:
    columns = [*zip(*rows, strict=True)]
    widths = [min(max(map(_cells, column)), MAX_CELLS) for column in columns[:-1]]
    widths.append(max(1, width - sum(widths) - 2 * len(widths)))
    lines = [
        "  ".join(_fit(cell, size) for cell, size in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join([name.upper(), *(line.rstrip() for line in lines)])


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
