"""The recordings are complete, aligned, and have their columns."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import pytest

from scrapy_mainpage.extraction.document.layout import STAMP, Layout
from tests.extraction.helpers import document_of
from tests.layouts import (
    DESKTOP,
    WIDE,
    WINDOWS,
    RecordedPage,
    archive_of,
    load,
    manifest,
    page_of,
    themes,
)
from tests.layouts.truth import text_of

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

FIELDS = ("x", "y", "width", "height")


@cache
def recorded(
    theme: str, name: str, window: tuple[int, int]
) -> tuple[Document, Layout, RecordedPage]:
    page = page_of(theme, name, window)
    document = document_of(page.html)
    return document, Layout.from_json(page.layout_json, document), page


def element(document: Document, wanted: str) -> int:
    """The first element with a tag, ``.class`` or ``#id``."""
    for number in range(document.n_elements):
        attributes = document.attributes_of(number)
        names = {document.tag_name(number), f"#{attributes.get('id')}"}
        names |= {f".{name}" for name in attributes.get("class", "").split()}
        if wanted in names:
            return number
    raise LookupError(wanted)


# Theme, the element that is on the left, the one that is on its right.
COLUMNS = [
    ("alabaster", "recipes", ".sphinxsidebar", ".body"),
    ("furo", "recipes", ".sidebar-drawer", "article"),
    ("furo", "recipes", "article", ".toc-drawer"),
    ("sphinx-rtd-theme", "recipes", ".wy-nav-side", ".wy-nav-content"),
    ("pydata-sphinx-theme", "recipes", ".bd-sidebar-primary", "article"),
    ("pydata-sphinx-theme", "recipes", "article", ".bd-sidebar-secondary"),
    ("mkdocs", "recipes", ".bs-sidebar", ".col-md-9"),
    ("mkdocs-readthedocs", "recipes", ".wy-nav-side", ".wy-nav-content"),
    ("mkdocs-material", "recipes", ".md-sidebar--primary", "article"),
    ("mkdocs-material", "recipes", "article", ".md-sidebar--secondary"),
    ("apache2-doc", "caching", "#preamble", "#quickview"),
    ("python-django-doc", "signing", "#topics-signing", "#sidebar"),
    ("rust-book", "book-comments", "#sidebar", "main"),
    ("rust-std", "std-convert", ".sidebar", "#main-content"),
]


class TestRecordedPages:
    @pytest.mark.parametrize("window", WINDOWS)
    @pytest.mark.parametrize("theme", themes())
    def test_every_element_has_its_own_box(
        self, theme: str, window: tuple[int, int]
    ) -> None:
        for name in manifest()["sites"][theme]["pages"]:
            document, layout, page = recorded(theme, name, window)
            data = json.loads(page.layout_json)
            for number in range(document.n_elements):
                stamp = int(document.attributes_of(number)[STAMP])
                tag = data["tags"][data["tag"][stamp]]
                assert tag == document.tag_name(number)
                box = (layout.x, layout.y, layout.width, layout.height)
                expected = [data[field][stamp] for field in FIELDS]
                assert [float(values[number]) for values in box] == pytest.approx(
                    expected, rel=1e-6
                )

    @pytest.mark.parametrize("window", WINDOWS)
    @pytest.mark.parametrize("theme", themes())
    def test_pages_are_as_wide_as_the_window(
        self, theme: str, window: tuple[int, int]
    ) -> None:
        for name in manifest()["sites"][theme]["pages"]:
            document, layout, _ = recorded(theme, name, window)
            body = element(document, "body")
            assert layout.window == window
            assert layout.page[0] == window[0]
            assert layout.page[1] >= window[1]
            assert layout.visible[body]
            assert layout.x[body] + layout.width[body] <= window[0]

    @pytest.mark.parametrize("window", WINDOWS)
    @pytest.mark.parametrize("theme", themes("markdown"))
    def test_the_heading_is_at_the_top_and_larger_than_the_text(
        self, theme: str, window: tuple[int, int]
    ) -> None:
        for name in manifest()["sites"][theme]["pages"]:
            document, layout, _ = recorded(theme, name, window)
            heading, body = element(document, "h1"), element(document, "body")
            assert layout.visible[heading]
            assert 0 < layout.y[heading] < 300
            assert 0 < layout.height[heading] < 100
            assert layout.font_size[heading] > layout.font_size[body]

    @pytest.mark.parametrize("window", WINDOWS)
    @pytest.mark.parametrize(("theme", "name", "left", "right"), COLUMNS)
    def test_columns_stand_side_by_side(
        self, theme: str, name: str, left: str, right: str, window: tuple[int, int]
    ) -> None:
        document, layout, _ = recorded(theme, name, window)
        a, b = element(document, left), element(document, right)
        assert layout.area[a] > 0
        assert layout.x[a] + layout.width[a] <= layout.x[b] + 1
        assert layout.y[b] < layout.y[a] + layout.height[a]

    @pytest.mark.parametrize("theme", themes())
    def test_the_page_holds_all_words_of_its_truth(self, theme: str) -> None:
        for window in WINDOWS:
            for page in load(theme, window):
                words = Counter(page.truth.split())
                # Themes write their signs directly behind a heading.
                there = Counter(text_of(page.html).replace("¶", " ").split())
                missing = words - there
                assert sum(missing.values()) <= 0.02 * sum(words.values()), missing

    def test_the_truth_of_a_source_is_the_same_in_all_themes(self) -> None:
        for window in WINDOWS:
            truths = {
                tuple(page.truth for page in load(theme, window))
                for theme in themes("markdown")
            }
            assert len(truths) == 1

    def test_the_manifest_names_what_is_there(self) -> None:
        for theme in themes():
            site = manifest()["sites"][theme]
            assert site["licence"]
            assert site["made_by"]
            assert [tuple(window) for window in site["windows"]] == [*WINDOWS]
            assert all(archive_of(theme, window).exists() for window in WINDOWS)
        assert len(themes("markdown")) == 7
        assert len(themes("debian")) >= 3
        assert {DESKTOP, WIDE} == {*WINDOWS}
