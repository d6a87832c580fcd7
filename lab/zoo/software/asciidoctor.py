"""Asciidoctor: single pages, with and without a table of contents at the side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..record import Page, page_of
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 6, "article": 4, "wiki": 2, "recipe": 1, "about": 1}
OPTIONS: Final = (
    "sectanchors", "sectlinks", "source-highlighter=rouge", "icons=font", "linkcss!",
)  # fmt: skip
ATTRIBUTES: Final = (
    ("toc=left",),
    ("toc", "revnumber=4.2"),
    ("rouge-linenums-mode=table", "source-linenums-option"),
)
ROLES: Final = {
    "navigation": "#toc",
    "byline": "#header > div.details, #footer",
}
TRUTH: Final = "#header > h1, #content"
DROP: Final = "a.anchor, #toc, td.linenos, i.conum"


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    asciidoctor = need("asciidoctor", "asciidoctor")
    site = fresh(folder / "site")
    for place, content in enumerate(contents):
        head = f"= {content.title}\n{content.author}\n{content.date}\n\n"
        write(site / f"{content.slug}.adoc", head + content.markup("asciidoc", _box))
        options = [*OPTIONS, *ATTRIBUTES[place % len(ATTRIBUTES)]]
        flags = [part for option in options for part in ("-a", option)]
        run(asciidoctor, *flags, f"{content.slug}.adoc", cwd=site, LANG="C.UTF-8")
        html = (site / f"{content.slug}.html").read_bytes()
        path = f"/{content.slug}.html"
        yield page_of(content, path, html, TRUTH, drop=DROP, roles=ROLES)


def _box(kind: str, title: str, text: str) -> str:
    if kind == "tabs":
        return text
    if kind == "tab":
        return f".{title}\n--\n{text}\n--"
    label = "CAUTION" if kind == "danger" else kind.upper()
    return f".{title}\n[{label}]\n====\n{text}\n===="
