"""Contents in the form in which applications take them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from lxml import html as lxml_html

from .content import html_box, to_html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .content import Content


def rich_html(content: Content) -> str:
    """The whole content as an editor would save it, titles of boxes in the text."""
    return to_html(content.markup("gfm", html_box))


def plain(markdown: str) -> str:
    """The words of Markdown."""
    return " ".join(lxml_html.fromstring(f"<div>{to_html(markdown)}</div>").itertext())


def of_kind(contents: Sequence[Content], *kinds: str) -> list[Content]:
    return [content for content in contents if content.kind in kinds]


def comments_on(content: Content, threads: Sequence[Content]) -> list[dict[str, Any]]:
    """Readers' comments on a content: plain posts of a thread in its language."""
    choice = random.Random(content.name)
    own = [thread for thread in threads if thread.language == content.language]
    thread = choice.choice(own or threads)
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


def specifications(content: Content) -> list[tuple[str, str]]:
    """Names and values of a product, as text."""
    table = content.data["specifications"]
    return [(str(name), str(value)) for name, value in table.items()]
