"""Selectors of rules, in a form whose cost grows with the page, not with its square.

XPath looks at all siblings, or all descendants, of each element that it comes to. CSS
is translated otherwise: combinators are tests of the element that is selected, and
places among siblings are counted once. XPath, ``:has()`` and ``:contains()`` charge
the budget of the page with the nodes of an axis before they follow it, and with texts
before they read them.
"""

from __future__ import annotations

import re
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Final

from cssselect import ExpressionError, HTMLTranslator, SelectorError, parse
from cssselect.parser import CombinedSelector
from lxml import etree

from ..extraction.parsing.budget import Budget
from .xpath_charges import charge

if TYPE_CHECKING:
    from cssselect.xpath import XPathExpr
    from lxml.etree import _Element

_NAMESPACE: Final = "urn:scrapy-mainpage"

FOUND_WORK: Final = 30
NODE_WORK: Final = 10
CALL_WORK: Final = 100
COMPARED: Final = 20
CHARACTERS: Final = 2
"""Work of an element that is found, of a node on an axis or in a text; for a unit so
many nodes that were found before are compared with a new one, or characters read."""

_IS_XPATH: Final = re.compile(r"\(|\.{0,2}/|@|[a-z-]+(\(|::)")
_EMPTY_PAGE: Final = etree.fromstring("<html><body/></html>")
_COUNT: Final = etree.XPath("count(//node())")
_PLACES: Final = re.compile(r"count\((preceding|following)-sibling::([^()]+)\)")
_LOOKS_INSIDE: Final = re.compile(r"descendant::[^] ]+\[|\(\., ")
_TWINS: Final = re.compile(r"count\(parent::\*/child::([^()]+)\)")
_AROUND: Final = "name the element around both, as in './/a'"
_INSTEAD: Final = {
    "descendant": "write CSS ('a b', 'a:has(> b)')",
    "following": _AROUND, "preceding": _AROUND,
}  # fmt: skip
_READ: Final = (
    "read the texts of fewer or smaller elements, as in '//p[contains(text(), \"x\")]'"
)
_PAIRS: Final = "compare or unite fewer nodes, as in '//p[a or b]' for '//p[a | b]'"
_BESIDE: Final = "write CSS ('a ~ b', 'a + b', ':nth-child(2)')"


class CostlySelector(Exception):
    """A selector takes too long on a page; the message says what to write instead."""


class Selector:
    """A compiled CSS selector or XPath expression.

    XPath begins with ``/``, ``./``, ``(``, ``@``, a function or an axis. Raises
    ``ValueError`` for one with an error.
    """

    def __init__(self, text: str) -> None:
        text = text.strip()
        self._union: _Step | None = None
        try:
            if _IS_XPATH.match(text):
                etree.XPath(text)  # an error is shown as it was written
                whole, parts = charge(text)
                self._chains = [[_Step("", part)] for part in parts or [whole]]
                self._union = _Step("", whole) if parts else None
            else:
                self._chains = [_read_css(each) for each in parse(text)]
            self.find(_EMPTY_PAGE, Budget())
        except (SelectorError, NotImplementedError, etree.XPathError) as error:
            raise ValueError(str(error) or "not a selector") from None

    def find(self, root: _Element, budget: Budget) -> Any:
        """What the selector finds in the tree of *root*.

        Raises ``lxml.etree.XPathError``, and :exc:`CostlySelector` where the *budget*
        of the page is not enough.
        """
        results = [_follow(chain, root, budget) for chain in self._chains]
        if len(results) == 1:
            return results[0]
        found = {node for result in results for node in result}
        merged = [node for node in root.iter("*") if node in found]
        if self._union and len(merged) < len(found):  # texts, attributes, comments
            return self._union.find(root, budget)
        return merged


class _Step:
    """What stands in a selector behind a *combinator*, as XPath."""

    def __init__(self, combinator: str, path: str) -> None:
        self.combinator, self._path = combinator, path
        self._compiled = None if "m:" in path else self._compile(Budget(), _EMPTY_PAGE)

    def find(self, root: _Element, budget: Budget) -> Any:
        return (self._compiled or self._compile(budget, root))(root)

    def _compile(self, budget: Budget, root: _Element) -> etree.XPath:
        most = int(_COUNT(root))  # type: ignore[arg-type]

        def compare(context: Any, number: float, found: int) -> int:
            before: int = context.eval_context.get(number, 0) if number else 0
            context.eval_context[number] = min(before + found, most)
            return found * before // COMPARED

        def spend(work: float, instead: str) -> bool:
            if budget.spend(CALL_WORK + int(work)):
                return True
            raise CostlySelector(f"takes too long on a page: {instead}")

        def pay(
            context: Any, number: float, axis: str, size: float, found: float
        ) -> bool:
            work = NODE_WORK * size + compare(context, number, int(found))
            return spend(work, _INSTEAD.get(axis, _BESIDE))

        def read(context: Any, number: float, nodes: float, size: float) -> bool:
            work = NODE_WORK * nodes + size / CHARACTERS + compare(context, number, 1)
            return spend(work, _PAIRS if number else _READ)

        functions = {
            (_NAMESPACE, "count"): _count_beside,
            (_NAMESPACE, "pay"): pay,
            (_NAMESPACE, "read"): read,
        }
        names = {"m": _NAMESPACE}
        return etree.XPath(
            self._path, namespaces=names, extensions=functions, smart_strings=False
        )


