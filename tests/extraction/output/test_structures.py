# ruff: noqa: E501 - markup is easier to read unbroken
"""Tables, code, lists, marks and tabs come out as readers of text and Markdown expect."""

from __future__ import annotations

import pytest

from scrapy_mainpage.extraction.output.text import write_text

from .helpers import content_of, markdown


def text(html: str) -> str:
    content = content_of(html)
    return write_text(content.document, content.main)


class TestTables:
    @pytest.mark.parametrize(
        "head",
        [
            "<thead><th>a<th>b</thead>",
            "<tr><td><b>a</b><td><strong>b</strong>",
        ],
    )
    def test_rows_that_name_the_columns_are_the_head(self, head: str) -> None:
        lines = markdown(f"<table>{head}<tr><td>1<td>2</table>").splitlines()
        assert lines[0].replace("*", "") == "| a | b |"
        assert lines[1:] == ["| --- | --- |", "| 1 | 2 |"]

    @pytest.mark.parametrize(
        "label", ["When:<p>", "<span>When</span> ", "<b>When</b><br>"]
    )
    def test_a_cell_does_not_repeat_the_head_of_its_column(self, label: str) -> None:
        row = f"<tr><td>1<td>{label}May"
        html = f"<table><tr><th>n<th>When{row}{row}<tr><td>2<td>When</table>"
        assert text(html) == "n\tWhen\n1\tMay\n1\tMay\n2\tWhen"
        html = html.replace("<th>", "<td>")  # the first row's cell is no head
        assert text(html).count("When") == 4

    def test_cell_without_text_stays_an_empty_cell(self) -> None:
        html = "<table><tr><th>a<th>b<th>c<tr><td>1<td><td>3<tr><td><td>2<td></table>"
        assert markdown(html) == (
            "| a | b | c |\n| --- | --- | --- |\n| 1 |  | 3 |\n|  | 2 |  |"
        )
        assert text(html) == "a\tb\tc\n1\t\t3\n\t2"

    def test_cell_that_is_no_main_content_is_an_empty_cell(self) -> None:
        html = "<table><tr><th>a<th>b<tr><td>1<td>menu</table>"
        assert markdown(html, ("menu",)) == "| a | b |\n| --- | --- |\n| 1 |  |"

    def test_header_row_that_is_no_main_content_makes_no_row_a_header(self) -> None:
        html = "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
        assert markdown(html, ("a", "b")) == "|  |  |\n| --- | --- |\n| 1 | 2 |"

    def test_row_headers_and_second_header_row_are_bold(self) -> None:
        html = (
            "<table><thead><tr><th rowspan=2>n<th colspan=2>y<tr><th>q<th>r"
            "<tbody><tr><th>a<td>1<td>2</table>"
        )
        assert markdown(html) == (
            "| n | y |  |\n| --- | --- | --- |\n|  | **q** | **r** |\n| **a** | 1 | 2 |"
        )
        assert text(html) == "n\ty\n\tq\tr\na\t1\t2"

    def test_code_and_paragraphs_of_a_cell_stay_in_one_line(self) -> None:
        html = (
            "<table><tr><th>a<th>b"
            "<tr><td><pre>f(\n  x)</pre><td><p>c<ul><li>d<li>e</ul></table>"
        )
        assert markdown(html) == (
            "| a | b |\n| --- | --- |\n| `f(`<br>`  x)` | c<br>d<br>e |"
        )

    def test_rows_of_a_table_in_a_cell_are_lines_of_the_cell(self) -> None:
        inner = "<table><tr><th>k<th>v<tr><td>1<td>2</table>"
        html = (
            f"<table><tr><th>a<th>b<th>c<tr><td>x{inner}y<td>{inner}<td>d"
            f"<tr><td>e<td>f<td>{inner}</table>"
        )
        assert markdown(html) == (
            "| a | b | c |\n| --- | --- | --- |\n"
            "| x<br>k v<br>1 2<br>y | k v<br>1 2 | d |\n| e | f | k v<br>1 2 |"
        )

    def test_table_around_a_table_is_no_grid(self) -> None:
        html = (
            "<table><tr><td>left<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>"
        )
        assert markdown(html) == "left\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"


