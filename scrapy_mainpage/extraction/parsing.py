"""From the text of an HTML document to its tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml.html import HTMLParser
from parsel.selector import create_root_node

if TYPE_CHECKING:
    from lxml.etree import _Element


def parse_html(text: str) -> _Element:
    """Return the root of the tree that a response's selector has of such a text.

    >>> parse_html("<p>a").tag
    'html'

    Selectors of parsel 1.9 take text that happens to be JSON for JSON, even where they
    are told that it is HTML; here it is HTML.

    >>> parse_html("0").tag
    'html'
    """
    return create_root_node(text or " ", HTMLParser)
