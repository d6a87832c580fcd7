"""HonKit, which continues the books of GitBook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 8, "wiki": 2, "recipe": 1, "article": 2}
TRUTH: Final = "section.markdown-section"
ROLES: Final = {
    "header": "div.book-header",
    "navigation": "div.book-summary > nav",
    "pagination": "a.navigation",
    "form": "#book-search-input, div.search-results",
    "footer": "ul.summary > li:last-child",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = npm(folder, "honkit@6")
    book = fresh(folder / "book")
    write(book / "book.json", '{"title": "Atlas handbook", "author": "Mara Lindqvist"}')
    write(book / "README.md", "# Atlas\n\nMaps from plain files.\n")
    lines = ["# Summary", "", "- [Introduction](README.md)"]
    for content in contents:
        lines.append(f"- [{content.title}]({content.slug}.md)")
        # Its templates take double braces for their own.
        text = content.markup("gfm", html_box).replace("{{", "{ {").replace("{%", "{ %")
        write(book / f"{content.slug}.md", f"# {content.title}\n\n{text}")
    write(book / "SUMMARY.md", "\n".join(lines) + "\n")
    run(programs / "honkit", "build", cwd=book)
    for content in contents:
        path = f"/{content.slug}.html"
        html = (book / "_book" / path[1:]).read_bytes()
        yield page_of(content, path, html, TRUTH, roles=ROLES)