HIGHLIGHTED = [
    '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>'
    '1\n2</pre></div><td class="code"><div class="highlight language-js"><pre>a\n  b</pre>'
    "</div></table>",
    '<div class="language-js highlighter-rouge"><pre class="highlight"><code>'
    '<table class="rouge-table"><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2'
    '\n</pre><td class="rouge-code"><pre>a\n  b\n</pre></table></code></pre></div>',
    '<div class="language-js line-numbers-mode"><button class="copy">Copy</button>'
    '<span class="lang">js</span><pre class="shiki"><code>a\n  b</code></pre>'
    '<div class="line-numbers-wrapper"><span>1</span><br><span>2</span></div></div>',
    '<div class="chroma"><table class="lntable"><tr><td class="lntd"><pre><code>'
    '<span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre>'
    '<td class="lntd"><pre><code class="language-js" data-lang="js">a\n  b</code></pre>'
    "</table></div>",
    '<pre><code class="language-js"><span><span class="ln">1</span>a\n</span><span>'
    '<span class="ln">2</span>  b</span></code></pre>',
    '<figure class="highlight js"><table><tr><td class="gutter"><pre>1<br>2<br></pre>'
    '<td class="code"><pre>a<br>  b<br></pre></table></figure>',
    '<pre class="line-numbers language-js"><code>a\n  b<span class="line-numbers-rows">'
    "<span></span><span></span></span></code></pre>",
    '<div class="language-js"><div><pre><code><span>a<br></span><span>  b<br></span>'
    '</code></pre><div><button aria-label="Copy code">Copy</button></div></div></div>',
    '<pre class="brush: js">a\n  b</pre>',
    '<pre data-language="js"><code>a\n  b</code></pre>',
    '<pre class="sourceCode js"><code>a\n  b</code></pre>',
]


class TestCode:
    @pytest.mark.parametrize("html", HIGHLIGHTED)
    def test_highlighted_code_is_one_block_in_its_language(self, html: str) -> None:
        assert markdown(f"<p>before{html}<p>after") == (
            "before\n\n```js\na\n  b\n```\n\nafter"
        )
        assert text(f"<p>before{html}<p>after") == "before\n\na\n  b\n\nafter"

    def test_table_of_numbers_is_no_code(self) -> None:
        html = "<table><tr><td>1<td>a<tr><td>2<td>b</table>"
        assert text(html) == "1\ta\n2\tb"

    def test_output_of_numbers_stays(self) -> None:
        html = "<pre>count(2)</pre><p>prints<pre>1\n2</pre>"
        assert text(html) == "count(2)\n\nprints\n\n1\n2"

    def test_lines_in_elements_of_their_own_are_one_block(self) -> None:
        html = "<pre><code><div>a</div><div>  b</div></code></pre>"
        assert text(html) == "a\n  b"
        assert markdown(html) == "```\na\n  b\n```"


class TestPermalinks:
    @pytest.mark.parametrize(
        "html",
        [
            '<h2 id=x>Glue<a class=headerlink href="#x">¶</a></h2>',
            '<h2 id=x>Glue <a href="#x">#</a></h2>',
            '<h2 id=x>Glue <a href="#x">\u200b</a></h2>',
            '<h2><a id=x></a>Glue <a class=anchor href="#x">link</a></h2>',
            '<section id=x><a href="#x">§</a><h2>Glue</h2></section>',
            '<h2 id=x><a href="#x">Glue</a></h2>',
            '<h2 id="user-content-x">Glue<a href="#x"></a></h2>',
            '<h2 id="größe">Glue<a href="#gr%C3%B6%C3%9Fe">🔗</a></h2>',
        ],
    )
    def test_permalink_is_no_text_and_no_link(self, html: str) -> None:
        content = content_of(f"{html}<p>text")
        assert content.markdown() == "## Glue\n\ntext"
        assert content.html() == "<h2>Glue</h2>\n<p>text</p>"
        assert text(f"{html}<p>text") == "Glue\n\ntext"
        assert [section.heading for section in content.sections()] == ["Glue"]
        assert content.links() == ()

    @pytest.mark.parametrize(
        ("html", "shown"),
        [
            ('<p>See <a href="#c">C#</a>', "See C#"),
            ('<p>The <a href="#plus">+</a> operator', "The + operator"),
            ('<h2>Part <a href="#b">B</a></h2>', "Part B"),
        ],
    )
    def test_other_links_in_the_page_keep_their_text(
        self, html: str, shown: str
    ) -> None:
        assert text(html) == shown
        assert len(content_of(html).links()) == 1

    def test_heading_that_leads_to_its_own_page_is_no_link(self) -> None:
        html = "<h2><a href='{0}'>Glue</a></h2><p>Buy <a href='{0}'>it</a>"
        written = content_of(html.format("post.html")).markdown()
        assert written.startswith("## Glue\n\nBuy [it](")
        assert content_of(html.format("b.html")).markdown().startswith("## [Glue](")

    def test_permalink_left_open_keeps_the_text_behind_it(self) -> None:
        html = '<h2 id=x>Glue<a class=anchor href="#x">link<div>Sold out.</div></h2>'
        assert text(html) == "Gluelink\n\nSold out."


