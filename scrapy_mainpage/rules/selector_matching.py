"""What the selectors of a site's rules match in the tree of a page."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from ..extraction.document.schema import HEADING_SHIFT
from ..extraction.document.tags import OPAQUE_TAGS
from ..extraction.metadata.plaintext import clean, element_text
from ..extraction.page_rules import FIELDS, PRODUCT, RULE_MISSED, RuleMatch

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Mask
    from .site_rules import SiteRules


logger = logging.getLogger(__name__)

MAX_VALUES: Final = 5
"""Nodes that are tried for one text."""

_VALUE_ATTRIBUTES: Final = {"meta": "content", "time": "datetime", "data": "value"}
_STRUCK: Final = ("del", "s", "strike")
_NOT_STRUCK: Final = etree.XPath(
    f".//text()[not({' or '.join(f'ancestor::{tag}' for tag in _STRUCK)})]",
    smart_strings=False,
)
_STRING: Final = etree.XPath("string()", smart_strings=False)
_OPAQUE: Final = frozenset(OPAQUE_TAGS)


def match_rules(rules: SiteRules, root: _Element, document: Document) -> RuleMatch:
    """Match *rules* on the page with the tree *root*, read into *document*.

    Content without text, or with nothing but headings, is a miss: then the algorithm
    decides alone, without what is to be dropped.
    """
    found = {
        selector: _select(rules, selector, root) for _, selector in rules.selectors
    }
    content = _first(rules.content, found) if rules.first_match else rules.content
    elements = {each: _elements(found[each]) for each in (*content, *rules.drop)}
    numbers = number_elements(root, (n for nodes in elements.values() for n in nodes))
    inside = _gather(content, elements, numbers)
    dropped = _gather(rules.drop, elements, numbers)
    main = cover_blocks(document, inside, dropped) if inside else None
    fields, decided = _read_fields(rules, found, document, root)
    if rules.content and (main is None or not _has_text(document, main)):
        return RuleMatch(None, None, fields, decided, (RULE_MISSED,))
    used = [("content", each) for each in content if elements[each]]
    used += [("drop", each) for each in rules.drop if elements[each]]
    drop = cover_blocks(document, dropped) if main is None and dropped else None
    said = tuple(_say(rules, key, selector) for key, selector in used)
    return RuleMatch(main, drop, fields, (*said, *decided))


def _say(rules: SiteRules, key: str, selector: str) -> str:
    return f"{rules.name}: {key} = {selector}".removeprefix(": ")


def _select(rules: SiteRules, selector: str, root: _Element) -> list[object]:
    """The nodes and texts that a selector finds; none if it fails on this page."""
    try:
        found = rules.compiled[selector](root)
    except etree.XPathError as error:
        # XPath finds an unknown prefix or function where a page has it evaluated.
        if selector not in rules.failed:
            rules.failed.add(selector)
            key = next(key for key, each in rules.selectors if each == selector)
            message = f"{_say(rules, key, selector)}: {error}"
            logger.warning("Rule fails: %(message)s", {"message": message})
        return []
    return list(found) if isinstance(found, list) else [found]


def _first(
    selectors: Iterable[str], found: Mapping[str, list[object]]
) -> tuple[str, ...]:
    """The first of the *selectors* that matches, alone."""
    return next(((each,) for each in selectors if found[each]), ())


def _elements(found: Iterable[object]) -> list[_Element]:
    nodes = (node for node in found if isinstance(node, etree._Element))
    return [node for node in nodes if isinstance(node.tag, str)]


def _gather(
    selectors: Iterable[str],
    elements: Mapping[str, list[_Element]],
    numbers: Mapping[_Element, int],
) -> list[int]:
    return [
        numbers[node]
        for selector in selectors
        for node in elements[selector]
        if node in numbers
    ]


def number_elements(root: _Element, nodes: Iterable[_Element]) -> dict[_Element, int]:
    """The numbers of *nodes* in the document of the tree *root*.

    A document has no elements inside of opaque ones: these have no number.
    """
    wanted, numbers = set(nodes), {}
    for number, node in enumerate(walk_elements(root) if wanted else ()):
        if node in wanted:
            numbers[node] = number
            if len(numbers) == len(wanted):
                break
    return numbers


def walk_elements(root: _Element) -> Iterator[_Element]:
    """The elements that a document of the tree *root* has, in its order."""
    skipped = 0
    for node in root.iter("*"):
        if skipped:
            skipped -= 1
            continue
        yield node
        if node.tag in _OPAQUE and len(node):
            skipped = sum(1 for _ in node.iterdescendants("*"))


def cover_blocks(
    document: Document, inside: Iterable[int], outside: Iterable[int] = ()
) -> Mask:
    """The text blocks most of whose text is in elements *inside*, not in *outside*."""
    runs, elements = document.runs, document.elements
    chosen = np.zeros(len(runs.block), bool)
    for numbers, value in ((inside, True), (outside, False)):
        for number in numbers:
            chosen[elements.first_run[number] : elements.end_run[number]] = value
    shown = runs.block >= 0
    # An image has no text, and counts as a letter.
    length = np.maximum((runs.end - runs.start)[shown], 1)
    total = np.bincount(runs.block[shown], length, document.n_blocks)
    own = np.bincount(runs.block[shown], length * chosen[shown], document.n_blocks)
    mask: Mask = own > total / 2
    return mask


def _has_text(document: Document, main: Mask) -> bool:
    is_text = main & (document.blocks.words > 0)
    return bool((is_text & (document.blocks.flags >> HEADING_SHIFT == 0)).any())


def _read_fields(
    rules: SiteRules,
    found: Mapping[str, list[object]],
    document: Document,
    root: _Element,
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The texts of fields, and which selector gave each: the first with a text."""
    texts: dict[str, str] = {}
    decided = []
    for key, selector in rules.selectors:
        name = FIELDS.get(key)
        if name is None or name in texts:
            continue
        nodes = found[selector][:MAX_VALUES]
        read = _read_price if name == "product.price" else _text
        values = (read(node, document, root) for node in nodes)
        text = next(filter(None, values), None)
        is_of_page = not name.startswith(PRODUCT) or _is_single(nodes, document, root)
        if text and is_of_page:
            texts[name] = text
            decided.append(_say(rules, key, selector))
    return texts, tuple(decided)


def _is_single(nodes: Sequence[object], document: Document, root: _Element) -> bool:
    """Whether a match is not one of several records, such as the cards of a listing."""
    pair = _elements(nodes)[:2]
    if len(pair) < 2 or _STRING(pair[0]) == _STRING(pair[1]):
        return True
    numbers = [*number_elements(root, pair).values()]
    return len(set(document.kinds[numbers].tolist())) == len(pair)


def _text(node: object, document: Document, root: _Element) -> str | None:
    if not isinstance(node, etree._Element):
        return clean(node)
    attribute = _VALUE_ATTRIBUTES.get(node.tag) if isinstance(node.tag, str) else None
    if attribute and (value := clean(node.get(attribute))):
        return value
    number = number_elements(root, [node]).get(node)
    text = "" if number is None else element_text(document, number)
    return text or clean(_STRING(node))


def _read_price(node: object, document: Document, root: _Element) -> str | None:
    """The text of a node without prices that are struck through in it."""
    text = None
    if isinstance(node, etree._Element) and any(True for _ in node.iter(*_STRUCK)):
        found = _NOT_STRUCK(node)
        text = clean("".join(map(str, found))) if isinstance(found, list) else None
    return text or _text(node, document, root)
