from __future__ import annotations

from collections import Counter
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement, fromstring
from markdown_it import MarkdownIt

from .helpers import content_of, markdown, squeezed
from .vectors import VECTORS

RENDERER = MarkdownIt("commonmark", {"maxNesting": 300})
RENDERER.enable(["table", "strikethrough"])


def rendered(html: str) -> HtmlElement:
    shown = RENDERER.render(markdown(html))
    # Line breaks in the cells of tables part words, too.
    return fromstring(f"<div>{shown.replace('<br>', '<br> ')}</div>")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>A</h1><h3>B <b>c</b></h3>", "# A\n\n### B **c**"),
        ("<p>a<p>b", "a\n\nb"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<p>a<br>b", "a\\\nb"),
        ("<p>a<br><br>b", "a\n\nb"),
        ("<p>a<hr><p>b", "a\n\n---\n\nb"),
        ("<h2># a #</h2>", "## # a \\#"),
        ("<h2>a<br>b</h2>", "## a b"),
        ("<p>a <a href=/x>b</a>", "a [b](https://example.com/x)"),
        ("<p><a href='x_(1)'>b</a>", "[b](https://example.com/blog/x_(1))"),
        ("<p><a href='x(1'>b</a>", "[b](https://example.com/blog/x\\(1)"),
        ("<p>Wow!<a href=/x>b</a>", "Wow&#33;[b](https://example.com/x)"),
        ("<p><a href='javascript:x'>b</a>", "b"),
        ("<p>a<img src=a.png alt='x]'>", "a ![x\\]](https://example.com/blog/a.png)"),
        ("<img src=a.png> b", "![](https://example.com/blog/a.png) b"),
        ("<p>a<b> b </b>c", "a **b** c"),
        ("<p>a <b><strong>b</strong></b> <i> </i>c", "a **b** c"),
        ("<p><b>a</b><b>b</b>", "**ab**"),
        ("<p><i>a</i>b", "*a*b"),
        ("<p><i>a</i> b <s>c</s>", "_a_ b ~~c~~"),
        ("<p><b>注意：</b>请", "**注意**：请"),
        ("<p>x<sup>2</sup>", "x²"),
        ("<p><code>a`b</code> <code>`</code>", "``a`b`` `` ` ``"),
        ("<p><code>f(<a href=/x>y</a>)</code>", "`f(`[`y`](https://example.com/x)`)`"),
        ("<pre>a\n  b *c*</pre>", "```\na\n  b *c*\n```"),
        ("<pre>a\n\n```</pre>", "````\na\n\n```\n````"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
        ("<ol start=9><li>a<li>b<p>c</ol>", "9. a\n10. b\n\n    c"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul><li><pre>a</pre>b</ul>", "- ```\n  a\n  ```\n\n  b"),
        ("<blockquote><p>a<ul><li>b</ul></blockquote>", "> a\n>\n> - b"),
        ("<dl><dt>a<dd>b</dl>", "**a**\n: b"),
        ("<figure><img src=/a.png><figcaption>b</figcaption></figure>",
         "![](https://example.com/a.png)\n\nb"),
        ("<table><tr><th>a<th>b|c<tr><td>d<td><p>e<p>f</table>",
         "| a | b\\|c |\n| --- | --- |\n| d | e<br>f |"),
        ("<table><tr><td colspan=2>a<tr><td rowspan=2>b<td>c<tr><td>d</table>",
         "|  |  |\n| --- | --- |\n| a |  |\n| b | c |\n|  | d |"),
        ("<table><tr><td><h2>a</h2><p>b<td>c</table>", "## a\n\nb\n\nc"),
        ("<a href=/x><h2>a</h2><p>b</a>",
         "## [a](https://example.com/x)\n\n[b](https://example.com/x)"),
        ("<iframe src=//example.org/v title=Film></iframe>a",
         "[Film](https://example.org/v) a"),
        ("", ""),
        ("<p> </p>", ""),
    ],
)  # fmt: skip
def test_markdown_of(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("snake_case_name 2 * 3 a-b 1.5 #tag [1] AT&T ~100", None),
        ("_a_ *b*", "\\_a\\_ \\*b\\*"),
        ("1. a", "1\\. a"),
        ("2021. was", "2021\\. was"),
        ("- a", "\\- a"),
        ("# a", "\\# a"),
        ("> a", "\\> a"),
        ("---", "\\---"),
        ("[a](b)", "[a\\](b)"),
        ("[a]: b", "\\[a\\]: b"),
        ("<b> &amp;", "&lt;b> &amp;amp;"),
        ("a\\*b c\\d", "a\\\\\\*b c\\d"),
        ("~~a~~", "~\\~a\\~\\~"),
    ],
)
def test_text_is_escaped_where_it_is_needed_and_only_there(
    text: str, expected: str | None
) -> None:
    written = markdown(f"<p>{escape(text)}</p>")
    # Brackets at the start of a line are escaped without harm.
    assert written.replace("\\[a\\](", "[a\\](") == (expected or text)


@pytest.mark.parametrize(
    "html",
    [
        '<pre class="lang-python">x</pre>',
        '<pre class="brush: python; toolbar">x</pre>',
        '<div class="highlight-python notranslate"><div><pre>x</pre></div></div>',
        '<div class="highlight highlight-source-python"><pre>x</pre></div>',
    ],
)
def test_code_knows_its_language(html: str) -> None:
    assert markdown(html) == "```python\nx\n```"


