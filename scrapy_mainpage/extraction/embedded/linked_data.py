"""The main content that a page's JSON-LD holds, as HTML."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from ..declared import Node
from .prose import as_html, as_inline_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..declared import Declared

MAX_ITEMS: Final = 500

_JOB: Final = ("JobPosting",)
_POSTS: Final = ("DiscussionForumPosting", "SocialMediaPosting", "Question")
_ASKING: Final = ("FAQPage", "QAPage")
_ANSWERS: Final = ("acceptedAnswer", "suggestedAnswer")
_TEXTS: Final = (
    "description", "responsibilities", "qualifications", "skills",
    "educationRequirements", "experienceRequirements", "jobBenefits",
    "incentiveCompensation", "reviewBody",
)  # fmt: skip
_LISTS: Final = ("recipeIngredient", "supply", "tool")
_STEPS: Final = ("recipeInstructions", "step")
"""Properties of any thing that are texts, lists of lines, and steps."""


def describe(declared: Declared) -> tuple[Node, str, bool]:
    """The node that describes the page, its content as HTML, whether that is a body.

    A body is the text of an article or of a thread; anything else (a description,
    steps, questions) may be only a part of the page.
    """
    asking = [node for node in declared.linked if node.is_a(_ASKING)]
    # Questions are the content of a page that is about nothing else.
    node = declared.content or (asking[0] if len(asking) == 1 else declared.content)
    body = "".join(_body(node))
    parts = body or "".join(_parts(node))
    heading = node.first("headline", "name", "title")
    title = _element("h1", heading) if parts and heading else ""
    return node, title + parts, bool(body)


def _body(node: Node) -> Iterator[str]:
    """The text of an article or of a thread."""
    if node.is_a(_JOB):
        return
    yield from _written(node, "articleBody")
    if node.is_a(_POSTS):
        yield from _written(node, "text")
        yield from _replies(node)


def _replies(node: Node) -> Iterator[str]:
    for reply in islice(node.below("comment", *_ANSWERS), MAX_ITEMS):
        if isinstance(reply, Node):
            yield from _written(reply, "text")


def _parts(node: Node) -> Iterator[str]:
    """Parts of a product, a recipe, an event, ... beside its body."""
    if node.is_a(_ASKING):
        for question in islice(node.inner("mainEntity"), MAX_ITEMS):
            yield _element("h2", question.first("name"))
            yield from _written(question, "text")
            yield from _replies(question)
    elif node.is_a(_JOB) or not node.is_article:  # whose description is a teaser
        yield from _written(node, *_TEXTS)
        yield from (_list(node.texts(key)) for key in _LISTS)
        for key in _STEPS:
            yield from _steps(node, key)


def _steps(node: Node, key: str) -> Iterator[str]:
    """Steps, in sections or not, each a text or a thing."""
    is_one = isinstance(node.data.get(key), str)
    for step in islice(node.below(key, "itemListElement"), MAX_ITEMS):
        if isinstance(step, str):
            yield as_html(step) if is_one else _element("p", step)
        elif isinstance(step, Node) and "itemListElement" in step.data:
            yield _element("h2", step.first("name"))
        elif isinstance(step, Node):
            yield from [*_written(step, "text")] or _written(step, "name")


def _list(texts: Iterable[str]) -> str:
    items = "".join(_element("li", text) for text in islice(texts, MAX_ITEMS))
    return f"<ul>{items}</ul>" if items else ""


def _element(tag: str, text: str | None) -> str:
    return f"<{tag}>{as_inline_html(text)}</{tag}>" if text else ""


def _written(node: Node, *keys: str) -> Iterator[str]:
    """The texts of properties as they are written, with their markup and lines."""
    for value in islice(node.values(*keys), MAX_ITEMS):
        text: Any = value.data.get("@value") if isinstance(value, Node) else value
        if isinstance(text, str) and text.strip():
            yield as_html(text)