def _follow(chain: list[_Step], root: _Element, budget: Budget) -> Any:
    """What the last step finds that stands to the others as the combinators say."""
    found = chain[0].find(root, budget)
    for step in chain[1:]:
        nodes, near = step.find(root, budget), _NEAR[step.combinator](found)
        if not budget.spend(FOUND_WORK * (len(nodes) + len(near))):
            raise CostlySelector("finds too many elements on a page")
        found = [node for node in nodes if node in near]
    return found


def _inside(found: list[_Element]) -> set[_Element]:
    """The elements inside of those that are *found*, in the order of the tree."""
    inside: set[_Element] = set()
    for node in found:
        if node not in inside:
            inside.update(node.iterdescendants("*"))
    return inside


def _children(found: list[_Element]) -> set[_Element]:
    return {child for node in found for child in node.iterchildren("*")}


def _next(found: list[_Element]) -> set[_Element]:
    return {each for node in found for each in islice(node.itersiblings("*"), 1)}


def _behind(found: list[_Element]) -> set[_Element]:
    """The siblings behind those that are *found*, in the order of the tree."""
    behind: set[_Element] = set()
    for node in found:
        if node not in behind:
            behind.update(node.itersiblings("*"))
    return behind


_NEAR: Final = {" ": _inside, ">": _children, "+": _next, "~": _behind}


def _read_css(selector: Any) -> list[_Step]:
    if selector.pseudo_element:
        raise ExpressionError("pseudo-elements are not supported")
    translator, tree = _Translator(), selector.parsed_tree
    chain: list[tuple[str, Any]] = []
    while isinstance(tree, CombinedSelector):
        chain.append((tree.combinator, tree.subselector))
        tree = tree.selector
    paths = [(sign, translator.xpath(part)) for sign, part in (*chain, ("", tree))]
    return [
        _Step(sign, _bound(f"descendant-or-self::{path}"))
        for sign, path in reversed(paths)
    ]


class _Translator(HTMLTranslator):
    """Translates what stands between the combinators of a selector."""

    def refuse(self, left: XPathExpr, right: XPathExpr) -> XPathExpr:
        instead = "write XPath, such as '//h1[following-sibling::*[1]/self::p]'"
        raise ExpressionError(f"'+' and '~' in :has(): {instead}")

    def xpath_matching(self, matching: Any) -> XPathExpr:
        parts = [self.xpath(each) for each in matching.selector_list]
        for part in parts:
            part.add_name_test()
        joined = " or ".join(f"({part.condition or 'true()'})" for part in parts)
        return self.xpath(matching.selector).add_condition(joined)

    xpath_specificityadjustment = xpath_matching
    xpath_relation_direct_adjacent_combinator = refuse
    xpath_relation_indirect_adjacent_combinator = refuse

    def xpath_relation_descendant_combinator(
        self, left: XPathExpr, right: XPathExpr
    ) -> XPathExpr:
        return left.add_condition(f"descendant::{right}")

    def xpath_relation_child_combinator(
        self, left: XPathExpr, right: XPathExpr
    ) -> XPathExpr:
        return left.add_condition(f"child::{right}")

    def xpath_first_child_pseudo(self, xpath: XPathExpr) -> XPathExpr:
        return xpath.add_condition("not(preceding-sibling::*[1])")

    def xpath_last_child_pseudo(self, xpath: XPathExpr) -> XPathExpr:
        return xpath.add_condition("not(following-sibling::*[1])")

    def xpath_only_child_pseudo(self, xpath: XPathExpr) -> XPathExpr:
        return self.xpath_first_child_pseudo(self.xpath_last_child_pseudo(xpath))


def _bound(path: str) -> str:
    """Siblings are counted once, and looks into elements charged."""
    path = _TWINS.sub(
        r"(1 + m:count('preceding', '\1') + m:count('following', '\1'))", path
    )
    path = _PLACES.sub(r"m:count('\1', '\2')", path)
    return charge(path)[0] if _LOOKS_INSIDE.search(path) else path


def _count_beside(context: Any, side: str, tag: str) -> int:
    """The siblings with *tag* that stand before or behind an element, counted once."""
    node = context.context_node
    counts = context.eval_context.setdefault((side, tag), {})
    if node not in counts:
        reverse = side == "following"
        parent = node.getparent()
        siblings = [] if parent is None else parent.iterchildren(tag, reversed=reverse)
        counts.update(zip(siblings, count(), strict=False))
    found: int = counts.get(node, 0)
    return found
