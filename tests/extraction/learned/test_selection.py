"""The choice of blocks for given scores: headings, code, pages without main content."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.algorithm import Selection
from scrapy_mainpage.extraction.learned.learned import Learned
from tests.extraction.helpers import block_texts, document_of, texts_of

TEXT = "<p>" + "text " * 20 + "</p>"
OTHER = "<p>" + "other " * 20 + "</p>"
# By the first letters; headings are of one letter. Y and Z are unlikely ones.
CHANCE = {"te": 0.95, **dict.fromkeys("ABCD", 0.25), "Z": 0.15, "Y": 0.07}


def headings(html: str) -> str:
    """The headings, of one letter each, that are chosen with the text."""
    document = document_of(html)
    texts = block_texts(document)
    likely = [CHANCE.get(text[:2], 0.02) for text in texts]
    found = Learned().judge_scores(document, np.array(likely, np.float32)).main
    texts = texts_of(document, found)
    assert not any(text.startswith("other") for text in texts)
    return "".join(text for text in texts if len(text) == 1)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<h2>A</h2>{TEXT}<h2>B</h2>{OTHER}", "A"),
        (f"<h2>A</h2>{OTHER}<h2>B</h2>{OTHER}{TEXT}", "B"),
        (f"{TEXT}<h2>A</h2>", ""),
        # Up to the next heading of its level or a higher one
        (f"<h1>A</h1><h2>B</h2><h3>C</h3>{TEXT}<h3>D</h3>{OTHER}", "ABC"),
        (f"<h1>A</h1><h2>B</h2>{OTHER}<h2>C</h2>{TEXT}", "AC"),
        (f"<h2>A</h2><h4>B</h4><h3>C</h3>{TEXT}", "AC"),
        (f"<h2>A</h2><h1>B</h1>{TEXT}", "B"),
        # In an element that has no more than the heading
        (f"<header><div><h1>A</h1></div></header><div>{TEXT}</div>", "A"),
        (f"<div><div><h1>A</h1></div>{OTHER}</div>{TEXT}", ""),
        # In one that has: beside the text, or around it
        (f"<aside><h2>A</h2>{OTHER}</aside>{TEXT}", ""),
        (
            f"<section><h2>A</h2>{OTHER}</section><section><h2>B</h2>{TEXT}</section>",
            "B",
        ),
        (f"<main><h1>A</h1><section><h2>B</h2>{TEXT}</section></main>", "AB"),
        (f"<h2 hidden>A</h2>{TEXT}", ""),
        (f"<h2 style=display:none>A</h2><h3>B</h3>{TEXT}", "B"),
        # A less likely one below the title, if the beginning of its text is taken
        (f"<h1>A</h1><h2>Z</h2>{TEXT}", "AZ"),
        (f"<h1>Z</h1>{TEXT}", ""),
        (f"<h1>A</h1><h2>Z</h2>{OTHER}{TEXT}", "A"),
        (f"<h1>A</h1><h2>Y</h2>{TEXT}", "A"),
    ],
)
def test_the_headings_of_a_text_are_taken_with_it(html: str, expected: str) -> None:
    assert headings(html) == expected


def test_of_nested_headings_the_last_one_is_taken() -> None:
    assert headings("<div><h2>A</h2>" * 200 + TEXT) == "A"


def judge(html: str, scores: list[float], **options: float) -> Selection:
    document = document_of(html)
    values = np.array(scores, np.float32)
    return Learned(**options).judge_scores(document, values)


def test_a_short_page_is_taken_as_it_is() -> None:
    found = judge("<p>hello world</p>", [0.6])
    assert found.main.tolist() == [True]
    assert found.confidence == pytest.approx(judge("<p>a", [0.6]).confidence)


# Two words in each of 40 blocks.
MANY = "".join(f"<p>word{k} x" for k in range(40))


def test_a_few_unlikely_words_among_many_are_no_main_content() -> None:
    found = judge(MANY, [0.05] * 40)
    assert not found.main.any()
    # 4 words of the 10 are expected.
    assert found.confidence == pytest.approx(0.6)
    assert judge(MANY, [0.05] * 40, least_words=4.1).main.sum() == 0
    assert judge(MANY, [0.05] * 40, least_words=3.9).main.sum() == 40


def test_a_few_likely_words_among_many_are_main_content() -> None:
    found = judge(MANY, [0.8, 0.8] + [0.01] * 38)
    assert np.flatnonzero(found.main).tolist() == [0, 1]
    assert not judge(MANY, [0.05, 0.05] + [0.01] * 38).main.any()


@pytest.mark.parametrize("html", ["<p>*<p>—", "<h1>*</h1><p>*"])
def test_without_words_there_is_no_main_content(html: str) -> None:
    found = judge(html, [0.9, 0.9])
    assert found.main.tolist() == [False, False]
    assert found.confidence == 0


def test_a_heading_that_the_page_had_before_is_taken_for_its_text() -> None:
    title = "a title of ten words that stands in two places"
    html = f"<p>{title}</p><h1>{title}</h1>{TEXT}"
    assert judge(html, [0.02, 0.9, 0.95]).main.tolist() == [False, True, True]
    assert judge(html, [0.02, 0.1, 0.95]).main.tolist() == [False, False, True]


def test_a_page_without_main_content_has_no_headings() -> None:
    assert not judge(f"<h1>A</h1>{OTHER}", [0.09, 0.05]).main.any()


def test_more_content_expected_outside_of_the_selection_is_a_warning() -> None:
    document = document_of(TEXT + OTHER * 20)
    for others, warnings in ((0.03, ()), (0.07, ("content_left_out",))):
        scores = np.full(document.n_blocks, others, np.float32)
        scores[0] = 0.95
        selection = Learned().judge_scores(document, scores)
        assert selection.main.sum() == 1
        assert selection.warnings == warnings
