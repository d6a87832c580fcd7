"""Measures of pages, their groups and tables, and the command that prints them."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import pytest

from lab.evaluation.groups import (
    TEXT_HEADS,
    format_structure,
    summarise,
    write_pages_csv,
)
from lab.evaluation.page_measures import NOT_READ, Row, Task, measure
from lab.evaluation.run import run as run_tasks
from lab.evaluation.structure import measure_structure
from lab.evaluation.systems import EXTRACTORS, AlgorithmSpec
from lab.papers.__main__ import main
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.algorithms import Algorithm, AlgorithmError
from tests.evaluation.sets import MENU, article_label, write_set


@pytest.mark.parametrize(
    ("label", "reason"),
    [
        ("nope", "unknown algorithm 'nope'"),
        ("", "unknown algorithm ''"),
        ("danag:nope=3", "danag"),
        ("all-text:gap=3", "'all-text' has no options"),
    ],
)
def test_what_is_not_known_is_an_error(label: str, reason: str) -> None:
    with pytest.raises(AlgorithmError) as caught:
        AlgorithmSpec.parse(label)
    assert reason in str(caught.value)


@pytest.mark.parametrize("name", EXTRACTORS)
def test_other_extractors_take_the_text_of_an_article(name: str) -> None:
    if EXTRACTORS[name].version is None:
        pytest.skip("python -m lab.papers install")
    spec = AlgorithmSpec.parse(name)
    assert spec.is_extractor
    prose = "It was the night in which they had seen all of the owls of this wood, " * 6
    text = f"<p>A story.</p><p>{prose}</p><p>It was dark.</p>"
    page = f"<html><body>{MENU}<article>{text}</article></body></html>"
    found = EXTRACTORS[name].extract(page, "en")
    assert "they had seen all of the owls" in found
    assert "Home" not in found
    assert "they had seen all" in EXTRACTORS[name].extract(page.encode(), "en")
    with pytest.raises(AlgorithmError, match="has no options"):
        AlgorithmSpec.parse(f"{name}:a=1")


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


def test_an_algorithm_that_fails_gives_a_row_with_its_error(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    broken, other = rows(folder, BROKEN, "danag")
    assert broken.error == "RuntimeError: this page is too odd"
    assert broken.measures["f1"] == 0.0
    assert (other.error, other.language) == ("", broken.language)


class Deadly(Algorithm):
    """Ends its process."""

    name = "deadly"

    def score(self, document: object, layout: object = None) -> Any:
        os._exit(3)


def test_an_algorithm_that_ends_its_process_takes_no_other_along(
    tmp_path: Path,
) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    names = (f"{__name__}.Deadly", "semantic-markup")
    ((dead, other),) = run_tasks([task(folder, *names)], 2)
    assert (dead.error, dead.measures["f1"]) == ("RuntimeError: WorkerDied", 0.0)
    assert (other.error, other.measures["f1"]) == ("", 1.0)


@pytest.mark.parametrize("content", ["//aside", "//["])
def test_an_element_that_is_not_there_is_an_error_of_the_page(
    tmp_path: Path, content: str
) -> None:
    page = article_label("owls", content=content)
    (row,) = measure_structure(task(write_set(tmp_path / "set", [page]), "danag"))
    assert row.error.startswith(NOT_READ)


def row(page: str, algorithm: str = "danag", **more: Any) -> Row:
    measures = more.pop("measures", {})
    defaults = {"set": "birds", "url": "", "type": "", "language": ""} | more
    return Row(
        page=page,
        algorithm=algorithm,
        measures=measures,
        **defaults,
    )


def test_the_table_has_a_line_per_algorithm_and_only_measures_that_are_there() -> None:
    rows = [
        row("a", "danag", measures={"precision": 0.5, "recall": 1.0, "f1": 0.6667}),
        row("a", "centroid", measures={"precision": 0.25, "recall": 1.0, "f1": 0.4}),
    ]
    name, head, *lines = format_structure(summarise(rows), TEXT_HEADS).splitlines()[:4]
    assert name == "birds"
    assert head.split() == ["PAGES", "MS", "P", "R", "F1"]
    assert [line.split() for line in lines] == [
        ["danag", "1", "0.0", "0.500", "1.000", "0.667"],
        ["centroid", "1", "0.0", "0.250", "1.000", "0.400"],
    ]


def test_a_spreadsheet_takes_no_text_of_a_page_for_a_formula(tmp_path: Path) -> None:
    write_pages_csv([row("=1+1", url="@x")], tmp_path / "p.csv")
    (line,) = lines(tmp_path / "p.csv")
    assert (line["page"], line["url"]) == ("'=1+1", "'@x")


def structured(page: str, site: str, algorithm: str = "danag", **counts: int) -> Row:
    url = f"https://{site}.example/{page}"
    return row(f"{site}{page}", algorithm, url=url, measures=counts)


def test_structures_are_added_up_over_pages() -> None:
    rows = [
        structured("a", "x", tables=4, tables_whole=3, tables_gone=1, cells=9),
        structured("b", "x", tables=1, tables_torn=1, headings=2, headings_kept=1),
    ]
    measures = summarise(rows)[0].measures
    assert (measures["tables"], measures["headings"]) == (5, 2)
    shares = ("tables_whole", "tables_torn", "tables_gone", "headings_kept")
    assert [measures[name] for name in shares] == [3 / 5, 1 / 5, 1 / 5, 1 / 2]
    assert measures["cells_misplaced"] == 0
    assert "code_whole" not in measures


@pytest.fixture
def data(tmp_path: Path) -> Path:
    labels = [article_label(n, content="//article") for n in ("owls", "cats")]
    return write_set(tmp_path / "data", labels)


def lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(data: Path, folder: Path, *options: str) -> int:
    return main(["compare", str(data), "-j1", "-o", str(folder), *options])


def test_structure_is_printed_and_written(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert run(data, folder, "-a=semantic-markup") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "data: 2 headings, 2 paragraphs, 2 titles" in out
    assert "2 results, 0 failed" in out
    (summary,) = lines(folder / "summary.csv")
    assert (summary["headings"], summary["headings_kept"]) == ("2", "1")
    assert lines(folder / "faults.csv") == []
