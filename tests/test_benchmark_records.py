"""Records of speed: compared with each other, and written into the documentation."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.compare import compare, main
from benchmarks.crawlspeedchild import PLUGIN, WITHOUT
from benchmarks.speeddocs import number, write_docs
from benchmarks.tables import Table


def table(
    name: str, head: list[str], *rows: list[Any], title: str = "2 pages"
) -> Table:
    return Table(title, head, [*rows], name=f"speed-{name}")


def record(*tables: Table, time: str = "2026-01-02T03:04:05+00:00") -> dict[str, Any]:
    return {
        "time": time,
        "python": "3.10.1",
        "processor": "one",
        "tables": [each.as_dict() for each in tables],
    }


def rows(compared: list[Table]) -> list[dict[str, Any]]:
    (only,) = compared
    found: list[dict[str, Any]] = only.as_dict()["rows"]
    return found


RATIO = ["ratio", "limit", "median", "lowest", "highest", "holds"]


@pytest.mark.parametrize(
    ("lowest", "highest", "change"),
    [
        (2.5, 3.0, "slower"),
        (0.5, 0.9, "faster"),
        (1.5, 3.0, "same range"),
        (0.5, 3.0, "same range"),
    ],
)
def test_ratios_have_changed_if_their_ranges_are_apart(
    lowest: float, highest: float, change: str
) -> None:
    old = table("ratios", RATIO, ["a / b", 1.0, 1.5, 1.0, 2.0, "NO"])
    new = table("ratios", RATIO, ["a / b", 1.0, 3.0, lowest, highest, "yes"])
    (row,) = rows(compare(record(old), record(new)))
    assert row["change"] == change
    assert row["median"] == pytest.approx(2.0)
    assert row.keys().isdisjoint({"limit", "holds"})


COUNTS = ["instructions", "millions a page", "/ parse"]


@pytest.mark.parametrize(
    ("count", "change"),
    [(100.9, "same"), (99.1, "same"), (102.0, "more"), (98.0, "fewer")],
)
def test_counts_have_changed_by_more_than_a_hundredth(
    count: float, change: str
) -> None:
    old = table("instructions", COUNTS, ["trees", 100.0, 1.0])
    new = table("instructions", COUNTS, ["trees", count, 1.0])
    (row,) = rows(compare(record(old), record(new)))
    assert row["change"] == change
    assert row["millions a page"] == pytest.approx(count / 100)


def test_what_one_record_lacks_is_left_out() -> None:
    counted = table("instructions", COUNTS, ["a", 1.0, 1.0], ["b", 1.0, 1.0])
    other = table("memory", ["MB", "most"], ["a", 1.0])
    fewer = table("instructions", COUNTS, ["b", 2.0, 0.0], ["c", 1.0, 1.0])
    (row,) = rows(compare(record(counted, other), record(fewer)))
    assert row["instructions"] == "b"
    (row,) = rows(compare(record(fewer), record(counted)))
    assert row["/ parse"] == ""  # of nothing


def test_an_extractor_is_the_same_in_another_version() -> None:
    head = ["extractor", "version", "mean"]
    old = table("extractors", head, ["a", "1.0", 1.0])
    new = table("extractors", head, ["a", "2.0", 0.5])
    (row,) = rows(compare(record(old), record(new)))
    assert (row["extractor"], row["mean"]) == ("a", 0.5)


def test_other_pages_are_pointed_out() -> None:
    old = table("memory", ["MB", "most"], ["a", 1.0], title="500 pages")
    new = table("memory", ["MB", "most"], ["a", 1.0])
    (only,) = compare(record(old), record(new))
    assert "OTHER PAGES OR RUNS, of old: 500 pages" in only.title
    (only,) = compare(record(old), record(old))
    assert "OTHER" not in only.title


def save(path: Path, *tables: Table) -> None:
    path.write_text(json.dumps(record(*tables)))


def test_the_two_latest_records_of_speed_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = [table("memory", ["MB", "most"], ["a", most]) for most in (8.0, 1.0, 4.0)]
    for k, each in enumerate(counts):
        save(tmp_path / f"{k}.json", each)
    save(tmp_path / "3.json", Table("another", ["x"], [["y"]]))
    main([f"--results={tmp_path}"])
    said = capsys.readouterr().out
    assert f"old: {tmp_path / '1.json'}" in said
    assert "4.000" in said


def test_too_few_records_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([f"--results={tmp_path}"])
    assert "two records are compared, not 0" in capsys.readouterr().err


def test_records_without_a_common_table_are_an_error(tmp_path: Path) -> None:
    for k, name in enumerate(("memory", "crawl")):
        save(tmp_path / f"{k}.json", table(name, ["a", "b"], ["c", 1.0]))
    with pytest.raises(SystemExit, match="no table of speed"):
        main([str(tmp_path / "0.json"), str(tmp_path / "1.json")])


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0701, "0.070"),
        (1.149, "1.15"),
        (12.34, "12.3"),
        (1234.5, "1234"),
        (-0.0001, "0.000"),
        (7, "7"),
        ("yes", "yes"),
    ],
)
def test_numbers_have_the_places_that_say_something(value: Any, shown: str) -> None:
    assert number(value) == shown


def read(path: Path) -> list[list[str]]:
    with path.open(newline="") as lines:
        return list(csv.reader(lines))


def test_tables_and_plots_are_written(tmp_path: Path) -> None:
    head = ["callback", "text by", "CPU ms/page"]
    crawl = table("crawl", head, ["reads", WITHOUT, 1.5], ["reads", PLUGIN, 2.5])
    other = Table("no table of speed", ["x"], [["y"]], name="peers")
    written = write_docs(record(crawl, other), tmp_path)
    assert sorted(written) == ["crawl.csv", "crawl.svg"]
    assert read(tmp_path / "crawl.csv")[1] == ["reads", WITHOUT, "1.50"]
    picture = (tmp_path / "crawl.svg").read_text()
    assert picture.startswith("<?xml")
    assert "with the plugin" in picture
    write_docs(record(crawl), tmp_path)
    assert (tmp_path / "crawl.svg").read_text() == picture


def test_the_plot_of_sizes_has_a_line_for_each_extractor(tmp_path: Path) -> None:
    head = ["size", "pages", "learned / parse", "trafilatura / parse"]
    sizes = table("sizes", head, ["below 50 kB", 5, 1.5, 20.0], ["more", 6, 1.2, 10.0])
    write_docs(record(sizes), tmp_path)
    picture = (tmp_path / "sizes.svg").read_text()
    assert "trafilatura" in picture
    assert "resiliparse" not in picture


def test_what_was_not_measured_again_stays_as_it_was(tmp_path: Path) -> None:
    one = table("startup", ["import", "ms"], ["a", 1.0], title="5 processes: start-up")
    two = table("growth", ["page", "ms"], ["a", 1.0], title="3 rounds: growth")
    write_docs(record(one), tmp_path)
    write_docs(record(two, time="2027-01-02T03:04:05+00:00"), tmp_path)
    assert read(tmp_path / "facts.csv")[1:] == [
        ["growth", "3 rounds", "2027-01-02", "3.10.1", "one"],
        ["start-up", "5 processes", "2026-01-02", "3.10.1", "one"],
    ]
    assert (tmp_path / "startup.csv").exists()


def test_nothing_of_speed_writes_nothing(tmp_path: Path) -> None:
    assert write_docs(record(Table("other", ["x"], [["y"]])), tmp_path) == []
    assert list(tmp_path.iterdir()) == []
