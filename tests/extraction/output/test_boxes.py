"""Boxes (notes, tips, warnings) in text, Markdown, HTML and sections."""

from __future__ import annotations

import pytest

from scrapy_mainpage import extract

BEFORE = "The gauge writes a line every ten seconds to the file that you name."
INSIDE = "The clock must be right, or all the levels are wrong by hours."
AFTER = "Lines that are older than a year go to another file, which you name as well."
PAGE = (
    "<title>Files</title><main><h1>Files</h1><p>{0}</p><h2>Lines</h2><p>{0}</p>"
    "{1}<p>{2}</p></main>"
)
ICON = "<td rowspan=2><img alt='[Note]' src=note.png></td>"
BOXES = [
    "<div class=note><h3 class=title>Note</h3><p>{}</p></div>",
    "<div class='admonition note'><p class=admonition-title>Note</p><p>{}</p></div>",
    f"<div class=note><table><tr>{ICON}<th>Note</th></tr>"
    "<tr><td><p>{}</p></table></div>",
    "<div class='admonitionblock note'><table><tr><td class=icon><div class=title>Note"
    "</div></td><td class=content>{}</td></tr></table></div>",
    "<section class=theme-admonition><p class=heading_x1>Note</p><p>{}</p></section>",
]


def page(box: str) -> str:
    return PAGE.format(BEFORE, box, AFTER)


@pytest.mark.parametrize("box", BOXES)
def test_a_box_is_a_quote_with_a_strong_title(box: str) -> None:
    found = extract(page(box.format(INSIDE)))
    assert f"\n\n> **Note**\n>\n> {INSIDE}\n\n{AFTER}" in found.markdown
    assert f"<p><strong>Note</strong></p>\n<p>{INSIDE}</p>\n</blockquote>" in found.html
    assert f"\n\nNote\n\n{INSIDE}\n\n{AFTER}" in found.text


@pytest.mark.parametrize("box", BOXES)
def test_a_heading_in_a_box_heads_no_section(box: str) -> None:
    sections = extract(page(box.format(INSIDE))).sections
    assert [section.heading for section in sections] == ["Files", "Lines"]
    assert sections[1].text.endswith(f"Note\n\n{INSIDE}\n\n{AFTER}")


@pytest.mark.parametrize(
    "part",
    [
        "<div class=note><h3>Clock</h3><p>{0}</p><h3>Time zone</h3><p>{0}</p></div>",
        "<div class=notebook><h3>Clock</h3><p>{0}</p></div>",
        "<div class=callout-list><h3>Clock</h3><p>{0}</p></div>",
    ],
)
def test_sections_with_like_names_are_no_boxes(part: str) -> None:
    found = extract(page(part.format(INSIDE)))
    assert "### Clock" in found.markdown
    assert ">" not in found.markdown


def test_a_table_beside_other_text_of_a_box_is_a_table() -> None:
    table = "<table><tr><th>Key<th>Unit<tr><td>level<td>metre</table>"
    box = f"<div class=note><p>{INSIDE}</p>{table}</div>"
    assert "> | level | metre |" in extract(page(box)).markdown


@pytest.mark.parametrize("title", ["Types", "Kinds of gauges that you can buy"])
def test_headings_that_link_back_to_the_contents_stay(title: str) -> None:
    heading = f"<h2 id=types><a class=toc-backref href='#id7'>{title}</a></h2>"
    found = extract(page(heading + f"<p>{INSIDE}</p>"))
    assert f"\n## {title}\n" in found.markdown
    assert title in [section.heading for section in found.sections]
