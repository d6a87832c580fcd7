"""The figures show the results of the algorithms, and their size has a bound."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.baselines.token_curves import BodyTextExtraction
from lab.papers.figures import FIGURES, AlgorithmFigures, draw_figures
from lab.papers.figures.drawing import MAIN
from lab.papers.figures.series import reach
from lab.tests.papers.drawings import rendered, shapes, texts, titles
from scrapy_mainpage.extraction.algorithms import (
    Algorithm,
    LayoutRequired,
    available,
    get_algorithm,
)
from scrapy_mainpage.extraction.algorithms.centroid import Centroid
from scrapy_mainpage.extraction.algorithms.danag import Danag
from scrapy_mainpage.extraction.algorithms.first_impression import FirstImpression
from scrapy_mainpage.extraction.algorithms.layout_analysis import LayoutAnalysis
from tests.extraction.helpers import document_of

LARGE = (
    "<body><nav>"
    + '<a href="x">link</a><br>' * 5000
    + "</nav><main>"
    + "<p>A sentence with some words in it. And one more of them.</p>" * 20_000
    + "</main></body>"
)


def drawn(html: str, algorithm: Algorithm) -> AlgorithmFigures:
    return draw_figures(document_of(html), algorithm)


class TestEveryAlgorithm:
    def test_one_without_figures_is_refused(self) -> None:
        with pytest.raises(ValueError, match="no figures of the algorithm 'bte'"):
            drawn("<p>words</p>", BodyTextExtraction())

    @pytest.mark.parametrize("algorithm", [LayoutAnalysis(), FirstImpression()])
    def test_without_a_layout_those_that_need_one_raise(
        self, algorithm: Algorithm
    ) -> None:
        with pytest.raises(LayoutRequired):
            drawn("<p>words</p>", algorithm)

    @pytest.mark.parametrize("html", ["<html></html>", "<p>one</p>", "<br>", "<img>"])
    def test_pages_with_next_to_nothing_have_figures(self, html: str) -> None:
        assert FIGURES.keys() == set(available())
        for algorithm in map(get_algorithm, FIGURES):
            if not algorithm.needs_layout:
                for figure in drawn(html, algorithm).figures:
                    assert shapes(figure, "svg")

    @pytest.mark.parametrize("name", ["danag", "centroid", "learned"])
    def test_the_figures_of_a_large_page_are_small(self, name: str) -> None:
        drawing = drawn(LARGE, get_algorithm(name))
        assert sum(len(str(figure.svg)) for figure in drawing.figures) < 300_000


class TestDanag:
    # Lines of the source: html and body, three of navigation, two paragraphs, a footer.
    PAGE = (
        "<html><body>"
        + "<div class='navigation-item'>ab</div>" * 3
        + f"<p>{'word ' * 40}</p>" * 2
        + "<div class='footer of the page'>ab</div></body></html>"
    )

    def test_the_chosen_lines_are_marked_and_named(self) -> None:
        drawing = drawn(self.PAGE, Danag())
        raw, smoothed = drawing.figures
        # Around the two long lines the neighbours count as content as well.
        assert titles(smoothed) == ["chosen: lines 5 to 8"]
        assert "first paragraph" in texts(smoothed)
        assert "Chosen: 4 lines of 8, from line 5 to 8" in drawing.notes[0]
        assert titles(raw) == []

    def test_options_of_the_algorithm_are_drawn(self) -> None:
        middle = "<div class='an advertisement with code'>x</div>" * 12
        page = f"<p>{'word ' * 40}</p>{middle}<p>{'word ' * 90}</p>"
        near = drawn(page, Danag(gap=20)).figures[1]
        far = drawn(page, Danag(gap=1)).figures[1]
        parts = drawn(page, Danag(gap=20, whole_area=False)).figures[1]
        assert len(titles(near)) == len(titles(far)) == 1
        assert titles(near) != titles(far)
        assert len(titles(parts)) == 2

    def test_a_page_without_main_content_says_so(self) -> None:
        drawing = drawn("<div class='many characters of code'>x</div>", Danag())
        assert "no main content" in drawing.notes[0]

    def test_a_bar_that_is_cut_has_a_tip(self) -> None:
        page = "<p>ten words</p>" * 100 + f"<p>{'word ' * 500}</p>"
        figure = drawn(page, Danag()).figures[0]
        assert "higher than the axis" in titles(figure)
        assert "higher than the axis" not in titles(
            drawn(self.PAGE, Danag()).figures[0]
        )

    def test_a_large_page_says_how_many_lines_a_bar_is(self) -> None:
        assert "each bar is the strongest of up to" in drawn(LARGE, Danag()).notes[1]


class TestCentroid:
    def test_candidates_are_named_and_the_chosen_ones_marked(self) -> None:
        nested = "<div id='text'>" + f"<p>{'word ' * 30}</p>" * 4 + "</div>"
        links = "<ul>" + "<li><a href='x'>l</a></li>" * 5 + "</ul>"
        html = f"<body><div><div><div>{nested}</div>{links}</div></div></body>"
        document = document_of(html)
        choice = Centroid().choose(document)
        (parallel,) = draw_figures(document, Centroid()).figures
        names = [text for text in texts(parallel) if text[1:3] == ". "]
        assert len(names) == len(choice.candidates)
        chosen = [
            path for path in shapes(parallel, "path") if path.get("stroke") == MAIN
        ]
        assert len(chosen) == len(set(choice.main) & set(choice.candidates)) > 0
        ratios = {text for text in texts(parallel) if text.endswith("ratio")}
        assert len(ratios) == 4

    def test_a_shallow_page_has_no_candidates(self) -> None:
        drawing = drawn("<body>" + "<p>some words</p>" * 9 + "</body>", Centroid())
        assert "less deep than wide" in drawing.notes[0]


#: Blocks with more than five words per line are main content.
class TestLayoutAnalysis:
    def test_zones_columns_and_the_main_column_are_outlined(self) -> None:
        document, layout = rendered()
        analysis = LayoutAnalysis().analyse(document, layout)
        zones, columns, tree = draw_figures(document, LayoutAnalysis(), layout).figures
        zone_titles = titles(zones)
        assert len(zone_titles) == int(analysis.zones.leaf.sum())
        marked = [title for title in zone_titles if "paragraph" in title]
        assert len(marked) == int(analysis.paragraph.sum()) > 0
        assert len(titles(columns)) == int(analysis.columns.stays.sum())
        assert any(text.startswith("main content column") for text in texts(columns))
        lines = texts(tree)
        assert len(lines) == int(analysis.columns.stays.sum())
        assert lines[0].startswith("1.00 body, delta ")
        assert sum("delta" in line for line in lines) == len(analysis.path)


class TestFirstImpression:
    def test_the_grid_its_centers_and_the_wrapper_are_drawn(self) -> None:
        document, layout = rendered()
        impression = FirstImpression().analyse(document, layout)
        grid, wrapper = draw_figures(document, FirstImpression(), layout).figures
        assert {"C1", "C2", "C3", "window center"} <= set(texts(grid))
        # The paper, the area and its band, excluded cells once more, cells' outlines.
        cells = len(impression.grid.cells)
        excluded = int(impression.grid.edge.sum() + impression.grid.linked.sum())
        assert len(shapes(grid, "rect")) == 3 + cells + excluded
        seeds = [title for title in titles(wrapper) if title.startswith("seed of")]
        assert [title[:10] for title in seeds] == [
            "seed of C1",
            "seed of C2",
            "seed of C3",
        ]
        assert any(text.startswith("wrapper: ") for text in texts(wrapper))
        assert {"first impression area", "extraction band"} <= set(titles(grid))

    def test_each_candidate_has_its_rule_and_its_densities(self) -> None:
        document, layout = rendered()
        impression = FirstImpression().analyse(document, layout)
        (note, *_) = draw_figures(document, FirstImpression(), layout).notes
        group, rules = impression.candidates[0], impression.rules[0]
        assert len(group) == len(rules) > 0
        density = impression.text_density[group[0]]
        assert f"({rules[0]}, text {density:.2f}, links " in note

    def test_a_page_without_text_in_sight_has_no_wrapper(self) -> None:
        document, layout = rendered()
        layout.visible[:] = False
        drawing = draw_figures(document, FirstImpression(), layout)
        assert "No candidate is a wrapper" in drawing.notes[0]

    def test_very_long_pages_are_drawn_in_part(self) -> None:
        document, layout = rendered()
        taller = type(layout)(**{**vars(layout), "page": (1280.0, 1e6)})
        notes = draw_figures(document, FirstImpression(), taller).notes
        assert any(
            "upper 9,000 of the page's 1,000,000 pixels" in note for note in notes
        )


def test_an_axis_is_cut_where_few_values_are_higher() -> None:
    values = np.array([10.0] * 99 + [100_000.0])
    assert reach(values) < 30
    assert reach(np.array([10.0, -20.0])) == 20
    assert reach(np.zeros(5)) == 1.0