def test_language_of_the_reader_is_not_that_of_code() -> None:
    assert markdown('<body class="lang-en"><pre class="x">x</pre>') == "```\nx\n```"


def test_only_main_content_is_written() -> None:
    html = "<ul><li>menu<li>about</ul><p>a<hr><p>b<hr><p>menu"
    assert markdown(html, boilerplate=("menu", "about")) == "a\n\n---\n\nb"


def test_images_outside_of_blocks_follow_the_text_around_them() -> None:
    html = (
        "<div><p>a</p><div><img src=/1.png></div></div>"
        "<div><p>menu</p><div><img src=/2.png></div></div>"
    )
    assert markdown(html, boilerplate=("menu",)) == (
        "a\n\n![](https://example.com/1.png)"
    )


def test_structure_survives_rendering() -> None:
    html = (
        "<h1>a</h1><p>b <b>c <i>d</i></b> <code>e</code></p><ol><li>f<ul><li>g<li>h"
        "</ul><li><p>i<p>j<pre>k\n\nl</pre></ol><blockquote><ul><li>m</ul><p>n"
        "</blockquote><table><tr><th>o<th>p<tr><td>q<td>r</table>"
    )
    tags = Counter(element.tag for element in rendered(html).iter())
    expected = "h1 strong em ol li*5 ul*2 pre blockquote table tr*2 th*2 td*2"
    for name in expected.split():
        tag, _, count = name.partition("*")
        assert tags[tag] == int(count or 1), tag


TEXTS = st.text(
    st.sampled_from("ab1 *_`[]()<>#+-=~|!\\&;:.\"'0 \n注，。é“—") | st.characters(
        exclude_categories=("Cs", "Cc", "Cf", "Zs", "Zl", "Zp")
    ),
    max_size=30,
)  # fmt: skip
MARKS = ["b", "i", "em", "strong", "s", "code", "sub", "a href='/x'", "span"]


@given(TEXTS)
def test_any_text_is_given_back_by_rendering(text: str) -> None:
    html = f"<p>{escape(text)}</p>"
    assert squeezed(rendered(html).text_content()) == source_text(html)


@st.composite
def fragments(draw: st.DrawFn, depth: int = 3) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        text = escape(draw(TEXTS))
        if depth and draw(st.booleans()):
            mark = draw(st.sampled_from(MARKS))
            text = f"<{mark}>{draw(fragments(depth - 1))}</{mark.split()[0]}>"
        parts.append(text)
    return "".join(parts)


@given(fragments(), st.sampled_from(["p", "h2", "li", "blockquote", "dt", "pre"]))
def test_any_marks_around_any_text_leave_the_text_as_it_is(html: str, tag: str) -> None:
    html = f"<{tag}>{html}</{tag}>"
    assert squeezed(rendered(html).text_content()) == source_text(html)


@given(st.lists(fragments(1), min_size=4, max_size=4))
def test_any_cell_of_a_table_keeps_its_text(cells: list[str]) -> None:
    a, b, c, d = cells
    html = f"<table><tr><th>h {a}<th>{b}<tr><td>{c}<td>i {d}</table>"
    texts = [cell.text_content() for cell in rendered(html).iter("th", "td")]
    assert squeezed("".join(texts)).replace(" ", "") == source_text(html).replace(
        " ", ""
    )


def test_a_link_does_not_escape_the_mark_that_ends_the_cell_before() -> None:
    html = "<table><tr><th>h<th>b!<tr><td><a href=/x>c</a><td>d</table>"
    assert markdown(html) == (
        "| h | b! |\n| --- | --- |\n| [c](https://example.com/x) | d |"
    )


BLOCKS = "p div ul ol li blockquote h2 pre table tr td dl dt dd b a figure".split()


@given(st.lists(st.sampled_from([*BLOCKS, *(f"/{tag}" for tag in BLOCKS), "", "x"])))
def test_any_nesting_keeps_all_words_in_order(tags: list[str]) -> None:
    parts = (f"<{tag}>w{place} " for place, tag in enumerate(tags))
    html = "<body>" + "".join(parts)
    words = [word for word in rendered(html).text_content().split() if word != ":"]
    assert words == source_text(html).split()


def source_text(html: str) -> str:
    document = content_of(html).document
    return squeezed(" ".join(document.block_text(i) for i in range(document.n_blocks)))


SAFE = ("https://example.com/", "//", "mailto:", "tel:")


@pytest.mark.parametrize("vector", VECTORS)
def test_nothing_that_could_run_is_left_in_rendered_markdown(vector: str) -> None:
    allowed = {
        "href", "src", "alt", "class", "start", "title", "style",
    }  # fmt: skip
    for element in rendered(f"<p>before</p>{vector}<p>after</p>").iter():
        assert element.tag not in {"script", "style", "iframe", "object", "embed"}
        assert element.tag not in {"form", "svg", "math", "template", "meta", "base"}
        assert set(element.attrib) <= allowed
        for name in ("href", "src"):
            value = element.get(name)
            assert value is None or value.startswith(SAFE)
