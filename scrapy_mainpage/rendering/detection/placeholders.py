"""Placeholders: empty containers of a static page that scripts may fill.

A placeholder has neither text nor controls, and its names do not announce anything
else than main content (advertisements, comments, a map).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from ...extraction.document.schema import HEADING_SHIFT
from ...extraction.document.tags import ATTRIBUTE_CODES, CODES, TAGS
from .outline import ASIDE, UNSEEN
from .placeholder_names import (
    FRAGMENT_TAGS,
    PlaceholderKind,
    classify_names,
    is_page_part,
    normalize_name,
    strongest,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ...extraction.document.document import Document
    from ...extraction.document.schema import Mask
    from .outline import Outline


MAX_PLACEHOLDERS: Final = 40
"""Empty containers that are examined."""

_CONTAINERS: Final = (
    "div section main article ul ol dl table tbody center td p pre blockquote figure "
    "h1 h2 h3 output dd"
).split()
_MINOR: Final = frozenset(CODES[name] for name in "td p pre h1 h2 h3 output dd".split())
_ID, _ROLE = ATTRIBUTE_CODES["id"], ATTRIBUTE_CODES["role"]
_BODY, _MAIN, _ARTICLE = CODES["body"], CODES["main"], CODES["article"]
_IS_CONTAINER: Final = np.isin(
    np.arange(len(TAGS) + 1), [*(CODES[name] for name in _CONTAINERS), len(TAGS)]
)

_MIN_ATTRIBUTE_CHARS: Final = 15
"""Length of a start tag's attributes from which they may name something."""

#: Characters of each start and end tag without attributes.
_TAG_CHARS: Final = np.array([5 + 2 * len(name) for name in TAGS] + [1 << 20])

_MAX_INNER: Final = 6
"""Elements of a placeholder, and class names of an element, that are read."""

_MAX_PLACE_NAMES: Final = 2
_MAX_PART_BLOCKS: Final = 12
"""An element with more text blocks is not named after an empty element in it."""

_MAX_ATTRIBUTE_NAME_CHARS: Final = 100


@dataclass(frozen=True)
class Placeholder:
    """An empty container: its element, its names, and its place as an identifier."""

    element: int
    kind: PlaceholderKind
    names: tuple[str, ...]
    place: str
    id: str
    """Its id, or the first id inside it; may be empty."""
    is_minor: bool
    """Whether it is a paragraph, a cell or the like: no container of sections."""
    waits: bool
    """Whether a text inside it announces content."""


def find_placeholders(
    document: Document, outline: Outline, within: Mask
) -> list[Placeholder]:
    """Find placeholders among the elements *within*: outermost ones, in order."""
    elements, tokens = document.elements, document.tokens
    tag = np.minimum(elements.tag, len(TAGS))
    named = np.zeros(document.n_elements, bool)
    named[tokens.element] = True
    named |= elements.code > _TAG_CHARS[tag] + _MIN_ATTRIBUTE_CHARS
    named |= (tag == _MAIN) | (tag == _ARTICLE) | (tag == len(TAGS))
    candidate = within & _IS_CONTAINER[tag] & named
    candidate &= (elements.flags & (ASIDE | UNSEEN)) == 0
    inner = candidate & candidate[np.maximum(elements.parent, 0)]
    chosen = np.flatnonzero(candidate & ~inner)[:MAX_PLACEHOLDERS].tolist()
    found = (_describe(document, outline, element) for element in chosen)
    return [it for it in found if it.kind is not PlaceholderKind.OTHER]


def _describe(document: Document, outline: Outline, element: int) -> Placeholder:
    """Classify an empty container by its names and those of its first elements."""
    names, parts, own_id = _read_names(document, element)
    is_small = int(document.elements.end[element]) - element <= _MAX_INNER
    named = element
    if is_small and not own_id and not outline.pictures[element]:
        named = _find_inner_id(document, element)
    if named != element:
        inner, parts, own_id = _read_names(document, named)
        names = (*names[:1], *inner)
    tag = int(document.elements.tag[element])
    kind = _classify_element(document, element, names)
    if outline.pictures[element] and kind is PlaceholderKind.PLAIN:
        kind = PlaceholderKind.OTHER
    place = document.tag_name(named) + "".join(parts)
    if not parts and tag < len(TAGS):
        above = int(document.elements.parent[element])
        place = "".join((*_read_names(document, above)[1], ">", place))
    first, end = document.elements.first_block, document.elements.end_block
    waits = bool(outline.waiting[first[element] : end[element]].any())
    return Placeholder(element, kind, names, place, own_id, tag in _MINOR, waits)


