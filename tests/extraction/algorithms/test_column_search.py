"""The search for the main content column (Rae et al. 2018, section 3.3)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.algorithms.layout_analysis import LayoutAnalysis
from scrapy_mainpage.extraction.algorithms.segmentation.sentences import ParagraphJudge
from scrapy_mainpage.extraction.algorithms.segmentation.zones import (
    Columns,
    ColumnSearch,
)
from tests.extraction.boxes import rendered
from tests.extraction.helpers import texts_of


def tree_of_columns(parents: list[int]) -> Columns:
    parent = np.array([-1, *parents], np.int32)
    n = len(parent)
    every = np.arange(n, dtype=np.int32)
    return Columns(parent, np.zeros((n, 4)), every, np.ones(n, bool), parent.copy())


def add_up(columns: Columns, own: list[int]) -> np.ndarray:
    """The words of each column with those of the columns inside."""
    words = np.array(own, np.float64)
    for column in range(len(words) - 1, 0, -1):
        words[columns.parent[column]] += words[column]
    return words


def test_the_path_goes_through_the_columns_that_stay() -> None:
    columns = tree_of_columns([0, 1, 1, 2])
    columns.stays[1] = False
    columns.outer[[2, 3]] = 0
    search = ColumnSearch(columns, 0.3, 0.5)
    assert search.path(np.array([9.0, 9, 2, 7, 2])) == (0, 3)
    assert search.path(np.array([9.0, 9, 7, 2, 3])) == (0, 2, 4)


@st.composite
def trees_with_words(draw: st.DrawFn) -> tuple[Columns, list[tuple[int, int, int]]]:
    """A column tree; for each column the fewest words, the most, and some between."""
    n = draw(st.integers(0, 7))
    columns = tree_of_columns([draw(st.integers(0, i)) for i in range(n)])
    words = st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 3))
    drawn = draw(st.lists(words, min_size=n + 1, max_size=n + 1))
    return columns, [(a, a + b + c, a + b) for a, b, c in drawn]


@given(trees_with_words(), st.sampled_from([0.0, 0.3, 0.5, 0.9]))
def test_a_settled_search_ends_at_the_same_column_for_all_words_between(
    tree: tuple[Columns, list[tuple[int, int, int]]], delta: float
) -> None:
    columns, drawn = tree
    search = ColumnSearch(columns, delta, 0.5)
    least, most, between = (add_up(columns, [w[i] for w in drawn]) for i in (0, 1, 2))
    if search.is_settled(least, most):
        ends = {
            search.choose(words, search.path(words)) for words in (least, most, between)
        }
        assert len(ends) == 1


def test_a_large_certain_column_settles_the_search() -> None:
    """Columns of 70 and up to 10 words: the first one loses 0.87 or more at its end."""
    search = ColumnSearch(tree_of_columns([0, 0]), 0.3, 0.5)
    assert search.is_settled(np.array([70.0, 70, 0]), np.array([80.0, 70, 10]))
    # Up to 40 words: the page as a whole may lose 40 of 110, more than 0.3.
    assert not search.is_settled(np.array([70.0, 70, 0]), np.array([110.0, 70, 40]))


def test_nothing_certain_settles_nothing() -> None:
    search = ColumnSearch(tree_of_columns([0]), 0.3, 0.5)
    assert not search.is_settled(np.zeros(2), np.array([9.0, 9]))


def test_texts_that_cannot_change_the_column_are_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("HanTa")
    pytest.importorskip("sentencex")
    read: list[str] = []
    is_paragraph = ParagraphJudge.is_paragraph

    def record(judge: ParagraphJudge, text: str) -> bool:
        read.append(text)
        return is_paragraph(judge, text)

    monkeypatch.setattr(ParagraphJudge, "is_paragraph", record)
    long = "The system was tested on many pages. It found the content of most. " * 5
    short = "It was cold. It was dark."
    html = (
        f"<html lang=en><div id=m><p>{long}</p><p>{long}</p></div>"
        f"<div id=a>{f'<p>{short}</p>' * 5}</div>"
    )
    boxes = {"m": (0, 0, 800, 400), "a": (850, 0, 300, 400)}
    document, layout = rendered(html, boxes, window=(1280, 900))
    algorithm = LayoutAnalysis()
    main = texts_of(document, algorithm.judge(document, layout).main)
    assert main == [long.strip()] * 2
    assert len(read) == 3
    read.clear()
    # The figures of the report show which zones are paragraphs: all are read.
    assert algorithm.analyse(document, layout).paragraph.sum() == 7
    assert len(read) == 7
