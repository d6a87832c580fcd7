"""One page with some algorithms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lab.evaluation.page_measures import Row, Task, measure
from lab.evaluation.systems import AlgorithmSpec
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.algorithms import Algorithm
from tests.evaluation.sets import article_label, label, write_set

BROKEN = f"{__name__}.Broken"


class Broken(Algorithm):
    """Fails on every page."""

    name = "broken"

    def score(self, document: object, layout: object = None) -> Any:
        raise RuntimeError("this page is\ntoo odd")


def task(folder: Path, *algorithms: str) -> Task:
    (data_set,) = load_sets(folder)
    specs = tuple(AlgorithmSpec.parse(name) for name in algorithms)
    return Task(data_set.name, data_set.pages[0], specs)


def rows(folder: Path, *algorithms: str) -> list[Row]:
    return measure(task(folder, *algorithms))


def test_the_article_alone_is_perfect_by_every_measure(tmp_path: Path) -> None:
    line = article_label("owls", **{"with": ["Sentence 1"], "without": ["Home", "All"]})
    (row,) = rows(write_set(tmp_path / "set", [line]), "semantic-markup")
    prefixes = ("blocks_", "snippets_")
    counts = {
        name: value for name, value in row.measures.items() if name.startswith(prefixes)
    }
    assert counts == {
        "blocks_common": 2,
        "blocks_predicted": 2,
        "blocks_gold": 2,
        "snippets_found": 1,
        "snippets_required": 1,
        "snippets_absent": 2,
        "snippets_forbidden": 2,
    }
    assert {v for k, v in row.measures.items() if k not in counts} == {1.0}
    assert len(row.measures) - len(counts) == 3


def test_snippets_alone_give_no_measures_of_words_or_blocks(tmp_path: Path) -> None:
    line = label("owls", **{"with": ["Sentence 1", "mice"]})
    (row,) = rows(write_set(tmp_path / "set", [line]), "semantic-markup")
    assert row.measures == {
        "snippets_found": 1,
        "snippets_required": 2,
        "snippets_absent": 0,
        "snippets_forbidden": 0,
    }


def test_an_algorithm_that_fails_gives_a_row_with_its_error(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    broken, other = rows(folder, BROKEN, "danag")
    assert broken.error == "RuntimeError: this page is too odd"
    assert broken.measures["f1"] == 0.0
    assert (other.error, other.language) == ("", broken.language)


def test_a_page_without_its_layout_is_an_error_of_that_algorithm(
    tmp_path: Path,
) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    visual, other = rows(folder, "layout-analysis", "danag")
    assert visual.error.startswith("LayoutRequired: ")
    assert other.error == ""
