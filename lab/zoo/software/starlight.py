"""Starlight, the documentation theme of Astro."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ..record import Page, page_of
from ..tools import fresh, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 10, "wiki": 2, "article": 3, "recipe": 1}
PACKAGES: Final = ("astro@5", "@astrojs/starlight@0.34", "sharp")
ADMONITIONS: Final = {
    "note": "note",
    "tip": "tip",
    "warning": "caution",
    "danger": "danger",
}
SETTINGS: Final = """
import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';

export default defineConfig({
  site: 'https://starlight.example',
  telemetry: false,
  integrations: [starlight({
    title: 'Atlas', lastUpdated: false, pagination: true,
    social: [{icon: 'github', label: 'Code', href: 'https://code.example/atlas'}],
    editLink: {baseUrl: 'https://code.example/atlas/edit/main/'},
    sidebar: SIDEBAR,
  })],
});
"""
COLLECTIONS: Final = """
import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';

export const collections = {
  docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }),
};
"""
TABS: Final = "import { Tabs, TabItem } from '@astrojs/starlight/components';\n\n"
TRUTH: Final = "main h1#_top, main div.sl-markdown-content"
DROP: Final = (
    "a.sl-anchor-link, div.copy, figure.frame > figcaption, a[data-footnote-backref], "
    "h2.sr-only"
)
ROLES: Final = {
    "header": "header.header",
    "navigation": "nav.sidebar, starlight-toc, mobile-starlight-toc",
    "form": "site-search",
    "share": "div.social-icons",
    "pagination": "footer div.pagination-links",
    "other": "div.right-group, div.mobile-preferences, footer > div.meta",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = npm(folder, *PACKAGES)
    docs = fresh(folder / "src") / "content" / "docs"
    write(folder / "src" / "content.config.ts", COLLECTIONS)
    kinds = dict.fromkeys(content.kind for content in contents)
    sidebar = [{"label": k.title(), "autogenerate": {"directory": k}} for k in kinds]
    write(folder / "astro.config.mjs", SETTINGS.replace("SIDEBAR", json.dumps(sidebar)))
    write(docs / "index.md", "---\ntitle: Atlas\n---\n\nMaps from plain files.\n")
    for content in contents:
        text, ending = content.markup("gfm", _box), "md"
        if "<TabItem" in text:
            text, ending = TABS + text, "mdx"
        head = json.dumps({"title": content.title}, ensure_ascii=False)
        name = f"{content.kind}/{content.slug}.{ending}"
        write(docs / name, f"---\n{head}\n---\n\n{text}")
    environment = {"ASTRO_TELEMETRY_DISABLED": "1"}
    run(programs / "astro", "build", cwd=folder, **environment)
    for content in contents:
        path = f"/{content.kind}/{content.slug}/"
        html = (folder / "dist" / path[1:] / "index.html").read_bytes()
        yield page_of(content, path, html, TRUTH, drop=DROP, roles=ROLES)


def _box(kind: str, title: str, text: str) -> str:
    if kind in ADMONITIONS:
        return f":::{ADMONITIONS[kind]}[{title}]\n\n{text}\n\n:::"
    if kind == "tabs":
        return f"<Tabs>\n{text}\n</Tabs>"
    return f'<TabItem label="{title}">\n\n{text}\n\n</TabItem>'
