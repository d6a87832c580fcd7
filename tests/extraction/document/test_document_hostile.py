"""Pages made to break a reader: sizes and depths that no page needs."""

from __future__ import annotations

import gc

import pytest
from lxml import etree

from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.parsing.tree import parse_html
from tests.extraction.soundness import check_document as read

MEGABYTE = 1_000_000


def parsed(page: str) -> etree._Element:
    return parse_html(page)


def element(tag: str, text: str) -> etree._Element:
    node = etree.Element(tag)
    node.text = text
    return node


def nested(depth: int) -> etree._Element:
    node = root = etree.Element("div")
    for k in range(depth - 1):
        node.text = "a"
        node = etree.SubElement(node, "b" if k % 3 else "div")
    return root


def test_100_000_siblings() -> None:
    assert read(parsed("<p>a" * 10_000)).n_blocks == 10_000
    document = read_tree(parsed("<p>a" * 100_000))
    assert document.n_blocks == 100_000
    assert document.xpath(document.n_elements - 1) == "/html[1]/body[1]/p[100000]"


def test_depth_of_2_000_parsed() -> None:
    document = read(parsed("<div>a" * 2_000))
    assert document.elements.depth.max() == 2_001
    assert document.n_blocks == 2_000


def test_depth_of_10_000() -> None:
    assert read(nested(1_500)).n_elements == 1_500
    root = nested(10_000)
    document = read_tree(root)
    assert document.elements.depth.tolist() == list(range(10_000))
    assert document.xpath(9_999).count("/") == 10_000


def test_15_megabytes_of_text_in_one_node() -> None:
    document = read_tree(element("p", "word " * (3 * MEGABYTE)))
    assert document.blocks.words.tolist() == [3 * MEGABYTE]
    assert document.blocks.chars.tolist() == [15 * MEGABYTE - 1]
    assert document.text == b"word " * (3 * MEGABYTE - 1) + b"word"


@pytest.mark.parametrize("tag", ["p", "pre"])
@pytest.mark.parametrize("blank", [" ", "\n", "\u3000"])
def test_15_megabytes_of_blanks(tag: str, blank: str) -> None:
    root = element(tag, blank * (15 * MEGABYTE))
    assert read_tree(root).n_blocks == 0
    etree.SubElement(root, "b").text = "x"
    root[0].tail = blank * (15 * MEGABYTE)
    document = read_tree(root)
    indent = 15 * MEGABYTE if tag == "pre" and blank != "\n" else 0
    assert document.text == b" " * indent + b"x"
    assert document.blocks.chars.tolist() == [indent + 1]


def test_indentation_in_many_pieces() -> None:
    root = etree.Element("pre")
    for _ in range(5_000):
        etree.SubElement(root, "b").text = " \t"
    root[-1].tail = "x"
    assert read(root).text == b" \t" * 5_000 + b"x"


@pytest.mark.parametrize("tag", ["p", "pre"])
def test_100_000_breaks(tag: str) -> None:
    root = element(tag, "a ")
    for _ in range(100_000):
        etree.SubElement(root, "br")
    root[-1].tail = "b"
    for _ in range(100_000):
        etree.SubElement(root, "br").tail = " "
    expected = {"p": b"a\n\nb", "pre": b"a \n\nb"}[tag]
    assert read_tree(root).text == expected


def test_100_000_tag_names() -> None:
    page = "".join(f"<t{k}>a</t{k}>" for k in range(100_000))
    document = read_tree(parsed(f"<div>{page}</div>"))
    assert document.extra_tags == tuple(f"t{k}" for k in range(100_000))
    assert document.tag_name(100_002) == "t99999"


def test_10_000_attributes() -> None:
    names = " ".join(f"a{k}=1" for k in range(10_000))
    document = read_tree(parsed(f"<p {names} class=x>a"))
    assert document.attributes_of(2) == {"class": "x"}
    assert document.elements.code[2] > 10_000 * len(" a1='1'")


def test_a_class_of_4_000_tokens_and_one_that_is_too_long() -> None:
    root = etree.Element("p", {"class": "a " * 4_096})
    tokens = read(root).tokens
    assert len(tokens.element) == 4_096
    assert len(read(etree.Element("p", {"class": "a " * 8_000})).tokens.element) == 0


def test_15_megabytes_of_json_ld_and_title() -> None:
    root = etree.Element("head")
    script = etree.SubElement(root, "script", type="application/ld+json")
    script.text = "x" * (15 * MEGABYTE)
    etree.SubElement(root, "title").text = "y" * (15 * MEGABYTE)
    document = read_tree(root)
    assert [len(text) for text in document.head_texts("script")] == [15 * MEGABYTE]
    assert [len(text) for text in document.head_texts("title")] == [15 * MEGABYTE]
    assert document.n_blocks == 0


def test_nodes_moved_in_from_other_documents() -> None:
    root = etree.Element("div")
    for k in range(200):
        other = etree.HTML(f"<section><p class=c{k}>a<my-{k % 5}>b</my-{k % 5}></p>c")
        root.append(other.find(".//section"))
        root.append(etree.fromstring(f"<t{k}><p>d</p></t{k}>"))
        del other
    gc.collect()
    document = read(root)
    assert len(document.extra_tags) == 205
    assert document.n_blocks == 600


def test_texts_in_pieces() -> None:
    root = etree.Element("p")
    for _ in range(20_000):
        root.append(etree.Comment("c"))
        root[-1].tail = "ab "
        root.append(etree.Entity("e"))
    document = read(root)
    assert len(document.runs.kind) == 1
    assert document.text == b" ".join([b"ab", *[b"&e;ab"] * 19_999, b"&e;"])


def test_no_proxies_are_made() -> None:
    root = parsed("<p>a<b>b</b><!-- c --></p>" * 1000)
    gc.collect()
    before = len(gc.get_objects())
    document = read_tree(root)
    assert document.n_elements == 2_002
    # A node's proxy is an object that the collector tracks: there would be thousands.
    assert len(gc.get_objects()) - before < 100
