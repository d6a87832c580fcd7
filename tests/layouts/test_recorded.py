"""The recordings are complete, and their boxes those of the elements that are read."""

from __future__ import annotations

import json

import pytest

from scrapy_mainpage.extraction.document.layout import STAMP, Layout
from tests.extraction.helpers import document_of
from tests.layouts import WINDOWS, archive_of, load, manifest, themes

FIELDS = ("x", "y", "width", "height")


@pytest.mark.parametrize("theme", themes())
def test_every_element_has_its_own_box(theme: str) -> None:
    for page in load(theme):
        document = document_of(page.html)
        layout = Layout.from_json(page.layout_json, document)
        data = json.loads(page.layout_json)
        for number in range(document.n_elements):
            stamp = int(document.attributes_of(number)[STAMP])
            assert data["tags"][data["tag"][stamp]] == document.tag_name(number)
            box = (layout.x, layout.y, layout.width, layout.height)
            expected = [data[field][stamp] for field in FIELDS]
            found = [float(values[number]) for values in box]
            assert found == pytest.approx(expected, rel=1e-6)


def test_the_manifest_names_what_is_there() -> None:
    for theme in themes():
        site = manifest()["sites"][theme]
        assert site["licence"]
        assert site["made_by"]
        assert all(archive_of(theme, window).exists() for window in WINDOWS)
    assert len(themes("markdown")) == 7
    assert len(themes("debian")) >= 3
