"""True text of a recorded page, to compare extractions with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from parsel import Selector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

INLINE = frozenset(
    "a abbr b bdi bdo cite code data del dfn em font i ins kbd mark q s samp small "
    "span strong sub sup time tt u var wbr".split()
)
SILENT = frozenset("script style svg template noscript img iframe object".split())


def text_of(html: str, selector: str = "body", without: str = "") -> str:
    """The text of the elements that *selector* finds, a line per block of text.

    Elements that *without* finds are left out. Lines in ``pre`` stay lines.
    """
    page = Selector(text=html, type="html")
    unwanted = {node.root for node in page.css(without)} if without else set()
    found = [node.root for node in page.css(selector)]
    if not found:
        raise ValueError(f"nothing found by {selector!r}")
    pieces = (piece for node in found for piece in _pieces(node, unwanted, False))
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line) + "\n"


def _pieces(node: _Element, unwanted: set[_Element], pre: bool) -> Iterator[str]:
    if not isinstance(node.tag, str) or node.tag in SILENT or node in unwanted:
        return
    edge = "" if node.tag in INLINE else "\n"
    pre = pre or node.tag == "pre"
    yield edge
    yield _text(node.text, pre)
    for child in node:
        yield from _pieces(child, unwanted, pre)
        yield _text(child.tail, pre)
    yield edge


def _text(text: str | None, pre: bool) -> str:
    return (text or "") if pre else re.sub(r"\s+", " ", text or "")
