"""HTML to an lxml tree, within limits on the cost of a page.

The limits are checked in one pass over its bytes. A parser takes far more time for some
pages than for others of their size, and more than it can bear for a few. Such a page is
read as flat text: headings, paragraphs and links stay, its structure goes, and the page
carries a warning.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

from lxml import etree

from ._limits import count_searches, read_text, survey

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

TOO_LARGE: Final = "too_large"
LARGE: Final = "large"
ELEMENTS: Final = "elements"
DEPTH: Final = "depth"
ATTRIBUTES: Final = "attributes"
TEXT_NODE: Final = "text_node"
TIME: Final = "time"

REASONS: Final = (TOO_LARGE, LARGE, ELEMENTS, DEPTH, ATTRIBUTES, TEXT_NODE, TIME)
"""Warning codes of the limits that a page exceeds."""

EMPTY: Final = "empty"
NO_TEXT: Final = "no_text"
NO_MAIN_CONTENT: Final = "no_main_content"

PARSER_DEPTH: Final = 2048
"""Depth below which libxml2 silently ignores elements (``xmlParserMaxDepth``)."""

MIN_SEARCHES: Final = 1_000_000
MIN_SEARCHES_PER_BYTE: Final = 40
"""Comparisons of an end tag with open elements that need no closer look: a thousandth
of a second, and the time that the parse of the bytes takes."""

MAX_SEARCHES: Final = 50_000_000
"""Comparisons of end tags with open elements: about 0.2 seconds in libxml2."""

MIN_DENSE_ELEMENTS: Final = 2_500
MIN_ELEMENT_BYTES: Final = 10
"""A page with more elements than these has so many bytes for each of them. Real pages
have 34 and more; a denser page takes many times longer than others of its size."""

MIN_FLAT_ELEMENT_BYTES: Final = 64
"""The same of a page read as flat text: an element takes about 2 kB of memory."""

_UNSETTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that libxml2 parses, and lxml refuses to set."""


class BoundedHtml(NamedTuple):
    """HTML (UTF-8) that can be parsed, and the codes of the limits that it exceeded."""

    html: bytes
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the cost of a page.

    ``max_size``: bytes (in UTF-8) of the largest page that is read at all;
    ``max_elements``: elements of a page; ``max_depth``: their depth below the body;
    ``max_attributes``: attributes of an element; ``max_text_node``: bytes of a text
    without markup; ``max_time``: seconds of processor time for a page, checked between
    steps.
    """

    max_size: int = 32 * 2**20
    max_elements: int = 100_000
    max_depth: int = 256
    max_attributes: int = 500
    max_text_node: int = 4 * 2**20
    max_time: float = 10.0

    @property
    def tree_depth(self) -> int:
        """Depth of a tree from its root on; libxml2 cuts trees off a little below."""
        return min(self.max_depth + 2, PARSER_DEPTH - 2)

    def most_elements(self, size: int, bytes_each: int = MIN_ELEMENT_BYTES) -> int:
        """The elements of a page of *size* bytes."""
        return min(max(MIN_DENSE_ELEMENTS, size // bytes_each), self.max_elements)

    def bound(self, html: bytes, most: int = sys.maxsize) -> BoundedHtml:
        """*html* (UTF-8) as it may be parsed: unchanged within limits, else flat.

        It has *most* elements, if that is less than the limit.
        """
        reasons = self._find_excess(html, most)
        if TOO_LARGE in reasons:
            return BoundedHtml(b"", reasons)
        if not reasons:
            return BoundedHtml(html)
        return self.flatten(html, reasons, most)

    def flatten(
        self,
        html: bytes,
        reasons: tuple[str, ...] = (DEPTH,),
        most: int = sys.maxsize,
    ) -> BoundedHtml:
        """*html* (UTF-8) as flat text: a tree that is not deep, whatever the page."""
        most = min(self.most_elements(len(html), MIN_FLAT_ELEMENT_BYTES), most)
        return BoundedHtml(read_text(html, max(most, 0), self.max_text_node), reasons)

    def _find_excess(self, html: bytes, most: int) -> tuple[str, ...]:
        """The codes of the limits that *html* exceeds, as far as bytes show them."""
        size = len(html)
        if size > self.max_size:
            return (TOO_LARGE,)
        opened, closed, attributes, longest_text = survey(html)
        searches = min(opened, PARSER_DEPTH) * closed
        excess = (
            searches > MIN_SEARCHES + MIN_SEARCHES_PER_BYTE * size
            and count_searches(html, MAX_SEARCHES) > MAX_SEARCHES,
            attributes > self.max_attributes,
            opened > min(self.most_elements(size), most),
            longest_text > self.max_text_node,
        )
        return tuple(compress((DEPTH, ATTRIBUTES, ELEMENTS, TEXT_NODE), excess))


def parse_html(page: bytes | str) -> _Element:
    """Parse *page* as the selector of a response does, and return the root.

    Bytes are UTF-8, without NULs (see :func:`~.encoding.to_utf8`).

    >>> parse_html("<p>a").tag
    'html'
    """
    if isinstance(page, str):
        page = page.strip().replace("\x00", "").encode()
    # Unlike in a selector, no index of ids is made: it takes a tenth of the parse.
    parser = etree.HTMLParser(
        encoding="utf-8",
        recover=True,
        huge_tree=True,
        collect_ids=False,
        remove_comments=True,
    )
    root = etree.fromstring(page or b"<html/>", parser)
    if root is None:
        return etree.fromstring(b"<html/>", parser)
    if siblings := later_roots(root):
        _append(root, siblings)
    if is_streamed(page):
        _place_parts(root)
    return root


def later_roots(root: _Element) -> list[_Element]:
    """The elements that libxml2 (2.12 and later) puts beside the root: the markup
    behind an early ``</html>``, which browsers read as part of the body."""
    return [each for each in root.itersiblings() if isinstance(each.tag, str)]


def is_streamed(page: bytes | str) -> bool:
    """Whether a *page* ends in parts that a script of React puts where they belong."""
    part = '<div hidden id="S:'
    return part in page if isinstance(page, str) else part.encode() in page


def _place_parts(root: _Element) -> None:
    """Put the parts behind a page to the templates that stand for them, by number."""
    places = {
        each.get("id", "")[2:]: each
        for each in root.iter("template")
        if each.get("id", "").startswith(("B:", "P:"))
    }
    parts = (each for each in root.iter("div") if each.get("id", "").startswith("S:"))
    for part in list(parts):
        place = places.get(part.get("id", "")[2:])
        if place is not None and part not in place.iterancestors():
            part.attrib.pop("hidden", "")
            place.addprevious(part)  # addnext() would put it behind the text there


def _append(root: _Element, siblings: Iterable[_Element]) -> None:
    texts: list[str] = []
    for sibling in siblings:
        texts.append((sibling.text or "").replace("\f", " "))
        if children := list(sibling):
            _append_text(root, texts)
            texts.clear()
            root.extend(children)
    _append_text(root, texts)


def _append_text(root: _Element, texts: Iterable[str]) -> None:
    last = next(root.iterchildren(reversed=True), None)  # len() counts all children
    before = (root.text if last is None else last.tail) or ""
    text = _UNSETTABLE.sub("", "".join((before, *texts)))
    if last is None:
        root.text = text
    else:
        last.tail = text
