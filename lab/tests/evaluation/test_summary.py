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


def test_the_mean_of_sites_counts_small_ones_as_large_ones() -> None:
    rows = [
        *(structured(f"{i}", "large", lists=10, lists_whole=10) for i in range(7)),
        *(structured(f"{i}", "small", lists=1, lists_whole=0) for i in range(5)),
    ]
    found = {(s.kind, s.group): s for s in summarise_structure(rows)}
    assert found["set", "all"].measures["lists_whole"] == 70 / 75
    assert found["site", "large.example"].measures["lists_whole"] == 1
    mean = found["site", "mean"]
    assert (mean.pages, mean.measures["lists"]) == (12, 75)
    assert mean.measures["lists_whole"] == 0.5


def test_without_structures_there_are_no_sites() -> None:
    rows = [row(f"{i}", url=f"https://{i % 2}.example/") for i in range(20)]
    assert {s.kind for s in summarise_structure(rows)} == {"set"}


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
