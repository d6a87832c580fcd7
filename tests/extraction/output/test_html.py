from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import fromstring

from scrapy_mainpage.extraction.parsing.tree import Limits

from .helpers import content_of
from .vectors import VECTORS

VOID = {"br", "hr", "img"}
MARKS = set(
    "a strong b em i u s del ins sub sup mark small q cite abbr kbd samp var time "
    "code math mtext annotation".split()
)
LINES = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "summary", "caption"}
FLOW = {"blockquote", "li", "dd", "td", "th", "figure", "figcaption", "details"}
CHILDREN = {
    "ul": {"li"},
    "ol": {"li"},
    "dl": {"dt", "dd"},
    "table": {"caption", "tr"},
    "tr": {"td", "th"},
    "math": {"semantics"},
    "semantics": {"mtext", "annotation"},
}
PARENTS = {"figcaption": {"figure"}, "summary": {"details"}} | {
    child: {parent for parent in CHILDREN if child in CHILDREN[parent]}
    for child in set().union(*CHILDREN.values())
}
ATTRIBUTES = {
    "href", "src", "alt", "title", "colspan", "rowspan", "start", "value", "datetime",
    "lang", "cite", "class", "display", "encoding", "reversed",
}  # fmt: skip
SCHEMES = {"http", "https", "mailto", "tel", "ftp"}


