"""Shares of structure per set and site, and their table."""

from __future__ import annotations

from lab.evaluation.page_measures import Row
from lab.evaluation.summary import format_structure, summarise_structure
from lab.tests.evaluation.test_groups import row


def structured(page: str, site: str, algorithm: str = "danag", **counts: int) -> Row:
    url = f"https://{site}.example/{page}"
    return row(f"{site}{page}", algorithm, url=url, measures=counts)


def test_structures_are_added_up_over_pages() -> None:
    rows = [
        structured("a", "x", tables=4, tables_whole=3, tables_gone=1, cells=9),
        structured("b", "x", tables=1, tables_torn=1, headings=2, headings_kept=1),
    ]
    measures = summarise_structure(rows)[0].measures
    assert (measures["tables"], measures["headings"]) == (5, 2)
    shares = ("tables_whole", "tables_torn", "tables_gone", "headings_kept")
    assert [measures[name] for name in shares] == [3 / 5, 1 / 5, 1 / 5, 1 / 2]
    assert measures["cells_misplaced"] == 0
    assert "code_whole" not in measures


def test_structures_are_a_table_of_their_own() -> None:
    rows = [
        structured(f"{i}", site, code=2, code_whole=1, code_gone=1, cells=3)
        for site in ("x", "y")
        for i in range(5)
    ]
    name, head, *lines = (
        format_structure(summarise_structure(rows)).split("\n\n")[1].splitlines()
    )
    assert name == "birds: 20 code"
    assert head.split() == ["PAGES", "MS", "CODE", "TORN", "GONE", "MISPLACED"]
    values = ["0.0", "0.500", "0.000", "0.500", "0.000"]
    assert [line.split() for line in lines] == [
        ["danag", "10", *values],
        ["site", "x.example", "danag", "5", *values],
        ["site", "y.example", "danag", "5", *values],
        ["site", "mean", "danag", "10", *values],
    ]
