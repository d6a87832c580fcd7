"""Means, sums, groups, and the tables made of them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from lab.evaluation.groups import (
    Summary,
    format_tables,
    summarise,
    write_pages_csv,
)
from lab.evaluation.page_measures import Row


def row(page: str, algorithm: str = "danag", **more: Any) -> Row:
    measures = more.pop("measures", {})
    defaults = {"set": "birds", "url": "", "type": "", "language": ""} | more
    return Row(
        page=page,
        algorithm=algorithm,
        measures=measures,
        **defaults,
    )


def only(rows: list[Row]) -> Summary:
    (summary,) = summarise(rows)
    return summary


def test_snippets_are_added_up_over_pages() -> None:
    names = [f"snippets_{n}" for n in ("found", "required", "absent", "forbidden")]
    rows = [
        row("a", measures=dict(zip(names, (1, 1, 0, 4), strict=True))),
        row("b", measures=dict(zip(names, (2, 3, 5, 5), strict=True))),
    ]
    measures = only(rows).measures
    assert measures["snippets_with"] == 3 / 4
    assert measures["snippets_without"] == 5 / 9
    # Positives: 3 right, 4 wrong; precision 3/7, recall 3/4.
    assert measures["snippets_f1"] == pytest.approx(6 / 11)


def test_failed_pages_count_and_their_time_does_not() -> None:
    rows = [
        row("a", seconds=0.01, measures={"f1": 1.0}),
        row("b", error="RuntimeError: x", measures={"f1": 0.0}),
    ]
    summary = only(rows)
    assert (summary.pages, summary.failed, summary.milliseconds) == (2, 1, 10.0)
    assert summary.measures == {"f1": 0.5}


def test_groups_are_by_type_and_language_the_largest_first() -> None:
    rows = [
        *(row(f"f{i}", type="forum", language="de") for i in range(5)),
        *(row(f"a{i}", type="article", language="de") for i in range(7)),
        row("x", type="listing", language="fr"),
        row("y", type="", language="de"),
    ]
    groups = [(s.kind, s.group, s.pages) for s in summarise(rows)]
    assert groups == [
        ("set", "all", 14),
        ("type", "article", 7),
        ("type", "forum", 5),
        ("type", "other", 2),
        ("language", "de", 13),
        ("language", "other", 1),
    ]


def test_the_table_has_a_line_per_algorithm_and_only_measures_that_are_there() -> None:
    rows = [
        row("a", "danag", measures={"precision": 0.5, "recall": 1.0, "f1": 0.6667}),
        row("a", "centroid", measures={"precision": 0.25, "recall": 1.0, "f1": 0.4}),
    ]
    name, head, *lines = format_tables(summarise(rows)).splitlines()[:4]
    assert name == "birds"
    assert head.split() == ["PAGES", "MS", "P", "R", "F1"]
    assert [line.split() for line in lines] == [
        ["danag", "1", "0.0", "0.500", "1.000", "0.667"],
        ["centroid", "1", "0.0", "0.250", "1.000", "0.400"],
    ]


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_pages_as_csv(tmp_path: Path) -> None:
    rows = [
        row("a", measures={"f1": 1.0}, url="https://a/?x=1,2"),
        row("b", error='RuntimeError: "x"\ny', measures={"recall": 0.5}),
    ]
    write_pages_csv(rows, tmp_path / "p.csv")
    first, second = read(tmp_path / "p.csv")
    assert (first["url"], first["f1"], first["recall"]) == ("https://a/?x=1,2", "1", "")
    assert (second["error"], second["recall"]) == ('RuntimeError: "x"\ny', "0.5")


def test_a_spreadsheet_takes_no_text_of_a_page_for_a_formula(tmp_path: Path) -> None:
    write_pages_csv([row("=1+1", url="@x")], tmp_path / "p.csv")
    (line,) = read(tmp_path / "p.csv")
    assert (line["page"], line["url"]) == ("'=1+1", "'@x")
