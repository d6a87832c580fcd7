"""Batches of pages in, batches of their extractions out."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import scrapy_mainpage
from scrapy_mainpage.batch import (
    EXTRA,
    INPUT_SCHEMA,
    extract_batch,
    output_schema,
)
from scrapy_mainpage.extraction.parsing.tree import Limits

from .archives import page, url

CYRILLIC = "<title>Совы</title><p>" + "Совы охотятся ночью, а другие птицы спят. " * 20


def batch(*rows: dict[str, Any]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(list(rows), schema=INPUT_SCHEMA)


def html_batch(html: bytes, headers: pa.Array | None = None) -> pa.RecordBatch:
    columns = {"html": pa.array([html], pa.binary())}
    if headers is not None:
        columns["headers"] = headers
    return pa.RecordBatch.from_pydict(columns)


def rows(given: pa.RecordBatch, **arguments: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = extract_batch(given, **arguments).to_pylist()
    return found


def test_a_row_has_the_fields_of_the_page() -> None:
    given = {"url": url(1), "html": page(1), "crawled_at": "2026-01-02"}
    (row,) = rows(batch(given))
    known = scrapy_mainpage.extract(page(1), url=url(1))
    said = known.as_dict()
    assert row["text"] == known.text != ""
    assert row.pop("size") == len(page(1))
    assert row.pop("crawled_at") == "2026-01-02"
    assert row.pop("error") is row.pop("error_message") is None
    assert row == {name: said[name] for name in row}


def test_the_columns_are_those_of_the_schema_whatever_the_rows() -> None:
    for given in (batch({"html": page(1)}), batch({}), batch()):
        found = extract_batch(given)
        assert found.schema == output_schema()
        assert found.num_rows == given.num_rows


@pytest.mark.parametrize("name", EXTRA)
def test_columns_come_when_they_are_asked_for(name: str) -> None:
    html = page(1).replace(b"</main>", b"<img src=/a.png alt=Owl></main>")
    assert name not in output_schema().names
    found = extract_batch(batch({"url": url(1), "html": html}), extra=[name])
    assert found.schema == output_schema([name])
    known = scrapy_mainpage.extract(html, url=url(1)).as_dict(blocks=True)
    known["comments"] = ""
    (row,) = found.to_pylist()
    if name == "sections":
        assert [section["heading"] for section in row[name]] == ["Owl 1"]
    elif name == "blocks":
        assert row[name] == [
            {k: v for k, v in block.items() if k not in ("index", "box")}
            for block in known[name]
        ]
    else:
        assert row[name] == known[name]


def test_rows_come_in_their_order_with_errors_among_them() -> None:
    found = rows(
        batch(
            {"url": "a", "html": page(1)},
            {"url": "b", "html": b"%PDF-1.7 and so on"},
            {"url": "c"},
            {"url": "d", "html": page(2)},
            {"url": "e", "error": "corrupt_record", "error_message": "byte 7"},
        )
    )
    assert [row["url"] for row in found] == list("abcde")
    assert [row["error"] for row in found] == [
        *(None, "binary", "no_html", None, "corrupt_record")
    ]
    assert found[4]["error_message"] == "byte 7"
    assert all(row["text"] is None for row in found if row["error"])
    assert all(row["error_message"] for row in found if row["error"])


@pytest.mark.parametrize(
    "headers",
    [
        pa.array([[("Content-Type", "text/html; charset=windows-1251")]],
                 pa.map_(pa.string(), pa.string())),
        pa.array([[{"name": "content-type", "value": "text/html; charset=cp1251"}]]),
        pa.array(['{"CONTENT-TYPE": "text/html; charset=windows-1251"}']),
        pa.array([b'{"Content-Type": ["text/html; charset=windows-1251"]}']),
        pa.array(['[["Content-Type", "text/html; charset=windows-1251"]]']),
        pa.array([{"Content-Type": "text/html; charset=windows-1251"}]),
    ],
    ids=["map", "structs", "json", "json as Scrapy has it", "json pairs", "struct"],
)  # fmt: skip
def test_the_encoding_is_that_of_the_headers_in_any_form(headers: pa.Array) -> None:
    (row,) = rows(html_batch(CYRILLIC.encode("windows-1251"), headers))
    assert row["title"] == "Совы"
    assert row["warnings"] == []


@pytest.mark.parametrize("headers", ["no JSON", "[1, 2]", "17", '[[null, "a"]]'])
def test_headers_that_are_none_are_a_warning(headers: str) -> None:
    (row,) = rows(html_batch(page(1), pa.array([headers])))
    assert row["title"] == "Owl 1"
    assert row["warnings"] == ["bad_headers"]


@pytest.mark.parametrize(
    ("content_type", "address", "error"),
    [
        ("text/html", "https://e/a.pdf", None),
        ("application/xhtml+xml; charset=utf-8", "https://e/a", None),
        ("text/plain", "https://e/a.html", "not_html"),
        ("application/json", "https://e/a.html", "not_html"),
        ("application/octet-stream", "https://e/a.html", None),
        ("application/octet-stream", "https://e/a.png", None),  # by its content
        ("application/octet-stream", "https://e/a.css", "not_html"),
    ],
)
def test_what_is_html_is_so_as_in_a_crawl(
    content_type: str, address: str, error: str | None
) -> None:
    headers = [{"name": "Content-Type", "value": content_type}]
    html = b"<html><p>" + page(1)
    (row,) = rows(batch({"url": address, "html": html, "headers": headers}))
    assert row["error"] == error


def test_text_is_extracted_as_it_is() -> None:
    given = pa.RecordBatch.from_pydict({"html": [CYRILLIC]})
    assert rows(given)[0]["title"] == "Совы"


def test_what_is_over_a_limit_is_an_error() -> None:
    (row,) = rows(batch({"html": page(1)}), limits=Limits(max_size=100))
    assert (row["error"], row["size"]) == ("too_large", len(page(1)))


def test_an_empty_page_is_a_page() -> None:
    (row,) = rows(batch({"html": b" "}))
    assert (row["error"], row["text"], row["warnings"]) == (None, "", ["empty"])


def test_an_error_of_the_extraction_is_one_of_its_row() -> None:
    given = batch({"html": page(1)}, {"html": b"<p>one that it stumbles over"})
    algorithm = "tests.algorithms.Stumbling"
    found = rows(given, algorithm=algorithm)
    assert [row["error"] for row in found] == [None, "failed:RuntimeError"]
    assert found[1]["error_message"] == "over this"


def test_the_call_itself_may_be_wrong() -> None:
    with pytest.raises(ValueError, match="needs a column html; it has text"):
        extract_batch(pa.RecordBatch.from_pydict({"text": ["a"]}))
    with pytest.raises(ValueError, match="no such column: colour"):
        extract_batch(batch(), extra=["colour"])
    with pytest.raises(ValueError, match="learnd"):
        extract_batch(batch(), algorithm="learnd")


def test_options_are_those_of_the_algorithm() -> None:
    given = batch({"html": page(1)})
    (row,) = rows(given, favor="precision")
    known = scrapy_mainpage.extract(page(1), favor="precision")
    assert (row["text"], row["confidence"]) == (known.text, known.confidence)
