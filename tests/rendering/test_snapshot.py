"""The snapshot script in a real browser, on pages that are hard to record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote

import pytest
from parsel import Selector

from scrapy_mainpage.extraction.document.document import Document, read_tree
from scrapy_mainpage.extraction.document.layout import DISPLAYS, STAMP, Layout
from scrapy_mainpage.rendering.launch import find_browser
from scrapy_mainpage.rendering.page_reader import make_layout_script

pytest.importorskip("playwright")

TOLD = ("before", "first", "source", "same", "stamps", "inner")

# Report of the page's own script, in the order of TOLD. No JSON: a page may break it.
RECORD = """<script>addEventListener("load", () => {
  const before = Document.prototype.querySelectorAll.call(document, "*").length;
  %s
  const first = %s;
  const root = Document.prototype.querySelector.call(document, ":root");
  const source = root.outerHTML;
  const second = %s;
  const again = root.outerHTML;
  const all = Document.prototype.querySelectorAll.call(document, "*");
  const stamps = [...all].map((e) => Element.prototype.getAttribute.call(e, "%s"));
  const told = [before, first, source, first === second && source === again,
    stamps.join(" "), innerWidth + " " + innerHeight];
  const result = document.createElement("pre");
  result.id = "result";
  result.textContent = told.map(encodeURIComponent).join(" ");
  root.appendChild(result);
  // The browser's own dump falls for names that hide its methods.
  for (const element of all) Element.prototype.removeAttribute.call(element, "name");
});</script>"""


@dataclass(frozen=True)
class Rendered:
    """A page as rendered by a browser, and the document read from it."""

    told: dict[str, str]
    document: Document
    layout: Layout

    def place(self, wanted: str) -> int:
        """The element with the id *wanted*."""
        for element in range(self.document.n_elements):
            if self.document.attribute(element, "id") == wanted:
                return element
        raise LookupError(wanted)

    def box(self, wanted: str) -> list[float]:
        """The x, y, width and height of the element with the id *wanted*."""
        at, layout = self.place(wanted), self.layout
        columns = (layout.x, layout.y, layout.width, layout.height)
        return [float(column[at]) for column in columns]

    def display(self, wanted: str) -> str:
        return DISPLAYS[self.layout.display[self.place(wanted)]]

    def is_visible(self, wanted: str) -> bool:
        return bool(self.layout.visible[self.place(wanted)])


Render = Callable[..., Rendered]


@pytest.fixture(scope="module")
def rendered() -> Iterator[Render]:
    """Renders HTML in one browser; the same page is rendered once for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(),
            args=["--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"],
        )

        @cache
        def render(html: str, setup: str = "") -> Rendered:
            script = make_layout_script()
            record = RECORD % (setup, script, script, STAMP)
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_content(html.replace("</body>", f"{record}</body>"))
            answers = Selector(text=page.content()).css("#result::text").get("")
            page.close()
            told = dict(zip(TOLD, map(unquote, answers.split(" ")), strict=True))
            document = read_tree(Selector(text=told["source"]).root)
            return Rendered(told, document, Layout.from_json(told["first"], document))

        yield render
        browser.close()


@pytest.fixture
def render(requirement: Callable[[str], str], request: pytest.FixtureRequest) -> Render:
    requirement("browser")
    return request.getfixturevalue("rendered")


HARD = """<!doctype html><html lang="en"><head><title>Hard</title><style>
body { margin: 0; font: 16px/20px sans-serif; height: 5000px; position: relative }
div, p, span.box { width: 100px; height: 50px; margin: 0; position: absolute }
</style></head><body>
<div id="plain" style="left: 10px; top: 20.25px; font-size: 13.5px">plain</div>
<div id="low" style="left: 0; top: 4000px">low</div>
<div id="away" style="left: -500px; top: -300px">away</div>
<div id="fixed" style="position: fixed; left: 5px; top: 7px">fixed</div>
<div id="turned" style="left: 300px; top: 100px; transform: scale(2)">turned</div>
<div id="vast" style="left: 0; top: 0; transform: scale(1e30)">vast</div>
<div id="faint" style="opacity: 0.04">faint</div>
<div id="gone" style="display: none">gone<p id="inside">inside</p></div>
<div id="unseen" style="visibility: hidden">x<i id="seen" style="visibility: visible">y
</i></div>
<section id="contents" style="display: contents"><p id="shown">shown</p></section>
<details><summary id="summary">more</summary><p id="closed">closed</p></details>
<svg id="picture" width="40" height="30"><g><text y="20">drawn</text></g></svg>
<math id="formula"><mi>x</mi></math>
<iframe id="frame" width="200" height="100" srcdoc="<p id=framed>other page"></iframe>
<div id="host"><em id="slotted">slotted</em><template shadowrootmode="open"><b>shadow
</b><slot></slot></template></div>
<template id="template"><p>never</p></template>
<noscript id="noscript"><p data-mainpage="3">never</p></noscript>
<my-words id="custom">words</my-words>
<p id="stamped" data-mainpage="5">stamped before</p>
<table id="table"><tr><td id="cell">cell</td></tr></table>
</body></html>"""

