"""Parquet files and feeds of pages; names, formats, batches and object stores."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scrapy_mainpage.batch import (
    INPUT_SCHEMA,
    BatchError,
    extract_batch,
    read_batches,
)
from scrapy_mainpage.batch.locations import Location, find_inputs
from scrapy_mainpage.batch.sources import format_of

from .archives import convert, page, response, url, write_gzipped

COUNT = 100


def rows(path: Path, **arguments: Any) -> list[dict[str, Any]]:
    found = read_batches(path, **arguments)
    return [row for batch in found for row in batch.to_pylist()]


def items() -> list[dict[str, Any]]:
    return [{"url": url(k), "html": page(k, 40).decode()} for k in range(COUNT)]


def write_parquet(path: Path, *, rows_of_a_group: int = 10, **names: str) -> None:
    table = pa.Table.from_pylist(
        [{"url": url(k), "html": page(k), "n": k} for k in range(COUNT)]
    )
    table = table.rename_columns([names.get(name, name) for name in table.column_names])
    pq.write_table(table, path, row_group_size=rows_of_a_group)


def test_rows_of_parquet(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet")
    found = rows(tmp_path / "a.parquet")
    assert [row["html"] for row in found] == [page(k) for k in range(COUNT)]
    assert [row["url"] for row in found] == [url(k) for k in range(COUNT)]


def test_a_row_group_that_is_broken_is_an_error_and_the_others_are_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.parquet"
    write_parquet(path)
    group = pq.ParquetFile(path).metadata.row_group(3).column(1)
    data = bytearray(path.read_bytes())
    begin = group.dictionary_page_offset or group.data_page_offset
    data[begin : begin + 30] = b"owls " * 6
    path.write_bytes(data)
    found = rows(path)
    assert [row["error"] for row in found if row["error"]] == ["unreadable"]
    whole = [row["url"] for row in found if not row["error"]]
    assert whole == [url(k) for k in range(COUNT) if not 30 <= k < 40]


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", url="address", html="n", n="html")
    names = {"url": "address", "html": "n"}
    assert rows(tmp_path / "a.parquet", columns=names)[7]["url"] == url(7)
    write_parquet(tmp_path / "b.parquet", html="body")
    assert rows(tmp_path / "b.parquet")[7]["html"] == page(7)


def test_parquet_without_pages_has_none(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", html="text")
    skipped = Counter[str]()
    assert rows(tmp_path / "a.parquet", skipped=skipped) == []
    assert skipped == {"no_html": COUNT}


@pytest.mark.parametrize("name", ["a.parquet", "a.jsonl", "a.warc", "a.json"])
def test_what_is_not_there_is_an_error_of_the_call(tmp_path: Path, name: str) -> None:
    with pytest.raises(BatchError, match=f"{name}: "):
        rows(tmp_path / name)


def test_a_name_that_says_no_format_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.owl").write_bytes(b"")
    with pytest.raises(BatchError, match="not a name that ends in"):
        rows(tmp_path / "a.owl")
    assert rows(tmp_path / "a.owl", format="feed") == []
    lines = "".join(f"{json.dumps(item)}\n" for item in items()[:3])
    (tmp_path / "a.owl").write_bytes(gzip.compress(lines.encode()))
    assert len(rows(tmp_path / "a.owl", format="feed")) == 3


@pytest.mark.parametrize("name", ["a.jsonl.zst", "a.json.lz4"])
def test_a_packing_that_feeds_have_not_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x28\xb5\x2f\xfd")
    with pytest.raises(BatchError, match=r"not a name that ends in .*\.warc\.zst"):
        rows(tmp_path / name)
    problem = convert(tmp_path / name, tmp_path / "out")
    assert "not a name that ends in" in (problem or "")


def write_feed(path: Path, lines: list[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.json"])
def test_items_of_feeds(tmp_path: Path, name: str) -> None:
    lines = [json.dumps(item) for item in items()]
    if name == "a.json":
        lines = ["[" + ",\n".join(lines) + "]"]
    write_feed(tmp_path / name, lines)
    found = rows(tmp_path / name)
    assert [row["html"].decode() for row in found] == [each["html"] for each in items()]
    assert [row["url"] for row in found] == [url(k) for k in range(COUNT)]


def test_text_of_a_feed_is_what_it_is_whatever_the_headers_say(tmp_path: Path) -> None:
    item = {
        "url": url(1),
        "html": "<title>Совы</title><meta charset=latin-1><p>猫",
        "headers": {"Content-Type": ["text/html; charset=latin-1"]},
    }
    write_feed(tmp_path / "a.jsonl", [json.dumps(item)])
    (batch,) = read_batches(tmp_path / "a.jsonl")
    assert extract_batch(batch).to_pylist()[0]["title"] == "Совы"


def test_lines_that_are_broken_and_items_without_pages(tmp_path: Path) -> None:
    lines = [
        json.dumps(items()[0]),
        '{"url": "no end',
        '{"url": "https://e/", "text": "no HTML"}',
        json.dumps(items()[1]),
    ]
    write_feed(tmp_path / "a.jsonl", lines)
    skipped = Counter[str]()
    found = rows(tmp_path / "a.jsonl", skipped=skipped)
    assert [row["error"] for row in found] == [None, "not_json", None]
    assert found[1]["error_message"] == "line 2"
    assert skipped == {"no_html": 1}


def test_batches_have_the_schema_and_no_more_rows_than_asked_for(
    tmp_path: Path,
) -> None:
    write_gzipped(tmp_path / "a.warc.gz", map(response, range(10)))
    batches = list(read_batches(tmp_path / "a.warc.gz", rows=4))
    assert [batch.num_rows for batch in batches] == [4, 4, 2]
    assert all(batch.schema == INPUT_SCHEMA for batch in batches)


def test_batches_of_large_pages_have_few_rows(tmp_path: Path) -> None:
    large = [{"url": url(k), "html": b"<p>" + bytes(6 * 2**20)} for k in range(4)]
    pq.write_table(pa.Table.from_pylist(large), tmp_path / "a.parquet")
    batches = list(read_batches(tmp_path / "a.parquet"))
    assert [batch.num_rows for batch in batches] == [3, 1]


@pytest.fixture
def store() -> Iterator[str]:
    """The URL of a folder that is on no disk."""
    yield "memory://owls/pages"
    fsspec.filesystem("memory").store.clear()


@pytest.mark.parametrize("name", ["a.warc.gz", "a.jsonl.gz", "a.parquet"])
def test_files_in_an_object_store(store: str, tmp_path: Path, name: str) -> None:
    local = tmp_path / name
    if name == "a.warc.gz":
        write_gzipped(local, map(response, range(COUNT)))
    elif name == "a.parquet":
        write_parquet(local)
    else:
        write_feed(local, [json.dumps(item) for item in items()])
    with Location(store).child(name).create() as stream:
        stream.write(local.read_bytes())
    (location,) = find_inputs([store], format_of)
    found = [row for batch in read_batches(location.name) for row in batch.to_pylist()]
    assert [row["url"] for row in found] == [url(k) for k in range(COUNT)]
    for target in (f"{store}/out", tmp_path / "out"):
        assert convert(location.name, target) is None
    (made,) = Location(f"{store}/out").files()
    with made.open() as stream:
        assert stream.read() == (tmp_path / f"out/{name}.parquet").read_bytes()


def test_a_folder_of_html_may_be_in_an_object_store(store: str) -> None:
    for name in ("a.html", "b/c.htm", ".hidden.html", "d.css"):
        with Location(store).child(name).create() as stream:
            stream.write(page(1))
    (folder,) = find_inputs([store], format_of)
    assert [row["url"] for b in read_batches(folder.name) for row in b.to_pylist()] == [
        f"{store}/a.html", f"{store}/b/c.htm"
    ]  # fmt: skip
    assert folder.size == 2 * len(page(1))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("memory://owls/none.warc", "none.warc"),
        ("nowhere://bucket/a.warc", "Protocol not known"),
        ("s4://ID:dawn-secret@b/a.warc", r"s4://ID:\*\*\*@b/a.warc: "),
        ("a\0.warc", "NUL"),
    ],
)
def test_what_is_no_place_is_an_error(name: str, problem: str) -> None:
    with pytest.raises(BatchError, match=problem) as caught:
        list(read_batches(name))
    assert "secret" not in str(caught.value)
