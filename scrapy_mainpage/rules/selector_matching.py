"""What the selectors of a site's rules match in the tree of a page."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from lxml import etree

from ..extraction.document.document import OtherTree, number_elements
from ..extraction.document.schema import HEADING_SHIFT
from ..extraction.metadata.plaintext import clean, element_text
from ..extraction.page_rules import (
    FIELDS,
    MISSED,
    OTHER_ELEMENTS,
    PRODUCT,
    RECORDS,
    RULE_MISSED,
    RULE_TOO_COSTLY,
    Doubt,
    RuleMatch,
)
from .selectors import CostlySelector
from .site_rules import OTHERS

if TYPE_CHECKING:
    from lxml.etree import _Element

    from ..extraction.document.document import Document
    from ..extraction.document.schema import Mask
    from ..extraction.parsing.budget import Budget
    from .site_rules import SiteRules


logger = logging.getLogger(__name__)

LEAST: Final = 0.25
"""Of what a selector is expected to bring: less is a cause to doubt."""

MIN_WORDS: Final = 10
MAX_LOSS: Final = 0.05
"""Words, and share of the main content, that rules may lose without being missed."""

MAX_VALUES: Final = 5
"""Nodes that are tried for one text."""

_VALUE_ATTRIBUTES: Final = {"meta": "content", "time": "datetime", "data": "value"}
_STRUCK: Final = ("del", "s", "strike")
_NOT_STRUCK: Final = etree.XPath(
    f".//text()[not({' or '.join(f'ancestor::{tag}' for tag in _STRUCK)})]",
    smart_strings=False,
)
_STRING: Final = etree.XPath("string()", smart_strings=False)


def match_rules(rules: SiteRules, root: _Element, document: Document) -> RuleMatch:
    """Match *rules* on the page with the tree *root*, read into *document*.

    A page of another kind has nothing but the name of the rule that says so.

    Content without text, or with nothing but headings, is a miss: then the algorithm
    decides alone, without what is to be dropped. There is a doubt where a selector of
    content brings less than expected. The algorithm also decides where a selector takes
    too long, and where the tree is not the one that was read.
    """
    try:
        for each in rules.unless:
            if _select(rules, each, root, document.budget):
                return RuleMatch(rules=(_say(rules, "unless", each),))
        found = {
            selector: _select(rules, selector, root, document.budget)
            for _, selector in rules.selectors
        }
        nodes = (node for each in found.values() for node in _elements(each))
        numbers = number_elements(root, document, nodes)
    except CostlySelector:
        return RuleMatch(warnings=(RULE_TOO_COSTLY,))
    except OtherTree:
        return RuleMatch(warnings=(OTHER_ELEMENTS,))
    content = _first(rules.content, found) if rules.first_match else rules.content
    elements = {each: _elements(found[each]) for each in (*content, *rules.drop)}
    inside = _gather(content, elements, numbers)
    dropped = _gather(rules.drop, elements, numbers)
    main = cover_blocks(document, inside, dropped) if inside else None
    fields, decided = _read_fields(rules, found, document, numbers)
    records = {}
    for key in RECORDS:
        own = {each: _elements(found[each]) for each in getattr(rules, key)}
        numbered = _gather(own, own, numbers)
        if known := _with_text(document, numbered, nested=key == "posts"):
            records[key] = known
            decided += tuple(_say(rules, key, each) for each in own if own[each])
    if rules.content and (main is None or not _has_text(document, main)):
        missed = _say(rules, MISSED, "content")
        said = (missed, *decided)
        return RuleMatch(None, None, fields, said, (RULE_MISSED,), records=records)
    used = [("content", each) for each in content if elements[each]]
    used += [("drop", each) for each in rules.drop if elements[each]]
    drop = cover_blocks(document, dropped) if main is None and dropped else None
    said = tuple(_say(rules, key, selector) for key, selector in used)
    doubt = None
    if main is not None and rules.expects:
        covers = {
            each: cover_blocks(document, _gather([each], elements, numbers))
            for each in elements
        }
        doubt = _find_doubt(rules, document, main, covers)
    # Where nothing matches the file is named: its pages are counted.
    said = said + decided or tuple(filter(None, [rules.name]))
    return RuleMatch(main, drop, fields, said, doubt=doubt, records=records)


def _with_text(
    document: Document, elements: Iterable[int], *, nested: bool
) -> list[int]:
    """The *elements* with text, in order.

    Of those in another, such as replies, only *nested* ones that text stands before.
    """
    columns, kept, end, last = document.elements, list[int](), 0, -1
    for number in sorted(set(elements)):
        first = int(columns.first_block[number])
        has_text = columns.end_block[number] > first
        if has_text and (number >= end or (nested and first > last)):
            kept.append(number)
            end, last = max(end, int(columns.end[number])), first
    return kept


def _find_doubt(
    rules: SiteRules, document: Document, main: Mask, covers: Mapping[str, Mask]
) -> Doubt | None:
    """The doubt where selectors bring less of *main* than the rules expect of them.

    *covers* are the blocks of each selector.
    """
    words = document.blocks.words + 1.0  # short blocks count too
    size = float(words[main].sum())
    few = tuple(
        _say(rules, MISSED, each)
        for each in rules.content
        if each in covers and each in rules.expects
        if words[main & covers[each]].sum() <= LEAST * rules.expects[each] * size
    )
    known = np.logical_or.reduce([*covers.values()])
    room = rules.expects.get(OTHERS, 0) + max(MIN_WORDS, MAX_LOSS * size)
    return Doubt(known, room, few) if few else None


def _say(rules: SiteRules, key: str, selector: str) -> str:
    return f"{rules.name}: {key} = {selector}".removeprefix(": ")


def _select(
    rules: SiteRules, selector: str, root: _Element, budget: Budget
) -> list[object]:
    """The nodes and texts that a selector finds; none if it fails, or says no."""
    try:
        found = rules.compiled[selector].find(root, budget)
    except (etree.XPathError, CostlySelector) as error:
        # XPath finds an unknown prefix or function where a page has it evaluated.
        if selector not in rules.failed:
            rules.failed.add(selector)
            keys = (key for key, each in rules.selectors if each == selector)
            key = next(keys, "unless")
            message = f"{_say(rules, key, selector)}: {error}"
            logger.warning("Rule fails: %(message)s", {"message": message})
        if isinstance(error, CostlySelector):
            raise
        return []
    return list(found) if isinstance(found, list) else [found] * bool(found)


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
    numbers: Mapping[_Element, int],
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
        values = (read(node, document, numbers) for node in nodes)
        text = next(filter(None, values), None)
        is_of_product = name.startswith(PRODUCT)
        is_of_page = not is_of_product or _is_single(nodes, document, numbers)
        if text and is_of_page:
            texts[name] = text
            decided.append(_say(rules, key, selector))
    return texts, tuple(decided)


def _is_single(
    nodes: Sequence[object], document: Document, numbers: Mapping[_Element, int]
) -> bool:
    """Whether a match is not one of several records, such as the cards of a listing."""
    pair = _elements(nodes)[:2]
    if len(pair) < 2 or _STRING(pair[0]) == _STRING(pair[1]):
        return True
    known = [numbers[node] for node in pair if node in numbers]
    return len(set(document.kinds[known].tolist())) == len(pair)


def _text(
    node: object, document: Document, numbers: Mapping[_Element, int]
) -> str | None:
    if not isinstance(node, etree._Element):
        return clean(node)
    attribute = _VALUE_ATTRIBUTES.get(node.tag) if isinstance(node.tag, str) else None
    if attribute and (value := clean(node.get(attribute))):
        return value
    number = numbers.get(node)
    text = "" if number is None else element_text(document, number)
    return text or clean(_STRING(node))


def _read_price(
    node: object, document: Document, numbers: Mapping[_Element, int]
) -> str | None:
    """The text of a node without prices that are struck through in it."""
    text = None
    if isinstance(node, etree._Element) and any(True for _ in node.iter(*_STRUCK)):
        found = _NOT_STRUCK(node)
        text = clean("".join(map(str, found))) if isinstance(found, list) else None
    return text or _text(node, document, numbers)
