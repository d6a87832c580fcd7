"""The main content as sanitised HTML.

What comes out is built from a list of tags and attributes that are allowed; nothing of
the page's own markup is passed on. There are no scripts, styles, forms or frames, and
an address has one of the schemes http, https, ftp, mailto, tel, or none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._html import assemble
from .stream import read_stream

if TYPE_CHECKING:
    from ..result import Extraction


def write_html(content: Extraction) -> str:
    """The main content as an HTML fragment: sanitised, balanced, links absolute."""
    stream = read_stream(content)
    return assemble(
        content.document,
        stream.events,
        stream.links,
        stream.sources,
        stream.languages,
    )


__all__ = ["write_html"]
