from __future__ import annotations

from typing import Any

import pytest

from scrapy_mainpage.extraction.embedded.rich_text import is_rich_text, write_rich_text
from scrapy_mainpage.extraction.parsing.budget import Budget

from .helpers import FIRST, SECOND, TITLE, data, extract, shell

HEAD, TAIL = FIRST.split(". ", 1)
HEAD += ". "

PROSEMIRROR = {"type": "doc", "content": [
    {"type": "heading", "attrs": {"level": 3}, "content": [
        {"type": "text", "text": "Pots"},
    ]},
    {"type": "paragraph", "content": [
        {"type": "text", "text": HEAD},
        {"type": "text", "marks": [{"type": "bold"}], "text": TAIL},
    ]},
    {"type": "bullet_list", "content": [
        {"type": "list_item", "content": [
            {"type": "paragraph", "content": [{"type": "text", "text": "Water"}]},
        ]},
    ]},
]}  # fmt: skip
CONTENTFUL = {"nodeType": "document", "data": {}, "content": [
    {"nodeType": "heading-3", "content": [{"nodeType": "text", "value": "Pots"}]},
    {"nodeType": "paragraph", "content": [
        {"nodeType": "text", "value": HEAD, "marks": []},
        {"nodeType": "hyperlink", "data": {"uri": "/x"}, "content": [
            {"nodeType": "text", "value": TAIL},
        ]},
    ]},
    {"nodeType": "unordered-list", "content": [
        {"nodeType": "list-item", "content": [
            {"nodeType": "paragraph", "content": [
                {"nodeType": "text", "value": "Water"},
            ]},
        ]},
    ]},
]}  # fmt: skip
PORTABLE = [
    {"_type": "block", "style": "h3", "children": [{"_type": "span", "text": "Pots"}]},
    {"_type": "block", "style": "normal", "children": [
        {"_type": "span", "text": HEAD}, {"_type": "span", "text": TAIL},
    ]},
    {"_type": "block", "listItem": "bullet", "children": [
        {"_type": "span", "text": "Water"},
    ]},
]  # fmt: skip
DRAFT = {"type": "richText", "entityMap": {}, "blocks": [
    {"key": "a", "text": "Pots", "type": "header-three"},
    {"key": "b", "text": FIRST, "type": "unstyled"},
    {"key": "c", "text": "Water", "type": "unordered-list-item"},
]}  # fmt: skip
EDITOR = [
    {"type": "header", "data": {"text": "Pots", "level": 3}},
    {"type": "paragraph", "data": {"text": FIRST}},
    {"type": "list", "data": {"items": ["Water"]}},
]
ARC = [
    {"type": "header", "level": 3, "content": "Pots"},
    {"type": "text", "content": FIRST},
    {"type": "image", "caption": "A pot."},
    {"type": "list", "items": [{"type": "text", "content": "Water"}]},
]


@pytest.mark.parametrize(
    "tree",
    [PROSEMIRROR, CONTENTFUL, PORTABLE, DRAFT, EDITOR, ARC],
    ids=["prosemirror", "contentful", "portable", "draft", "editor", "arc"],
)
def test_a_stored_tree_is_read_as_the_text_it_is_shown_as(tree: Any):
    state = {"post": {"title": TITLE, "body": tree}}
    page = extract(shell(data(state)))
    assert page.text == f"Pots\n\n{FIRST}\n\nWater"
    assert page.markdown.startswith("### Pots")


def test_a_list_of_other_things_is_no_rich_text():
    assert not is_rich_text([{"name": "Pot", "price": 3}, {"name": "Cup", "price": 1}])
    assert not is_rich_text([])
    assert not is_rich_text({"type": "doc", "content": "text"})


def test_text_is_escaped_and_line_breaks_are_kept():
    nodes = [{"type": "text", "text": "1 < 2"}, {"type": "hardBreak"}]
    tree = [{"type": "paragraph", "content": nodes}]
    assert write_rich_text(tree, Budget()) == "<p>1 &lt; 2<br></p>"


def test_a_tree_that_holds_itself_ends():
    node: dict[str, Any] = {"type": "paragraph"}
    node["content"] = [{"type": "text", "text": SECOND}, node, node]
    assert 0 < len(write_rich_text([node], Budget())) < 1_000_000
