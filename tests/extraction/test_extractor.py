from __future__ import annotations

import pickle
from dataclasses import replace
from unittest.mock import Mock

import pytest
from parsel import Selector

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.label import Label
from scrapy_mainpage.page import Page
from tests.algorithms import Asked

ARTICLE = (
    "<html lang=en><title>T</title><nav><a href=/a>Menu</a></nav>"
    "<article><h1>Title</h1><p>One two.</p><p>Three four five.</p></article>"
    "<footer>Imprint</footer>"
)


@pytest.fixture
def page() -> Page:
    return Extractor("semantic-markup").extract(ARTICLE, url="http://a.example/")


def test_text_counts_and_labels(page: Page):
    assert page.text == "Title\n\nOne two.\n\nThree four five."
    assert (page.words, page.words_total) == (6, 8)
    assert page.main_share == 0.75
    assert [(block.text, block.label) for block in page.blocks] == [
        ("Menu", Label.NAVIGATION),
        ("Title", Label.TITLE),
        ("One two.", Label.PARAGRAPH),
        ("Three four five.", Label.PARAGRAPH),
        ("Imprint", Label.LEGAL),
    ]


def test_blocks_carry_what_was_measured(page: Page):
    menu, title = page.blocks[:2]
    assert (menu.link_density, menu.score, menu.words, menu.tag) == (1, 0, 1, "nav")
    assert (title.link_density, title.score, title.tag) == (0, 1, "h1")
    root = Selector(text=ARTICLE).root
    for block in page.blocks:
        (element,) = root.xpath(block.xpath)
        assert "".join(element.itertext()) == block.text


def test_a_page_survives_pickling(page: Page):
    copy = pickle.loads(pickle.dumps(page))
    assert copy == page
    assert copy.blocks == page.blocks
    assert copy.html == page.html
    assert copy.metadata == page.metadata


@pytest.mark.parametrize("text", ["0", "null", '{"error": "no such page"}', '"a"'])
def test_json_that_is_sent_as_html_is_text(text: str):
    page = Extractor("danag").extract(text)
    assert page.words_total == len(text.split())
    assert [block.text for block in page.blocks] == [text]


def test_a_pickle_forgets_what_can_be_made_again():
    html = ARTICLE + "<p class='body text'>Some words that go on.</p>" * 500
    page = Extractor("danag").extract(html, url="http://a.example/")
    before = pickle.dumps(page)
    page.as_dict(blocks=True)
    assert len(pickle.dumps(page)) == len(before)
    assert pickle.loads(before).as_dict(blocks=True) == page.as_dict(blocks=True)


def test_the_type_of_a_page_is_told_when_it_is_asked_for_and_once():
    tell = Mock(return_value="forum")
    page = Extractor(Asked(tell)).extract(ARTICLE)
    copy = replace(page, rendered=True)
    assert page.text
    assert page.markdown
    assert not tell.called
    assert [copy.page_type, page.page_type, page.page_type] == ["forum"] * 3
    assert tell.call_count == 1


def test_a_pickled_page_knows_its_type_without_its_algorithm():
    page = Extractor(Asked(lambda: "forum")).extract(ARTICLE)
    copy = pickle.loads(pickle.dumps(page))
    assert copy.page_type == "forum"
    assert pickle.loads(pickle.dumps(copy)).page_type == "forum"


def test_a_page_without_content_has_no_type():
    assert Page.empty(None, "empty").page_type is None


def test_a_later_change_of_the_tree_does_not_reach_the_page():
    root = Selector(text=ARTICLE).root
    page = Extractor("semantic-markup").extract_tree(root, url="http://a.example/")
    root.clear()
    assert "Three four five." in page.markdown
    assert len(page.blocks) == 5


@pytest.mark.parametrize("html", ["", b"", "  \n", b"\x00", "\x00 "])
def test_nothing_gives_an_empty_page_with_a_warning(html: bytes | str):
    page = Extractor().extract(html, url="http://a.example/")
    assert (page.text, page.blocks, page.markdown, page.html) == ("", (), "", "")
    assert page.warnings


@pytest.mark.parametrize(
    "html", ["<p>a\ud800b</p>", b"<p>\xff\xfe\xfa</p>", "<p>\x00a\x01\x02b</p>"]
)
def test_malformed_characters_raise_nothing(html: bytes | str):
    page = Extractor().extract(html)
    page.as_dict(blocks=True)
    assert len(page.blocks) <= 1