class TestMarks:
    @pytest.mark.parametrize(
        ("html", "shown"),
        [
            ("20 m<sup>2</sup>", "20 m²"),
            ("10<sup>-3</sup>", "10⁻³"),
            ("x<sup>n</sup>", "xⁿ"),
            ("2<sup>1/2</sup>", "2^1/2"),
            ("1<sup>st</sup>", "1st"),
            ("H<sub>2</sub>O", "H2O"),
            ('alarm<sup><a href="#f1">1</a></sup>.', "alarm[1]."),
            ('fact<sup><a href="#n">[1]</a></sup>', "fact[1]"),
            ('it <a class="footnote-ref" href="#f1">2</a>', "it [2]"),
        ],
    )
    def test_superscripts_stand_apart(self, html: str, shown: str) -> None:
        assert text(f"<p>{html}") == shown

    def test_footnotes_have_no_way_back(self) -> None:
        html = '<ol><li id=f1><p>Note. <a href="#r1">↩</a></ol>'
        assert text(html) == "1. Note."
        assert markdown(html) == "1. Note."

    def test_mark_of_a_footnote_begins_no_link(self) -> None:
        html = '<p>a<sup><a href="#f">1</a></sup>(b)'
        assert markdown(html) == "a[1\\](b)"


def test_heading_of_the_rows_below_stands_before_their_table() -> None:
    rows = "<tr><td>#define</td><td>{0} 1</td></tr><tr><td>#define</td><td>{0} 2</td>"
    html = "<table>" + "".join(
        f"<tr><td colspan=2><h2>{name}</h2></td></tr>{rows.format(name)}"
        for name in ("A", "B")
    )
    table = "|  |  |\n| --- | --- |\n| #define | {0} 1 |\n| #define | {0} 2 |"
    parts = (f"## {name}\n\n{table.format(name)}" for name in ("A", "B"))
    assert markdown(html) == "\n\n".join(parts)
    assert content_of(html).html().count("<table>") == 2
    headed = html.replace("<table>", "<table><tr><th>a</th><th>b</th></tr>")
    assert markdown(headed).startswith("| a | b |\n| --- | --- |\n| A |  |\n")


class TestLists:
    def test_ordered_lists_keep_their_numbers(self) -> None:
        html = "<ol start=3><li>a<li>b<ol type=a><li>x<li>y</ol><li value=9>c</ol>"
        assert text(html) == "3. a\n4. b\n   1. x\n   2. y\n9. c"
        assert markdown(html) == "3. a\n4. b\n   1. x\n   2. y\n9. c"

    def test_reversed_list_counts_down(self) -> None:
        assert text("<ol reversed><li>a<li>b</ol>") == "2. a\n1. b"

    def test_definitions(self) -> None:
        html = "<dl><dt>a</dt><dd><p>b</p><p>c</p></dd><dt>d</dt><dd><pre>e</pre></dl>"
        assert markdown(html) == "**a**\n: b\n\n  c\n\n**d**\n\n```\ne\n```"

    def test_definition_in_a_definition_is_not_indented_into_code(self) -> None:
        html = "<dl><dt>a<dd>b<dl><dt>c<dd>d<p>e</p></dl></dl>"
        assert markdown(html) == "**a**\n: b\n\n  **c**\n  : d\n\n  e"


def test_heading_in_a_summary_is_a_heading() -> None:
    html = "<details><summary><h3>Is it free?</h3></summary><p>Yes</p></details>"
    assert markdown(html) == "### Is it free?\n\nYes"
    assert "<summary><h3>Is it free?</h3>" in content_of(html).html()
    assert markdown(html.replace("h3", "b")) == "**Is it free?**\n\nYes"
    html = html.replace("<summary>", "<summary>FAQ ").replace(
        "</summary>", "!</summary>"
    )
    assert markdown(html) == "**FAQ**\n\n### Is it free?\n\n**!**\n\nYes"


@pytest.mark.parametrize(
    "code", ["ntpd[89030]: DNS: a", "board[1:3][1:3]", "a {b} = {c: 1}", "f(a)[b]: int"]
)
def test_brackets_of_code_are_no_links(code: str) -> None:
    assert markdown(f"<pre>{code}</pre>") == f"```\n{code}\n```"


TABS = [
    '<div class="tabbed-set"><input><input><div class="tabbed-labels"><label>pip</label>'
    '<label>apt</label></div><div class="tabbed-content"><div class="tabbed-block"><p>a'
    '</div><div class="tabbed-block"><p>b</div></div></div>',
    '<ul role="tablist"><li role="tab">pip<li role="tab">apt</ul><div><div role="tabpanel">'
    '<p>a</div><div role="tabpanel"><p>b</div></div>',
    '<div class="sd-tab-set"><input><label class="sd-tab-label">pip</label>'
    '<div class="sd-tab-content"><p>a</div><input><label class="sd-tab-label">apt</label>'
    '<div class="sd-tab-content"><p>b</div></div>',
    '<div role="tablist"><button role="tab">pip</button><button role="tab">apt</button>'
    '</div><div role="tabpanel"><p>a</div><div role="tabpanel"><p>b</div>',
]


