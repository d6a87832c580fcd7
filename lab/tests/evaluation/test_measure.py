"""Structure of one page with some algorithms."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.evaluation.page_measures import NOT_READ, Row, Task
from lab.evaluation.structure import StructureRow, measure_structure
from lab.evaluation.systems import AlgorithmSpec
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


@pytest.mark.parametrize("content", ["//aside", "//["])
def test_an_element_that_is_not_there_is_an_error_of_the_page(
    tmp_path: Path, content: str
) -> None:
    page = article_label("owls", content=content)
    (row,) = rows(write_set(tmp_path / "set", [page]), "danag")
    assert row.error.startswith(NOT_READ)
