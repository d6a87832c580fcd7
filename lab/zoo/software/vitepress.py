"""VitePress with its default theme, and the plug-ins of Markdown that many add."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 10, "wiki": 2, "article": 3, "recipe": 1}
PACKAGES: Final = (
    "vitepress@1", "vue@3", "markdown-it-footnote@4", "markdown-it-deflist@3",
    "markdown-it-sup@2",
)  # fmt: skip
ADMONITIONS: Final = {
    "note": "info",
    "tip": "tip",
    "warning": "warning",
    "danger": "danger",
}
SETTINGS: Final = """
import footnote from 'markdown-it-footnote'
import deflist from 'markdown-it-deflist'
import sup from 'markdown-it-sup'

export default {
  title: 'Atlas', description: 'Maps from plain files', ignoreDeadLinks: true,
  cleanUrls: true, lastUpdated: false,
  markdown: {lineNumbers: true, config: md => md.use(footnote).use(deflist).use(sup)},
  themeConfig: {
    nav: [{text: 'Guide', link: '/'}, {text: 'Blog', link: '/blog'},
          {text: '4.2', items: [{text: 'Changes', link: '/changes'}]}],
    sidebar: SIDEBAR,
    search: {provider: 'local'},
    socialLinks: [{icon: 'github', link: 'https://code.example/atlas'}],
    editLink: {pattern: 'https://code.example/atlas/edit/main/:path'},
    footer: {message: 'Released under the MIT licence.',
             copyright: 'Copyright © 2025 the Atlas contributors'},
  },
}
"""
ROLES: Final = {
    "header": "header.VPNav",
    "navigation": "nav.VPNavBarMenu, div.VPNavBarExtra, aside.VPSidebar, "
    "div.VPLocalNav, div.aside",
    "form": "div.VPNavBarSearch",
    "pagination": "footer.VPDocFooter nav.prev-next",
    "other": "div.appearance, div.edit-link, div.line-numbers-wrapper",
    "legal": "footer.VPFooter",
}
DROP: Final = (
    "a.header-anchor, button.copy, div[class*=language-] > span.lang, "
    "div.line-numbers-wrapper, a.footnote-backref"
)


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = npm(folder, *PACKAGES)
    site = fresh(folder / "site")
    groups: dict[str, list[dict[str, str]]] = {}
    for content in contents:
        link = f"/{content.kind}/{content.slug}"
        item = {"text": content.title, "link": link}
        groups.setdefault(content.kind.title(), []).append(item)
        text = f"# {content.title}\n\n{content.markup('markdown', _box)}"
        write(site / f"{link[1:]}.md", text)
    write(site / "index.md", "# Atlas\n\nMaps from plain files.\n")
    sidebar = [{"text": name, "items": items} for name, items in groups.items()]
    settings = SETTINGS.replace("SIDEBAR", json.dumps(sidebar, ensure_ascii=False))
    write(site / ".vitepress" / "config.mjs", settings)
    run(programs / "vitepress", "build", site, cwd=folder)
    for content in contents:
        path = f"/{content.kind}/{content.slug}"
        file = site / ".vitepress" / "dist" / f"{path[1:]}.html"
        truth = "main.main div.vp-doc"
        yield page_of(content, path, file.read_bytes(), truth, drop=DROP, roles=ROLES)


def _box(kind: str, title: str, text: str) -> str:
    if kind in ADMONITIONS:
        return f"::: {ADMONITIONS[kind]} {title}\n\n{text}\n\n:::"
    return html_box(kind, title, text)