@pytest.mark.parametrize("html", TABS)
def test_panels_of_tabs_stand_apart_with_their_labels(html: str) -> None:
    assert markdown(html) == "**pip**\n\na\n\n**apt**\n\nb"
    assert text(html) == "pip\n\na\n\napt\n\nb"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ol><li><div>01</div><p>a</p><li><div>2</div><p>b</ol>", "1. a\n2. b"),
        ("<ol><li><div>7</div><p>a</p><li>2</ol>", "1. 7\n\n   a\n\n2. 2"),
        ("<ul><li><section>a<li><section>b", "- a\n- b"),
        ("<dl><dd>a<dd>b</dl>", "a\n\nb"),
        ("<dl><dt>t<dd>a</dl><dl><dd>b</dl>", "**t**\n: a\n\nb"),
    ],
)
def test_what_no_reader_sees_as_a_mark_is_none(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_the_direction_of_a_page_is_that_of_its_html() -> None:
    content = content_of("<body dir=rtl><p>a")
    assert content.html() == '<div dir="rtl">\n<p>a</p>\n</div>'


def test_list_of_links_before_other_parts_is_no_list_of_tabs() -> None:
    html = '<ul class="tabs"><li>one<li>two</ul><div><p>a</p><p>b</p></div>'
    assert text(html) == "one\ntwo\n\na\n\nb"


class TestImages:
    @pytest.mark.parametrize(
        "image",
        [
            '<div><a href="#top"><img src=up.gif alt=top></a></div>',
            '<div><a href="/"><img src=home.png></a></div>',
            "<img src=t.gif width=1 height=1>",
        ],
    )
    def test_image_of_the_frame_is_left_out(self, image: str) -> None:
        content = content_of(f"<p>a{image}<p>b")
        assert content.media() == ()
        assert "![" not in content.markdown()

    def test_logo_before_the_content_is_left_out(self) -> None:
        html = '<p><a href="https://example.org/x"><img src=a.png></a><h1>a</h1><p>b'
        assert content_of(html).markdown() == "# a\n\nb"

    @pytest.mark.parametrize("tag", ["header", "nav", "aside"])
    def test_picture_of_a_landmark_before_the_content_is_left_out(
        self, tag: str
    ) -> None:
        picture = f"<{tag}><img src=dark.svg></{tag}>"
        assert content_of(f"{picture}<h1>a</h1><p>b").markdown() == "# a\n\nb"
        inside = content_of(f"<article>{picture}<h1>a</h1><p>b</article>")
        assert "dark.svg" in inside.markdown()

    def test_blanks_around_a_picture_in_a_sentence_are_kept(self) -> None:
        content = content_of("<p>where <img src=/m.png alt=m> is the mass")
        picture = "![m](https://example.com/m.png)"
        assert content.markdown() == f"where {picture} is the mass"
        assert '"m"> is the mass' in content.html()
        glued = content_of("<p>where<img src=/m.png alt=m>is the mass")
        assert glued.markdown() == f"where{picture}is the mass"

    def test_photo_stays_with_its_caption(self) -> None:
        html = (
            "<div><p>seven words of the date and name</p><p><img src=a.jpg><p>b</div>"
        )
        content = content_of(html, boilerplate=("seven words of the date and name",))
        assert [media.url for media in content.media()] == [
            "https://example.com/blog/a.jpg"
        ]


@pytest.mark.parametrize(
    "html",
    [
        '<h2 id=x>a' + '<a href="#x">¶</a>' * 20_000,
        "<pre>" * 1_500 + '<span class=ln>1</span>' * 3_000,
        '<div class="tabs">' * 1_500 + "<p>a" * 3_000,
        "<table>" + "<tr>" + "<td>" * 3_000 + "a" + "<tr><td>b" * 3_000,
        "<ol><li>a" * 700,
        '<p>' + '<sup><a href="#f">1</a></sup>' * 20_000,
    ],
    ids=range(6),
)  # fmt: skip
def test_hostile_pages_end_soon(html: str) -> None:
    content = content_of(html)
    assert len(content.markdown()) < 60 * len(html)
    assert len(write_text(content.document, content.main)) < 60 * len(html)


@pytest.mark.parametrize(
    ("html", "written"),
    [
        (
            "<ul><li><h1>Tar</h1><p>It is made of pine.</ul>",
            "# Tar\n\nIt is made of pine.",
        ),
        (
            "<ol><li>Home<li>Rope<li><h1>Tar</h1></ol><p>It is made of pine.",
            "- Home\n- Rope\n\n# Tar\n\nIt is made of pine.",
        ),
    ],
)
def test_a_list_around_the_heading_of_the_page_is_none(html: str, written: str) -> None:
    assert content_of(html).markdown() == written
    assert "3. Tar" not in text(html)
