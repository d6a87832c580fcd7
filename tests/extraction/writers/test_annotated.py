"""The page as it is shown: every block, in its place, and nothing that could act."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.result import Extraction
from scrapy_mainpage.page import Page
from scrapy_mainpage.report.annotated import (
    LONGEST_BLOCK,
    MOST_BLOCKS,
    score_step,
    window_of,
    write_annotated,
)


def content_of(html: str, algorithm: str = "semantic-markup") -> Extraction:
    content = extract(html, algorithm=algorithm)._content
    assert content is not None
    return content


def shown(html: str, algorithm: str = "semantic-markup") -> Selector:
    content = content_of(html, algorithm)
    written = write_annotated(content, window_of(content.document, content.main))
    return Selector(text=f"<body>{written}</body>", type="html")


def text_of(block: Selector) -> str:
    """The text of a block, without the name of its label and without images."""
    ours = "parent::span[@class='tag' or @class='img']"
    parts = block.xpath(f".//text()[not({ours})]").getall()
    return "".join(parts)


def test_every_block_has_its_label_its_score_and_its_text() -> None:
    page = shown(
        "<nav><a href=x>Home</a></nav><article><h1>Title</h1><p>Some <b>words</b></p>"
        "</article>"
    )
    blocks = page.css("div.b")
    assert [text_of(block) for block in blocks] == ["Home", "Title", "Some words"]
    classes = [block.attrib["class"] for block in blocks]
    assert classes == ["b g-nav s0", "b g-main s10 h1", "b g-main s10"]
    assert page.css(".tag::text").getall() == ["navigation", "title", "paragraph"]
    assert [block.attrib["title"] for block in blocks] == [
        "navigation · boilerplate · score 0.00\n1 words · 100% in links · <nav>",
        "title · main content · score 1.00\n1 words · 0% in links · <h1>",
        "paragraph · main content · score 1.00\n2 words · 0% in links · <p>",
    ]


def test_the_name_of_a_label_stands_where_the_label_changes() -> None:
    page = shown("<article><p>a</p><p>b</p></article><footer>c</footer>")
    assert page.css(".tag::text").getall() == ["paragraph", "footer"]


def test_lists_tables_and_quotations_keep_their_structure() -> None:
    page = shown(
        "<ul><li>one<ol><li>two</li></ol></li></ul>"
        "<table><tr><th>a</th><td>b</td></tr></table><blockquote>c</blockquote>"
    )
    assert page.css(".n-ul > .n-li > .n-ol > .n-li > .b::text").getall() == ["two"]
    assert page.css(".n-table .n-tr > .n-td > .b::text").getall() == ["a", "b"]
    assert page.css(".n-blockquote > .b::text").getall() == ["c"]


def test_images_and_media_are_boxes_with_their_alternative_text() -> None:
    page = shown(
        '<p>text <img src="https://example.com/a.png" alt="A cat"></p>'
        '<img src="b.png"><video src="c.mp4" title="A film"></video>'
    )
    assert page.css("span.img::text").getall() == [
        "image: A cat",
        "image",
        "video: A film",
    ]
    assert not page.css("img, video, [src]")


def test_links_lead_nowhere() -> None:
    page = shown('<p><a href="https://example.com/">there</a> and here</p>')
    assert page.css("span.a::text").getall() == ["there"]
    assert not page.css("a, [href]")


def test_line_breaks_rules_code_and_preformatted_text_are_kept() -> None:
    page = shown("<p>a<br>b <code>c</code></p><hr><pre>x\n  y</pre>")
    assert page.css(".b > br")
    assert page.css("hr")
    assert page.css(".b > code::text").getall() == ["c"]
    assert page.css(".b.pre::text").getall() == ["x\n  y"]


def test_hidden_text_is_shown_as_hidden() -> None:
    page = shown("<p>seen</p><p hidden>unseen</p>")
    assert [text_of(block) for block in page.css(".hid")] == ["unseen"]
    assert "hidden" in page.css(".hid").attrib["title"]


def test_markup_in_texts_and_attributes_stays_text() -> None:
    page = shown(
        "<p>&lt;script&gt;alert(1)&lt;/script&gt; "
        "<img alt='\"><img src=x onerror=alert(2)>'></p>"
    )
    assert not page.css("script, img, [onerror]")
    assert "<script>alert(1)</script>" in text_of(page.css(".b")[0])
    assert page.css(".img::text").get() == 'image: "><img src=x onerror=alert(2)>'


ELEMENTS = st.sampled_from("div p ul li table tr td a b span h2 nav blockquote".split())
TREES = st.recursive(
    st.sampled_from(["word ", "<br>", "<img>", "<hr>", "<img alt='x'>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        ELEMENTS,
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@given(TREES)
def test_whatever_the_nesting_all_blocks_are_shown_once_in_order(html: str) -> None:
    content = content_of(f"<body>x{html}</body>")
    document = content.document
    written = write_annotated(content, window_of(document, content.main))
    assert written.count("<div") == written.count("</div>")
    blocks = Selector(text=f"<body>{written}</body>", type="html").css("div.b")
    # A block is written in one piece, and none inside of another.
    assert len(blocks) == document.n_blocks
    expected = [document.block_text(i) for i in range(document.n_blocks)]
    assert [text_of(b).strip() for b in blocks] == [
        text.replace("\n", "") for text in expected
    ]


def test_deep_nesting_is_flattened() -> None:
    page = shown("<ul><li>" * 300 + "deep" + "</li></ul>" * 300)
    assert [text_of(block) for block in page.css(".b")] == ["deep"]
    assert len(page.css(".n-ul")) <= 30


class TestBounds:
    def test_a_large_page_is_shown_in_part_and_says_so(self) -> None:
        content = content_of("<article>" + "<p>some words</p>" * 10_000 + "</article>")
        window = window_of(content.document, content.main)
        assert (window.start, window.end) == (0, MOST_BLOCKS)
        assert window.note == (
            "The page is large: 3,000 of its 10,000 text blocks are shown; 0 before "
            "and 7,000 after them are left out."
        )
        assert write_annotated(content, window).count('<div class="b') == MOST_BLOCKS

    def test_main_content_that_comes_late_is_shown(self) -> None:
        late = (
            "<nav>" + "<p>some links</p>" * 9000 + "</nav><article>Here it is</article>"
        )
        content = content_of(late)
        window = window_of(content.document, content.main)
        assert (window.start, window.end) == (8950, 9001)
        assert "Here it is" in write_annotated(content, window)

    def test_a_long_block_is_cut(self) -> None:
        content = content_of(f"<p>{'word ' * 200_000}</p><p>next</p>")
        window = window_of(content.document, content.main)
        written = write_annotated(content, window)
        assert LONGEST_BLOCK < len(written) < LONGEST_BLOCK + 1000
        assert "the block goes on" in written
        assert "next" in written

    def test_a_character_is_not_cut_apart(self) -> None:
        # A character of three bytes stands across the place of the cut.
        content = content_of("<p>a" + "字" * LONGEST_BLOCK + "</p>")
        written = write_annotated(content, window_of(content.document, content.main))
        assert "\ufffd" not in written

    def test_a_block_of_many_runs_is_cut(self) -> None:
        content = content_of("<p>" + "a<b>b</b>" * 20_000 + "</p>")
        written = write_annotated(content, window_of(content.document, content.main))
        assert "the block goes on" in written
        assert len(written) < 20_000


def test_an_empty_page_has_nothing_to_show() -> None:
    assert Page.empty(None, "empty")._content is None
    content = content_of("<html></html>")
    assert write_annotated(content, window_of(content.document, content.main)) == ""


@pytest.mark.parametrize(
    ("score", "step"),
    [
        (0, 0),
        (0.04, 0),
        (0.26, 3),
        (1, 10),
        (7, 10),
        (-1, 0),
        (np.nan, 0),
        (np.inf, 10),
    ],
)
def test_scores_have_steps_from_0_to_10(score: float, step: int) -> None:
    assert score_step(score) == step
