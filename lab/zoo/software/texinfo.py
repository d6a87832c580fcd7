"""Texinfo: manuals of the GNU project, a page for each node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..record import Page, page_of
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 7, "wiki": 2}
TRUTH: Final = "div.chapter, div.chapter-level-extent"
PANELS: Final = "div.header, div.nav-panel"
MENUS: Final = "ul.section-toc, ul.mini-toc"
DROP: Final = f"{PANELS}, {MENUS}, a.copiable-link, a.copiable-anchor"
ROLES: Final = {"pagination": PANELS, "navigation": MENUS}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    makeinfo = need("makeinfo", "texinfo")
    site = fresh(folder / "site")
    menu = "\n".join(f"* {_node(content)}::" for content in contents)
    chapters = "\n".join(
        f"@node {_node(c)}\n@chapter {_escape(c.title)}\n\n{_sections(c)}"
        for c in contents
    )
    text = (
        "\\input texinfo\n@documentencoding UTF-8\n@settitle Atlas\n@node Top\n"
        "@top Atlas\n"
        f"@menu\n{menu}\n@end menu\n{chapters}\n@bye\n"
    )
    write(site / "atlas.texi", text)
    run(
        makeinfo,
        "--html",
        "--split=chapter",
        "--no-number-sections",
        "--force",
        "--no-warn",
        "-o",
        "html",
        "atlas.texi",
        cwd=site,
    )
    for content in contents:
        path = f"/{content.slug}.html"
        html = (site / "html" / path[1:]).read_bytes()
        yield page_of(content, path, html, TRUTH, drop=DROP, roles=ROLES)


def _sections(content: Content) -> str:
    """The text without nodes and menus of its own: the chapter is one page."""
    text = re.sub(r"(?ms)^@menu$.*?^@end menu$", "", content.markup("texinfo"))
    return re.sub(r"(?m)^@(node|top|anchor)\b.*$", "", text)


def _escape(text: str) -> str:
    return text.replace("@", "@@").replace("{", "@{").replace("}", "@}")


def _node(content: Content) -> str:
    """The name of a chapter's node, whose file is named after the content."""
    return content.slug.replace("-", " ")
