"""Structure of one page with some algorithms."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.evaluation.measure import StructureRow, measure_structure
from lab.evaluation.page_measures import NOT_READ, Row, Task
from lab.evaluation.systems import AlgorithmSpec
from lab.tests.evaluation.test_page_measures import BROKEN
from scrapy_mainpage.evaluation.datasets import load_sets
from tests.evaluation.sets import article_label, write_set


def rows(folder: Path, *algorithms: str) -> list[Row]:
    (data_set,) = load_sets(folder)
    keyed = tuple(AlgorithmSpec.parse(name) for name in algorithms)
    return measure_structure(Task(data_set.name, data_set.pages[0], keyed))


def faults(row: Row) -> list[str]:
    assert isinstance(row, StructureRow)
    return row.faults


def test_with_the_main_element_known_structures_are_counted(tmp_path: Path) -> None:
    page = article_label("owls", content="//article")
    (row,) = rows(write_set(tmp_path / "set", [page]), "semantic-markup")
    counts = {"headings": 1, "headings_kept": 1, "titles": 1, "titles_kept": 1}
    counts |= {"paragraphs": 1, "paragraphs_kept": 1, "faults": 0}
    assert {n: v for n, v in row.measures.items() if n in counts} == counts
    assert faults(row) == []


def test_a_failure_keeps_no_structure(tmp_path: Path) -> None:
    page = article_label("owls", content="//article")
    (row,) = rows(write_set(tmp_path / "set", [page]), BROKEN)
    assert (row.measures["headings"], row.measures["headings_kept"]) == (1, 0)
    assert faults(row) == ["heading gone: On owls"]


@pytest.mark.parametrize("content", ["//aside", "//["])
def test_an_element_that_is_not_there_is_an_error_of_the_page(
    tmp_path: Path, content: str
) -> None:
    page = article_label("owls", content=content)
    (row,) = rows(write_set(tmp_path / "set", [page]), "danag")
    assert row.error.startswith(NOT_READ)


def test_a_page_that_cannot_be_read_is_an_error_of_the_page(tmp_path: Path) -> None:
    page = article_label("owls", content="//article")
    folder = write_set(tmp_path / "set", [page])
    (folder / "html" / "owls.html.gz").write_bytes(b"not gzip")
    (row,) = rows(folder, "danag")
    assert row.error.startswith(NOT_READ + "BadGzipFile")


def test_another_extractor_has_text_and_no_columns(tmp_path: Path) -> None:
    table = "<table><tr><td>Barn owl<td>34<tr><td>Tawny owl<td>38</table>"
    page = article_label("owls", content="//article")
    html = f"<body><article><h1>Owls</h1>{table}</article></body>"
    folder = write_set(tmp_path / "set", [page], owls=html)
    own, other = rows(folder, "semantic-markup", "resiliparse")
    assert own.measures["cells"] == 4
    assert other.measures["tables"] == 1
    assert "cells" not in other.measures


def test_without_the_main_element_rows_are_those_of_the_command(tmp_path: Path) -> None:
    (row,) = rows(write_set(tmp_path / "set", [article_label("owls")]), "danag")
    assert type(row) is Row
    assert "headings" not in row.measures
