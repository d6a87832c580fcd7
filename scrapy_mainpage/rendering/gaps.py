"""Empty containers of a static page: what may wait for scripts to be filled.

A *gap* is a container without text or controls, whose name does not say that something
else than main content will stand there (advertisements, comments, a map).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from ..extraction.document.schema import HEADING_SHIFT
from ..extraction.document.tags import ATTRIBUTE_CODES, CODES, TAGS
from .gapnames import BOUND_ATTRIBUTE, FRAGMENT_TAGS, LONGEST_NAME, URL_ATTRIBUTE
from .naming import Sort, as_place, is_part_of_page, sort_of_names, strength
from .outline import ASIDE, UNSEEN

if TYPE_CHECKING:
    import numpy.typing as npt
    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from .outline import Outline

    Mask = npt.NDArray[np.bool_]

MOST_GAPS: Final = 40
"""Empty containers that are looked at."""

_CONTAINERS: Final = (
    "div section main article ul ol dl table tbody center td p pre blockquote figure "
    "h1 h2 h3 output dd"
).split()
_ID: Final = ATTRIBUTE_CODES["id"]
_ROLE: Final = ATTRIBUTE_CODES["role"]
_MINOR: Final = frozenset(CODES[name] for name in "td p pre h1 h2 h3 output dd".split())
_BODY, _MAIN, _ARTICLE = CODES["body"], CODES["main"], CODES["article"]
_LONG_TAG: Final = 15
"""Characters of a start tag's attributes, from which on they may say something."""

_LOOKED_AT: Final = 6
"""Elements of a gap, and class names of an element, that are read."""

_MOST_PARTS: Final = 2
_PART: Final = 12
"""Text blocks; an element with more is not named after an empty one in it."""


def _containers() -> Mask:
    mask = np.zeros(len(TAGS) + 1, bool)
    mask[[CODES[name] for name in _CONTAINERS]] = True
    mask[-1] = True
    return mask


_IS_CONTAINER: Final = _containers()
_BARE: Final = np.array([5 + 2 * len(name) for name in TAGS] + [1 << 20])


@dataclass(frozen=True)
class Gap:
    """An empty container: its element, its names as they are, and as a place."""

    element: int
    sort: Sort
    names: tuple[str, ...]
    place: str
    id: str
    """Its id, or that of the first element in it that has one; empty for none."""
    is_minor: bool
    """Whether it is no container of sections, but a paragraph, a cell or the like."""
    waits: bool
    """Whether there is a text in it that says that something is to come."""


def find_gaps(document: Document, seen: Outline, within: Mask) -> list[Gap]:
    """The gaps *within* a mask of elements, in document order; outermost ones alone."""
    elements, tokens = document.elements, document.tokens
    tag = np.minimum(elements.tag, len(TAGS))
    named = np.zeros(document.n_elements, bool)
    named[tokens.element] = True
    named |= elements.code > _BARE[tag] + _LONG_TAG
    named |= (tag == _MAIN) | (tag == _ARTICLE) | (tag == len(TAGS))
    candidate = seen.empty & _IS_CONTAINER[tag] & named
    candidate &= ((elements.flags & (ASIDE | UNSEEN)) == 0) & within
    inner = candidate & candidate[np.maximum(elements.parent, 0)]
    chosen = np.flatnonzero(candidate & ~inner)[:MOST_GAPS].tolist()
    gaps = (_gap(document, seen, element) for element in chosen)
    return [gap for gap in gaps if gap.sort is not Sort.OTHER]


def _gap(document: Document, seen: Outline, element: int) -> Gap:
    """What an empty container is, by its own names and those of its first elements."""
    names, parts, own_id = _names(document, element)
    small = int(document.elements.end[element]) - element <= _LOOKED_AT
    named = element
    if small and not own_id and not seen.pictures[element]:
        named = _first_with_id(document, element)
    if named != element:
        inner, parts, own_id = _names(document, named)
        names = (*names[:1], *inner)
    sort = sort_of_names(names)
    tag = int(document.elements.tag[element])
    if tag == _MAIN or (tag == _ARTICLE and sort is not Sort.OTHER):
        sort = Sort.MAIN
    elif sort is not Sort.OTHER:
        of_tag = _sort_of_tag(document, element)
        sort = _sort_by_inside(document, element, max(sort, of_tag, key=strength))
        if of_tag is Sort.OTHER or _is_inside_other(document, element):
            sort = Sort.OTHER
    if seen.pictures[element] and sort is Sort.PLAIN:
        sort = Sort.OTHER
    place = document.tag_name(named) + "".join(parts)
    if not parts and tag < len(TAGS):
        above = int(document.elements.parent[element])
        place = "".join((*_names(document, above)[1], ">", place))
    first, end = document.elements.first_block, document.elements.end_block
    waits = bool(seen.waiting[first[element] : end[element]].any())
    return Gap(element, sort, names, place, own_id, tag in _MINOR, waits)


