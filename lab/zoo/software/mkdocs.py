"""MkDocs, with its own two themes, Material, and shadcn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import yaml

from ..content import indented
from ..record import Page, page_of
from ..tools import fresh, python, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 14, "wiki": 2, "article": 6, "about": 1, "recipe": 1}
PACKAGES: Final = ("mkdocs==1.6.1", "mkdocs-material==9.6.14", "mkdocs-shadcn==0.12.2")
EXTENSIONS: Final = [
    "admonition", "attr_list", "def_list", "footnotes", "tables", "md_in_html",
    {"toc": {"permalink": True}},
    "pymdownx.caret", "pymdownx.superfences", "pymdownx.highlight",
    {"pymdownx.tabbed": {"alternate_style": True}},
]  # fmt: skip
THEMES: Final[dict[str, dict[str, Any]]] = {
    "material": {
        "name": "material",
        "features": [
            "navigation.tabs", "navigation.sections", "navigation.footer",
            "navigation.path", "content.action.edit", "content.code.copy", "toc.follow",
            "announce.dismiss", "navigation.top", "search.suggest",
        ],
    },
    "mkdocs": {"name": "mkdocs", "user_color_mode_toggle": True},
    "readthedocs": {"name": "readthedocs"},
    "shadcn": {"name": "shadcn"},
}  # fmt: skip
TRUTH: Final = {
    "material": "article.md-content__inner",
    "mkdocs": "div[role=main]",
    "readthedocs": "div[itemprop=articleBody]",
    "shadcn": "article h1, article > div.typography",
}
DROP: Final = "a.headerlink, .linenos, nav.md-code__nav, .tabbed-set > input"
MORE_DROP: Final = {
    "material": ", .md-content__button, aside.md-source-file, .md-path, .md-tags",
}
ROLES: Final = {
    "material": {
        "header": "header.md-header",
        "navigation": "div[data-md-component=skip], nav.md-tabs, .md-sidebar, .md-top",
        "form": "div.md-search",
        "footer": "footer.md-footer .md-footer-meta",
        "legal": "div.md-copyright__highlight",
        "pagination": "nav.md-footer__inner",
        "breadcrumb": "nav.md-path",
    },
    "mkdocs": {
        "header": "div.navbar",
        "navigation": "#navbar-collapse, div.bs-sidebar",
        "pagination": "//li[a[@rel='prev' or @rel='next']]",
        "form": "//li[a[@data-bs-target='#mkdocs_search_modal']] | "
        "//div[@id='mkdocs_search_modal']",
        "other": "//li[a[contains(@href, '/edit/')]] | //li/button | "
        "//div[@id='mkdocs_keyboard_modal']",
        "footer": "footer",
        "legal": "footer > p:first-of-type",
    },
    "readthedocs": {
        "header": "div.wy-side-nav-search, nav.wy-nav-top",
        "navigation": "nav.wy-nav-side .wy-menu",
        "form": "div[role=search]",
        "breadcrumb": "div[role=navigation][aria-label*=breadcrumbs]",
        "other": "li.wy-breadcrumbs-aside",
        "pagination": "div.rst-footer-buttons, div.rst-versions",
        "footer": "footer",
        "legal": "footer div[role=contentinfo]",
    },
    "shadcn": {
        "header": "header",
        "navigation": "div[class~='group/sidebar-wrapper'] > div:first-child, #toc, "
        "#bottom-sidebar, #burger-button",
        "form": "header button.search",
        "pagination": "#page-header > div, #bottom-navigation",
        "other": "#copy-page",
        "footer": "footer",
    },
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = python("mkdocs", *PACKAGES)
    for place, theme in enumerate(THEMES):
        site = fresh(folder / theme)
        own = contents[place :: len(THEMES)]
        _write_site(site, theme, contents)
        run(programs / "mkdocs", "build", "--quiet", cwd=site)
        for content in own:
            path = f"/{content.kind}/{content.slug}/"
            yield page_of(
                content,
                path,
                (site / "site" / path[1:] / "index.html").read_bytes(),
                TRUTH[theme],
                drop=DROP + MORE_DROP.get(theme, ""),
                roles=ROLES[theme],
                template=theme,
            )


def _write_site(site: Path, theme: str, contents: Sequence[Content]) -> None:
    nav: dict[str, list[Any]] = {}
    for content in contents:
        name = f"{content.kind}/{content.slug}.md"
        nav.setdefault(content.kind.title(), []).append({content.title: name})
        # shadcn writes the title above the text by itself.
        title = "" if theme == "shadcn" else f"# {content.title}\n\n"
        write(site / "docs" / name, title + content.markup("markdown", _box))
    write(site / "docs" / "index.md", "# Atlas\n\nMaps from plain files.\n")
    settings = {
        "site_name": "Atlas",
        "site_url": "https://mkdocs.example/",
        "repo_url": "https://code.example/atlas/atlas",
        "repo_name": "atlas/atlas",
        "edit_uri": "edit/main/docs/",
        "copyright": "Copyright © 2021 to 2025 the Atlas contributors",
        "theme": THEMES[theme],
        "markdown_extensions": EXTENSIONS,
        "plugins": ["search"],
        "nav": [{"Home": "index.md"}, *({name: pages} for name, pages in nav.items())],
    }
    write(site / "mkdocs.yml", yaml.safe_dump(settings, allow_unicode=True))


def _box(kind: str, title: str, text: str) -> str:
    if kind == "tabs":
        return text
    head = f'=== "{title}"' if kind == "tab" else f'!!! {kind} "{title}"'
    return f"{head}\n\n{indented(text)}\n"
