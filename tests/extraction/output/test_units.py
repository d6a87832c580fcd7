"""Units: boxes and titles, tasks, notes, quotes; words that readers do not see."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.output._main_tree import complete_units
from scrapy_mainpage.extraction.output._signs import Signs
from scrapy_mainpage.extraction.parsing.tree import parse_html

from .helpers import content_of

TABS = (
    "<div role=tablist><a>x</a><a>y</a></div><div role=tabpanel>{}</div>"
    "<div role=tabpanel hidden>{}</div>"
)
NOTE = '<sup class="ltx_note_mark">1</sup>'


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ul><li><input type=checkbox disabled checked> a</ul>", "- [x] a"),
        ("<ul><li><p><input type=checkbox disabled id=t>a</ul>", "- [ ] a"),
        ("<ul><li><label><input type=CheckBox> a</label></ul>", "- [ ] a"),
        # A form's, or a script's.
        ("<ul><li><input type=checkbox name=t checked> a</ul>", "- a"),
        ("<ul><li>[x](a) b</ul>", "- \\[x\\](a) b"),
        ("a <a href=/b>b<span class=sr-only> (new tab)</span></a>", "a [b](/b)"),
        ("a <a href=/b><span class=sr-only>menu</span></a>", "a [menu](/b)"),
        ("a <i class=fa aria-hidden=true>arrow-up</i> b", "a b"),
        ("a <i>arrow</i> b", "a _arrow_ b"),
        ("a <u data-tex='b^2'>b2</u> c", "a $b^2$ c"),
        ("a <u data-math=true>b2</u> c", "a b2 c"),
        (
            f"a{NOTE}<u class=ltx_note_outer>{NOTE}b <b>c</b></u>, d",
            "a (b **c**), d",
        ),
        (
            "<pre><i style='user-select: none'>1</i>a\n<i style='user-select:none'>2"
            "</i>b</pre>",
            "```\na\nb\n```",
        ),
        ("<div class=callout><p>a", "> a"),
        ("<pre><div><button>Copy</button></div><code>a</code></pre>", "```\na\n```"),
        (
            "<table><td><td><math display=block alttext='a^2'></math><td>(1)</table>",
            "$$a^2$$\n\n(1)",
        ),
        (
            "<p>x<div class=language-cpp><div><table><tr><td class=gutter><pre>1\n2"
            "</pre><td><div><pre>a\nb</pre></div></table></div></div><p>x<p>x<p>x",
            "x\n\n```cpp\na\nb\n```\n\nx\n\nx\n\nx",
        ),
    ],
)
def test_form(html: str, markdown: str) -> None:
    found = content_of(html).markdown().replace("https://example.com/", "/")
    assert found == markdown


@pytest.mark.parametrize(
    ("html", "main", "completed"),
    [
        ("<blockquote><p>a b c<footer>d</footer></blockquote>", "10", "11"),
        ("<blockquote><p>a<p>b c d</blockquote>", "10", "10"),
        ("<blockquote><p>a b<p><a role=button>c</a></blockquote>", "10", "10"),
        ("<blockquote><p>a b<div class=js-expand>c</div></blockquote>", "10", "10"),
        ("<p>a<sup><a href=#n>1</a></sup><p>b<p id=n>c<p>d", "1000", "1010"),
        ("<p>a<sup><a href=#n>1</a></sup><p>b<p id=n>c", "010", "010"),
        # Targets: an anchor, an encoded name, a link in the note, a term, nothing.
        ("<p>a<a href=#n><sup>1</sup></a><p>b<p><a name=n></a>c<p>d", "1000", "1010"),
        ("<p>a<sup><a href=#%C3%A9>1</a></sup><p>b<p id=é>c<p>d", "1000", "1010"),
        (
            "<p>a<a class=footnote-anchor href=#n id=m>1</a><p>b"
            "<div><a href=#m id=n>1</a><p>c</div><p>d",
            "10000",
            "10110",
        ),
        (
            "<p>a<sup><a href=#n>1</a></sup><dl><dt>b<dd>b<dt id=n>1<dd>c</dl>",
            "10000",
            "10011",
        ),
        ("<p>a<sup><a href=#n>1</a></sup><p>b<div id=n></div><p>c<p>d", "1000", "1010"),
        # Without a superscript a note leads back, or begins with its mark.
        ("<p>a[<a href=#n>1</a>]<p>b<p id=n>[1] c<p>d", "1000", "1010"),
        ("<p>a[<a href=#n>1</a>]<p>b<p id=n>2. c<p>d", "1000", "1000"),
        # Code in tabs, which a click shows; not their prose.
        (f"<p>a{TABS.format('<pre>b</pre>', '<pre>c</pre>')}", "1010", "1011"),
        (f"<p>a{TABS.format('<pre>b</pre>', '<pre>c</pre>')}", "1000", "1000"),
        (f"<p>a{TABS.format('<p>b</p>', '<p>c</p>')}", "1010", "1010"),
    ],
)
def test_what_belongs_to_main_content_is_main(
    html: str, main: str, completed: str
) -> None:
    document = read_tree(parse_html(html.encode()))
    chosen = np.array([sign == "1" for sign in main])
    found = complete_units(Signs(document), chosen)
    assert "".join(map(str, found.astype(int))) == completed


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
