"""Placeholders: empty containers of a static page that scripts may fill.

A placeholder has neither text nor controls, and its names do not announce anything
else than main content (advertisements, comments, a map). Or it is an element that HTMX,
Alpine, Livewire or Unpoly fills by itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from ..extraction.document.document import walk_elements
from ..extraction.document.schema import Context
from ..extraction.document.tags import CODES, TAGS
from ..extraction.labels import Region
from ..extraction.labels.names import classify
from ..extraction.vocabulary import read_phrases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Ints, Mask

MAX_PLACEHOLDERS: Final = 40
"""Empty containers that are examined."""

MAX_PICTURES: Final = 2
"""Pictures in an empty element, such as a spinner."""

MAX_WAITING_WORDS: Final = 6
"""Words of a text that may announce content."""

_MAX_NAMES: Final = 5
_MAX_NAME_CHARS: Final = 40
"""Names of an element that are read, and characters of each."""

ASIDE: Final = int(
    Context.NAVIGATION
    | Context.HEADER
    | Context.FOOTER
    | Context.ASIDE
    | Context.DIALOG
    | Context.FORM
)
_UNSEEN: Final = int(Context.HIDDEN | Context.NOSCRIPT | Context.WORDLESS)


def _mark_tags(names: str) -> Mask:
    return np.isin(np.arange(len(TAGS) + 1), [CODES[name] for name in names.split()])


_IS_CONTROL: Final = _mark_tags(
    "input select textarea button iframe canvas embed object video audio"
)
_TELLING: Final = ("main", "article")
_IS_PICTURE: Final = _mark_tags("img picture svg")
_IS_CONTAINER: Final = _mark_tags(
    "div section main article ul ol dl table tbody center blockquote figure"
)
_IS_CONTAINER[len(TAGS)] = True  # elements of the page's own


# --- Words and empty elements, as they are without scripts ------------------------

_PHRASES: Final = "|".join(read_phrases("page_kinds")["loading"])
_LOADING: Final = re.compile(
    rf"\W*(?:(?:\w+ )*wird geladen|{_PHRASES})\b", re.IGNORECASE
)
#: An ellipsis before closing marks, or a name that a template puts a value for.
_UNFINISHED: Final = re.compile(r"(?:\.\.|…)[’”\"')\]]*$|\{\{[^{}]*\}\}|\{%[^%]*%\}")


class Outline:
    """What a page shows without scripts, as arrays over blocks and elements.

    ``waiting`` marks the blocks that only announce content, ``words`` has 0 for these
    and for hidden ones; ``empty`` marks elements without a word or a control, and with
    few pictures.
    """

    def __init__(self, document: Document):
        self.document = document
        blocks = document.blocks
        self.waiting = _find_waiting(document)
        unseen = self.waiting | ((blocks.flags & _UNSEEN) != 0)
        self.words = np.where(unseen, 0.0, blocks.words - blocks.cjk * 0.5)

    @cached_property
    def empty(self) -> Mask:
        """The elements that scripts may fill."""
        document = self.document
        elements, blocks = document.elements, document.blocks
        # Hidden words count as content: such an element is not to be filled.
        held = _cumulate(~self.waiting & (blocks.words > 0))
        tag = np.minimum(elements.tag, len(TAGS))
        controls, pictures = _cumulate(_IS_CONTROL[tag]), _cumulate(_IS_PICTURE[tag])
        begin, end = np.arange(len(tag)), elements.end
        mask: Mask = held[elements.end_block] == held[elements.first_block]
        mask &= controls[end] == controls[begin]
        return mask & (pictures[end] - pictures[begin] <= MAX_PICTURES)


def _cumulate(mask: Mask) -> Ints:
    sums = np.zeros(len(mask) + 1, np.int32)
    np.cumsum(mask, out=sums[1:])
    return sums


def _find_waiting(document: Document) -> Mask:
    """Mark short texts with an ellipsis at the end, "Loading", and script templates."""
    blocks = document.blocks
    unfit = ASIDE | int(Context.HIDDEN | Context.CODE | Context.PRE)
    short = (blocks.words <= MAX_WAITING_WORDS) & (blocks.linked_words == 0)
    short &= (blocks.flags & unfit) == 0
    waiting: Mask = np.zeros(len(short), bool)
    for block in np.flatnonzero(short).tolist():
        text = document.block_text(block)
        waiting[block] = bool(_UNFINISHED.search(text) or _LOADING.match(text))
    return waiting


# --- Kinds of placeholders ---------------------------------------------------------


class Kind(IntEnum):
    """Meaning of a placeholder's tag and names; higher values are stronger signs."""

    OTHER = 0
    PLAIN = 1
    CONTENT = 2
    ROOT = 3
    MAIN = 4


