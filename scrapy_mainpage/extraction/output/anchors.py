"""Anchors: the URL fragments that lead to the headings of a page."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote_to_bytes

import numpy as np

from ..document.document import nonblank_texts
from ..document.tags import ATTRIBUTE_CODES, CODES, HEADING_CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document.document import Document
    from ..document.schema import Longs

_ID: Final = ATTRIBUTE_CODES["id"]
_NAME: Final = ATTRIBUTE_CODES["name"]
_HREF: Final = ATTRIBUTE_CODES["href"]
_LINK: Final = CODES["a"]
_WHOLE_PAGE: Final = frozenset({CODES["html"], CODES["body"]})

_MAX_ATTRIBUTES: Final = 32
"""Attributes before and in a heading that are searched for links."""

_UNSAFE: Final = re.compile('[\x00-\x20\x7f"<>`\u00a0\u3000]+')
"""Characters that end an address in running text, or are not allowed in one."""


class Anchors:
    """The elements of a document that fragments lead to.

    As in browsers: a fragment leads to the first element with that ``id``, else to the
    first ``a`` with that ``name``.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        names, ids = self._named(_NAME), self._named(_ID)
        values = {value: element for element, value in reversed(names)}
        values.update((value, element) for element, value in reversed(ids))
        self._element_of = values
        self._value_of: dict[int, bytes] = {}
        for element, value in (*names, *ids):
            if values[value] == element:
                self._value_of[element] = value
        self._targets = sorted(self._value_of)

    def _named(self, attribute: int) -> list[tuple[int, bytes]]:
        """The elements that an ``id``, or the ``name`` of an ``a``, makes targets."""
        columns, values = self._document.attributes, self._document.values
        at = np.flatnonzero((columns.name == attribute) & (columns.end > columns.start))
        if attribute == _NAME:
            tags = self._document.elements.tag
            at = at[tags[columns.element[at]] == _LINK]
        rows = zip(*(column[at].tolist() for column in columns[1:]), strict=True)
        return [(element, values[start:end]) for element, start, end in rows]

    @cached_property
    def _texts_before(self) -> Longs:
        """The number of texts before each run."""
        return np.concatenate(([0], np.cumsum(nonblank_texts(self._document))))

    @cached_property
    def _texts_before_targets(self) -> list[int]:
        first = self._document.elements.first_run[self._targets]
        counts: list[int] = self._texts_before[first].tolist()
        return counts

    @cached_property
    def _headings_before(self) -> Longs:
        """The number of heading elements before each element."""
        headings = self._document.are_tagged(HEADING_CODES)
        return np.cumsum(headings) - headings

    def of(self, heading: int) -> str | None:
        """The fragment that leads to the element *heading*; or ``None``.

        It is that of the heading, of an element in it, or of a neighbour without text
        in between: an ``a``, or an element that begins with the heading, preferably
        the one that a link in the heading leads to (then text may stand between).
        """
        if not self._targets:
            return None
        target = self._in(heading)
        if target < 0:
            target = self._before(heading)
        if target < 0:
            target = self._after(heading)
        return self._fragment(target) if target >= 0 else None

    def _fragment(self, target: int) -> str:
        value = self._value_of[target].decode("utf-8", "replace")
        return _UNSAFE.sub(lambda match: quote(match[0]), value)

    def in_element(self, element: int) -> str | None:
        """The fragment that leads to the element, or to the first target in it."""
        target = self._in(element)
        return self._fragment(target) if target >= 0 else None

    def is_target(self, element: int, end: int) -> bool:
        """Whether a fragment leads to the element, or into it before element *end*."""
        return 0 <= self._in(element) < end

    def _in(self, heading: int) -> int:
        """The first target in *heading*, itself included, or -1."""
        at = bisect_left(self._targets, heading)
        if at == len(self._targets):
            return -1
        return self._targets[at] if self._targets[at] < self._end(heading) else -1

    def _before(self, heading: int) -> int:
        """The nearest usable target before *heading* without text between, or -1."""
        texts = int(self._texts_before[self._document.elements.first_run[heading]])
        first = bisect_left(self._texts_before_targets, texts)
        near = self._targets[first : bisect_left(self._targets, heading)]
        if not (near or self._links):
            return -1
        usable = [each for each in reversed(near) if self._is_usable(each, heading)]
        linked = (
            target
            for target in self._linked(heading)
            if target in usable or self._begins(target, heading)
        )
        return next(linked, usable[0] if usable else -1)

    def _is_usable(self, target: int, heading: int) -> bool:
        if self._end(target) > heading:
            return self._tag(target) not in _WHOLE_PAGE
        return self._is_mark(target)

    def _begins(self, target: int, heading: int) -> bool:
        """Whether *heading* is the first one in the element *target*."""
        if not 0 <= target < heading < self._end(target):
            return False
        before = self._headings_before[[target, heading]]
        return self._tag(target) not in _WHOLE_PAGE and before[0] == before[1]

    def _is_mark(self, target: int) -> bool:
        """Whether the element is an ``a`` that serves as a target only."""
        if self._tag(target) != _LINK:
            return False
        href = self._document.attribute(target, "href")
        return href is None or href.startswith("#")

    @cached_property
    def _links(self) -> list[int]:
        """The links into the page itself, as indices of attributes."""
        columns = self._document.attributes
        at = np.flatnonzero((columns.name == _HREF) & (columns.end > columns.start))
        values = np.frombuffer(self._document.values, np.uint8)
        links: list[int] = at[values[columns.start[at]] == ord("#")].tolist()
        return links

    def _linked(self, heading: int) -> Iterator[int]:
        """The targets of links in the heading, or shortly before it."""
        columns, parents = self._document.attributes, self._document.elements.parent
        own = bisect_left(columns.element, heading)
        first = bisect_left(self._links, own - _MAX_ATTRIBUTES)
        for k in self._links[first : bisect_left(self._links, own + _MAX_ATTRIBUTES)]:
            element = columns.element[k]
            beside = element < heading and parents[element] == parents[heading]
            if beside or heading < element < self._end(heading):
                start, end = int(columns.start[k]), int(columns.end[k])
                yield self.find_target(self._document.values[start + 1 : end])

    def find_target(self, fragment: bytes) -> int:
        """The element that a *fragment*, maybe percent-encoded, leads to, or -1."""
        found = self._element_of.get(fragment, -1)
        if found >= 0 or b"%" not in fragment:
            return found
        return self._element_of.get(unquote_to_bytes(fragment), -1)

    def _after(self, heading: int) -> int:
        """The ``a`` without text right after the heading, or -1."""
        end = self._end(heading)
        at = bisect_left(self._targets, end)
        if at == len(self._targets):
            return -1
        target, elements = self._targets[at], self._document.elements
        beside = elements.parent[target] == elements.parent[heading]
        if not beside or not self._is_mark(target):
            return -1
        texts = self._texts_before[
            [elements.end_run[heading], elements.end_run[target]]
        ]
        return target if texts[0] == texts[1] else -1

    def _tag(self, element: int) -> int:
        return int(self._document.elements.tag[element])

    def _end(self, element: int) -> int:
        return int(self._document.elements.end[element])
