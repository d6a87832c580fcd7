"""Where a page keeps content outside of its text: scripts, templates, attributes."""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from lxml import etree

from ._scripts import content_of, has_data_attribute
from .flight import MARK, Flight
from .reader import Reader
from .values import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element

MOST_SCRIPTS: Final = 500
MOST_TEMPLATES: Final = 50
LEAST_SCRIPT: Final = 200
"""Characters, or bytes; a shorter script or template holds no content."""

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_CODE: Final = (
    *(
        f"{kind}/{experimental}{language}script"
        for kind in ("text", "application")
        for experimental in ("", "x-")
        for language in ("java", "ecma")
    ),
    "module",
)
_JSON: Final = re.compile(r"\bjson\b")
_LINKED: Final = "application/ld+json"
_SHADOW: Final = ("shadowrootmode", "shadowroot")
_NAMES: Final = (b"page", b"preloaded", b"props", b"state")
_STATES: Final = tuple(f"data-{name.decode()}" for name in _NAMES)
_VALUES: Final = etree.XPath(
    "|".join(f"descendant-or-self::*/@{name}" for name in _STATES)
)


def read_hydration(root: _Element, title: Callable[[], str | None]) -> Reader:
    """The texts in the data of all scripts of the page and of its attributes.

    The page's *title* is asked for if there is any data.
    """
    budget, flight = Budget(), Flight()
    reader = Reader(budget, title)
    for script, text in _scripts(root):
        if MARK in text:
            flight.add(text.decode(), script, budget)
            continue
        for value in reader.values.of_script(text):
            reader.read(value, script)
        if budget.left <= 0:
            return reader
    rows, reader.values.references = flight.rows()
    for script, row in rows:
        if (value := reader.values.of_row(row)) is not None:
            reader.read(value, script)
    for element, state in _attributes(root):
        if (value := reader.values.nested(state)) is not None:
            reader.read(value, element)
    return reader


def _scripts(root: _Element) -> Iterator[tuple[_Element, bytes]]:
    """The scripts that may hold data, with their texts, in document order."""
    for number, script in enumerate(root.iter("script")):
        if number >= MOST_SCRIPTS:
            return
        kind = (script.get("type") or "").lower()
        if kind and not kind.startswith(_CODE) and not _JSON.search(kind):
            continue
        text = content_of(script)
        if (len(text) >= LEAST_SCRIPT or MARK in text) and not kind.lstrip().startswith(
            _LINKED
        ):
            yield script, text


def _attributes(root: _Element) -> Iterator[tuple[_Element, str]]:
    """The data attributes that hold a page's state, as some frameworks have it."""
    # Most pages have none, and XPath takes its time.
    if not has_data_attribute(root, *_NAMES):
        return
    values: list[Any] = _VALUES(root)  # type: ignore[assignment]
    holders = dict.fromkeys(value.getparent() for value in values)
    for element in islice(holders, MOST_SCRIPTS):
        for name in _STATES:
            text = element.get(name)
            if text and len(text) >= LEAST_SCRIPT:
                yield element, text


def shadow_trees(root: _Element) -> Iterator[tuple[str, _Element]]:
    """XPath and content of each declarative shadow root, copied out of the page."""
    found = 0
    for template in root.iter("template"):
        if not _is_shadow(template) or found == MOST_TEMPLATES:
            continue
        if next(template.iterancestors("template"), None) is not None:
            continue  # part of another copy
        if sum(map(len, template.itertext())) >= LEAST_SCRIPT:
            found += 1
            yield xpath(template, root), _opened(template)


def _is_shadow(template: _Element) -> bool:
    return any(template.get(name) is not None for name in _SHADOW)


def _opened(template: _Element) -> _Element:
    """A copy of *template* in which shadow roots are plain elements."""
    copy = deepcopy(template)
    copy.tail = None
    for inner in [copy, *copy.iter("template")]:
        if _is_shadow(inner):
            inner.tag = "div"
    return copy


def xpath(element: _Element, root: _Element) -> str:
    """The path from *root* that finds *element*, written as those of text blocks."""
    steps = [_step(element)]
    while element is not root and (parent := element.getparent()) is not None:
        element = parent
        steps.append(_step(element))
    return "/" + "/".join(reversed(steps))


def _step(element: _Element) -> str:
    tag = str(element.tag)
    name = tag if _NAME.fullmatch(tag) else "*"
    twins = element.itersiblings(tag if name == tag else etree.Element, preceding=True)
    return f"{name}[{1 + sum(1 for _ in twins)}]"


__all__ = ["read_hydration", "shadow_trees", "xpath"]
