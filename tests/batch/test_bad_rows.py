"""A bad row of a file is one row with an error; the file goes on."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.batch import BatchError, extract_batch, read_batches
from scrapy_mainpage.batch.locations import find_inputs
from scrapy_mainpage.batch.sources import format_of
from scrapy_mainpage.feeds import Feed

from .archives import convert

HTML = "<p>The river rises in the hills above the old mill and runs to the sea.</p>"
GOOD = {"url": "http://a.example/", "html": HTML}
BAD: list[Any] = [
    {"url": "http://b.example/", "html": 5},
    {"url": "http://b.example/", "html": {}},
    {"url": "http://b.example/", "html": ["a"]},
    {"url": "http://b.example/", "html": None},
    {"url": ["http://b.example/"], "html": HTML},
    {"url": {"a": 1}, "html": HTML},
    {"url": 5, "html": HTML},
    5,
    None,
    ["a"],
]
ODD: list[Any] = [
    {**GOOD, "crawled_at": 10**30},
    {**GOOD, "crawled_at": [1]},
    {**GOOD, "headers": 5},
    {**GOOD, "headers": {"Content-Type": "\ud800"}},
    {
        **GOOD,
        "headers": {"Content-Type": "猫", "Content-Disposition": "a; filename=猫.html"},
    },
    {**GOOD, "url": "http://b.example/\ud800"},
    {**GOOD, "html": HTML + "\udfff"},
    {**GOOD, "url": ""},
    {**GOOD, "url": "http://[b"},
]


def converted(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of the file's output."""
    assert convert(folder / name, folder / "out") is None
    rows: list[dict[str, Any]] = pq.read_table(folder / "out").to_pylist()
    return rows


def write_feed(path: Path, rows: list[Any]) -> Path:
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


@pytest.mark.parametrize("row", BAD)
def test_a_bad_row_is_an_error_row_and_the_file_goes_on(
    tmp_path: Path, row: Any
) -> None:
    write_feed(tmp_path / "f.jsonl", [GOOD, row, GOOD])
    good, bad, last = converted(tmp_path, "f.jsonl")
    assert good["error"] is last["error"] is None
    assert "river" in last["text"]
    assert bad["error"]
    assert bad["text"] is None


@pytest.mark.parametrize("row", ODD)
def test_an_odd_value_beside_a_page_costs_nothing(tmp_path: Path, row: Any) -> None:
    write_feed(tmp_path / "f.jsonl", [GOOD, row, GOOD])
    assert [row["error"] for row in converted(tmp_path, "f.jsonl")] == [None] * 3


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner)
    ),
    max_leaves=5,
)
NAMES = st.sampled_from(["url", "html", "headers", "crawled_at", "body", "x"])


@given(rows=st.lists(VALUES | st.dictionaries(NAMES, VALUES), max_size=5))
def test_no_row_ends_a_file(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any]
) -> None:
    path = tmp_path_factory.mktemp("rows") / "f.jsonl"
    write_feed(path, [*rows, GOOD])
    made = [extract_batch(batch).to_pylist() for batch in read_batches(path)]
    assert "river" in made[-1][-1]["text"]


@pytest.mark.parametrize(
    "times",
    [
        pa.array([0, 10**18, 0], pa.timestamp("us")),
        pa.array([None, 0, None], pa.timestamp("us", "Not/AZone")),
    ],
    ids=["beyond the years of Python", "in an unknown zone"],
)
def test_a_time_that_python_has_not_is_an_error_row(
    times: pa.Array, tmp_path: Path
) -> None:
    columns = {"url": ["u"] * 3, "html": [HTML] * 3, "crawled_at": times}
    pq.write_table(pa.table(columns), tmp_path / "f.parquet")
    errors = [row["error"] for row in converted(tmp_path, "f.parquet")]
    assert errors == [None, "unreadable", None]
    with Feed(str(tmp_path / "f.parquet")) as feed:
        problems = [entry.problem for entry in feed.entries()]
    assert problems == ["", "unreadable", ""]


def test_a_pipe_and_a_device_are_refused_with_a_word(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "f.jsonl")
    for name in (str(tmp_path / "f.jsonl"), str(tmp_path / "*.jsonl"), "/dev/zero"):
        with pytest.raises(BatchError, match="a pipe or a device"):
            find_inputs([name], format_of)
