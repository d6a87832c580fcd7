"""Pages whose main content was derived by hand from the paper alone.

GCE, Jung et al. 2022; the sections are those of the paper. The window is the paper's,
1920 x 1080: a cell of the 7 x 8 grid is 240 wide and 1080 / 7 high.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.first_impression import (
    FirstImpression,
    Impression,
)
from tests.extraction.boxes import number_of, rendered

WINDOW = FirstImpression.viewport
PAGE = (1920, 2400)
T = "A sentence of the story. "
P = "".join(f"<p id=p{k}>{T}</p>" for k in range(12))
ROWS = {f"p{k}": (510, 200 + 100 * k, 900, 100) for k in range(12)}
NAV = "<nav id=nav><a href=/1>one</a><a href=/2>two</a></nav>"
AROUND = {"nav": (0, 0, 1920, 100), "footer": (0, 2300, 1920, 100)}


def analyse(
    html: str, boxes: dict[str, tuple[float, float, float, float]], **options: object
) -> tuple[Impression, str | None]:
    """The analysis, and the main content's element by id or tag."""
    html = f"{NAV}{html}<footer id=footer>end</footer>"
    document, layout = rendered(html, {**AROUND, **boxes}, window=WINDOW, page=PAGE)
    found = FirstImpression(**options).analyse(document, layout)
    if found.element is None:
        return found, None
    element = found.element
    return found, document.attribute(element, "id") or document.tag_name(element)


def chosen(
    html: str, boxes: dict[str, tuple[float, float, float, float]]
) -> str | None:
    return analyse(html, boxes)[1]


WRAPPER = (510, 200, 900, 1500)


class TestTheLeafIsAText:
    """Algorithm 1: N is the leaf, the first P is its parent."""

    @pytest.mark.parametrize(
        ("html", "wrapper"),
        [
            (f"<div id=content>{(T * 6 + '<br><br>') * 4}</div>", "content"),
            (f"<article>{(T + '<br><br>') * 4}</article>", "article"),
            (
                f"<table id=t><tr><td class=content>{(T + '<br><br>') * 4}</table>",
                "td",
            ),
        ],
    )
    def test_a_wrapper_may_hold_the_text_itself(self, html: str, wrapper: str):
        boxes = {wrapper: WRAPPER}
        if wrapper == "td":
            boxes["t"] = WRAPPER
        assert chosen(html, boxes) == wrapper

    def test_a_text_without_a_wrapper_has_no_main_content(self):
        assert (
            chosen(f"<section>{T}</section>", {"section": (300, 200, 1300, 1500)})
            is None
        )

    def test_the_nearest_text_is_the_seed_not_its_parent(self):
        """The parent of a stray word covers the center, the word does not."""
        html = f"<div id=d>Share<article id=a>{P}</article></div>"
        boxes = {"d": (510, 100, 900, 1400), "a": (510, 200, 900, 1200), **ROWS}
        document, layout = rendered(html, boxes, window=WINDOW, page=PAGE)
        stray = int(document.elements.first_run[number_of(document, "d")])
        layout = replace(
            layout,
            free_run=np.array([stray]),
            free_box=np.array([[510, 100, 50, 20]], np.float32),
        )
        seeds = FirstImpression().analyse(document, layout).seeds
        assert number_of(document, "d") not in seeds


class TestAttributes:
    """Section III-C 2: "article" or "content" in the node attributes, any of them."""

    @pytest.mark.parametrize(
        "attribute",
        [
            'itemscope itemtype="http://schema.org/NewsArticle"',
            "data-type=article",
            'aria-label="Article body"',
            "data-component=content",
            "typeof=Article",
            'property="schema:articleBody"',
            "data-anything='the CONTENT'",
        ],
    )
    def test_any_attribute_counts(self, attribute: str):
        html = f"<div id=w {attribute}>{P}</div>"
        assert chosen(html, {"w": (200, 200, 1500, 1200), **ROWS}) == "w"

    def test_the_name_of_an_attribute_does_not(self):
        html = f"<div id=w data-content=yes>{P}</div>"
        assert chosen(html, {"w": (200, 200, 1500, 1200), **ROWS}) is None


class TestWidth:
    """Section III-C 3: a single step wider than delta_w = 1.7."""

    @pytest.mark.parametrize(
        ("width", "found"),
        [(900, True), (1120, True), (1129, True), (1130, False), (1140, False)],
    )
    def test_a_centered_wrapper(self, width: float, found: bool):
        left = (1920 - width) / 2
        rows = {f"p{k}": (left, 200 + 100 * k, width, 100) for k in range(12)}
        html = f"<div id=w>{P}</div>"
        # 1920 / 1129 is 1.7006, 1920 / 1130 is 1.699.
        got = chosen(html, {"w": (left, 200, width, 1200), **rows})
        assert got == ("w" if found else None)

    def test_two_small_steps_are_no_jump(self):
        """Bootstrap's container and column: 990 to 1320 to 1920."""
        html = f"<div id=row><div id=col>{P}</div></div>"
        boxes = {"row": (300, 200, 1320, 1200), "col": (465, 200, 990, 1200), **ROWS}
        assert chosen(html, boxes) is None
        assert analyse(html, boxes, delta_w=1.4)[1] == "row"