def _first_with_id(document: Document, element: int) -> int:
    """The first of the elements in an empty one that has an id; else that one."""
    tokens, first = document.tokens, document.elements.first_token
    end = int(document.elements.end[element])
    start = int(first[element])
    stop = int(first[end]) if end < len(first) else len(tokens.element)
    ids = np.flatnonzero(tokens.attribute[start:stop] == _ID)
    return int(tokens.element[start + int(ids[0])]) if len(ids) else element


def _sort_of_tag(document: Document, element: int) -> Sort:
    tag = int(document.elements.tag[element])
    if tag in (_MAIN, _ARTICLE):
        return Sort.MAIN
    if tag < len(TAGS):
        return Sort.PLAIN
    name = document.tag_name(element)
    if "-" not in name:
        return Sort.OTHER
    return Sort.ROOT if name in FRAGMENT_TAGS else sort_of_names((name,))


def _sort_by_inside(document: Document, element: int, sort: Sort) -> Sort:
    """A plain container may hold one that says more."""
    end = min(int(document.elements.end[element]), element + 1 + _LOOKED_AT)
    for inner in range(element + 1, end):
        own = _sort_of_tag(document, inner)
        names, _, _ = _names(document, inner)
        own = max(own, sort_of_names(names), key=strength) if names else own
        sort = max(sort, own, key=strength)
    return sort


def _names(document: Document, element: int) -> tuple[tuple[str, ...], list[str], str]:
    """The id and the first class names of an element; how a place writes them."""
    tokens, first = document.tokens, document.elements.first_token
    start = int(first[element])
    end = len(tokens.element)
    if element + 1 < len(first):
        end = int(first[element + 1])
    names: list[str] = []
    parts: list[str] = []
    own_id = ""
    for k in range(start, min(end, start + _LOOKED_AT)):
        code = int(tokens.attribute[k])
        name = document.values[tokens.start[k] : tokens.end[k]].decode(
            "utf-8", "replace"
        )
        if code == _ROLE:
            names.append("main" if name == "main" else "")
            continue
        names.append(name)
        if len(parts) < _MOST_PARTS:
            mark = "#" if code == _ID else "."
            parts.append(mark + as_place(name))
        if code == _ID:
            own_id = name
    return tuple(filter(None, names)), parts, own_id


def _is_inside_other(document: Document, element: int) -> bool:
    """Whether the names of what is around it, and of little else, are of a widget."""
    first, end = document.elements.first_block, document.elements.end_block
    element = int(document.elements.parent[element])
    while element > 0 and int(document.elements.tag[element]) != _BODY:
        # What holds much besides is no part of the page that its names would name.
        held = slice(int(first[element]), int(end[element]))
        if held.stop - held.start > _PART or _has_h1(document, held):
            return False
        names = _names(document, element)[0]
        if any(map(is_part_of_page, names[:_MOST_PARTS])):
            return True
        element = int(document.elements.parent[element])
    return False


def _has_h1(document: Document, held: slice) -> bool:
    return bool((document.blocks.flags[held] >> HEADING_SHIFT == 1).any())


def node_of(root: _Element, document: Document, element: int) -> _Element | None:
    """The lxml element behind *element*; ``None`` if the tree is another one."""
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


def _attributes(node: _Element) -> list[tuple[str, str]]:
    return [(str(name), str(value)) for name, value in node.items()]


def is_deferred(node: _Element, *, bound: bool) -> bool:
    """Whether an attribute of *node* says that its content is loaded later.

    With *bound* it is enough that a framework takes care of the element.
    """
    for name, value in _attributes(node):
        if name == "aria-busy":
            if value == "true":
                return True
        elif len(name) <= LONGEST_NAME and URL_ATTRIBUTE.fullmatch(name):
            if _is_address(value):
                return True
        elif bound and BOUND_ATTRIBUTE.fullmatch(name):
            return True
    return False


_PICTURE_FILE: Final = re.compile(
    r"\.(?:avif|css|gif|jpe?g|m3u8|mp[34]|png|svg|webp)\b"
)


def _is_address(value: str) -> bool:
    return "/" in value and not _PICTURE_FILE.search(value.lower())


__all__ = ["Gap", "find_gaps", "is_deferred", "node_of"]
