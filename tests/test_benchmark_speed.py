"""The benchmark of speed: what is made of times, and that all of it runs."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.contenders import OURS, RESILIPARSE, TRAFILATURA
from benchmarks.growth import most_growth
from benchmarks.instructions import few_pages, read_counts
from benchmarks.interleaved import ADDED, PARSE, Subject, Times, measure
from benchmarks.largepages import body_of, generated_page, repeated_page
from benchmarks.speedpages import SpeedPage, size_class, size_classes
from benchmarks.speedtables import bars_table, groups_table, ratios, spread_of

ROOT = Path(__file__).parents[1]
NAN = math.nan


def pages(*sizes: int) -> list[SpeedPage]:
    return [
        SpeedPage(f"http://example.com/{k}", "", b" " * n) for k, n in enumerate(sizes)
    ]


def times(seconds: dict[str, list[list[float]]]) -> Times:
    """Of each part a list per run of the seconds of each page."""
    arrays = {part: np.array(values) for part, values in seconds.items()}
    runs, count = next(iter(arrays.values())).shape
    return Times(pages(*[1] * count), runs, arrays)


def test_a_ratio_is_of_the_pages_that_both_have_read() -> None:
    found = times({"a": [[1.0, 4.0, 7.0]], "b": [[2.0, NAN, 2.0]]})
    assert ratios(found, "mean", "a", "b") == pytest.approx([2.0])
    assert ratios(found, "median", "a", "b", [0]) == pytest.approx([0.5])


def test_a_ratio_has_a_value_for_each_run_and_the_median_of_them_counts() -> None:
    found = times({"a": [[1.0], [2.0], [9.0]], "b": [[1.0], [1.0], [1.0]]})
    assert spread_of(ratios(found, "mean", "a", "b")) == [2.0, 1.0, 9.0]


def test_a_bar_holds_up_to_its_limit() -> None:
    seconds = {OURS: 7.0, RESILIPARSE: 7.0, TRAFILATURA: 99.0, ADDED: 1.0, PARSE: 2.0}
    table = bars_table("", times({part: [[s]] for part, s in seconds.items()}))
    holds = {row[0]: row[-1] for row in table.rows}
    assert holds == {
        f"mean of {OURS} / {RESILIPARSE}": "yes",
        f"p99 of {OURS} / {RESILIPARSE}": "yes",
        f"mean of {OURS} / {TRAFILATURA}": "NO",
        f"mean of {ADDED} / {PARSE}": "yes",
    }


def test_there_is_no_bar_without_the_extractor() -> None:
    found = times({OURS: [[1.0]], PARSE: [[1.0]], ADDED: [[1.0]]})
    assert [row[0] for row in bars_table("", found).rows] == [
        f"mean of {ADDED} / {PARSE}"
    ]


def test_groups_of_few_pages_have_no_line() -> None:
    group = ["few"] * 4 + ["many"] * 5
    part = [[1.0] * 4 + [3.0] * 5]
    found = times({OURS: part, PARSE: [[1.0] * 9], ADDED: part})
    table = groups_table("type", "", found, group)
    (row,) = table.as_dict()["rows"]
    assert (row["type"], row["pages"]) == ("many", 5)
    assert row[f"{OURS}, ms"] == pytest.approx(3000)
    assert row[f"{OURS} / {PARSE}"] == pytest.approx(3)


def test_every_size_has_a_class() -> None:
    classes = size_classes()
    assert [size_class(n) for n in (0, 49_999, 50_000, 10**8)] == [
        classes[0],
        classes[0],
        classes[1],
        classes[-1],
    ]
    assert len(set(classes)) == len(classes)


def test_pages_are_read_in_turn_once_in_each_run() -> None:
    read: list[tuple[str, str]] = []

    def subject(label: str, every: int = 1) -> Subject:
        def reads(page: SpeedPage) -> dict[str, float]:
            read.append((page.url, label))
            return {label: 1.0}

        return Subject(label, reads, every)

    found = measure(pages(1, 1, 1), [subject("a"), subject("b", 2)], runs=2)
    warm, timed = read[:6], read[6:]
    assert len(warm) == 6
    one_run = {(f"http://example.com/{k}", each) for k in range(3) for each in "ab"}
    one_run -= {("http://example.com/1", "b")}
    assert {*timed[:5]} == {*timed[5:]} == one_run
    assert [url for url, _ in timed[:5]] == sorted(url for url, _ in timed[:5])
    assert np.isnan(found.seconds["b"]).tolist() == [[False, True, False]] * 2


def test_a_page_that_an_extractor_fails_on_is_counted_and_its_time_kept() -> None:
    def reads(page: SpeedPage) -> dict[str, float]:
        if page.url.endswith("1"):
            raise ValueError
        return {"a": 1.0}

    found = measure(pages(1, 1), [Subject("a", reads)], runs=1)
    assert found.failed == {"a": 1}
    assert not np.isnan(found.seconds["a"]).any()


@pytest.mark.parametrize(
    ("seconds", "growth"),
    [([1, 10, 100], 1), ([1, 2, 4], 0.2), ([1, 30, 100], 3), ([9, 10, 50], 0.5)],
)
def test_growth_is_the_worst_between_any_two_sizes(
    seconds: list[float], growth: float
) -> None:
    assert most_growth(seconds, [1, 10, 100]) == pytest.approx(growth)


def test_pages_are_made_about_as_large_as_asked_for(tmp_path: Path) -> None:
    for make in (generated_page, repeated_page(tmp_path / "none")):
        for size in (100_000, 1_000_000):
            assert len(make(size)) == pytest.approx(size, rel=0.2)


def test_a_repeated_page_has_one_body() -> None:
    assert body_of(b"<html><BODY id=a>one</body></html>") == (
        b"<html><BODY id=a>",
        b"one",
        b"</body></html>",
    )
    assert body_of(b"<p>none") == (b"", b"<p>none", b"")


def test_few_pages_are_not_the_largest_and_always_the_same() -> None:
    given = pages(10**6, *range(1, 101))
    chosen = few_pages(given, 4)
    assert [len(page.body) for page in chosen] == [1, 26, 51, 76]
    assert few_pages(given, 4) == chosen
    assert len(few_pages(given, 1000)) == 100


DUMP = """\
version: 1
desc: Trigger: Client Request: step: trees.
events: Ir
summary: 1234

