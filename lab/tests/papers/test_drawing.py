"""Shapes of SVG, and axes."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from lab.papers.figures.charts import ticks
from lab.papers.figures.drawing import Svg


@given(st.text())
def test_any_text_gives_well_formed_xml_that_says_the_same(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    svg = Svg(10, 10, text)
    svg.text(0, 0, text)
    svg.rect(0, 0, 1, 1, title=text, fill=text)
    root = ElementTree.fromstring(str(svg))
    assert [child.tag.partition("}")[2] for child in root] == ["text", "rect"]
    assert set(root[1].attrib) == {"x", "y", "width", "height", "fill"}


@given(st.floats(-1e6, 1e6), st.floats(0.001, 1e6), st.integers(1, 12))
def test_ticks_lie_within_and_are_few(low: float, size: float, most: int) -> None:
    found = ticks(low, low + size, most)
    slack = size * 1e-6
    assert all(low - slack <= tick <= low + size + slack for tick in found)
    assert len(found) <= most + 1
    assert len(set(found)) == len(found)
