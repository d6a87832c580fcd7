"""The main content as CommonMark with tables, as GitHub and most tools read it.

Text is escaped where it would be read as markup, and only there, so that rendering
gives the page's text back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._markdown import assemble
from .stream import read_stream

if TYPE_CHECKING:
    from ..result import Extraction


def write_markdown(content: Extraction) -> str:
    """The main content as Markdown: headings, lists, links, emphasis, code, tables."""
    stream = read_stream(content)
    return assemble(
        content.document,
        stream.events,
        stream.links,
        stream.sources,
        stream.languages,
    )


__all__ = ["write_markdown"]
