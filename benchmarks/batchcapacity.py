"""What very many pages would take: arithmetic on what was measured."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .tables import Table

MANY = {"10 million": 10_000_000, "3 billion": 3_000_000_000}
HEAD = ["", "one page", *MANY]

#: Of a whole crawl of Common Crawl, that of December 2024, as its announcement says:
#: bytes before they are packed, and pages.
CRAWL_BYTES = 394 * 2**40
CRAWL_PAGES = 2_640_000_000

HOUR = 3600.0
CORES = (16, 1000)


def capacity(tables: Iterable[Table]) -> Table:
    """From the other tables of the benchmark to pages in numbers."""
    named = {table.name: table for table in tables}
    size = _column(named["capacity-sizes"], "bytes per page")
    (one, *_) = named["capacity-sharing"].rows
    seconds = one[4] / one[1]  # of a processor, for a page
    smaller = seconds * CRAWL_BYTES / CRAWL_PAGES / size["HTML"]
    title = "arithmetic: what was measured of a page, times the number of pages"
    table = Table(title, HEAD, name="capacity-arithmetic")
    for what, each in (
        (f"pages of {size['HTML'] / 1e3:.0f} kB, as measured", seconds),
        (f"pages of {CRAWL_BYTES / CRAWL_PAGES / 1e3:.0f} kB, by their bytes", smaller),
    ):
        table.rows.append(
            _row(f"core hours: {what}", f"{1e3 * each:.2f} ms", each / HOUR)
        )
        for cores in CORES:
            hours = each / HOUR / cores
            table.rows.append(_row(f"hours on {cores:,} cores: {what}", "", hours))
    for what, number in size.items():
        table.rows.append(_row(f"GB, {what}", f"{number:,.0f} B", number / 1e9))
    return table


def _row(what: str, one: str, each: float) -> list[Any]:
    return [what, one, *(_shown(each * many) for many in MANY.values())]


def _shown(number: float) -> str:
    """Two digits that count, as more would be a promise."""
    if number < 10:
        return f"{number:.1f}"
    digits = len(str(int(number))) - 2
    return f"{round(number, -digits):,.0f}"


def _column(table: Table, name: str) -> dict[str, float]:
    place = table.header.index(name)
    return {row[0]: row[place] for row in table.rows}