def _classify_element(
    document: Document, element: int, names: tuple[str, ...]
) -> PlaceholderKind:
    kind = classify_names(names)
    tag = int(document.elements.tag[element])
    if tag == _MAIN:
        return PlaceholderKind.MAIN
    if kind is PlaceholderKind.OTHER:
        return kind
    if tag == _ARTICLE:
        return PlaceholderKind.MAIN
    of_tag = _classify_tag(document, element)
    if of_tag is PlaceholderKind.OTHER or _is_inside_widget(document, element):
        return PlaceholderKind.OTHER
    return _classify_inside(document, element, strongest(kind, of_tag))


def _find_inner_id(document: Document, element: int) -> int:
    """Return the first element inside with an id; else *element* itself."""
    tokens, first = document.tokens, document.elements.first_token
    end = int(document.elements.end[element])
    start = int(first[element])
    stop = int(first[end]) if end < len(first) else len(tokens.element)
    ids = np.flatnonzero(tokens.attribute[start:stop] == _ID)
    return int(tokens.element[start + int(ids[0])]) if len(ids) else element


def _classify_tag(document: Document, element: int) -> PlaceholderKind:
    tag = int(document.elements.tag[element])
    if tag in (_MAIN, _ARTICLE):
        return PlaceholderKind.MAIN
    if tag < len(TAGS):
        return PlaceholderKind.PLAIN
    name = document.tag_name(element)
    if "-" not in name:
        return PlaceholderKind.OTHER
    if name in FRAGMENT_TAGS:
        return PlaceholderKind.ROOT
    return classify_names((name,))


def _classify_inside(
    document: Document, element: int, kind: PlaceholderKind
) -> PlaceholderKind:
    """Return the strongest kind of a container and its first inner elements."""
    end = min(int(document.elements.end[element]), element + 1 + _MAX_INNER)
    for inner in range(element + 1, end):
        kind = strongest(kind, _classify_tag(document, inner))
        names, _, _ = _read_names(document, inner)
        if names:
            kind = strongest(kind, classify_names(names))
    return kind


def _read_names(
    document: Document, element: int
) -> tuple[tuple[str, ...], list[str], str]:
    """Return id and first class names of an element, their form in a place, the id."""
    tokens, first = document.tokens, document.elements.first_token
    start = int(first[element])
    end = len(tokens.element)
    if element + 1 < len(first):
        end = int(first[element + 1])
    names: list[str] = []
    parts: list[str] = []
    own_id = ""
    for k in range(start, min(end, start + _MAX_INNER)):
        code = int(tokens.attribute[k])
        name = document.values[tokens.start[k] : tokens.end[k]].decode(
            "utf-8", "replace"
        )
        if code == _ROLE:
            names.append("main" if name == "main" else "")
            continue
        names.append(name)
        if len(parts) < _MAX_PLACE_NAMES:
            mark = "#" if code == _ID else "."
            parts.append(mark + normalize_name(name))
        if code == _ID:
            own_id = name
    return tuple(filter(None, names)), parts, own_id


def _is_inside_widget(document: Document, element: int) -> bool:
    """Whether a small element around has the names of a widget or page part."""
    first, end = document.elements.first_block, document.elements.end_block
    element = int(document.elements.parent[element])
    while element > 0 and int(document.elements.tag[element]) != _BODY:
        held = slice(int(first[element]), int(end[element]))
        if (
            held.stop - held.start > _MAX_PART_BLOCKS
            or (document.blocks.flags[held] >> HEADING_SHIFT == 1).any()
        ):
            return False
        names = _read_names(document, element)[0]
        if any(map(is_page_part, names[:_MAX_PLACE_NAMES])):
            return True
        element = int(document.elements.parent[element])
    return False


# --- Elements that a framework fills --------------------------------------------

_FILLED: Final = [
    ATTRIBUTE_CODES[name] for name in "x-for x-if wire:init wire:lazy up-defer".split()
]
"""Attributes by which Alpine, Livewire and Unpoly fill an element."""

