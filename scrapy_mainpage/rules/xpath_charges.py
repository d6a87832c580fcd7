"""XPath expressions that pay for nodes and texts before they look at them."""

from __future__ import annotations

import re
from itertools import count
from typing import Final, NamedTuple

from cssselect import ExpressionError

_NAME: Final = r"[^\W\d][\w.-]*"
_TOKENS: Final = re.compile(
    rf""""[^"]*"|'[^']*'|\d+(?:\.\d*)?|\.\d+|\.\.|::|//|[!<>]=|"""
    rf"""\$?{_NAME}(?::(?!:)(?:\*|{_NAME}))?|\S"""
)
_SIGNS: Final = {*"= != < <= > >= + - |".split()}
_OPERATORS: Final = {*_SIGNS, *"* div mod and or".split()}
_ENDS: Final = {*_SIGNS, "", ")", "]", ","}
_VALUE: Final = re.compile(r"""["'$\d]|\.\d""")
_NODE_TYPES: Final = {"node", "text", "comment", "processing-instruction"}
_FREE: Final = {"self", "attribute", "namespace"}
_SINGLE: Final = _FREE | {"parent"}
_OWN: Final = _FREE | {"child"}
"""Axes without another node of the tree, with one at most, and that meet none twice."""

_DEEP: Final = 2
"""Depth in predicates of nodes that may be met again; 1 in those of others."""

_PLACE: Final = re.compile(r"\[\d+\]")
_OF_PAGE: Final = re.compile(
    r"""(?:"[^"]*"|'[^']*'|[^"'])*?(?:m:read\(|attribute::|text\(\))"""
)

_TESTS: Final = {"boolean", "count", "local-name", "name", "namespace-uri", "not"}
_OF_CONTEXT: Final = {"normalize-space", "number", "string", "string-length"}
"""Functions that read no text, and that read the context's without an argument."""

_QUOTED: Final = {
    "contains": 1, "substring-after": 1, "substring-before": 1, "translate": 1, "id": 0,
}  # fmt: skip
"""First argument that may be no text of the page: the time grows with the product."""


class _Operand(NamedTuple):
    """A part of an expression; ``has_text`` of nodes, which ``is_free`` or charged."""

    text: str
    has_many: bool = False
    has_text: bool = False
    is_free: bool = False

    def read(self, number: int) -> str:
        """With the *number* of the operation that compares nodes in pairs, or 0."""
        if not self.has_text or (self.is_free and not number):
            return self.text
        sizes = "count(descendant::node()), string-length()"
        return f"{self.text}[m:read({number}, {sizes})]"


def charge(path: str) -> tuple[str, list[str]]:
    """An expression that calls ``m:pay`` and ``m:read``, and the parts of its union.

    ``m:pay`` has a number of the step, the axis, its nodes, and how many are found:
    they are compared with those found before. ``m:read`` has the number of a
    comparison, and the nodes and characters of a text. Free are parents in predicates,
    and what no expression meets twice: children outside of predicates, and in those of
    such children, and their attributes and ``text()`` that are read. Raises
    :exc:`cssselect.ExpressionError` for a function that takes too long on any page.
    """
    reader = _Reader(path)
    segments = reader.segments(0)
    parts = [operand.text for _, operand in segments[0]]
    is_union = {sign for segment in segments for sign, _ in segment} == {"", "|"}
    return reader.join(segments).text, parts if is_union else []


