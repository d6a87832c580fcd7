from __future__ import annotations

import pickle

import pytest
from lxml import etree
from parsel import Selector

from scrapy_mainpage import extract as extract_page
from scrapy_mainpage.extraction.algorithms import available, get_algorithm
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.report import write_report

from .helpers import (
    FIRST,
    SECOND,
    STORY,
    TITLE,
    URL,
    added,
    data,
    extract,
    linked,
    shell,
)

STATE = {"post": {"title": TITLE, "body": "".join(f"<p>{t}</p>" for t in STORY)}}
NODE = {"@type": "Article", "headline": TITLE, "articleBody": FIRST}


@pytest.mark.parametrize(
    "algorithm", [name for name in available() if not get_algorithm(name).needs_layout]
)
def test_every_algorithm_gets_what_is_missing(algorithm: str):
    page = extract(shell(data(STATE)), algorithm)
    assert page.text == "\n\n".join(STORY)


def test_it_can_be_turned_off():
    assert extract(shell(data(STATE)), structured_data=False).text == ""
    assert extract_page(shell(data(STATE)), url=URL, structured_data=False).text == ""


def test_the_numbers_of_the_page_add_up():
    body = f"<header>Menu of all</header><article><p>{SECOND}</p></article>"
    page = extract(shell(linked(NODE), body=body))
    assert page.words == sum(block.words for block in page.blocks if block.is_main)
    assert page.words_total == sum(block.words for block in page.blocks)
    assert page.text == "\n\n".join(b.text for b in page.blocks if b.is_main)
    assert page.sources == ("document", "json-ld")


def test_the_confidence_is_that_of_both_parts():
    page = extract(shell(data(STATE)), "learned")
    assert page.confidence == pytest.approx(0.6)
    assert extract(shell(data(STATE)), "danag").confidence is None


def test_an_empty_text_is_no_warning_any_more():
    assert extract(shell(data(STATE))).warnings == ()
    assert extract(shell()).warnings == ("no_text",)


def test_a_page_that_needs_nothing_is_the_same_with_and_without():
    body = "<article>" + "".join(f"<p>{text}</p>" for text in STORY * 2) + "</article>"
    html = shell(
        data({"post": {"title": TITLE, "body": f"<p>{'Other. ' * 900}"}}), body=body
    )
    assert extract(html) == extract(html, structured_data=False)
    assert extract(html).sources == ("document",)


def test_the_page_pickles_with_all_of_it():
    page = extract(shell(linked(NODE)))
    copy = pickle.loads(pickle.dumps(page))
    assert copy == page
    assert copy.blocks == page.blocks
    assert copy.as_dict(blocks=True) == page.as_dict(blocks=True)
    assert copy.as_dict()["sources"] == ["json-ld"]


def test_the_scripts_are_not_kept():
    state = {**STATE, "rest": [{"id": n, "key": f"k{n * 7919}"} for n in range(20_000)]}
    page = extract(shell(data(state)))
    assert page.text == "\n\n".join(STORY)
    assert len(pickle.dumps(page)) < 20_000


def test_the_tree_is_left_as_it_was():
    root = Selector(text=shell(linked(NODE), data(STATE))).root
    before = etree.tostring(root)
    assert Extractor("semantic-markup").extract_tree(root).sources
    assert etree.tostring(root) == before


def test_images_and_links_of_what_was_added_are_absolute():
    html = (
        f"<p>{FIRST} <a href=more>More</a></p><img src=/pot.png alt=Pot><p>{SECOND}</p>"
    )
    state = {"post": {"title": TITLE, "body": html}}
    base = "<base href='http://b.example/x/'>"
    page = extract(shell(data(state)).replace("<title>", f"{base}<title>"))
    assert [link.url for link in page.all_links] == ["http://b.example/x/more"]
    assert [media.url for media in page.media] == ["http://b.example/pot.png"]


def test_noscript_is_text_of_the_page_and_says_so():
    page = extract(
        shell(body=f"<article><noscript><p>{FIRST}</p></noscript></article>")
    )
    assert page.text == FIRST
    assert page.sources == ("noscript",)
    assert [block.source for block in page.blocks] == ["noscript"]


def test_the_report_shows_what_was_added_and_from_where():
    report = write_report(extract(shell(linked(NODE))))
    assert "Added from json-ld: <code>/html[1]/body[1]/script[1]</code>" in report
    assert FIRST in report


def test_blocks_of_other_pages_are_of_the_document():
    assert added(extract("<article><p>Some words.</p></article>")) == []


def test_an_attribute_that_looks_like_linked_data_is_not_taken_for_it():
    text = " ".join(STORY * 2)
    html = f"<article title='\"articleBody\"'><p>{text}</p></article>"
    page = Extractor("semantic-markup").extract(html)
    assert page.words > 100
    assert page.sources == ("document",)
