"""The main content in sections, their anchors, and the comments."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.result import Extraction, Supplement
from scrapy_mainpage.extraction.title_rule import TitleFinder
from scrapy_mainpage.page import Page, Section
from scrapy_mainpage.text.words import word_pattern
from tests.extraction.helpers import document_of
from tests.pipelines.test_documents import HTML


def content_of(
    html: str, *, main: list[int] | None = None, added: tuple[str, ...] = ()
) -> Extraction:
    """A page with all blocks, or those in *main*, as main content."""
    document = document_of(html)
    mask = np.ones(document.n_blocks, bool)
    if main is not None:
        mask = np.isin(np.arange(document.n_blocks), main)
    supplements = tuple(
        Supplement("json-ld", "/html[1]", content_of(part)) for part in added
    )
    scores = mask.astype(np.float32)
    title = TitleFinder(document).find_block(mask)
    return Extraction(document, None, scores, mask, title, supplements=supplements)


def page_of(html: str, **options: object) -> Page:
    return Page(None, "", "", _content=content_of(html, **options))  # type: ignore[arg-type]


def outline(html: str) -> list[tuple[str, int, str]]:
    sections = page_of(html).sections
    return [(part.heading, part.level, part.text) for part in sections]


def anchor(html: str) -> str | None:
    """The anchor of the section with the heading that begins with "H"."""
    sections = page_of(f"<p>Before.</p>{html}<p>After.</p>").sections
    (found,) = (part.anchor for part in sections if part.heading.startswith("H"))
    return found


class TestSections:
    def test_each_heading_has_the_text_up_to_the_next(self) -> None:
        html = "<h1>A</h1><p>one<p>two<h3>B</h3><p>three<h2>C</h2><p>four"
        assert outline(html) == [
            ("A", 1, "one\n\ntwo"),
            ("B", 3, "three"),
            ("C", 2, "four"),
        ]

    def test_text_before_the_first_heading_is_a_section_without(self) -> None:
        assert outline("<p>zero<h2>A</h2><p>one") == [("", 0, "zero"), ("A", 2, "one")]

    def test_heading_without_text_is_a_section(self) -> None:
        found = [("A", 1, ""), ("B", 2, ""), ("C", 2, "")]
        assert outline("<h1>A</h1><h2>B</h2><h2>C</h2>") == found

    def test_page_without_headings_is_one_section(self) -> None:
        assert outline("<p>one<p>two") == [("", 0, "one\n\ntwo")]

    @pytest.mark.parametrize("html", ["", "<p> </p>"])
    def test_page_without_text_has_none(self, html: str) -> None:
        assert page_of(html).sections == ()
        assert Page.empty(None, "empty").sections == ()

    def test_lists_and_tables_are_laid_out_as_in_the_text(self) -> None:
        html = (
            "<h2>A</h2><ul><li>one<li>two</ul><h2>B</h2>"
            "<table><tr><td>three<td>four<tr><td>five<td>six</table>"
        )
        assert outline(html) == [
            ("A", 2, "one\ntwo"),
            ("B", 2, "three\tfour\nfive\tsix"),
        ]

    def test_boilerplate_is_left_out(self) -> None:
        html = "<h2>A</h2><p>one<p>share this<p>two<h2>B</h2><p>three"
        sections = page_of(html, main=[0, 1, 3]).sections
        assert [(part.heading, part.text) for part in sections] == [("A", "one\n\ntwo")]

    def test_section_knows_its_blocks(self) -> None:
        page = page_of(
            "<p>zero<h2>A</h2><p>one<p>two<h2>B</h2><p>three", main=[1, 3, 4, 5]
        )
        ranges = [(part.first_block, part.end_block) for part in page.sections]
        assert ranges == [(1, 4), (4, 6)]
        assert page.blocks[1].text == "A"

    def test_heading_of_several_lines_is_one(self) -> None:
        html = "<h2><div>One</div><div>two<br>three</div></h2><p>text"
        assert outline(html) == [("One two three", 2, "text")]

    @pytest.mark.parametrize(
        ("written", "read"),
        [
            ("Glue<a href='#glue'>¶</a>", "Glue"),
            ("Glue <a href='#glue'>#</a>", "Glue"),
            ("<a href='#glue'>§</a> Glue", "Glue"),
            ("Glue <a href='#glue'>\uf0c1</a>", "Glue"),
            ("C#", "C#"),
            ("#1 of § 2", "#1 of § 2"),
            ("¶", "¶"),
        ],
    )
    def test_sign_that_links_to_a_heading_is_no_part_of_it(
        self, written: str, read: str
    ) -> None:
        assert outline(f"<h2>{written}</h2>") == [(read, 2, "")]

    def test_title_that_is_no_heading_element_is_a_heading(self) -> None:
        html = (
            "<title>Hide glue for guitars</title><div>Hide glue for guitars</div><p>t"
        )
        assert outline(html) == [("Hide glue for guitars", 1, "t")]

    def test_button_is_the_heading_of_the_text_that_it_opens(self) -> None:
        html = "<h2>Questions</h2><button>Does it hold?</button><p>It does."
        assert outline(html) == [("Questions", 2, ""), ("Does it hold?", 3, "It does.")]

    def test_heading_that_was_not_closed_is_text(self) -> None:
        words = "word " * 70
        assert outline(f"<p>zero<h2><div>{words}</div>") == [
            ("", 0, f"zero\n\n{words.strip()}")
        ]

    def test_added_content_comes_last_and_without_anchors(self) -> None:
        page = page_of(
            "<h2 id=a>A</h2><p>one", added=("<p>two<p>three", "<h3 id=b>B</h3><p>four")
        )
        assert page.sections == (
            Section("A", 2, "a", "one", 0, 2),
            Section("", 0, None, "two\n\nthree", 2, 4),
            Section("B", 3, None, "four", 4, 6),
        )
        assert page.blocks[4].text == "B"

    def test_pickled_page_has_the_same_sections(self) -> None:
        page = page_of("<h2 id=a>A</h2><p>one")
        assert pickle.loads(pickle.dumps(page)).sections == page.sections

    @given(
        st.lists(
            st.tuples(
                st.sampled_from("h1 h2 h3 p li td div button".split()),
                st.sampled_from(["words of text", "Heading", "正文", "a<br>b", ""]),
                st.booleans(),
            ),
            max_size=20,
        )
    )
    def test_sections_hold_the_words_of_the_main_content_in_order(
        self, parts: list[tuple[str, str, bool]]
    ) -> None:
        html = "".join(f"<{tag}>{text}</{tag}>" for tag, text, _ in parts)
        document = document_of(html)
        main = [k for k in range(document.n_blocks) if parts[k][2]]
        page = page_of(html, main=main)
        wanted = " ".join(block.text for block in page.blocks if block.index in main)
        found = " ".join(f"{part.heading} {part.text}" for part in page.sections)
        words = word_pattern().findall
        assert words(found) == words(wanted)


class TestAnchors:
    @pytest.mark.parametrize(
        "html",
        [
            "<h2 id=x>H</h2>",
            "<h2><a name=x>H</a></h2>",
            "<h2><a id=x></a>H</h2>",
            "<h2><span id=x>H</span></h2>",
            "<a name=x></a><h2>H</h2>",
            "<p><a id=x></a></p><h2>H</h2>",
            "<section id=x><h2>H</h2><p>Text.</p></section>",
            "<div id=x>\n <header><h2>H</h2></header><p>Text.</p></div>",
            "<div><h2>H</h2><a id=x href='#y'></a></div>",
            # The own id, then what the heading or a link beside it leads to
            "<div id=a><h2 id=x><b id=b>H</b></h2></div>",
            "<div id=a><div id=x><h2>H</h2></div></div>",
            "<section id=x><div id=a><h2>H <a href='#x'>#</a></h2></div></section>",
            "<section id=x><i>1.0</i><h2>H <a href='#x'>#</a></h2></section>",
            "<section id=x><i>1.0</i><a href='#x'>§</a><h2>H</h2></section>",
            # The first element with an id, which goes before a name
            "<h2 id=x>H</h2><p id=x>Text.</p>",
            "<p><a name=x>Text.</a></p><h2 id=x>H</h2>",
        ],
    )
    def test_heading_is_found_by(self, html: str) -> None:
        assert anchor(html) == "x"

    @pytest.mark.parametrize(
        "html",
        [
            "<h2>H</h2>",
            "<h2 id=''>H</h2>",
            "<section id=x><p>Text.</p><h2>H</h2></section>",
            "<a name=x>Text.</a><h2>H</h2>",
            "<a name=x></a><p>Text.</p><h2>H</h2>",
            "<div id=x></div><h2>H</h2>",
            "<a id=x href='/'><img src=logo.png></a><h2>H</h2>",
            "<h2>H</h2><p><a id=x></a>Text.</p>",
            "<h2>H</h2><a id=x>Text.</a>",
            "<h2><b name=x>H</b></h2>",
            "<div id=x><h1>T</h1><p>Text.<h2>H <a href='#x'>up</a></h2></div>",
            "<h2><a href='#y'>H</a></h2><p>Text.<h2 id=y>Y</h2>",
            "<p id=x>Text.</p><h2 id=x>H</h2>",
            "<h2><a name=x>H</a></h2><p id=x>Text.</p>",
        ],
    )
    def test_heading_is_not_found_by_what_is_not_its_own(self, html: str) -> None:
        assert anchor(html) is None

    def test_whole_page_is_not_the_headings(self) -> None:
        page = page_of("<body id=x><h2>H</h2><p>Text.</body>")
        assert [part.anchor for part in page.sections] == [None]

    @pytest.mark.parametrize(
        ("written", "linked"),
        [
            ("two words", "two%20words"),
            ("&quot;a&quot;&lt;b&gt;", "%22a%22%3Cb%3E"),
            ("História-正文", "História-正文"),
            ("method.len()", "method.len()"),
            ("100%25", "100%25"),
        ],
    )
    def test_anchor_can_stand_in_a_link(self, written: str, linked: str) -> None:
        assert anchor(f'<h2 id="{written}">H</h2>') == linked

    def test_encoded_link_leads_to_the_id_that_it_means(self) -> None:
        html = (
            "<div id='größe'><b>1</b><h2>H<a href='#gr%C3%B6%C3%9Fe'>#</a></h2></div>"
        )
        assert anchor(html) == "größe"

    def test_thousands_of_headings_and_targets_are_no_work(self) -> None:
        html = "<a name=n></a>" * 3000 + "<h2>H <a href='#n'>n</a></h2>" * 3000
        sections = page_of(html).sections
        assert [part.anchor for part in sections] == ["n", *[None] * 2999]


class TestComments:
    def test_comments_are_the_blocks_labelled_so(self) -> None:
        page = extract(HTML)
        blocks = [block.text for block in page.blocks if block.label == "comments"]
        assert len(blocks) >= 2
        assert page.comments == "\n\n".join(blocks)
        assert "It smells of horses" in page.comments

    def test_page_without_comments_has_none(self) -> None:
        assert extract("<p>Some words.").comments == ""
        assert Page.empty(None, "empty").comments == ""
