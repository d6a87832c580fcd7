"""The frame of the site around a page's content: banner, menus, links to its home."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from .schema import HEADING_SHIFT, Context

if TYPE_CHECKING:
    from .document import Document

MAX_HEADING_BLOCKS: Final = 8
MAX_HEADING_RUNS: Final = 20

_BANNER: Final = int(Context.HEADER)
_FRAME: Final = int(
    Context.HEADER | Context.FOOTER | Context.NAVIGATION | Context.ASIDE
)
_INSIDE: Final = int(Context.MAIN | Context.ARTICLE)
_HOME: Final = re.compile(r"/?(?:\.{1,2}/)*\.?(?:index\.[a-z]{2,5})?")
_SAME_FOLDER: Final = frozenset({"", ".", "./"})
"""Addresses of the page itself, where each page has a folder of its own."""


def is_banner(flags: int) -> bool:
    """Whether *flags* are of the page's banner, and not of an article's own header."""
    return bool(flags & _BANNER) and not flags & _INSIDE


def is_site_frame(flags: int) -> bool:
    """Whether *flags* are of the site's own header, footer, menu or sidebar.

    Those inside of an article belong to it.
    """
    return bool(flags & _FRAME) and not flags & _INSIDE


def heading_blocks(document: Document, heading: int) -> slice:
    """The text blocks of a heading, without what stands in it behind its own text."""
    first = int(document.elements.first_block[heading])
    end = min(int(document.elements.end_block[heading]), first + MAX_HEADING_BLOCKS)
    levels = (document.blocks.flags[first:end] >> HEADING_SHIFT).tolist()
    return slice(first, first + (levels.index(0) if 0 in levels else len(levels)))


def leads_home(document: Document, heading: int) -> bool:
    """Whether a heading is a link to the site's home, as a logo is."""
    first = int(document.elements.first_run[heading])
    end = min(int(document.elements.end_run[heading]), first + MAX_HEADING_RUNS)
    elements = set(document.runs.element[first:end].tolist())
    links = {int(document.elements.link[element]) for element in elements}
    link = links.pop() if len(links) == 1 else -1
    href = document.attribute(link, "href") or "" if link >= 0 else ""
    return href.strip() not in _SAME_FOLDER and leads_to_home(href)


def leads_to_home(href: str) -> bool:
    """Whether a relative address is that of the site's, or a folder's, first page."""
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return False
    is_relative = not parts.netloc and not parts.query and not parts.fragment
    return is_relative and bool(_HOME.fullmatch(parts.path))
