"""Broken or expensive data: no error, nothing added, and an end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_mainpage.extraction.embedded.values import is_flattened, unflatten
from scrapy_mainpage.extraction.parsing.budget import Budget

from .helpers import FIRST, STORY, TITLE, data, extract, linked, script, shell

LONG = "".join(f"<p>{text}</p>" for text in STORY)


@pytest.mark.parametrize(
    "text",
    [
        '{"title": "' + TITLE + '", "body": "' + FIRST * 3,
        "[" * 100_000,
        "[" + "[]," * 300_000 + "[]]",
        "= [" * 100_000,
        '{"a":' * 100_000,
        '{"a":[' * 50_000 + "]}" * 50_000,
        'x = {"a": ' * 20_000,
        "x=['" * 20_000,
        "x='{" + "\\x22" * 100_000,
        '= ["' * 50_000,
        '= ["\n' * 100_000,
        "window.a = {b: 1, c: function() { return [1, 2] }};" * 500,
        "self.__next_f.push([1," + '"0:T5,' * 5_000,
        'self.__next_f.push([1,"0:Tffffffff,abc"])' + " " * 300,
        'self.__next_f.push([1, {"a": 1}])' + " " * 300,
        "\\ud800" * 100,
        '{"a": 1e999999, "b": -Infinity, "c": [' + "9" * 10_000 + "]}",
        '[["Reactive", 99], {"a": -5}, "x"' + ', "y"' * 99 + "]",
        '[[["Ref"], 1], {"a": 2}, "x"' + ', "y"' * 99 + "]",
    ],
    ids=range(19),
)
def test_what_cannot_be_read_is_nothing(text: str):
    for kind in ("application/json", "text/javascript", "application/ld+json"):
        assert extract(shell(script(text, type=kind))).text == ""


def test_a_broken_script_does_not_stop_the_next_one():
    state = {"post": {"title": TITLE, "body": LONG}}
    html = shell(script('window.a = {"b": [' * 300), data(state))
    assert extract(html).text == "\n\n".join(STORY)


def test_half_of_a_surrogate_pair_is_replaced():
    body = LONG.replace("four", "\ud83d")
    page = extract(shell(data({"post": {"title": TITLE, "body": body}})))
    assert "alone for ? minutes" in page.text
    assert page.text.encode()


def test_markup_that_is_never_closed_stays_in_its_string():
    state = {"post": {"title": TITLE, "body": "<div>" * 5_000 + FIRST, "content": LONG}}
    page = extract(shell(data(state)))
    assert STORY[1] in page.text


def test_a_list_of_places_with_cycles_is_read_once():
    flat: list[Any] = [
        {"self": 0, "post": 1},
        {"title": 2, "body": 3, "next": 1, "up": 0},
    ]
    flat += [TITLE, LONG, [4, 4, 4, 0, 1]]
    assert is_flattened(flat)
    value = unflatten(json.loads(json.dumps(flat)), Budget())
    assert value["self"] is value
    assert value["post"]["next"] is value["post"]
    assert extract(shell(data(flat))).text == "\n\n".join(STORY)


@pytest.mark.parametrize(
    "node",
    [
        {
            "@type": "Product",
            "description": {"a": 1},
            "offers": [3, None, {"price": []}],
        },
        {"@type": "Recipe", "recipeInstructions": {"x": [[[]]]}, "recipeIngredient": 5},
        {"@type": "HowTo", "step": [None, 1, {"text": 5}, {"itemListElement": None}]},
        {"@type": "FAQPage", "mainEntity": [{"name": 1, "acceptedAnswer": "x"}, "y"]},
        {"@type": ["Article", 5], "articleBody": [None, {"@value": 3}]},
        {"@type": "DiscussionForumPosting", "text": 1, "comment": {"comment": [1]}},
    ],
)
def test_linked_data_of_wrong_types_is_nothing(node: dict[str, Any]):
    assert extract(shell(linked({"name": "Pot", "url": None, **node}))).text == ""
