"""HTML to an lxml tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    return root


def later_roots(root: _Element) -> list[_Element]:
    """The elements that libxml2 (2.12 and later) puts beside the root: the markup
    behind an early ``</html>``, which browsers read as part of the body."""
    return [each for each in root.itersiblings() if isinstance(each.tag, str)]


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
    before = (root[-1].tail if len(root) else root.text) or ""
    text = _UNSETTABLE.sub("", "".join((before, *texts)))
    if len(root):
        root[-1].tail = text
    else:
        root.text = text