class StrictParser(HTMLParser):
    """Raises AssertionError for unbalanced, misplaced or forbidden tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in MARKS | LINES | FLOW | VOID | set(CHILDREN), tag
        parent = self.open[-1] if self.open else ""
        if parent in CHILDREN:
            assert tag in CHILDREN[parent], (parent, tag)
        elif tag in PARENTS:
            assert parent in PARENTS[tag], (parent, tag)
        if parent in (MARKS | LINES) - set(CHILDREN):
            heads = "h1 h2 h3 h4 h5 h6".split() if parent == "summary" else ()
            assert tag in MARKS | {"br", "img", *heads}, (parent, tag)
        if tag == "a":
            assert "a" not in self.open
        assert len({name for name, _ in attrs}) == len(attrs)
        for name, value in attrs:
            self.check_attribute(tag, name, value or "")
        if tag not in VOID:
            self.open.append(tag)

    def check_attribute(self, tag: str, name: str, value: str) -> None:
        assert name in ATTRIBUTES, name
        if name in {"href", "src", "cite"}:
            assert value
            assert value.partition(":")[0] in SCHEMES, value
        if name == "class":
            assert tag == "code"
            assert value.startswith("language-")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            assert not self.open or self.open[-1] not in CHILDREN, (self.open, data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


def check(html: str) -> None:
    parser = StrictParser()
    parser.feed(html)
    parser.close()
    assert not parser.open


@pytest.mark.parametrize(
    "html",
    [
        "<p>a",
        "<p><p>a</p></p>",
        "<b><p>a</p></b>",
        "<ul>a</ul>",
        "<li>a</li>",
        "<svg></svg>",
        "<p onclick='x'>a</p>",
        "<math><mtext>a</mtext></math>",
        "<a href='javascript:x'>a</a>",
        "<!-- a -->",
    ],
)
def test_the_check_finds(html: str) -> None:
    with pytest.raises(AssertionError):
        check(html)


def html_of(source: str) -> str:
    return content_of(source).html()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p class=x style=y>a <b id=z>b</b></p>", "<p>a <b>b</b></p>"),
        ("<div>a<div>b</div>c</div>", "<p>a</p>\n<p>b</p>\n<p>c</p>"),
        ("<h1>a<div>b</div></h1>", "<h1>a<br>b</h1>"),
        ("<p>a &lt; b &amp; \"c\"", "<p>a &lt; b &amp; &quot;c&quot;</p>"),
        ("<a href=/x title=t>a</a>",
         '<p><a href="https://example.com/x" title="t">a</a></p>'),
        ("<a href=/x><h2>a</h2><p>b</a>",
         '<h2><a href="https://example.com/x">a</a></h2>\n'
         '<p><a href="https://example.com/x">b</a></p>'),
        ("<ul>a<li>b</ul>", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("<li>a", "<ul>\n<li>a</li>\n</ul>"),
        ("<ol start=3><li><p>a</ol>", '<ol start="3">\n<li>a</li>\n</ol>'),
        ("<ol start=0><li>a</ol>", '<ol start="0">\n<li>a</li>\n</ol>'),
        ("<ol><li value=1>a</ol>", '<ol>\n<li value="1">a</li>\n</ol>'),
        ("<dd>a", "<p>a</p>"),
        ("<td>a", "<p>a</p>"),
        ("<table><tr><th>a<tr><td colspan=2 rowspan=0>b</table>",
         '<table>\n<tr><th>a</th></tr>\n<tr><td colspan="2">b</td></tr>\n</table>'),
        ("<pre class='lang-js'>a\n <b>b</b></pre>",
         '<pre><code class="language-js">a\n <b>b</b></code></pre>'),
        ("a<hr><p lang=fr>b <time datetime=2024-01-02>c</time>",
         '<p>a</p>\n<hr>\n<p lang="fr">b <time datetime="2024-01-02">c</time></p>'),
        ("<blockquote cite=/x>a</blockquote>",
         '<blockquote cite="https://example.com/x">\n<p>a</p>\n</blockquote>'),
        ("<video src=/v.mp4></video>a",
         '<p><a href="https://example.com/v.mp4">Video</a> a</p>'),
        ("", ""),
    ],
)  # fmt: skip
def test_html_of(source: str, expected: str) -> None:
    assert html_of(source) == expected
    check(html_of(source))


def test_addresses_stay_relative_where_the_page_has_none() -> None:
    content = content_of("<a href='../x?a=1&b'>a</a><img src=i.png>", url=None)
    assert content.html() == (
        '<p><a href="../x?a=1&amp;b">a</a> <img src="i.png" alt=""></p>'
    )


def test_code_inside_of_code_is_one_element() -> None:
    html = "<pre><code class=language-c>int <code>x</code></code></pre>"
    assert html_of(html) == '<pre><code class="language-c">int x</code></pre>'


TAGS = (
    "p div span section ul ol li menu dl dt dd table tbody tr td th caption blockquote "
    "pre code h1 h3 b a i figure figcaption details summary br hr q kbd sub"
).split()


@given(
    st.lists(
        st.sampled_from([*TAGS, *(f"/{tag}" for tag in TAGS), "a href=x", "img src=y"])
    ),
    st.lists(st.booleans(), min_size=1),
)
def test_any_markup_gives_balanced_html_with_all_main_text(
    tags: list[str], main: list[bool]
) -> None:
    source = "".join(f"<{tag}>w{place} " for place, tag in enumerate(tags))
    content = content_of(f"<body>{source}")
    for block in range(len(content.main)):
        content.main[block] = main[block % len(main)]
    html = content.html()
    check(html)
    document = content.document
    expected = " ".join(
        document.block_text(i) for i in range(document.n_blocks) if content.main[i]
    )
    text = fromstring(f"<div>{html}</div>").text_content()
    assert "".join(text.split()) == "".join(expected.split())


@pytest.mark.parametrize("vector", VECTORS)
def test_nothing_that_could_run_is_passed_on(vector: str) -> None:
    check(html_of(f"<p>before</p>{vector}<p>after</p>"))


@given(st.text(max_size=40), st.sampled_from(["href", "title", "onclick", "lang"]))
def test_any_value_of_an_attribute_stays_inside_of_it(value: str, name: str) -> None:
    quoted = value.replace('"', "'").replace("\x00", "")
    check(html_of(f'<p>x <a href="/y" {name}="{quoted}">a</a></p>'))


@pytest.mark.parametrize(
    "source",
    [
        "<blockquote>" * 1_500 + "<p>a" * 500,
        "<b><i>" * 900 + "<p>a</p>" * 2_000,
        "<table><tr><td>a<td>" * 400 + "b",
        "<ul>" + "<li>a" * 50_000,
        "<div>" * 1_900 + "<p>a<img src=x></p>" * 2_000,
        "<dl><dd>" * 800 + "a",
    ],
    ids=["quotes", "marks", "tables", "items", "depth", "lists"],
)
def test_hostile_pages_give_sound_output_in_proportion(source: str) -> None:
    html = html_of(source)
    check(html)
    assert 0 < len(html) < 20 * len(source)


@pytest.mark.parametrize("vector", VECTORS)
def test_a_page_over_a_limit_gives_sound_output(vector: str) -> None:
    page = f"<p>before</p>{vector}<p>after</p>".encode("utf-8", "replace")
    for elements in (1, 2, 3, 100):
        flat = Limits(max_elements=elements, max_text_node=9).flatten(page)
        check(html_of(flat.html.decode()))
