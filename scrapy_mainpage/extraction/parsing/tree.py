"""HTML to an lxml tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lxml import etree

if TYPE_CHECKING:
    from lxml.etree import _Element

_UNSETTABLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that libxml2 parses, and lxml refuses to set."""


def parse_html(page: bytes | str) -> _Element:
    """Parse *page* as the selector of a response does, and return the root.

    Bytes are UTF-8, without NULs (see :func:`~.encoding.to_utf8`).

    >>> parse_html("<p>a").tag
    'html'

    Selectors of parsel 1.9 parse text that happens to be JSON as JSON, even with
    ``type="html"``; here it is HTML.

    >>> parse_html("0").tag
    'html'
    """
    if isinstance(page, str):
        page = page.strip().replace("\x00", "").encode()
    # Unlike in a selector, no index of ids is made: it takes a tenth of the parse.
    parser = etree.HTMLParser(
        encoding="utf-8", recover=True, huge_tree=True, collect_ids=False
    )
    root = etree.fromstring(page or b"<html/>", parser)
    if root is None:
        return etree.fromstring(b"<html/>", parser)
    for sibling in later_roots(root):
        _append(root, sibling)
    return root


def later_roots(root: _Element) -> list[_Element]:
    """The elements that libxml2 (2.12 and later) puts beside the root: the markup
    behind an early ``</html>``, which browsers read as part of the body."""
    return [each for each in root.itersiblings() if isinstance(each.tag, str)]


def _append(root: _Element, sibling: _Element) -> None:
    before = (root[-1].tail if len(root) else root.text) or ""
    text = before + (sibling.text or "").replace("\f", " ")
    text = _UNSETTABLE.sub("", text)
    if len(root):
        root[-1].tail = text
    else:
        root.text = text
    root.extend(list(sibling))
