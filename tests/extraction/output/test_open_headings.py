"""Headings end where their text does, also those that the page leaves open.

A browser closes a heading at the end tag of any level; libxml2 does not.
"""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract

from .helpers import content_of


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (
            "<h3>Price</h2><div>$40</div><div>a month</div>",
            "### Price\n\n$40\n\na month",
        ),
        (
            "<h3>Tabs</h4><div><p>a</p></div><h3>On</h3><p>b",
            "### Tabs\n\na\n\n### On\n\nb",
        ),
        ("<h3>Mill<p>a<ul><li>b</ul>", "### Mill\n\na\n\n- b"),
        ("<h3>Mill" + "<p>a" * 20, "### Mill" + "\n\na" * 20),
        ("<h3><b>Mill</b><table><tr><td>a<td>b<tr><td>c<td>d</table>", None),
        ("<h2>Mill<div>on the river</div></h2><p>a", "## Mill on the river\n\na"),
        ("<h2><div>Mill</div><div>on it</div></h2><p>a", "## Mill on it\n\na"),
    ],
)
def test_headings(html: str, markdown: str | None) -> None:
    found = content_of(html).markdown()
    if markdown is None:
        assert found.startswith("### **Mill**\n\n|")
        assert "| a | b |" in found
    else:
        assert found == markdown


def test_what_follows_an_open_heading_is_no_heading() -> None:
    page = extract(
        "<h1>River</h1><p>It rises in the hills above the mill and runs to the sea.</p>"
        "<h2>Boats</h3><div>In summer boats go from the harbour to the islands.</div>"
        "<div>In winter they lie in the harbour, and their sails are mended.</div>"
    )
    labels = [str(block.label) for block in page.blocks]
    assert labels == ["title", "paragraph", "heading", "paragraph", "paragraph"]
    assert [section.heading for section in page.sections] == ["River", "Boats"]
    assert page.sections[1].text.startswith("In summer")
