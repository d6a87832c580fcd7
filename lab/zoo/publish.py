"""Contents in the form in which applications take them."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from lxml import html as lxml_html

from .content import html_box, to_html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .content import Content

FORUMS: Final = ("House and garden", "Computers and bicycles", "Everything else")
SIGNATURES: Final = (
    "Measure twice, cut once.",
    "Sent from the shed",
    "-- All my opinions are my own, all my mistakes too",
    "NAS: 4 x 8 TB, UPS, and a cat",
    "",
    "",
)


def rich_html(content: Content) -> str:
    """The whole content as an editor would save it, titles of boxes in the text."""
    return to_html(content.markup("markdown", html_box))


def plain(markdown: str) -> str:
    """The words of Markdown."""
    return " ".join(lxml_html.fromstring(f"<div>{to_html(markdown)}</div>").itertext())


def of_kind(contents: Sequence[Content], *kinds: str) -> list[Content]:
    return [content for content in contents if content.kind in kinds]


def comments_on(content: Content, threads: Sequence[Content]) -> list[dict[str, Any]]:
    """Readers' comments on a content: plain posts of a thread in its language."""
    choice = random.Random(content.name)
    own = [thread for thread in threads if thread.language == content.language]
    if not own:
        return []
    thread = choice.choice(own)
    posts = [post for post in thread.data["posts"] if "```" not in post["text"]]
    number = min(len(posts), choice.randrange(7))
    return [
        {
            "author": post["author"],
            "date": str(post["date"])[:10],
            "text": plain(post["text"]),
        }
        for post in posts[:number]
    ]


def as_post(content: Content, threads: Sequence[Content]) -> dict[str, Any]:
    """An article with its comments, as JSON takes it."""
    return {
        "slug": content.slug,
        "title": content.title,
        "html": rich_html(content),
        "author": content.author,
        "date": content.date[:10],
        "tags": content.tags,
        "comments": comments_on(content, threads),
    }


def as_thread(content: Content) -> dict[str, Any]:
    """A thread as JSON takes it; some of its authors have a signature."""
    posts = [
        {**post, "date": str(post["date"])[:16], "text": post["text"].strip()}
        for post in content.data["posts"]
    ]
    authors = {post["author"] for post in posts}
    return {
        "slug": content.slug,
        "title": content.title,
        "forum": FORUMS[crc32(content.name.encode()) % len(FORUMS)],
        "language": content.language,
        "posts": posts,
        "signatures": {
            name: SIGNATURES[crc32(name.encode()) % len(SIGNATURES)] for name in authors
        },
    }


def as_product(content: Content) -> dict[str, Any]:
    """A product as ``sites/oscar_site.py`` takes it."""
    data = content.data
    return {
        "slug": content.slug,
        "title": content.title,
        "html": content.html(),
        "kind": data["brand"],
        "category": " > ".join(tag.title() for tag in content.tags) or "Other",
        "sku": data["sku"],
        "price": str(data["price"]),
        "currency": data["currency"],
        "variants": [str(variant) for variant in data.get("variants", ())],
        "specifications": [
            [f"a{number}", str(name), str(value)]
            for number, (name, value) in enumerate(data["specifications"].items())
        ],
        "reviews": [
            {**review, "title": re.split(r"[.,;!。]", review["text"])[0][:80]}
            for review in data.get("reviews", ())
        ],
    }


def plain_thread(content: Content) -> str:
    """The words of a thread's posts, without their authors and dates."""
    return " ".join(plain(post["text"]) for post in content.data["posts"])
