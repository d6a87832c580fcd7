"""The benchmarks of indexes run with every engine that is here."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.indextexts import (
    KINDS,
    cut,
    cut_documents,
    generated_documents,
    questions,
)
from scrapy_mainpage.indexes import open_index

from .test_benchmarks import run


def test_texts_are_cut_between_lines_where_there_are_some() -> None:
    text = f"one owl\ntwo owls\n{'x' * 45}\n\nlast"
    assert cut(text, 20) == ["one owl\ntwo owls", "x" * 20, "x" * 25, "last"]
    assert "".join(cut(text, 9)).replace("\n", "") == text.replace("\n", "")


def test_documents_are_pieces_of_texts_and_none_comes_twice(tmp_path: Path) -> None:
    lines = [f"line {number} of a text" for number in range(60)]
    rows = [
        {"id": "a", "url": "https://e/", "text": "\n".join(lines[:40])},
        {"id": "b", "url": "https://e/", "text": "\n".join(lines[20:])},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    documents = cut_documents(tmp_path, 9)
    assert len({item.text for item in documents}) == 9
    assert len({item.url for item in documents}) == 9
    assert all(line in lines for item in documents for line in item.text.split("\n"))


def test_questions_are_of_all_kinds_and_have_an_answer(tmp_path: Path) -> None:
    documents = generated_documents(50)
    asked = questions(documents, 70)
    assert {one.kind for one in asked} == set(KINDS)
    with open_index(f"sqlite:///{(tmp_path / 'x.db').as_posix()}") as index:
        index.put_many(documents)
        assert all(index.search(one.query, **one.filters) for one in asked)


def test_each_engine_takes_all_in_and_finds_it(tmp_path: Path) -> None:
    output, record = run(tmp_path, "indexes")
    assert "3 GENERATED documents" in output
    ingest, query = (table["rows"] for table in record["tables"])
    assert ingest[0][""] == "sqlite"
    for row in ingest:
        assert row["documents"] == 3
        assert row["docs/s"] > 0
        assert row["disk MB"] > 0
    assert [row["found"] for row in query] == [500] * len(ingest)


def test_crawls_with_each_index_and_without_are_compared(tmp_path: Path) -> None:
    output, record = run(tmp_path, "indexing")
    assert "3 GENERATED pages" in output
    none, *engines = record["tables"][0]["rows"]
    assert (none["indexed"], none["pages"]) == (0, 4)
    assert "sqlite" in {row[""] for row in engines}
    for row in engines:
        assert row["indexed"] >= 3
        assert row["rate ratio"] > 0