def _load_names() -> dict[str, frozenset[str]]:
    text = files(__package__).joinpath("placeholder_names.json").read_text("utf-8")
    return {
        key: frozenset(" ".join(entry["names"]).split())
        for key, entry in json.loads(text).items()
    }


_NAMES: Final = _load_names()
_PAGE_PARTS: Final = sum(
    Region[name].bit
    for name in (
        "CONSENT ADVERTISEMENT COMMENTS RELATED SIDEBAR FOOTER HEADER OVERLAY "
        "BREADCRUMB PAGINATION SHARE ACCOUNT FORM LEGAL NAVIGATION BRAND BYLINE"
    ).split()
)
_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_DIGITS: Final = re.compile(r"\d+")


@lru_cache(maxsize=20_000)
def _classify_name(name: str) -> Kind:
    """Classify one id, class name or tag."""
    words = {word.lower() for word in _WORDS.findall(name)}
    whole = name.lower().strip("_-")
    if words & _NAMES["widget_words"] or whole in _NAMES["widget_words"]:
        return Kind.OTHER
    bits = classify(name.encode("utf-8", "replace"))
    if bits & _PAGE_PARTS:
        return Kind.OTHER
    if whole in _NAMES["root_names"] or words & _NAMES["root_words"]:
        return Kind.ROOT
    if words & (_NAMES["waiting_words"] | _NAMES["content_words"]):
        return Kind.CONTENT
    return Kind.PLAIN


def _is_spacer(name: str) -> bool:
    words = {word.lower() for word in _WORDS.findall(name)}
    return not words or bool(words & _NAMES["spacer_words"])


def _read_names(node: _Element) -> list[str]:
    """Return the id and the first class names of an element."""
    names = [node.get("id") or "", *(node.get("class") or "").split()]
    return [name[:_MAX_NAME_CHARS] for name in names if name][:_MAX_NAMES]


def _classify(node: _Element) -> Kind:
    """Classify an element by its tag and names."""
    names, tag = _read_names(node), str(node.tag)
    if tag == "main" or node.get("role") == "main":
        return Kind.MAIN
    if tag not in CODES:
        if "-" not in tag:
            return Kind.OTHER
        if tag in _NAMES["fragment_tags"]:
            return Kind.ROOT
        names.append(tag)
    kinds = [*map(_classify_name, names)]
    if Kind.OTHER in kinds or (names and all(map(_is_spacer, names))):
        return Kind.OTHER
    return max(kinds, default=Kind.PLAIN)


# --- Deferred loading --------------------------------------------------------------

#: Attributes with the URL of a fragment to load into their element.
URL_ATTRIBUTE: Final = re.compile(
    r"(?:data-)?(?:hx|up)-(?:get|href)|ng-include|w3-include-html|src"
    r"|data-[a-z-]*(?:ajax|api|fetch|fragment|include|load|partial|path|src|uri|url)"
    r"[a-z-]*"
)
#: Attributes by which Alpine, Livewire, Unpoly and HTMX fill an element by themselves.
_FILLING: Final = "x-for x-if wire:init wire:lazy up-defer".split()
_TRIGGERS: Final = "hx-trigger data-hx-trigger".split()
_BY_ITSELF: Final = re.compile(r"\b(?:load|revealed|intersect)\b")


def _is_deferred(node: _Element) -> bool:
    """Whether an attribute of *node* announces content that is loaded later."""
    if node.get("aria-busy") == "true" or _fills_itself(node):
        return True
    return any(
        URL_ATTRIBUTE.fullmatch(name) and "/" in value
        for name, value in ((str(key), str(text)) for key, text in node.items())
    )


