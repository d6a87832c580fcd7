"""Rich text as editors store it: trees of typed nodes, written as HTML.

ProseMirror, Slate, Lexical, Draft.js, Editor.js, Contentful, Sanity, Prismic, Gutenberg
and Arc have in common that each node names its type, and holds its text or its children
under one of a few names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..vocabulary import read_words
from .prose import TEXT_WORK, as_html, as_inline_html

if TYPE_CHECKING:
    from ..parsing.budget import Budget

MAX_LEVELS: Final = 40
NODE_WORK: Final = 100
MAX_NAME_CHARACTERS: Final = 40

_TYPE_KEYS: Final = ("nodeType", "_type", "type", "name", "kind", "style")
_INNER_KEYS: Final = (
    "children", "content", "text", "value", "html", "data", "attributes", "blocks",
    "innerBlocks", "items",
)  # fmt: skip
_INNER: Final = frozenset(_INNER_KEYS)
_TYPES: Final = frozenset((*_TYPE_KEYS, "listItem"))
_LISTS: Final = ("children", "content", "blocks")
_HOLDERS: Final = frozenset(_LISTS)

_HEADING: Final = "heading"
"""Stands for the tag of a heading whose level another key may say."""

_OF_TEXT: Final = frozenset("p h1 h2 h3 h4 h5 h6 li td pre".split())
_NUMBERS: Final = "one two three four five six".split()
_ORDINALS: Final = dict(zip(_NUMBERS, "123456", strict=True))
_NOT_LETTERS: Final = re.compile(r"[^a-z]")
_LEVEL: Final = re.compile(rf"(?:h|heading|header)[-_ ]?([1-6]|{'|'.join(_NUMBERS)})")


def is_rich_text(value: Any) -> bool:
    """Whether *value* is such a tree: most of its nodes have a type that is known."""
    if isinstance(value, dict):
        if _HOLDERS.isdisjoint(value):
            return False
        inner = [item for item in map(value.get, _LISTS) if isinstance(item, list)]
        return bool(inner) and _tag_of(value) == "div" and any(map(is_rich_text, inner))
    if not isinstance(value, list) or not value:
        return False
    some = value[:30]
    left = len(some) // 2  # so many may be something else
    for node in some:
        if not _is_known(node):
            left -= 1
            if left < 0:
                return False
    return True


def _is_known(node: Any) -> bool:
    """Whether a node has a type that is known, and a text or children."""
    # The keys alone exclude most objects.
    if not isinstance(node, dict) or _INNER.isdisjoint(node) or _TYPES.isdisjoint(node):
        return False
    return _tag_of(node) is not None and any(
        isinstance(node.get(key), (str, list, dict)) for key in _INNER_KEYS
    )


def _tag_of(node: Any) -> str | None:
    """The tag that stands for a node's type; ``None`` where none is known."""
    if not isinstance(node, dict):
        return None
    if node.get("listItem"):
        return "li"
    style = node.get("style")
    for name in (style, *map(node.get, _TYPE_KEYS)):
        if isinstance(name, str) and (tag := _known(name, node)):
            return tag
    return None


def _known(name: str, node: dict[str, Any]) -> str | None:
    if len(name) > MAX_NAME_CHARACTERS:
        return None
    tag = _tag_named(name)
    if tag != _HEADING:
        return tag
    inner = node.get("attrs") or node.get("attributes") or node.get("data")
    for holder in (node, inner):
        level = holder.get("level") if isinstance(holder, dict) else None
        if isinstance(level, int) and 1 <= level <= 6:
            return f"h{level}"
    return "h2"


@lru_cache(maxsize=1024)
def _tag_named(name: str) -> str | None:
    """The tag that stands for the type *name*; ``None`` for one that is not known."""
    name = name.lower().removeprefix("core/")
    if match := _LEVEL.fullmatch(name):
        return "h" + _ORDINALS.get(match[1], match[1])
    name = _NOT_LETTERS.sub("", name)
    types = read_words("node_types").items()
    return next((tag for tag, names in types if name in names), None)


def write_rich_text(
    value: Any, budget: Budget, level: int = 0, *, inside: bool = False
) -> str:
    """The tree *value* as HTML, as far as the *budget* goes.

    Trees may share nodes, or hold themselves: every visit is charged. *inside* of a
    paragraph or its like a text has no paragraphs.
    """
    if level > MAX_LEVELS or not budget.spend(NODE_WORK):
        return ""
    if isinstance(value, str):
        can_read = budget.spend(TEXT_WORK * len(value))
        return (as_inline_html if inside else as_html)(value) if can_read else ""
    if isinstance(value, list):
        parts = (write_rich_text(v, budget, level + 1, inside=inside) for v in value)
        return "".join(parts)
    tag = _tag_of(value)
    if tag == "br":
        return "<br>"
    inside = inside or tag in _OF_TEXT
    for key in _INNER_KEYS if isinstance(value, dict) else ():
        text = write_rich_text(value.get(key), budget, level + 1, inside=inside)
        if text:
            return text if tag in {None, "span"} else f"<{tag}>{text}</{tag}>"
    return ""
