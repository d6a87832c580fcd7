"""The things that a page declares: in JSON-LD scripts, and marked in its elements."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..document.schema import RunKind
from ..document.tags import CODES
from .meta import are_named, attributes_by_element
from .nodes import Mark, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from .nodes import Page

CHARACTER_WORK: Final = 3
MAX_REPAIRED_CHARACTERS: Final = 200_000
MAX_VALUES: Final = 20
MAX_SCRIPT_VALUES: Final = 1000
"""Values of one script, and of all scripts of a page."""

_DECODER: Final = json.JSONDecoder(strict=False)
# Compiled when a script is broken, which few are.
_WRAPPER: Final = (
    r"/\*\s*(?:<!\[CDATA\[|\]\]>)\s*\*/|(?://\s*)?<!\[CDATA\[|(?://\s*)?\]\]>|<!--|-->"
)
_TRAILING_COMMA: Final = r",(?=\s*[}\]])"
_COMMENT: Final = r'(?m)(?:^|(?<=[\s,]))//[^"\n]{0,200}$'
_SEPARATORS: Final = re.compile(r"[\s;,\ufeff]*")

MAX_NAMES: Final = 5
"""Types of one item, and properties of one element."""

_TYPES: Final = "itemtype typeof"
_MARKING: Final = f"itemprop {_TYPES}"
_MARKS: Final = f"property {_MARKING}"
_CUT: Final = re.compile("[/#:]")
_MEDIA_PREFIX: Final = re.compile("^(?:og|fb|twitter|article|product|book|video):")


def parse_scripts(document: Document) -> Iterator[tuple[int, Any]]:
    """Each JSON value of the page's scripts, with the number of its element.

    Unreadable parts, and those beyond a budget of the page, are left out.
    """
    budget, room = document.budget, MAX_SCRIPT_VALUES
    runs = document.runs
    tags = document.elements.tag[runs.element]
    chosen = (runs.kind == RunKind.HEAD) & (tags == CODES["script"])
    elements = runs.element[np.flatnonzero(chosen)].tolist()
    for element, script in zip(elements, document.head_texts("script"), strict=True):
        if room <= 0 or not budget.spend(CHARACTER_WORK * len(script)):
            return
        for value in parse(script):
            room -= 1
            yield element, value


def parse(script: str) -> list[Any]:
    """The JSON values of *script*; those before the first that cannot be read."""
    values, error = _decode(_SEPARATORS.sub("", script, count=1))
    if error and len(script) <= MAX_REPAIRED_CHARACTERS:
        repaired = re.sub(_WRAPPER, "", script)
        if "//" in repaired:
            repaired = re.sub(_COMMENT, "", repaired)
        repaired = re.sub(_TRAILING_COMMA, "", repaired).strip()
        if "&quot;" in repaired and '"' not in repaired:
            repaired = repaired.replace("&quot;", '"')
        values = _decode(repaired)[0] or values
    return values


def _decode(text: str) -> tuple[list[Any], bool]:
    values: list[Any] = []
    position = 0
    try:
        while position < len(text) and len(values) < MAX_VALUES:
            value, position = _DECODER.raw_decode(text, position)
            values.append(value)
            blank = _SEPARATORS.match(text, position)
            position = blank.end() if blank else position
    except (ValueError, RecursionError):
        return values, True
    return values, False


def read_items(page: Page) -> tuple[list[Node], Node]:
    """The marked things in document order, and one of the properties of none of them.

    The properties of a thing without a type are those of the one around it.
    """
    document = page.document
    attributes = document.attributes
    marking = are_named(_MARKING)[attributes.name].nonzero()[0]
    if not len(marking):
        return [], Node(page, {})
    # Properties before are those of no item: Open Graph in the head of most pages.
    wanted = np.zeros(document.n_elements, bool)
    wanted[attributes.element[marking[0]] :] = True
    found: list[Node] = []
    loose: dict[str, Any] = {}
    around: list[Node] = []
    own = attributes_by_element(document, wanted, _MARKS)
    for element, values in sorted(own.items()):
        while around and int(document.elements.end[around[-1].element]) <= element:
            around.pop()
        names = _names(values.get("itemprop") or values.get("property") or "")
        types = _names(values.get("itemtype") or values.get("typeof") or "")
        value: Mark | Node = Mark(element)
        if types:
            data: dict[str, Any] = {"@type": [*types]}
            if address := document.attribute(element, "href"):
                data["@id"] = address
            outer = around[-1].element if around else -1
            kinds = tuple(each.types for each in reversed(around))
            value = Node(page, data, element, names, kinds, outer)
            found.append(value)
        if around:
            for name in names:
                around[-1].data.setdefault(name, []).append(value)
        elif "itemprop" in values:
            for name in names:
                loose.setdefault(name, []).append(value)
        if isinstance(value, Node):
            around.append(value)
    return found, Node(page, loose)


@lru_cache(maxsize=1024)
def _names(text: str) -> frozenset[str]:
    """The names in a value, without their vocabularies and those of previews."""
    words = text.split()[:MAX_NAMES]
    own = (
        word if word.isalnum() else _CUT.split(word)[-1]
        for word in words
        if not _MEDIA_PREFIX.match(word)
    )
    return frozenset(own) - {""}
