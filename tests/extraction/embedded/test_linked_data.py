from __future__ import annotations

from typing import Any

import pytest
from parsel import Selector

from .helpers import (
    FIRST,
    OTHER,
    SECOND,
    STORY,
    TITLE,
    URL,
    added,
    extract,
    linked,
    prose,
    shell,
)  # fmt: skip


def test_the_body_of_an_article_keeps_its_paragraphs():
    body = "\n\n".join(STORY)
    node = {"@type": "NewsArticle", "headline": TITLE, "articleBody": body}
    page = extract(shell(linked(node)))
    assert page.text == "\n\n".join([TITLE, *STORY])
    assert page.markdown == "\n\n".join([f"# {TITLE}", *STORY])
    assert page.sources == ("json-ld",)
    assert page.warnings == ()


def test_blocks_name_their_source_and_the_script_that_holds_them():
    html = shell(
        linked({"@type": "Organization", "name": "Pot & Sons", "logo": "/l.png"}),
        linked({"@type": "Article", "headline": TITLE, "articleBody": FIRST}),
    )
    page = extract(html)
    assert {block.source for block in page.blocks if block.is_main} == {"json-ld"}
    (holder,) = Selector(text=html).root.xpath(page.blocks[-1].xpath)
    assert "Warm the pot" in holder.text
    assert [block.index for block in page.blocks] == list(range(len(page.blocks)))


def test_behind_a_thousand_scripts_nothing_is_read():
    other = linked({"@type": "Thing", "name": "Pot"})
    body = linked({"@type": "Article", "headline": TITLE, "articleBody": FIRST})
    assert FIRST in extract(shell(*[other] * 999, body)).text
    assert FIRST not in extract(shell(*[other] * 1_000, body)).text


def test_html_in_a_string_becomes_paragraphs_lists_and_links():
    html = f"<p>{FIRST}</p><ul><li>Water</li><li><a href=/leaf>Leaves</a></li></ul>"
    node = {"@type": "JobPosting", "title": "Tea taster", "description": html}
    page = extract(shell(linked(node)))
    assert page.markdown == (
        f"# Tea taster\n\n{FIRST}\n\n- Water\n- [Leaves](http://a.example/leaf)"
    )
    assert [link.url for link in page.links] == ["http://a.example/leaf"]


def test_html_that_was_escaped_once_more_is_html():
    node = {
        "@type": "JobPosting",
        "title": "Tea taster",
        "description": f"&lt;p&gt;{FIRST}&lt;/p&gt;&lt;p&gt;{SECOND}&lt;/p&gt;",
    }
    assert added(extract(shell(linked(node)))) == ["Tea taster", FIRST, SECOND]


PRODUCT = {
    "@type": "Product",
    "name": "Round teapot",
    "description": FIRST,
}
RECIPE = {
    "@type": "Recipe",
    "name": "Tea",
    "description": FIRST,
    "recipeIngredient": ["1 pot of water", "5 spoons of tea"],
    "recipeInstructions": [
        {"@type": "HowToSection", "name": "First", "itemListElement": [
            {"@type": "HowToStep", "text": "Boil the water."},
        ]},
        {"@type": "HowToStep", "text": "Pour it on."},
        "Wait.",
    ],
}  # fmt: skip
HOW_TO = {
    "@type": "HowTo",
    "name": "Clean a pot",
    "supply": [{"@type": "HowToSupply", "name": "Soda"}],
    "step": [{"@type": "HowToStep", "name": "Fill it with hot water and some soda."}],
}
FAQ = {
    "@type": "FAQPage",
    "mainEntity": [
        {"@type": "Question", "name": "Which pot?",
         "acceptedAnswer": {"@type": "Answer", "text": "The one that you have."}},
        {"@type": "Question", "name": "Which water?",
         "acceptedAnswer": {"@type": "Answer", "text": "<p>Soft water.</p>"}},
    ],
}  # fmt: skip
ASKED = "I let it stand for an hour, was that too long?"
EVENT = {"@type": "Event", "name": "Tea at noon", "description": FIRST}
THREAD = {
    "@type": "DiscussionForumPosting",
    "headline": "My tea is bitter",
    "text": ASKED,
    "comment": [{"@type": "Comment", "text": "It was, by fifty-six minutes."}],
}
QUESTION = {
    "@type": "QAPage",
    "mainEntity": {
        "@type": "Question",
        "name": "Why is my tea bitter?",
        "text": ASKED,
        "acceptedAnswer": {"@type": "Answer", "text": "It was, by far."},
        "suggestedAnswer": [{"@type": "Answer", "text": "Use less."}],
    },
}


@pytest.mark.parametrize(
    ("node", "texts"),
    [
        (PRODUCT, ["Round teapot", FIRST]),
        (
            RECIPE,
            [
                *("Tea", FIRST, "1 pot of water", "5 spoons of tea", "First"),
                *("Boil the water.", "Pour it on.", "Wait."),
            ],
        ),
        (HOW_TO, ["Clean a pot", "Soda", "Fill it with hot water and some soda."]),
        (FAQ, ["Which pot?", "The one that you have.", "Which water?", "Soft water."]),
        (EVENT, ["Tea at noon", FIRST]),
        (THREAD, ["My tea is bitter", ASKED, "It was, by fifty-six minutes."]),
        (QUESTION, ["Why is my tea bitter?", ASKED, "It was, by far.", "Use less."]),
    ],
    ids=lambda value: value.get("@type") if isinstance(value, dict) else "",
)
def test_what_a_type_has_to_say(node: dict[str, Any], texts: list[str]):
    assert added(extract(shell(linked(node)))) == texts


def test_the_teaser_of_an_article_is_not_its_content():
    node = {"@type": "Article", "headline": TITLE, "description": FIRST}
    page = extract(shell(linked(node)))
    assert (page.text, page.sources) == ("", ())


def test_what_describes_another_page_is_left_out():
    node = {"@type": "Article", "headline": "Mill", "articleBody": OTHER, "author": "M"}
    here = {"@type": "Article", "url": URL, "headline": TITLE, "articleBody": FIRST}
    away = {"url": "http://a.example/mill", **node}
    page = extract(shell(linked({"@graph": [away, here]})))
    assert page.text == f"{TITLE}\n\n{FIRST}"


def test_a_body_behind_a_wall_is_added_to_a_page_that_is_not_thin():
    start = [prose(n) for n in range(6)]
    rest = [prose(n) for n in range(6, 20)]
    body = "<article>" + "".join(f"<p>{text}</p>" for text in start) + "</article>"
    node = {
        "@type": "Article",
        "headline": "A wall",
        "articleBody": "\n".join(start + rest),
    }
    page = extract(shell(linked(node), body=body))
    assert page.words > 100
    assert page.text == "\n\n".join([*start, "A wall", *rest])


def test_a_body_that_adds_little_to_enough_text_is_left_alone():
    start = [prose(n) for n in range(6)]
    body = "<article>" + "".join(f"<p>{text}</p>" for text in start) + "</article>"
    filler = {"about": "x" * 5000}
    node = {"@type": "Article", "headline": "T", "articleBody": SECOND, **filler}
    page = extract(shell(linked(node), body=body))
    assert page.sources == ("document",)


def test_a_product_with_enough_text_is_left_alone():
    body = "<article>" + f"<p>{FIRST} {SECOND}</p>" * 3 + "</article>"
    page = extract(shell(linked({**PRODUCT, "description": OTHER}), body=body))
    assert page.sources == ("document",)