# A page with names that shadow the browser's own, and with an old library.
HIDING = """<!doctype html><html><head><title>Hiding</title></head><body>
<form id="form" name="body"><input name="setAttribute"><input name="tagName">
<input name="getBoundingClientRect"><input name="localName"><input name="style">
</form><img name="querySelectorAll"><img name="documentElement">
<p id="after" style="margin: 0; width: 50px">after</p></body></html>"""
OLD_LIBRARY = """
  Array.prototype.toJSON = function () { return "spoilt"; };
  String.prototype.toJSON = Array.prototype.toJSON;
  Object.prototype.stray = 1;
"""


class TestStamps:
    def test_every_element_is_stamped_in_document_order(self, render: Render) -> None:
        told = render(HARD).told
        count = int(told["before"])
        assert told["stamps"].split(" ") == [*map(str, range(count))]
        assert len(json.loads(told["first"])["x"]) == count

    def test_every_element_of_the_document_has_the_stamp_of_its_own(
        self, render: Render
    ) -> None:
        page = render(HARD)
        data = json.loads(page.told["first"])
        document = page.document
        elements = [
            element
            for element in range(document.n_elements)
            if document.tag_name(document.elements.parent[element]) != "noscript"
        ]
        stamps = [int(document.attributes_of(e)[STAMP]) for e in elements]
        assert stamps == sorted(set(stamps))
        names = [data["tags"][data["tag"][stamp]] for stamp in stamps]
        assert names == [*map(document.tag_name, elements)]


class TestBoxes:
    def test_scrolling_does_not_move_boxes(self, render: Render) -> None:
        still, scrolled = render(HARD), render(HARD, "scrollTo(0, 1500);")
        for name in ("plain", "low", "away", "cell"):
            assert scrolled.box(name) == pytest.approx(still.box(name), abs=0.11)
        assert still.box("fixed") == [5, 7, 100, 50]
        assert scrolled.box("fixed") == [5, 1507, 100, 50]

    def test_what_has_no_box_is_zero_wherever_the_page_is(self, render: Render) -> None:
        page = render(HARD, "scrollTo(0, 1500);")
        for name in ("gone", "inside", "contents", "template"):
            assert page.box(name) == [0, 0, 0, 0]

    def test_transforms_count_and_have_an_end(self, render: Render) -> None:
        page = render(HARD)
        assert page.box("turned") == [250, 75, 200, 100]
        assert page.box("vast")[2:] == [2**25, 2**25]

    def test_the_window_and_the_whole_page_are_measured(self, render: Render) -> None:
        page = render(HARD)
        assert page.layout.window == tuple(map(float, page.told["inner"].split()))
        assert page.layout.page == (page.layout.window[0], 5000)


COLUMNS = """<!doctype html><html lang="en"><body style="margin: 0; font: 16px/20px
monospace"><div id="m" style="width: 600px">Up <form><input name="nodeType"></form>
In the middle<!-- not --> here <svg><g></g></svg><b>bold</b> end</div>
<p id="p">alone</p></body></html>"""


class TestFreeTexts:
    def test_texts_beside_elements_have_boxes_of_their_own(self, render: Render):
        page = render(COLUMNS)
        document, layout = page.document, page.layout
        texts = [
            document.text[start:end].decode().strip()
            for start, end in zip(
                document.runs.start[layout.free_run],
                document.runs.end[layout.free_run],
                strict=True,
            )
        ]
        assert [text for text in texts if text] == ["Up", "In the middle here", "end"]
        left, top, width, height = layout.free_box[0].tolist()
        assert (left, top) == (0, pytest.approx(0, abs=5))
        assert 0 < width < 100
        assert 0 < height < 40  # A line of 20 px; a font may stand out of it.


class TestStyles:
    def test_display_values(self, render: Render) -> None:
        page = render(HARD)
        found = {name: page.display(name) for name in ("gone", "contents", "custom")}
        assert found == {"gone": "none", "contents": "contents", "custom": "inline"}
        assert page.display("cell") == "table-cell"
        assert page.display("formula") == "math"

    def test_what_is_not_rendered_is_invisible(self, render: Render) -> None:
        page = render(HARD)
        hidden = ("gone", "inside", "unseen", "closed", "template", "noscript")
        assert not any(page.is_visible(name) for name in hidden)
        shown = ("plain", "seen", "contents", "shown", "summary", "slotted", "away")
        assert all(page.is_visible(name) for name in shown)


class TestOtherTrees:
    def test_frames_have_a_box_and_their_pages_none(self, render: Render) -> None:
        page = render(HARD)
        assert page.box("frame")[2] >= 200
        with pytest.raises(LookupError):
            page.place("framed")

    def test_slotted_elements_have_the_box_of_their_slot(self, render: Render) -> None:
        page = render(HARD)
        assert page.box("slotted")[2] > 0
        assert "shadow" not in page.told["source"]


class TestHostilePages:
    def test_names_of_the_page_do_not_hide_the_browsers_own(
        self, render: Render
    ) -> None:
        page = render(HIDING)
        assert page.box("after")[2] == 50
        assert page.box("form")[2] > 50
        names = json.loads(page.told["first"])["tags"]
        assert names == [
            "html",
            "head",
            "title",
            "body",
            "form",
            "input",
            "img",
            "p",
            "script",
        ]

    def test_libraries_that_change_how_json_is_written(self, render: Render) -> None:
        assert render(HARD, OLD_LIBRARY).told["first"] == render(HARD).told["first"]
