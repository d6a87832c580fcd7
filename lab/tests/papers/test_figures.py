"""The figures show the results of the algorithms, and their size has a bound."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.figures import FIGURES, AlgorithmFigures, draw_figures
from lab.papers.figures.charts import MAX_BINS, pool_edges
from lab.papers.figures.shapes import pool, reach
from lab.tests.papers.drawings import rendered, shapes, texts, titles
from scrapy_mainpage.extraction.algorithms import (
    Algorithm,
    LayoutRequired,
    get_algorithm,
)
from scrapy_mainpage.extraction.algorithms.centroid import Centroid
from scrapy_mainpage.extraction.algorithms.danag import Danag
from scrapy_mainpage.extraction.algorithms.first_impression import FirstImpression
from scrapy_mainpage.extraction.algorithms.layout_analysis import LayoutAnalysis
from scrapy_mainpage.extraction.algorithms.text_block_context import TextBlockContext
from tests.extraction.helpers import document_of

LARGE = (
    "<body><nav>"
    + '<a href="x">link</a><br>' * 5000
    + "</nav><main>"
    + "<p>A sentence with some words in it. And one more of them.</p>" * 20_000
    + "</main></body>"
)
#: Lines: html and body, three of navigation, two paragraphs, a footer.
LINES = (
    "<html><body>"
    + "<div class='navigation-item'>ab</div>" * 3
    + f"<p>{'word ' * 40}</p>" * 2
    + "<div class='footer of the page'>ab</div></body></html>"
)


def drawn(html: str, algorithm: Algorithm) -> AlgorithmFigures:
    return draw_figures(document_of(html), algorithm)


def test_an_algorithm_without_figures_is_refused() -> None:
    with pytest.raises(ValueError, match="no figures of the algorithm 'centroid'"):
        drawn("<p>words</p>", Centroid())


@pytest.mark.parametrize("algorithm", [LayoutAnalysis(), FirstImpression()])
def test_without_a_layout_those_that_need_one_raise(algorithm: Algorithm) -> None:
    with pytest.raises(LayoutRequired):
        drawn("<p>words</p>", algorithm)


@pytest.mark.parametrize("html", ["<html></html>", "<p>one</p>", "<br>", "<img>"])
def test_pages_with_next_to_nothing_have_figures(html: str) -> None:
    for algorithm in map(get_algorithm, FIGURES):
        if not algorithm.needs_layout:
            for figure in drawn(html, algorithm).figures:
                assert shapes(figure, "svg")


@pytest.mark.parametrize("name", ["danag", "text-block-context"])
def test_the_figures_of_a_large_page_are_small(name: str) -> None:
    drawing = drawn(LARGE, get_algorithm(name))
    assert sum(len(str(figure.svg)) for figure in drawing.figures) < 300_000


def test_danag_marks_and_names_the_chosen_lines() -> None:
    drawing = drawn(LINES, Danag())
    raw, smoothed = drawing.figures
    # Around the two long lines the neighbours count as content as well.
    assert titles(smoothed) == ["chosen: lines 5 to 8"]
    assert "first paragraph" in texts(smoothed)
    assert "Chosen: 4 lines of 8, from line 5 to 8" in drawing.notes[0]
    assert titles(raw) == []
    none = drawn("<div class='many characters of code'>x</div>", Danag())
    assert "no main content" in none.notes[0]
    assert "each bar is the strongest of up to" in drawn(LARGE, Danag()).notes[1]


def test_danag_draws_its_options_and_tips_of_bars_that_are_cut() -> None:
    middle = "<div class='an advertisement with code'>x</div>" * 12
    page = f"<p>{'word ' * 40}</p>{middle}<p>{'word ' * 90}</p>"
    near, far, parts = (
        titles(drawn(page, each).figures[1])
        for each in (Danag(gap=20), Danag(gap=1), Danag(gap=20, whole_area=False))
    )
    assert (len(near), len(far), len(parts)) == (1, 1, 2)
    assert near != far
    page = "<p>ten words</p>" * 100 + f"<p>{'word ' * 500}</p>"
    assert "higher than the axis" in titles(drawn(page, Danag()).figures[0])


def test_text_block_context_shows_a_row_for_each_tag() -> None:
    """Figure 2: html and body are no tags of table 1; ul, li and a are."""
    html = f"<ul><li><a href=x>one</a></ul><p>{'A long sentence. ' * 30}</p><p>end</p>"
    drawing = drawn(html, TextBlockContext())
    (tags,) = drawing.figures
    assert {"ul", "li", "a", "p", "table", "other tags"} <= set(texts(tags))
    assert len(shapes(tags, "path")) == 5
    assert drawing.notes[0].startswith("3 blocks, of which ")


def test_layout_analysis_outlines_zones_columns_and_the_main_column() -> None:
    document, layout = rendered()
    analysis = LayoutAnalysis().analyse(document, layout)
    zones, columns = draw_figures(document, LayoutAnalysis(), layout).figures
    assert len(titles(zones)) == int(analysis.zones.leaf.sum())
    marked = [title for title in titles(zones) if "paragraph" in title]
    assert len(marked) == int(analysis.paragraph.sum()) > 0
    assert len(titles(columns)) == int(analysis.columns.stays.sum())
    assert any(text.startswith("main content column") for text in texts(columns))


def test_first_impression_draws_the_grid_and_its_centers() -> None:
    document, layout = rendered()
    impression = FirstImpression().analyse(document, layout)
    drawing = draw_figures(document, FirstImpression(), layout)
    (grid,) = drawing.figures
    assert {"C1", "C2", "C3", "window center"} <= set(texts(grid))
    assert {"first impression area", "extraction band"} <= set(titles(grid))
    # The paper, the area and its band, excluded cells once more, cells' outlines.
    cells = impression.grid
    excluded = int(cells.edge.sum() + cells.linked.sum())
    assert len(shapes(grid, "rect")) == 3 + len(cells.cells) + excluded
    group, rules = impression.candidates[0], impression.rules[0]
    density = impression.text_density[group[0]]
    assert f"({rules[0]}, text {density:.2f}, links " in drawing.notes[0]


def test_first_impression_says_what_it_does_not_show() -> None:
    document, layout = rendered()
    taller = type(layout)(**{**vars(layout), "page": (1280.0, 1e6)})
    notes = draw_figures(document, FirstImpression(), taller).notes
    assert any("upper 9,000 of the page's 1,000,000 pixels" in note for note in notes)
    layout.visible[:] = False
    drawing = draw_figures(document, FirstImpression(), layout)
    assert "No candidate is a wrapper" in drawing.notes[0]


def test_an_axis_is_cut_where_few_values_are_higher() -> None:
    assert reach(np.array([10.0] * 99 + [100_000.0])) < 30
    assert reach(np.array([10.0, -20.0])) == 20
    assert reach(np.zeros(5)) == 1.0


def test_peaks_are_kept_in_pools() -> None:
    values = np.zeros(100_000)
    values[12_345], values[77_777] = 900.0, -400.0
    pooled = pool(values, pool_edges(len(values)))
    assert len(pooled) == MAX_BINS
    assert sorted(pooled[pooled != 0].tolist()) == [-400.0, 900.0]
