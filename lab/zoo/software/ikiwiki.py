"""Ikiwiki: a wiki that is compiled, with a side bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..content import to_html
from ..record import Page, page_of
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"wiki": 5, "documentation": 4, "recipe": 1, "article": 2, "thread": 1}
TRUTH: Final = "div.pageheader span.title, #content"
ROLES: Final = {
    "breadcrumb": "span.parentlinks",
    "navigation": "div.actions, div.sidebar",
    "form": "#searchform",
    "footer": "#footer",
    "related": "#backlinks",
    "byline": "div.pagedate",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    ikiwiki = need("ikiwiki", "ikiwiki")
    source, site = fresh(folder / "source"), fresh(folder / "site")
    links = "\n".join(f"* [[{c.title}|{c.kind}/{c.slug}]]" for c in contents)
    write(source / "sidebar.mdwn", f"### Pages\n\n{links}\n")
    write(source / "index.mdwn", "Maps from plain files.\n")
    for content in contents:
        title = content.title.replace('"', "&quot;")
        head = f'[[!meta title="{title}"]]\n\n'
        # Tables are not in the Markdown of a plain installation.
        text = to_html(content.source)
        write(source / content.kind / f"{content.slug}.mdwn", head + text)
    flags = [flag for name in ("sidebar", "meta") for flag in ("--plugin", name)]
    run(
        ikiwiki,
        *flags,
        "--url=https://ikiwiki.example",
        source,
        site,
        HOME=str(folder),
        LC_ALL="C.UTF-8",
    )
    for content in contents:
        path = f"/{content.kind}/{content.slug}/"
        html = (site / path[1:] / "index.html").read_bytes()
        yield page_of(content, path, html, TRUTH, roles=ROLES)
