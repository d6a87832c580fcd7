"""The tree of a page as browsers read it, also behind an early ``</html>``."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing.tree import parse_html

END = "</body></html>"


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        (f"<p>a</p>{END}b", ["a", "b"]),
        (f"<p>a</p>{END}b{END}c", ["a", "bc"]),
        (f"<p>a</p>{END}b<p>c</p>{END}d<p>e", ["a", "b", "c", "d", "e"]),
        (f"<p>a</p>{END}<p>b</p>", ["a", "b"]),
        (f"<p>a</p>{f'{END}b ' * 50}", ["a", *"b" * 50]),
        (f"{END}a{END}b", ["a", "b"]),
    ],
)
def test_text_behind_the_end_of_the_page(html: str, texts: list[str]) -> None:
    root = parse_html(html)
    assert " ".join(" ".join(root.itertext()).split()) == " ".join(texts)
    assert [p.text for p in root.iter("p") if p.text] == [
        text for text in texts if f"<p>{text}" in html
    ]


def test_comments_are_not_kept() -> None:
    root = parse_html("<!--a--><p>b<!--c-->d</p><!--e-->")
    assert [each.tag for each in root.iter()] == ["html", "body", "p"]
    assert root.findtext("body/p") == "bd"


STREAMED = (
    '<p>a</p><template id="B:0"></template>b<div hidden id="S:0"><p>c</p>'
    '<template id="P:1a"></template></div><div hidden id="S:1a"><p>e</p></div>'
)


def test_parts_of_a_streamed_page_stand_at_their_templates() -> None:
    root = parse_html(STREAMED)
    assert "".join(root.itertext()) == "aceb"
    assert not root.xpath("//*[@hidden]")


@pytest.mark.parametrize(
    "html",
    [
        '<div hidden id="S:0">a<template id="B:0"></template></div>',
        '<div hidden id="S:0">a</div><template id="B:1"></template>',
    ],
)
def test_parts_without_a_place_stay(html: str) -> None:
    assert len(parse_html(html).xpath("//div[@hidden]")) == 1


def test_a_tree_of_a_streamed_page_is_read_from_its_source() -> None:
    text = "The gauge writes a line every ten seconds to the file that you name. "
    html = STREAMED.replace("c", 3 * text).replace("e", 4 * text)
    page = Extractor().extract_tree(etree.HTML(html), source=lambda: html)
    assert page.text == extract(html).text
    assert page.text.count("gauge") >= 7
