"""DocBook, by the stylesheets that make a page of every chapter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from ..record import Page, page_of
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 8, "wiki": 3, "article": 2}
STYLES: Final = "/usr/share/xml/docbook/stylesheet/docbook-xsl-ns"
#: The stylesheets with names of elements in HTML 4 and in XHTML 5.
TEMPLATES: Final = {"html": "html/chunk.xsl", "xhtml5": "xhtml5/chunk.xsl"}
PARAMETERS: Final = {
    "use.id.as.filename": "1",
    "chunk.section.depth": "0",
    "html.stylesheet": "style.css",
    "html.ext": ".html",
    "chunker.output.encoding": "UTF-8",
    "admon.graphics": "1",
    "section.autolabel": "0",
    "chapter.autolabel": "0",
}
TRUTH: Final = "div.chapter, section.chapter"
DROP: Final = "div.toc"
ROLES: Final = {
    "header": "div.navheader th",
    "navigation": "div.toc",
    "pagination": "div.navheader, div.navfooter",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    xsltproc = need("xsltproc", "xsltproc docbook-xsl-ns")
    for place, (template, style) in enumerate(TEMPLATES.items()):
        site = fresh(folder / template)
        own = contents[place :: len(TEMPLATES)]
        write(site / "book.xml", _book(own))
        flags = [f for p in PARAMETERS.items() for f in ("--stringparam", *p)]
        run(xsltproc, "--nonet", *flags, f"{STYLES}/{style}", "book.xml", cwd=site)
        for content in own:
            path = f"/{content.slug}.html"
            html = (site / path[1:]).read_bytes()
            yield page_of(
                content, path, html, TRUTH, drop=DROP, roles=ROLES, template=template
            )


def _book(contents: Sequence[Content]) -> str:
    chapters = "\n".join(map(_chapter, contents))
    return (
        '<book xmlns="http://docbook.org/ns/docbook" version="5.0"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink">\n'
        f"<info><title>Atlas handbook</title></info>\n{chapters}\n</book>\n"
    )


def _chapter(content: Content) -> str:
    title = escape(content.title)
    text = content.markup("docbook5", _box)
    return f'<chapter xml:id="{content.slug}"><title>{title}</title>\n{text}</chapter>'


def _box(kind: str, title: str, text: str) -> str:
    if kind == "tabs":
        return text
    name = {"tab": "example", "danger": "caution"}.get(kind, kind)
    return f"<{name}><title>{escape(title)}</title>\n{text}\n</{name}>"
