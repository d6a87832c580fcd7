"""What a page declares is read once, and in one form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.declared import Declared, sources

from ..helpers import document_of

URL = "https://shop.example/lamp"


def declared_in(html: str) -> Declared:
    """What *html* declares."""
    return Declared(document_of(html), URL)


def linked(*values: Any) -> str:
    """A page with JSON-LD."""
    return "".join(
        f'<script type="application/ld+json">{json.dumps(value)}</script>'
        for value in values
    )


def test_scripts_are_parsed_once_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = sources.parse
    monkeypatch.setattr(sources, "parse", lambda s: (parsed.append(s), parse(s))[1])
    lamp = {"@type": "Product", "name": "Lamp", "offers": {"price": "9.50"}}
    html = linked(lamp, {"@type": "WebSite", "name": "Shop"}) + "<h1>Lamp</h1><p>Light."
    page = extract(html, url=URL)
    assert all((page.product, page.metadata, page.search_form is None, not page.posts))
    assert len(parsed) == 2


@pytest.mark.parametrize(
    "html",
    [
        linked(
            {"@type": "Product", "name": "Lamp", "sku": 7, "brand": {"name": "Lux"}}
        ),
        '<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Lamp</b>'
        '<meta itemprop=sku content=7><i itemprop=brand itemscope itemtype="/Brand">'
        "<i itemprop=name>Lux</i></i></div>",
        '<div vocab="https://schema.org/" typeof=Product><b property=name>Lamp</b>'
        "<meta property=sku content=7><i property=brand typeof=Brand>"
        "<i property=name>Lux</i></i></div>",
    ],
    ids=["json-ld", "microdata", "rdfa"],
)
def test_things_have_one_form(html: str) -> None:
    (lamp,) = declared_in(html).of_type("Product")
    assert (lamp.first("name"), lamp.first("sku"), lamp.first("brand")) == (
        "Lamp",
        "7",
        "Lux",
    )
    assert lamp.element >= 0


def test_a_reference_is_followed_to_the_thing_that_it_names() -> None:
    graph = [
        {"@type": "Article", "headline": "A", "author": {"@id": "#ann"}},
        {"@type": "Person", "@id": "#ann", "name": "Ann"},
    ]
    (article,) = declared_in(linked({"@graph": graph})).of_type("Article")
    assert article.first("author") == "Ann"


@pytest.mark.parametrize(
    "key", ["offers", "name", "comment", "hasVariant", "mainEntity"]
)
def test_a_thing_that_refers_to_itself_ends(key: str) -> None:
    thing = {
        "@type": ["Product", "Question", "Recipe"],
        "@id": "#a",
        key: {"@id": "#a"},
    }
    page = extract(linked(thing) + "<p>Text.", url=URL)
    assert page.metadata.title is None
    assert (page.product is None, page.posts, page.recipe is None) == (False, (), False)


def test_things_that_name_each_other_do_not_multiply() -> None:
    text = "old mill " * 500
    spokes = [{"@id": f"#{n}"} for n in range(300)]
    hub = {"@type": "Product", "@id": "#hub", "name": "Lamp", "hasVariant": spokes * 3}
    things = [
        {"@id": f"#{n}", "name": "Lamp", "isVariantOf": {"@id": "#hub"}, "color": text}
        for n in range(3)
    ]
    named = [{"@id": "#big", "color": text, "size": text}]
    many = [{"@id": f"#s{n}", "about": {"@id": "#big"}} for n in range(500)]
    html = linked([hub, *things, *named, *many])
    written = [str(node.data) for node in declared_in(html).linked]
    assert sum(map(len, written)) < 4 * len(html)
    (lamp,) = declared_in(html).of_type("Product")
    assert [node.first("name") for node in lamp.inner("hasVariant")][:4] == [
        "Lamp",
        "Lamp",
        "Lamp",
        None,
    ]


@pytest.mark.parametrize(
    ("markup", "found"),
    [
        ('<a itemprop=url href="/x">y</a>', f"{URL[:20]}/x"),
        ("<span itemprop=url>https://shop.example/z</span>", "https://shop.example/z"),
        (
            '<img itemprop=url src="data:x" data-src="/lazy.png">',
            "https://shop.example/lazy.png",
        ),
        ("<b itemprop=url>plain text</b>", "https://shop.example/plain%20text"),
        ("<b itemprop=author>Ann</b>", None),
    ],
)
def test_the_address_that_an_element_says(markup: str, found: str | None) -> None:
    html = f'<div itemscope itemtype="/Thing">{markup}</div>'
    (thing,) = declared_in(html).of_type("Thing")
    assert thing.address("url", "author") == found


def test_frequent_questions_in_a_graph_are_no_posts() -> None:
    answer = {"@type": "Answer", "text": "Yes, it does. " * 5}
    question = {
        "@type": "Question",
        "@id": "#q",
        "name": "Does it?",
        "acceptedAnswer": answer,
    }
    page = {"@type": ["WebPage", "FAQPage"], "mainEntity": [{"@id": "#q"}]}
    assert extract(linked({"@graph": [page, question]}), url=URL).posts == ()


def test_comments_of_an_old_vocabulary_are_posts() -> None:
    said = [
        {
            "@type": "UserComments",
            "commentText": f"Said by {name}.",
            "creator": {"name": name},
        }
        for name in ("Ann", "Bob")
    ]
    assert [post.author for post in extract(linked(*said), url=URL).posts] == [
        "Ann",
        "Bob",
    ]


def test_events_of_one_name_are_no_event_of_the_page() -> None:
    events = [
        {"@type": "Event", "name": "Hearing", "startDate": f"2026-03-0{day}"}
        for day in (1, 2)
    ]
    assert extract(linked(*events) + "<h1>Calendar</h1>", url=URL).event is None
    assert extract(linked(events[0]) + "<h1>Calendar</h1>", url=URL).event is not None
