"""Dropped blocks between kept ones, with the reasons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scrapy_mainpage.extraction.algorithms import Algorithm, get_algorithm
from scrapy_mainpage.extraction.learned.learned import Learned
from scrapy_mainpage.extraction.result import Extraction
from scrapy_mainpage.report.annotated_page import choose_window
from scrapy_mainpage.report.panes import (
    MAX_LEFT_OUT,
    DroppedBlock,
    find_dropped_blocks,
)
from tests.extraction.helpers import document_of

HTML = """<p>before</p><h1>The title</h1><p>first of the texts</p><p>between</p>
<p hidden>unseen</p><p><a href=x>some links</a></p><p>last of the texts</p>
<p>after</p>"""
SCORES = np.array([0.01, 0.95, 0.9, 0.3, 0.2, 0.1, 0.97, 0.02], np.float32)


def content(algorithm: Algorithm) -> Extraction:
    """Blocks 2 and 6 are kept; the title is chosen, and not repeated in the text."""
    main = np.isin(np.arange(8), [2, 6])
    return Extraction(document_of(HTML), None, SCORES, main, algorithm=algorithm)


def left_out(page: Extraction) -> tuple[list[DroppedBlock], str]:
    return find_dropped_blocks(page, choose_window(page.document, page.main))


def test_blocks_between_the_first_and_the_last_kept_one_have_their_reasons() -> None:
    listed, note = left_out(content(Learned(least_words=0)))
    assert [item.text for item in listed] == ["between", "unseen", "some links"]
    assert [item.reason for item in listed] == [
        "below the cut at 0.90",
        "below the cut at 0.90; hidden on the page",
        "below the cut at 0.90; 100% of its words are links",
    ]
    assert [(item.block, item.is_shown, item.words) for item in listed] == [
        (3, True, 1),
        (4, True, 1),
        (5, True, 2),
    ]
    assert note == ""


def test_a_chosen_title_that_is_not_repeated_says_so() -> None:
    page = content(Learned(least_words=0))
    page = replace(page, main=np.isin(np.arange(8), [0, 2, 6]))
    assert "the title is not repeated" in left_out(page)[0][0].reason


def test_other_algorithms_have_no_cut() -> None:
    listed, _ = left_out(content(get_algorithm("semantic-markup")))
    assert listed[0].reason == "not chosen by the algorithm"


def test_of_many_those_with_the_highest_scores_are_listed() -> None:
    n = MAX_LEFT_OUT + 52
    document = document_of("<p>text</p>" * n)
    main = np.isin(np.arange(n), [0, n - 1])
    scores = np.linspace(0, 1, n).astype(np.float32)
    listed, note = left_out(Extraction(document, None, scores, main))
    assert [item.block for item in listed] == [*range(51, n - 1)]
    assert note == "50 blocks with lower scores are not listed."


def test_a_page_without_main_content_has_none() -> None:
    page = replace(content(Learned()), main=np.zeros(8, bool))
    assert left_out(page) == ([], "")
