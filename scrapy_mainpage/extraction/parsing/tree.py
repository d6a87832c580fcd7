"""From an HTML document to its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from lxml.etree import _Element


def parse_html(page: bytes | str) -> _Element:
    """Return the root of the tree that a response's selector has of such a page.

    Bytes are UTF-8, without NULs (see :func:`~.decoding.to_utf8`).

    >>> parse_html("<p>a").tag
    'html'

    Selectors of parsel 1.9 take text that happens to be JSON for JSON, even where they
    are told that it is HTML; here it is HTML.

    >>> parse_html("0").tag
    'html'
    """
    if isinstance(page, str):
        page = page.strip().replace("\x00", "").encode()
    # Unlike a selector's, the tree finds no elements by id: that takes a tenth more.
    parser = etree.HTMLParser(
        encoding="utf-8", recover=True, huge_tree=True, collect_ids=False
    )
    root = etree.fromstring(page or b"<html/>", parser)
    return etree.fromstring(b"<html/>", parser) if root is None else root


__all__ = ["parse_html"]
