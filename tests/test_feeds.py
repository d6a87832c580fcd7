"""Feeds as crawls write them, and damaged ones."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_mainpage import feeds
from scrapy_mainpage.feeds import Entry, Feed, FeedError

ITEMS = [
    {"url": "https://e/1", "text": "Owls,\nand more owls."},
    {"url": "https://e/2", "text": "Katzen fürchten 猫头鹰.", "tags": ["a", "b"]},
]


def entries(path: Path, form: str | None = None) -> list[Entry]:
    with Feed(str(path), form) as feed:
        return list(feed.entries())


def write(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def as_lines(items: list[dict]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


class TestJsonLines:
    @pytest.mark.parametrize("name", ["a.jsonl", "a.jl", "a.JSONLINES", "a.ndjson"])
    def test_are_known_by_their_name(self, tmp_path: Path, name: str) -> None:
        found = entries(write(tmp_path / name, as_lines(ITEMS)))
        assert found == [Entry(1, ITEMS[0]), Entry(2, ITEMS[1])]

    def test_may_be_gzipped_whatever_the_name(self, tmp_path: Path) -> None:
        data = gzip.compress(as_lines(ITEMS).encode())
        for name in ("a.jsonl.gz", "a.jsonl"):
            found = entries(write(tmp_path / name, data))
            assert [entry.item for entry in found] == ITEMS

    def test_may_have_a_mark_at_the_beginning_and_blank_lines(
        self, tmp_path: Path
    ) -> None:
        data = b"\xef\xbb\xbf" + as_lines(ITEMS[:1]).encode() + b"\r\n \n{}"
        found = entries(write(tmp_path / "a.jsonl", data))
        assert found == [Entry(1, ITEMS[0]), Entry(4, {})]

    def test_that_are_broken_do_not_keep_the_others_back(self, tmp_path: Path) -> None:
        lines = ['{"url": "a', "[1]", "\xff", "nul", "[" * 100_000, '"x"', "{}"]
        data = "\n".join(lines).encode("latin-1")
        found = entries(write(tmp_path / "a.jsonl", data))
        problems = [entry.problem for entry in found]
        assert problems == [
            "not_json", "no_item", "not_json", "not_json", "not_json", "no_item", "",
        ]  # fmt: skip
        assert [entry.line for entry in found] == [1, 2, 3, 4, 5, 6, 7]

    def test_that_never_end_are_passed_over(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(feeds, "MAX_VALUE_BYTES", 100)
        data = '{"a": "' + "x" * 1000 + '"}\n{"b": 1}\n'
        found = entries(write(tmp_path / "a.jsonl", data))
        assert found == [Entry(1, problem="too_long"), Entry(2, {"b": 1})]

    def test_of_a_cut_off_archive_come_as_far_as_they_can(self, tmp_path: Path) -> None:
        items = [{"url": f"https://e/{n * 7919 % 1009}"} for n in range(2000)]
        packed = gzip.compress(as_lines(items).encode())
        found = entries(write(tmp_path / "a.jsonl.gz", packed[: len(packed) // 2]))
        good = [entry.item for entry in found if entry.item]
        assert 0 < len(good) < 2000
        assert good == items[: len(good)]
        assert found[-1].problem == "unreadable"


class TestJson:
    @pytest.mark.parametrize(
        ("data", "lines"),
        [
            ("[\n{0},\n{1}\n]", [2, 3]),
            ("[{0}, {1}]", [1, 1]),
            ("[\n  {0},\n  {1}\n]\n", [2, 3]),
            ("[\n{0}\n][\n{1}\n]", [2, 4]),
            ("{0}\n{1}\n", [1, 2]),
            ("[{0}]\n{1}", [1, 2]),
        ],
        ids=["as of Scrapy", "a line", "indented", "appended", "lines", "list, item"],
    )
    def test_items_come_one_by_one_from_lists_and_beside_them(
        self, tmp_path: Path, data: str, lines: list[int]
    ) -> None:
        texts = [json.dumps(item) for item in ITEMS]
        data = data.replace("{0}", texts[0]).replace("{1}", texts[1])
        found = entries(write(tmp_path / "a.json", data))
        assert found == [Entry(n, i) for n, i in zip(lines, ITEMS, strict=True)]

    def test_items_may_be_of_many_lines(self, tmp_path: Path) -> None:
        items = [{**item, "parts": [{"a": {"b": []}}, {}]} for item in ITEMS]
        data = json.dumps(items, indent=2)
        assert [e.item for e in entries(write(tmp_path / "a.json", data))] == items

    @pytest.mark.parametrize("data", ["", " \n", "[]", "[ ]"])
    def test_may_be_empty(self, tmp_path: Path, data: str) -> None:
        assert entries(write(tmp_path / "a.json", data)) == []

    @pytest.mark.parametrize(
        ("rest", "problem"),
        [
            ("garbage", "not_json"),
            (',\n{"a": 3', "not_json"),
            (", nul]", "not_json"),
            (", 5]", "no_item"),
            (", " + '{"a":' * 100_000 + "}", "not_json"),
        ],
    )
    def test_is_read_up_to_the_damage(
        self, tmp_path: Path, rest: str, problem: str
    ) -> None:
        found = entries(write(tmp_path / "a.json", '[\n{"a": 1},\n{"a": 2}' + rest))
        assert found[:2] == [Entry(2, {"a": 1}), Entry(3, {"a": 2})]
        assert [entry.problem for entry in found[2:]] == [problem]

    def test_more_than_the_limit_is_not_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(feeds, "MAX_VALUE_BYTES", 100)
        data = '[{"a": 1},\n{"b": [\n' + "1,\n" * 1000
        found = entries(write(tmp_path / "a.json", data))
        assert found == [Entry(1, {"a": 1}), Entry(2, problem="too_long")]


class TestOpening:
    def test_unknown_name_needs_a_format(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.txt", as_lines(ITEMS))
        with pytest.raises(FeedError, match=r"a\.txt: .*\.jsonl.*--format"):
            entries(path)
        assert len(entries(path, "jsonlines")) == 2

    def test_what_cannot_be_opened_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FeedError, match=r"no\.jsonl: No such file"):
            entries(tmp_path / "no.jsonl")
        (tmp_path / "folder.jsonl").mkdir()
        with pytest.raises(FeedError, match=r"folder\.jsonl: "):
            entries(tmp_path / "folder.jsonl")


def test_rows_of_parquet_are_items(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    rows = [*ITEMS, {"url": "https://e/3", "error": "corrupt_record"}]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=1)
    with Feed(str(path)) as feed:
        found = list(feed.entries())
    assert [entry.line for entry in found] == [1, 2, 3]
    items = [entry.item for entry in found]
    assert items[0] == {"url": "https://e/1", "text": "Owls,\nand more owls."}
    assert items[2] == {"url": "https://e/3"}


def test_broken_group_of_parquet_is_one_problem(tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    texts = [{"text": f"owl {n} " * 20} for n in range(30)]
    pq.write_table(pa.Table.from_pylist(texts), path, row_group_size=10)
    column = pq.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    begin = column.dictionary_page_offset or column.data_page_offset
    data[begin : begin + 30] = b"owls " * 6
    found = entries(write(path, bytes(data)))
    assert [entry.line for entry in found] == [*range(1, 12), *range(21, 31)]
    assert [entry.line for entry in found if entry.problem] == [11]


def test_what_is_no_parquet_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "pages.parquet").write_bytes(b"owls" * 100)
    with pytest.raises(FeedError, match="no Parquet file"):
        entries(tmp_path / "pages.parquet")


def test_parquet_without_its_package_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pages.parquet").write_bytes(b"owls")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    needed = r"scrapy-mainpage\[batch\]"
    with (
        Feed(str(tmp_path / "pages.parquet")) as feed,
        pytest.raises(FeedError, match=needed),
    ):
        list(feed.entries())
