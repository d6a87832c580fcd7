"""Scores of algorithms on labelled pages, worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrapy_mainpage.evaluation.datasets import LabelledPage, load_sets
from scrapy_mainpage.evaluation.scores import (
    Contender,
    Score,
    format_scores,
    score_pages,
    score_words,
    text_measures,
    tokenize,
)
from scrapy_mainpage.extraction.algorithms import Algorithm, AlgorithmError
from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.document.layout import Layout
from tests.layouts import load

from .sets import article_label, label, write_set


class TakesRendered(Algorithm):
    """Takes all blocks of a rendered page, none of another."""

    name = "takes-rendered"

    def score(self, document: Document, layout: Layout | None = None) -> Any:
        return np.full(document.n_blocks, layout is not None, np.float32)


def take_half(html: str, *, upper: bool = False) -> str | None:
    """An extractor as other packages have it."""
    half = html[: len(html) // 2]
    return (half.upper() if upper else half) or None


HALF = f"{__name__}.take_half"


def records(folder: Path, *labels: str) -> list[dict[str, Any]]:
    contenders = [Contender.read(each) for each in labels]
    return list(score_pages(load_sets(folder), contenders))


class TestMeasures:
    def test_f1_is_the_harmonic_mean(self) -> None:
        assert Score(0.5, 1.0).f1 == pytest.approx(2 / 3)
        assert score_words([], []) == (1.0, 1.0)
        assert score_words([], ["a"]) == score_words(["a"], []) == (0.0, 0.0)

    def test_snippets_are_counted_whatever_blanks_are_in_them(self) -> None:
        page = LabelledPage(
            "a", "", Path(), None, ("owl sleeps", "It  wakes", "mice"), ("Home", "Menu")
        )
        text = "The owl sleeps.\n\nIt\nwakes at night. Home"
        assert text_measures(page, text) == {
            "snippets_found": 2,
            "snippets_required": 3,
            "snippets_absent": 1,
            "snippets_forbidden": 2,
        }


class TestContenders:
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("nope", "unknown algorithm 'nope'"),
            ("", "unknown algorithm ''"),
            ("danag:gap", "'gap' is not OPTION=VALUE"),
            ("danag:=3", "'=3' is not OPTION=VALUE"),
            ("danag:nope=3", "does not take the options"),
            ("no_such_package.extract", "No module named 'no_such_package'"),
            ("pathlib.nope", "unknown algorithm 'pathlib.nope'"),
        ],
    )
    def test_what_is_not_known_is_an_error(self, name: str, reason: str) -> None:
        with pytest.raises(AlgorithmError) as caught:
            Contender.read(name)
        assert reason in str(caught.value)

    def test_a_function_of_another_package_takes_a_page_s_html(
        self, tmp_path: Path
    ) -> None:
        html = "\ufeff<p>\u00fcber</p>                 "
        folder = write_set(tmp_path / "set", [label("a", text="p \u00fcber")], a=html)
        half, upper = records(folder, HALF, f"{HALF}:upper=true")
        assert (half["f1"], half["error"]) == (pytest.approx(0.8), "")
        assert upper["algorithm"] == f"{HALF}:upper=true"

    def test_layouts_are_given_where_there_are_some(self, tmp_path: Path) -> None:
        recorded = load("furo")[0]
        labels = [label("plain", text="x"), label("drawn", text=recorded.truth)]
        pages = {"plain": "<p>x", "drawn": recorded.html}
        folder = write_set(tmp_path / "set", labels, **pages)
        layout = folder / "html" / "drawn.layout.json"
        layout.write_text(recorded.layout_json, "utf-8")
        own = f"{__name__}.TakesRendered"
        found = records(folder, own, "layout-analysis")
        assert [(each["page"], each["algorithm"]) for each in found] == [
            ("plain", own),
            ("drawn", own),
            ("drawn", "layout-analysis"),
        ]
        assert [each["recall"] for each in found[:2]] == [0.0, 1.0]
        assert found[2]["f1"] > 0.5


def test_a_failure_is_an_error_with_the_measures_of_no_text(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", [article_label("a"), article_label("b")])
    (folder / "html" / "a.html.gz").unlink()
    (folder / "html" / "b.html.gz").write_bytes(b"not gzip")
    first, second = records(folder, "danag")
    assert first["error"].startswith("FileNotFoundError: ")
    assert second["error"].startswith("BadGzipFile: ")
    assert first["f1"] == second["f1"] == 0.0


def test_a_table_of_means_and_of_shares_of_all_snippets() -> None:
    known = {"set": "birds", "algorithm": "danag", "seconds": 0.002, "error": ""}
    snippets = [f"snippets_{n}" for n in ("found", "required", "absent", "forbidden")]
    rows = [
        known | {"precision": 0.5, "recall": 1.0, "f1": 0.6667},
        known | {"precision": 0.1, "recall": 0.0, "f1": 0.0, "error": "x"},
        known | dict(zip(snippets, (1, 1, 0, 4), strict=True)),
        known | dict(zip(snippets, (2, 3, 5, 5), strict=True)),
        known | {"algorithm": "other", "precision": 0, "recall": 0, "f1": 0},
    ]
    head, danag, other = format_scores(rows).splitlines()[:3]
    assert head.split() == "SET ALGORITHM PAGES FAILED MS P R F1 WITH W/OUT".split()
    expected = "birds danag 4 1 2.0 0.300 0.500 0.333 0.750 0.556"
    assert danag.split() == expected.split()
    assert other.split() == "birds other 1 0 2.0 0.000 0.000 0.000".split()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("… — !", []),
        ("it's 3.5 under_score", ["it", "s", "3", "5", "under_score"]),
        ("Ünïcode ΣΊΣΥΦΟΣ Ёлка", ["ünïcode", "σίσυφος", "ёлка"]),
        ("2012年1月GDP增长", ["2012", "年", "1", "月", "gdp", "增", "长"]),
        ("ひらカタ 한국 𠀀a𠀁", ["ひ", "ら", "カ", "タ", "한", "국", "𠀀", "a", "𠀁"]),
        ("「你好」，世界。", ["你", "好", "世", "界"]),
    ],
)
def test_words_of_texts_in_any_script(text: str, words: list[str]) -> None:
    assert tokenize(text) == words