def _fills_itself(node: _Element) -> bool:
    triggers = " ".join(node.get(name) or "" for name in _TRIGGERS)
    return bool(_BY_ITSELF.search(triggers)) or any(
        node.get(name) is not None for name in _FILLING
    )


# --- Placeholders ------------------------------------------------------------------


@dataclass(frozen=True)
class Placeholder:
    """An empty container, or an element that a framework fills.

    ``id`` is its own or the first one inside, ``place`` identifies it on pages of the
    site. *waits*: a text inside announces content. *is_deferred*: an attribute does.
    *is_after*: no main content follows.
    """

    kind: Kind
    place: str
    id: str
    waits: bool
    is_deferred: bool
    is_after: bool


def find_placeholders(
    root: _Element, outline: Outline, after: Mask, *, only_after: bool
) -> list[Placeholder]:
    """Find placeholders: those in *after* first, the others unless *only_after*."""
    chosen = _choose(outline)
    picked = np.flatnonzero(chosen & after)[:MAX_PLACEHOLDERS].tolist()
    filled: list[int] = []
    if not only_after:
        picked += np.flatnonzero(chosen & ~after)[:MAX_PLACEHOLDERS].tolist()
        filled = _find_filled(outline)
    nodes = _find_nodes(root, {*picked, *filled})
    found = []
    for element in dict.fromkeys((*picked, *filled)):
        it = _describe(nodes[element], outline, element, bool(after[element]))
        if it and it.kind and (chosen[element] or it.is_deferred):
            found.append(it)
    return found


def _find_filled(outline: Outline) -> list[int]:
    """Return the parents of templates, which a framework may fill."""
    elements = outline.document.elements
    around = elements.parent[elements.tag == CODES["template"]][:MAX_PLACEHOLDERS]
    kept: list[int] = around[(elements.flags[around] & ASIDE) == 0].tolist()
    return kept


def _choose(outline: Outline) -> Mask:
    """Mark the outermost empty containers."""
    elements = outline.document.elements
    chosen = _IS_CONTAINER[np.minimum(elements.tag, len(TAGS))] & outline.empty
    chosen &= (elements.flags & (ASIDE | _UNSEEN)) == 0
    mask: Mask = chosen & ~chosen[np.maximum(elements.parent, 0)]
    return mask


def _find_nodes(root: _Element, wanted: set[int]) -> dict[int, _Element]:
    walked = islice(enumerate(walk_elements(root)), max(wanted, default=-1) + 1)
    return {number: node for number, node in walked if number in wanted}


def _describe(
    node: _Element, outline: Outline, element: int, is_after: bool
) -> Placeholder | None:
    """Describe a container; ``None`` for one that nothing tells from a spacer."""
    parts = [node, *islice(node.iterdescendants("*"), _MAX_NAMES)]
    if not any(part.keys() or part.tag in _TELLING for part in parts):
        return None
    own = next((part for part in parts if part.get("id")), node)
    elements = outline.document.elements
    held = slice(int(elements.first_block[element]), int(elements.end_block[element]))
    fills_itself = any(map(_fills_itself, (node, *node.iterchildren("template"))))
    kinds = [_classify(part) for part in parts if part.keys() or part is node]
    is_other = not (kinds[0] and _classify(own))
    return Placeholder(
        Kind.OTHER if is_other else max(kinds),
        _place_of(own),
        own.get("id") or "",
        bool(outline.waiting[held].any()),
        fills_itself or _is_deferred(node),
        is_after or fills_itself,
    )


def _place_of(node: _Element) -> str:
    """Return tag, id and first class name, with 0 for numbers."""
    mark = "#" if node.get("id") else "."
    names = _DIGITS.sub("0", mark + ".".join(_read_names(node)[:2]))
    return f"{node.tag}{names.rstrip('.')}"


def find_places(found: Iterable[Placeholder]) -> tuple[str, ...]:
    """Return the places of the strongest placeholders, sorted."""
    strongest = sorted(found, key=lambda it: -it.kind)[:3]
    return tuple(sorted({it.place for it in strongest}))