class _Reader:
    """Reads an expression that has no error."""

    def __init__(self, path: str) -> None:
        self._tokens: list[str] = [*_TOKENS.findall(path), "", ""]
        self._at = 0
        self._numbers = count(1)

    @property
    def _next(self) -> str:
        return self._tokens[self._at]

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def segments(self, depth: int) -> list[list[tuple[str, _Operand]]]:
        """Operands behind their operators, parted at ``and`` and ``or``."""
        segments = [[("", self._operand(depth))]]
        while (sign := self._next) in _OPERATORS:
            self._take()
            if sign in ("and", "or"):
                segments.append([])
            segments[-1].append((sign, self._operand(depth)))
        return segments

    def join(self, segments: list[list[tuple[str, _Operand]]]) -> _Operand:
        """One operand: the segments with their operators."""
        if len(segments) == len(segments[0]) == 1:
            return segments[0][0][1]
        parts = []
        for segment in segments:
            is_alone = len(segment) == 1
            has_pairs = sum(operand.has_many for _, operand in segment) > 1
            number = next(self._numbers) if has_pairs else 0
            for sign, operand in segment:
                text = operand.text if is_alone else operand.read(number)
                parts.append(f" {sign} {text}")
        return _Operand("".join(parts), has_many=len(segments) == 1)

    def _operand(self, depth: int) -> _Operand:
        token, after = self._next, self._tokens[self._at + 1]
        if token == "-":
            self._take()
            return _Operand(f"-{self._operand(depth).read(0)}")
        if _VALUE.match(token):
            return _Operand(self._take())
        if token == "(":
            inner = self._arguments(depth)[0]
            group = inner._replace(text=f"({inner.text})")
        elif after == "(" and token not in _NODE_TYPES:
            group = _Operand(self._function(depth))
        else:
            return self._path("", depth)
        if self._next not in ("[", "/", "//"):
            return group
        text = group.text + self._predicates(not depth)
        if self._next != "/" and self._next != "//":
            return _Operand(text, has_many=True, has_text=True)
        return self._path(text, depth)

    def _arguments(self, depth: int) -> list[_Operand]:
        self._take()
        found = []
        while self._next != ")":
            found.append(self.join(self.segments(depth)))
            if self._next == ",":
                self._take()
        self._take()
        return found

    def _function(self, depth: int) -> str:
        name, arguments = self._take(), self._arguments(depth)
        if not arguments and name in _OF_CONTEXT:
            arguments = [_Operand("self::node()", has_text=True)]
        texts = [each.text if name in _TESTS else each.read(0) for each in arguments]
        others = texts[_QUOTED.get(name, len(texts)) :]
        if any(map(_OF_PAGE.match, others)) and texts[0][0] not in "\"'":
            raise ExpressionError(f"{name}() takes too long: write its text in quotes")
        return f"{name}({', '.join(texts)})"

    def _predicates(self, is_once: bool) -> str:
        found, depth = "", 1 if is_once else _DEEP
        while self._next == "[":
            self._take()
            found += f"[{self.join(self.segments(depth)).text}]"
            self._take()
        return found

    def _path(self, text: str, depth: int) -> _Operand:
        """The steps behind *text*, or at the beginning of a path."""
        has_many, is_once = bool(text), depth < _DEEP and not text
        while True:
            slash = self._take() if self._next in ("/", "//") else ""
            if slash == "/" and self._next in _ENDS:
                return _Operand("/self::node()", has_text=True)
            axis, test = self._step()
            is_next = is_once and slash == ("/" if text else "")
            is_once = axis in _OWN and (is_next or not depth)
            predicates = self._predicates(is_once)
            place = _PLACE.match(predicates)
            if slash == "//":
                is_name = axis == "child" and not predicates and "(" not in test
                found = test if is_name else "node()"
                text += "/" + self._pay("descendant", found, depth)
            text += slash
            is_met = axis == "child" if slash == "//" else depth and axis == "parent"
            if not (is_once or is_met or axis in _FREE):
                found = test + (place[0] if place else "")
                text += f"{self._pay(axis, found, depth)}/"
            text += f"{axis}::{test}{predicates}"
            is_single = axis in _SINGLE or place
            has_many = has_many or slash == "//" or not is_single
            if self._next not in ("/", "//"):
                is_short = is_once and (axis == "attribute" or test == "text()")
                return _Operand(text, bool(has_many), has_text=True, is_free=is_short)

    def _step(self) -> tuple[str, str]:
        """The axis and the test of a step."""
        token = self._take()
        if token in (".", ".."):
            return "self" if token == "." else "parent", "node()"
        axis, test = ("attribute", self._take()) if token == "@" else ("child", token)
        if self._next == "::":
            self._take()
            axis, test = token, self._take()
        if self._next == "(":
            while not test.endswith(")"):
                test += self._take()
        return axis, test

    def _pay(self, axis: str, test: str, depth: int) -> str:
        # What is found outside of predicates is compared with what was found before.
        found = 0 if depth else f"count({axis}::{test})"
        step = f"{next(self._numbers)}, '{axis}', count({axis}::node()), {found}"
        return f"self::node()[m:pay({step})]"