_LOADED: Final = [ATTRIBUTE_CODES[name] for name in ("hx-trigger", "data-hx-trigger")]
_BOUND: Final = np.zeros(max(ATTRIBUTE_CODES.values()) + 2, np.bool_)
_BOUND[[*_FILLED, *_LOADED]] = True
_BY_ITSELF: Final = re.compile(rb"\b(?:load|revealed|intersect)\b")
"""The attributes of HTMX, and their values that wait for no click."""


def find_bound(
    document: Document, outline: Outline, *, is_little: bool
) -> tuple[str, ...]:
    """Return the places of empty elements that a framework fills by their attributes.

    With *is_little* main content a template counts beside other text, too. Those of
    page parts and widgets (messages, baskets) are left out.
    """
    attributes, elements = document.attributes, document.elements
    found = np.flatnonzero(_BOUND[attributes.name])
    places = []
    for k in found[:MAX_PLACEHOLDERS].tolist():
        element = int(attributes.element[k])
        value = document.values[attributes.start[k] : attributes.end[k]]
        if attributes.name[k] in _LOADED and not _BY_ITSELF.search(value):
            continue
        is_template = elements.tag[element] == CODES["template"]
        if is_template:
            element = max(int(elements.parent[element]), 0)
        if elements.flags[element] & ASIDE:
            continue
        if not (outline.empty[element] or (is_template and is_little)):
            continue
        names, parts, _ = _read_names(document, element)
        if names and classify_names(names) is PlaceholderKind.OTHER:
            continue
        if not _is_inside_widget(document, element):
            places.append(document.tag_name(element) + "".join(parts))
    return tuple(dict.fromkeys(places))


# --- Attributes of deferred loading --------------------------------------------

#: Attributes with the URL of a fragment to load into their element.
URL_ATTRIBUTE: Final = re.compile(
    r"(?:data-)?(?:hx|up|ic|ts|unpoly)-(?:get|req|src)|w3-include-html|ng-include|src"
    r"|data-[a-z-]*(?:ajax|api|async|deferred?|endpoint|fetch|feed|fragment|hinclude"
    r"|href|include|json|lazy|load|partial|path|remote|resource|source|src|template"
    r"|uri|url)[a-z-]*"
)

#: Attributes by which a framework fills an element.
_BOUND_ATTRIBUTE: Final = re.compile(
    r"v-[a-z-]+(?::.*)?|[:@][a-z].*|x-(?:data|for|html|if|init|show|text)(?:\..*)?"
    r"|(?:data-)?ng-(?:app|bind|bind-html|controller|if|repeat|show|view|cloak)"
    r"|ui-view|data-bind|data-controller|data-component|data-react[a-z-]*|data-props"
    r"|data-island|data-hydrate|data-vue[a-z-]*|data-page|data-view|data-mount"
    r"|data-server-rendered|wire:.*|is|client:.*|component|_ngcontent.*|q:.*"
)
_MEDIA_FILE: Final = re.compile(
    r"\.(?:avif|css|gif|jpe?g|m3u8|mp[34]|png|svg|webp)\b", re.IGNORECASE
)


def find_node(root: _Element, document: Document, element: int) -> _Element | None:
    """Return the lxml element of *element*; ``None`` if the tree is another one."""
    parent = document.elements.parent
    steps: list[int] = []
    while (above := int(parent[element])) >= 0:
        steps.append(int(np.count_nonzero(parent[above + 1 : element] == above)))
        element = above
    node: _Element | None = root
    for step in reversed(steps):
        if node is None:
            return None
        node = next(islice(node.iterchildren(etree.Element), step, None), None)
    return node


def is_deferred(node: _Element, *, bound: bool) -> bool:
    """Whether an attribute of *node* announces content that is loaded later.

    With *bound* an attribute by which a framework fills the element is enough.
    """
    for name, value in ((str(key), str(text)) for key, text in node.items()):
        if name == "aria-busy":
            if value == "true":
                return True
        elif len(name) <= _MAX_ATTRIBUTE_NAME_CHARS and URL_ATTRIBUTE.fullmatch(name):
            if "/" in value and not _MEDIA_FILE.search(value):
                return True
        elif bound and _BOUND_ATTRIBUTE.fullmatch(name):
            return True
    return False
