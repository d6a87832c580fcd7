"""The main content that a page's JSON-LD holds, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..metadata.jsonld import types_of
from ..metadata.plaintext import clean
from .prose import as_html, as_inline_html

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..metadata.jsonld import JsonLd, Node

MAX_ITEMS: Final = 500
MAX_LEVELS: Final = 6

_POSTS: Final = frozenset("DiscussionForumPosting SocialMediaPosting Question".split())
_ASKING: Final = frozenset({"FAQPage", "QAPage"})
_ANSWERS: Final = ("acceptedAnswer", "suggestedAnswer")
_JOB: Final = (
    "description responsibilities qualifications skills educationRequirements "
    "experienceRequirements jobBenefits incentiveCompensation"
).split()


def describe(data: JsonLd) -> tuple[Node, str, bool]:
    """The node that describes the page, its content as HTML, whether that is a body.

    A body is the text of an article or of a thread; anything else (a description,
    steps, questions) may be only a part of the page.
    """
    asking = [n for n in data.nodes if not _ASKING.isdisjoint(types_of(n))]
    # Questions are the content of a page that is about nothing else.
    node = data.content or (asking[0] if len(asking) == 1 else {})
    body = "".join(_body(node))
    parts = body or "".join(_parts(node))
    heading = clean(node.get("headline") or node.get("name") or node.get("title"))
    title = _element("h1", heading) if parts and heading else ""
    return node, title + parts, bool(body)


def _body(node: Node) -> Iterator[str]:
    """The text of an article or of a thread."""
    kinds = types_of(node)
    thread = not _POSTS.isdisjoint(kinds)
    if "JobPosting" in kinds:
        return
    for key in ("articleBody", "text") if thread else ("articleBody",):
        yield from map(as_html, _texts(node.get(key)))
    if thread:
        for key in ("comment", *_ANSWERS):
            yield from _replies(node.get(key))


def _replies(value: Any, level: int = 0) -> Iterator[str]:
    for reply in _nodes(value):
        yield from map(as_html, _texts(reply.get("text")))
        if level < MAX_LEVELS:
            yield from _replies(reply.get("comment"), level + 1)


def _parts(node: Node) -> Iterator[str]:
    """Parts of a product, a recipe, an event, ... beside its body."""
    kinds = types_of(node)
    if not _ASKING.isdisjoint(kinds):
        yield from _asked(node)
        return
    if "JobPosting" in kinds:
        for key in _JOB:
            yield from map(as_html, _texts(node.get(key)))
        return
    if any(kind.endswith(("Article", "Posting")) for kind in kinds):
        return  # an article's description is a teaser
    yield from map(as_html, _texts(node.get("description")))
    for kind, write in _WRITERS.items():
        if kind in kinds:
            yield from write(node)


def _asked(node: Node) -> Iterator[str]:
    for question in _nodes(node.get("mainEntity")):
        if name := clean(question.get("name")):
            yield _element("h2", name)
        yield from map(as_html, _texts(question.get("text")))
        for key in _ANSWERS:
            yield from _replies(question.get(key))


def _recipe(node: Node) -> Iterator[str]:
    yield _list("ul", _texts(node.get("recipeIngredient")))
    yield from _steps(node.get("recipeInstructions"))


def _how_to(node: Node) -> Iterator[str]:
    for key in ("supply", "tool"):
        yield _list("ul", _named(node.get(key)))
    yield from _steps(node.get("step"))


def _product(node: Node) -> Iterator[str]:
    rows = [
        f"{name}: {value}"
        for item in _nodes(node.get("additionalProperty"))
        if (name := clean(item.get("name"))) and (value := _number(item.get("value")))
    ]
    yield _list("ul", iter(rows))
    for offer in _nodes(node.get("offers"))[:1]:
        price = _number(offer.get("price") or offer.get("lowPrice"))
        currency = clean(offer.get("priceCurrency"))
        if price and currency:
            yield _element("p", f"{price} {currency}")


def _review(node: Node) -> Iterator[str]:
    yield from map(as_html, _texts(node.get("reviewBody")))


_WRITERS: Final[dict[str, Callable[[Node], Iterator[str]]]] = {
    "Recipe": _recipe,
    "HowTo": _how_to,
    "Product": _product,
    "ProductGroup": _product,
    "Review": _review,
}


def _steps(value: Any, level: int = 0) -> Iterator[str]:
    """Steps, in sections or not, each a string or a node."""
    if isinstance(value, str):
        yield as_html(value)
        return
    for item in _items(value):
        if isinstance(item, str):
            yield _element("p", item)
        elif not isinstance(item, dict):
            continue
        elif "itemListElement" in item and level < MAX_LEVELS:
            if name := clean(item.get("name")):
                yield _element("h2", name)
            yield from _steps(item["itemListElement"], level + 1)
        elif texts := list(_texts(item.get("text") or item.get("name"))):
            yield from map(as_html, texts)


def _named(value: Any) -> Iterator[str]:
    for item in _items(value):
        text = item.get("name") if isinstance(item, dict) else item
        yield from _texts(text)


def _list(tag: str, texts: Iterator[str]) -> str:
    items = "".join(_element("li", text) for text in texts)
    return f"<{tag}>{items}</{tag}>" if items else ""


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{as_inline_html(text)}</{tag}>"


def _number(value: Any) -> str | None:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return clean(value)


def _texts(value: Any) -> Iterator[str]:
    """The strings of a string or a list of strings."""
    for item in _items(value):
        if isinstance(item, dict):  # a text with its language
            item = item.get("@value")
        if isinstance(item, str) and item.strip():
            yield item


def _items(value: Any) -> list[Any]:
    return value[:MAX_ITEMS] if isinstance(value, list) else [value]


def _nodes(value: Any) -> list[Node]:
    return [item for item in _items(value) if isinstance(item, dict)]
