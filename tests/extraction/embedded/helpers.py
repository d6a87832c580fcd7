"""Pages with only a shell as text, and prose to embed elsewhere in them."""

from __future__ import annotations

import json
from typing import Any

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.page import Page

URL = "http://a.example/tea"
TITLE = "How to brew a pot of tea"

FIRST = (
    "Warm the pot before anything else. A cold pot steals the heat that the leaves "
    "need, and lukewarm water draws little out of them."
)
SECOND = (
    "Measure one spoon for each cup and one more for the pot. Pour the water while it "
    "still moves, put the lid on, and leave it alone for four minutes."
)
THIRD = (
    "Stir once, wait for the leaves to sink, and pour through a strainer. What is left "
    "in the pot turns bitter, so drink it with friends."
)
STORY = [FIRST, SECOND, THIRD]
OTHER = (
    "Our reporter went up the hill to see the new windmill turn. It did, and the "
    "miller was happy to show him around for the better part of an afternoon."
)


def prose(number: int) -> str:
    """A paragraph of 20 words; no two numbers share a word."""
    return " ".join(f"word{number}x{k}" for k in range(20)) + "."


def script(text: str, **attributes: str) -> str:
    """A script element."""
    names = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<script{names}>{text}</script>"


def data(value: Any, **attributes: str) -> str:
    """A script element that holds JSON."""
    text = json.dumps(value).replace("<", "\\u003c")
    return script(text, **{"type": "application/json", **attributes})


def linked(value: Any) -> str:
    """A JSON-LD script."""
    return data({"@context": "https://schema.org", **value}, type="application/ld+json")


def shell(*parts: str, body: str = "<div id=app></div>", title: str = TITLE) -> str:
    """A page with next to no text, and *parts* at its end."""
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{title}</title></head>"
        f"<body>{body}{''.join(parts)}</body></html>"
    )


def extract(html: str, algorithm: str = "semantic-markup", **options: Any) -> Page:
    """The page of *html*, by an algorithm that no training changes."""
    return Extractor(algorithm, **options).extract(html, url=URL)


def added(page: Page) -> list[str]:
    """The texts of the blocks that are not in the page's text."""
    return [block.text for block in page.blocks if block.source != "document"]