fn=(1) main
"""


def test_a_dump_tells_what_was_counted() -> None:
    assert read_counts(DUMP) == ("step: trees", 1234)
    assert read_counts(DUMP.replace("step: trees.", ".")) == ("", 1234)
    assert read_counts("desc: Trigger: Program termination\nsummary: 5\n") is None


def run(tmp_path: Path, *names: str) -> dict[str, list[dict[str, object]]]:
    command = [sys.executable, "-m", "benchmarks", *names, "--pages=2", "--runs=1"]
    folders = [f"--data={tmp_path / 'none'}", f"--results={tmp_path}"]
    options = ["--repeats=1", "--counted=0", *folders]
    subprocess.run([*command, *options], cwd=ROOT, capture_output=True, check=True)
    (record,) = tmp_path.glob("*.json")
    tables = json.loads(record.read_text())["tables"]
    return {table["name"]: table["rows"] for table in tables}


def test_all_times_are_measured(tmp_path: Path) -> None:
    tables = run(tmp_path, "speed")
    ours = tables["speed-extractors"][0]
    assert ours["ms from bytes to text"] == OURS
    assert ours["mean"] > 0
    assert ours["failed"] == 0
    steps = {row["ms of a step"]: row for row in tables["speed-steps"]}
    assert steps["parse"]["mean"] > 0
    assert {"document", "text", "all else", "labels", "Markdown"} <= steps.keys()
    memory = {row["MB"]: row["most"] for row in tables["speed-memory"]}
    assert memory[OURS] > memory["nothing"] > 0


def test_all_pages_are_crawled_in_all_ways(tmp_path: Path) -> None:
    tables = run(tmp_path, "crawlspeed")
    ways = {(row["callback"], row["text by"]) for row in tables["speed-crawl"]}
    assert {way for _, way in ways} >= {"without", "plugin"}
    assert len({callback for callback, _ in ways}) == 2
    assert all(row["CPU ms/page"] > 0 for row in tables["speed-crawl"])
    assert len(tables["speed-crawl-bar"]) == 1


def test_every_command_is_imported(tmp_path: Path) -> None:
    rows = {row["import"]: row for row in run(tmp_path, "startup")["speed-startup"]}
    assert {name for name in rows if ".commands." in str(name)} == {
        f"scrapy_mainpage.commands.mainpage{suffix}"
        for suffix in ("", "_batch", "_evaluate", "_index", "_search", "_train")
    }
    assert all(row["ours"] > 0 for name, row in rows.items() if name != "scrapy")