class TestDensity:
    """D_t of III-C: T_e are descendants of e."""

    HTML = (
        "<div id=content>{}<div id=picture><img src=a.png></div>"
        "<article id=a><p id=p0>one</p><p id=p1>two</p></article></div>"
    )
    BOXES = {
        "content": (510, 200, 900, 1600),
        "picture": (510, 200, 900, 800),
        "a": (510, 1000, 900, 800),
        "p0": (510, 1000, 900, 400),
        "p1": (510, 1400, 900, 400),
    }

    @pytest.mark.parametrize("stray", ["", "Share ", "<span id=s>Share</span>"])
    def test_a_stray_word_does_not_make_a_wrapper_dense(self, stray: str):
        # D_t is 1 for the article, and a half for the wrapper.
        boxes = dict(self.BOXES)
        if "<" in stray:
            boxes["s"] = (510, 200, 50, 20)
        assert chosen(self.HTML.format(stray), boxes) == "a"

    def test_a_candidate_below_half_a_window_is_no_best(self):
        boxes = {**self.BOXES, "a": (510, 1000, 900, 539)}
        assert chosen(self.HTML.format(""), boxes) == "content"
        boxes["a"] = (510, 1000, 900, 540)
        assert chosen(self.HTML.format(""), boxes) == "a"


class TestGrid:
    """Sections III-A and III-B."""

    def centers(
        self, html: str, **boxes: tuple[float, float, float, float]
    ) -> np.ndarray:
        document, layout = rendered(
            f"{html}<p id=t>text</p>", {"t": (960, 500, 9, 9), **boxes},
            window=WINDOW, page=WINDOW,
        )  # fmt: skip
        return FirstImpression().analyse(document, layout).grid.centers

    CELL = 1080 / 7

    def test_the_center_of_a_page_without_links(self):
        # Columns 1 to 6 and rows 1 to 6: the bottom row stays.
        assert self.centers("")[0].tolist() == pytest.approx([960, 4 * self.CELL])

    def test_a_menu_on_the_left_moves_the_center_to_the_right(self):
        # 480 wide: columns 0 and 1 go, column 7 is an edge; 2 to 6 stay.
        html = "<div id=m><a id=a href=/1>one</a><a id=b href=/2>two</a></div>"
        boxes = {"m": (0, 0, 480, 1080), "a": (0, 0, 480, 300), "b": (0, 300, 480, 300)}
        center = self.centers(html, **boxes)[0]
        assert center.tolist() == pytest.approx([1080, 4 * self.CELL])

    def test_half_of_the_area_is_not_dense(self):
        html = "<div id=m><a id=a href=/1>one</a><i id=i>x</i></div>"
        boxes = {"m": (0, 0, 480, 1080), "a": (0, 0, 480, 540), "i": (0, 540, 9, 9)}
        assert self.centers(html, **boxes)[0][0] == pytest.approx(960)
        boxes["a"] = (0, 0, 480, 541)
        assert self.centers(html, **boxes)[0][0] == pytest.approx(1080)

    def test_the_only_child_s_parent_is_the_link_container(self):
        # The links are small, the items around them fill the list.
        item = "<li id={0}><a id=a{0} href=/{0}>x</a></li>"
        html = f"<ul id=m>{item.format(1)}{item.format(2)}</ul>"
        boxes = {"m": (0, 0, 480, 1080), "1": (0, 0, 480, 400), "2": (0, 400, 480, 400)}
        boxes.update({"a1": (0, 0, 30, 20), "a2": (0, 400, 30, 20)})
        assert self.centers(html, **boxes)[0][0] == pytest.approx(1080)

    def test_window_and_page_pull_the_centers(self):
        html, boxes = f"<div id=w>{P}</div>", {"w": WRAPPER, **ROWS}
        document, layout = rendered(html, boxes, window=WINDOW, page=PAGE)
        c1, c2, c3 = FirstImpression().analyse(document, layout).grid.centers
        # 14 rows of 6 cells without the top one: 13 x 6 points.
        y = (1.5 + 13.5) / 2 * self.CELL
        assert c1.tolist() == pytest.approx([960, y])
        assert c2[1] == pytest.approx((78 * y + 540) / 79)
        assert c3[1] == pytest.approx((78 * y + 540 + 1200) / 80)
