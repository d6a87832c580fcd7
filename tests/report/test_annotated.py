"""The annotated page of the report: every block in its place, everything inert."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from scrapy_mainpage import extract
from scrapy_mainpage.report import write_report
from scrapy_mainpage.report.annotated_page import score_step


def shown(html: str) -> Selector:
    """The pane with the page."""
    report = write_report(extract(html, algorithm="semantic-markup"))
    return Selector(text=report, type="html").css(".pane")[0]


def text_of(block: Selector) -> str:
    """The text of a block, without the name of its label and without images."""
    ours = "parent::span[@class='tag' or @class='img']"
    parts = block.xpath(f".//text()[not({ours})]").getall()
    return "".join(parts)


def test_every_block_has_its_label_its_score_and_its_text() -> None:
    page = shown(
        "<header><nav><ul><li><a href=x>Home</a></ul></nav></header>"
        "<article><h1>Title</h1><p>Some <b>words</b></p></article>"
    )
    blocks = page.css("div.b")
    assert [text_of(block) for block in blocks] == ["Home", "Title", "Some words"]
    classes = [block.attrib["class"] for block in blocks]
    assert classes == ["b g-nav s0", "b g-main s10 h1", "b g-main s10"]
    assert page.css(".tag::text").getall() == ["navigation", "title", "paragraph"]
    assert [block.attrib["title"] for block in blocks] == [
        "navigation · boilerplate · score 0.00\n1 words · 100% in links · <li>",
        "title · main content · score 1.00\n1 words · 0% in links · <h1>",
        "paragraph · main content · score 1.00\n2 words · 0% in links · <p>",
    ]


def test_the_name_of_a_label_stands_where_the_label_changes() -> None:
    page = shown("<article><p>a</p><p>b</p></article><footer>Imprint</footer>")
    assert page.css(".tag::text").getall() == ["paragraph", "legal"]


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


def test_links_of_the_page_lead_nowhere() -> None:
    page = shown('<p><a href="https://example.com/">there</a> and here</p>')
    assert page.css("span.a::text").getall() == ["there"]
    assert page.xpath(".//@href").getall() == []


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
    page = extract(f"<body>x{html}</body>", algorithm="semantic-markup")
    report = write_report(page)
    assert report.count("<div") == report.count("</div>")
    blocks = Selector(text=report, type="html").css("div.b")
    # A block is written in one piece, and none inside of another.
    assert [text_of(block).strip() for block in blocks] == [
        block.text.replace("\n", "") for block in page.blocks
    ]


def test_deep_nesting_is_flattened() -> None:
    page = shown("<ul><li>" * 300 + "deep" + "</li></ul>" * 300)
    assert [text_of(block) for block in page.css(".b")] == ["deep"]
    assert len(page.css(".n-ul")) <= 30


class TestBounds:
    def test_main_content_that_comes_late_is_shown(self) -> None:
        page = shown(
            "<nav>"
            + "<p>some links</p>" * 30_000
            + "</nav><article>Here it is</article>"
        )
        blocks = page.css("div.b")
        assert len(blocks) == 51
        assert text_of(blocks[-1]) == "Here it is"


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
