"""Sphinx, with the themes that most documentations have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..content import indented
from ..record import Page, page_of
from ..tools import fresh, python, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"documentation": 16, "wiki": 3, "article": 5, "recipe": 2, "about": 1}
PACKAGES: Final = (
    "sphinx==8.1.3", "furo==2025.12.19", "pydata-sphinx-theme==0.17.1",
    "sphinx-rtd-theme==3.1.0", "sphinx-book-theme==1.3.0", "piccolo-theme==0.24.0",
    "sphinx-copybutton==0.5.2", "sphinx-design==0.8.0",
)  # fmt: skip
REPOSITORY: Final = {
    "repository_url": "https://github.com/atlas-maps/atlas",
    "use_edit_page_button": True,
}
THEMES: Final[dict[str, dict[str, Any]]] = {
    "furo": {
        "source_repository": "https://code.example/atlas/",
        "source_branch": "main",
        "source_directory": "docs/",
    },
    "pydata_sphinx_theme": {
        "show_prev_next": True,
        "announcement": "Atlas 4.2 is out",
        "secondary_sidebar_items": ["page-toc", "edit-this-page"],
        "use_edit_page_button": True,
    },
    "sphinx_rtd_theme": {"prev_next_buttons_location": "both"},
    "alabaster": {
        "github_user": "atlas",
        "github_repo": "atlas",
        "show_related": True,
        "description": "Maps from plain files",
    },
    "sphinx_book_theme": REPOSITORY
    | {"use_issues_button": True, "path_to_docs": "docs"},
    "classic": {},
    "piccolo_theme": {"source_url": "https://code.example/atlas"},
    "bizstyle": {},
}  # fmt: skip
TRUTH: Final = {
    "furo": "article#furo-main-content",
    "pydata_sphinx_theme": "article.bd-article",
    "sphinx_rtd_theme": "div[itemprop=articleBody]",
    "alabaster": "div.body",
    "sphinx_book_theme": "article.bd-article",
    "classic": "div.body",
    "piccolo_theme": "div.body",
    "bizstyle": "div.body",
}
DROP: Final = (
    "a.headerlink, button.copybtn, span.linenos, td.linenos, input.sd-tab-input, "
    "div.clearer"
)
OLD: Final = {
    "navigation": "div.related, div.sphinxsidebar",
    "breadcrumb": "div.related li.nav-item",
    "pagination": "div.related li.right + li.right, div.sphinxsidebar h4, p.topless",
    "form": "#searchbox",
    "other": "div.sphinxsidebar div[role=note]",
    "legal": "div.footer",
}
ROLES: Final = {
    "furo": {
        "navigation": "div.sidebar-tree, aside.toc-drawer",
        "header": "header.mobile-header, aside.sidebar-drawer",
        "other": "div.content-icon-container",
        "pagination": "footer div.related-pages",
        "footer": "footer div.bottom-of-page",
        "legal": "div.copyright",
        "byline": "div.last-updated",
    },
    "pydata_sphinx_theme": {
        "header": "header.bd-header, aside.bd-header-announcement",
        "navigation": "#pst-skip-link, #pst-back-to-top, header.bd-header nav, "
        "div.bd-sidebar-primary, div.bd-sidebar-secondary",
        "form": "form.bd-search, button.search-button-field",
        "other": "div.pst-sidebar-collapse, div.editthispage",
        "breadcrumb": "nav[aria-label=Breadcrumb]",
        "pagination": "footer.prev-next-footer",
        "footer": "footer.bd-footer",
        "legal": "p.copyright",
    },
    "sphinx_rtd_theme": {
        "navigation": "div.wy-menu",
        "header": "div.wy-side-nav-search, nav.wy-nav-top",
        "form": "div[role=search]",
        "breadcrumb": "ul.wy-breadcrumbs",
        "other": "li.wy-breadcrumbs-aside",
        "pagination": "div.rst-footer-buttons, div.rst-breadcrumbs-buttons",
        "footer": "div.rst-content > footer",
        "legal": "footer > div[role=contentinfo]",
    },
    "alabaster": OLD
    | {
        "header": "h1.logo, p.blurb",
        "pagination": "div.relations ul ul",
    },
    "sphinx_book_theme": {
        "header": "header.bd-header, a.navbar-brand",
        "navigation": "#pst-skip-link, #pst-back-to-top, div.bd-sidebar-primary, "
        "div.bd-sidebar-secondary, #jb-print-toc",
        "form": "form.bd-search, button.search-button-field",
        "other": "div.bd-header-article",
        "share": "button.btn-download-pdf-button",
        "pagination": "footer.prev-next-footer",
        "footer": "footer.bd-footer-content",
        "legal": "p.copyright",
        "byline": "p.component-author, p.last-updated",
    },
    "classic": OLD,
    "piccolo_theme": {
        "header": "#top_nav",
        "other": "#toggle_sidebar",
        "form": "#searchbox",
        "navigation": "div.sphinxsidebar, #show_right_sidebar, #right_sidebar",
        "pagination": "div.button_nav",
        "legal": "div.footer",
        "footer": "#theme_credit",
    },
    "bizstyle": OLD,
}
SETTINGS: Final = """
project = "Atlas"
author = "the Atlas contributors"
copyright = "2021 to 2025, the Atlas contributors"
version = release = "4.2"
extensions = ["sphinx_copybutton", "sphinx_design"] + {more}
html_theme = {theme!r}
html_theme_options = {options!r}
html_last_updated_fmt = "%d %b %Y"
html_context = {{
    "github_user": "atlas", "github_repo": "atlas", "github_version": "main",
    "doc_path": "docs",
}}
suppress_warnings = ["misc.highlighting_failure"]
"""


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = python("sphinx", *PACKAGES)
    for place, theme in enumerate(THEMES):
        site = fresh(folder / theme)
        _write_site(site, theme, contents)
        run(programs / "sphinx-build", "-q", site, site / "html")
        for content in contents[place :: len(THEMES)]:
            path = f"/{content.kind}/{content.slug}.html"
            yield page_of(
                content,
                path,
                (site / "html" / path[1:]).read_bytes(),
                TRUTH[theme],
                drop=DROP,
                roles=ROLES[theme],
                template=theme.replace("_", "-"),
            )


def _write_site(site: Path, theme: str, contents: Sequence[Content]) -> None:
    more = ["piccolo_theme"] if theme == "piccolo_theme" else []
    settings = SETTINGS.format(theme=theme, options=THEMES[theme], more=more)
    write(site / "conf.py", settings)
    trees = []
    for kind in dict.fromkeys(content.kind for content in contents):
        pages = [f"{kind}/{c.slug}" for c in contents if c.kind == kind]
        head = f".. toctree::\n   :caption: {kind.title()}\n   :maxdepth: 1\n\n"
        trees.append(head + indented("\n".join(pages), "   "))
    write(site / "index.rst", "\n\n".join(["Atlas\n=====", *trees]) + "\n")
    for content in contents:
        line = "=" * 2 * len(content.title)
        text = f"{content.title}\n{line}\n\n{content.markup('rst', _box)}"
        write(site / f"{content.kind}/{content.slug}.rst", text)


def _box(kind: str, title: str, text: str) -> str:
    heads = {"tabs": ".. tab-set::", "tab": f".. tab-item:: {title}"}
    head = heads.get(kind, f".. admonition:: {title}\n   :class: {kind}")
    return f"{head}\n\n{indented(text, '   ')}\n"
