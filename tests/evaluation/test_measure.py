"""One page with some algorithms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage.evaluation.datasets import (
    LabelledPage,
    load_sets,
    read_document,
)
from scrapy_mainpage.evaluation.measure import NOT_READ, Row, Task, measure
from scrapy_mainpage.evaluation.specs import AlgorithmSpec
from scrapy_mainpage.extraction.algorithms import Algorithm
from scrapy_mainpage.extraction.algorithms.centroid import Centroid

from .sets import FOOTER, MENU, article_label, label, sentences, write_set

BROKEN = f"{__name__}.Broken"


class Broken(Algorithm):
    """Fails on every page."""

    name = "broken"

    def score(self, document: object, layout: object = None) -> Any:
        raise RuntimeError("this page is\ntoo odd")


def task(folder: Path, *algorithms: str) -> Task:
    (data_set,) = load_sets(folder)
    specs = (AlgorithmSpec.parse(name) for name in algorithms)
    keyed = tuple((spec, f"key of {spec.label}") for spec in specs)
    return Task(data_set.name, data_set.pages[0], keyed)


def rows(folder: Path, *algorithms: str) -> list[Row]:
    return measure(task(folder, *algorithms))


def test_a_row_says_which_page_and_algorithm(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "birds", [article_label("owls", type="article")])
    (row,) = rows(folder, "danag")
    assert (row.key, row.set, row.page) == ("key of danag", "birds", "owls")
    assert (row.url, row.type) == ("https://www.owls.example/page", "article")
    assert (row.algorithm, row.error, row.language) == ("danag", "", "en")
    assert row.words > 0
    assert row.seconds > 0


def test_the_article_alone_is_perfect_by_every_measure(tmp_path: Path) -> None:
    line = article_label("owls", **{"with": ["Sentence 1"], "without": ["Home", "All"]})
    (row,) = rows(write_set(tmp_path / "set", [line]), "semantic-markup")
    prefixes = ("blocks_", "snippets_", "nodes_total", "nodes_gold", "nodes_rated")
    counts = {
        name: value
        for name, value in row.measures.items()
        if name.startswith((*prefixes, "semantic_tags"))
    }
    assert counts == {
        "blocks_total": 5,
        "blocks_common": 2,
        "blocks_predicted": 2,
        "blocks_gold": 2,
        # html, body, nav, ul, 2 li, 2 a, article, h1, p, footer, p
        "nodes_total": 13,
        "nodes_gold": 3,
        # ul, 2 li, article, p, footer, p
        "nodes_rated": 7,
        "semantic_tags": 1,
        "snippets_found": 1,
        "snippets_required": 1,
        "snippets_absent": 2,
        "snippets_forbidden": 2,
    }
    assert {v for k, v in row.measures.items() if k not in counts} == {1.0}
    assert len(row.measures) - len(counts) == 17


def test_another_extractor_has_the_blocks_that_its_text_holds(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    (row,) = rows(folder, "resiliparse")
    assert row.error == ""
    assert row.words == 2 + 6 * 7
    assert row.measures["blocks_common"] == 2
    assert row.measures["nodes_f1"] == 1.0


def test_the_elements_that_centroid_returns_are_measured_as_elements(
    tmp_path: Path,
) -> None:
    parts = "<h1>On owls</h1><img src=a><p>{}</p><p>{}</p>"
    texts = [sentences("owls"), sentences("mice")]
    main = f"<div><main>{parts.format(*texts)}</main></div>"
    html = f"<body>{MENU}{main}{FOOTER}</body>"
    line = label("owls", text="\n".join(["On owls", *texts]))
    folder = write_set(tmp_path / "set", [line], owls=html)
    # The main content is div, main, h1, img and two p; one p is returned.
    (choice,) = Centroid().choose(read_document(html.encode())).main
    assert read_document(html.encode()).tag_name(choice) == "p"
    (row,) = rows(folder, "centroid")
    names = ("node_set_precision", "node_set_recall", "nodes_gold")
    assert [row.measures[name] for name in names] == [1.0, 0.166667, 6]
    assert "node_set_f1" not in rows(folder, "danag")[0].measures


def test_perfect_blocks_takes_the_gold_blocks(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    (row,) = rows(folder, "perfect-blocks")
    assert row.measures["f1"] == 1.0
    assert row.measures["blocks_predicted"] == 2


def test_snippets_alone_give_no_measures_of_words_or_blocks(tmp_path: Path) -> None:
    line = label("owls", **{"with": ["Sentence 1", "mice"]})
    (row,) = rows(write_set(tmp_path / "set", [line]), "semantic-markup")
    assert row.measures == {
        "snippets_found": 1,
        "snippets_required": 2,
        "snippets_absent": 0,
        "snippets_forbidden": 0,
    }


def test_a_page_whose_content_is_not_in_its_blocks_has_no_block_gold(
    tmp_path: Path,
) -> None:
    folder = write_set(tmp_path / "set", [label("owls", text="What a script says.")])
    (row,) = rows(folder, "all-text")
    assert set(row.measures) == {
        *("precision", "recall", "f1"),
        *("lcs_precision", "lcs_recall", "lcs_f1", "lcs_f05"),
    }


def test_with_the_main_element_known_structures_are_counted(tmp_path: Path) -> None:
    page = article_label("owls", content="//article")
    (row,) = rows(write_set(tmp_path / "set", [page]), "semantic-markup")
    counts = {"headings": 1, "headings_kept": 1, "titles": 1, "titles_kept": 1}
    counts |= {"paragraphs": 1, "paragraphs_kept": 1, "faults": 0}
    assert {n: v for n, v in row.measures.items() if n in counts} == counts
    assert row.faults == []


def test_a_failure_keeps_no_structure(tmp_path: Path) -> None:
    page = article_label("owls", content="//article")
    (row,) = rows(write_set(tmp_path / "set", [page]), BROKEN)
    assert (row.measures["headings"], row.measures["headings_kept"]) == (1, 0)
    assert row.faults == ["heading gone: On owls"]


@pytest.mark.parametrize("content", ["//aside", "//["])
def test_an_element_that_is_not_there_is_an_error_of_the_page(
    tmp_path: Path, content: str
) -> None:
    page = article_label("owls", content=content)
    (row,) = rows(write_set(tmp_path / "set", [page]), "danag")
    assert row.error.startswith(NOT_READ)


def test_an_empty_gold_text_is_met_by_taking_nothing(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [label("owls", text=" ")])
    everything, nothing = rows(folder, "all-text", "perfect-blocks")
    assert everything.measures["f1"] == everything.measures["nodes_f1"] == 0.0
    assert nothing.measures["f1"] == nothing.measures["nodes_f1"] == 1.0


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


def test_a_page_that_cannot_be_read_is_no_fault_of_an_algorithm(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [article_label("owls")])
    (folder / "html" / "owls.html.gz").write_bytes(b"not gzip")
    (row,) = rows(folder, "danag")
    assert row.error.startswith(NOT_READ + "BadGzipFile")
    assert row.measures == {}


@pytest.mark.parametrize(
    ("html", "declared", "language"),
    [
        ("<html lang=pt-BR><p>x", "", "pt"),
        ("<html lang=pt-BR><p>x", "de", "de"),
        ("<p>今天天气很好", "", "zh/ja/ko"),
        ("<p>today", "", ""),
    ],
)
def test_the_language_is_the_label_s_or_what_the_page_says(
    tmp_path: Path, html: str, declared: str, language: str
) -> None:
    line = label("a", text="x", language=declared)
    (row,) = rows(write_set(tmp_path / "set", [line], a=html), "all-text")
    assert row.language == language


def test_a_page_that_ended_its_process_counts_as_an_empty_extraction() -> None:
    page = LabelledPage("a", "", Path(), text="one two", required=("one",))
    spec = AlgorithmSpec.parse("danag")
    (row,) = Task("set", page, ((spec, "k"),)).failed("it died")
    assert (row.error, row.measures["f1"]) == ("it died", 0.0)
    assert (row.measures["snippets_found"], row.measures["snippets_required"]) == (0, 1)
