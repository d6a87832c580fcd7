"""Hexo: blogs with its default theme and the three that most of its users take."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import yaml

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {
    "article": 12, "recipe": 2, "documentation": 4, "wiki": 1, "about": 2, "product": 1,
}  # fmt: skip
PACKAGES: Final = (
    "hexo@7", "hexo-generator-archive@2", "hexo-generator-category@2",
    "hexo-generator-index@4", "hexo-generator-tag@2", "hexo-renderer-ejs@2",
    "hexo-renderer-marked@7", "hexo-renderer-stylus@3", "hexo-renderer-pug@3",
    "hexo-theme-landscape@1.1.0", "hexo-theme-next@8.29.0",
    "hexo-theme-butterfly@5.7.0", "hexo-theme-fluid@1.9.9",
)  # fmt: skip
TRUTH: Final = {
    "landscape": "header.article-header h1, div.article-entry",
    "next": "h1.post-title, div.post-body",
    "butterfly": "#post-info h1.post-title, #page-site-info h1, #article-container",
    "fluid": "#board h1#seo-header, #board div.markdown-body",
}
LISTS: Final = {
    "landscape": "article h1[itemprop=name], article div.article-entry",
    "next": "h2.post-title, div.post-body",
}
DROP: Final = (
    "td.gutter, a.headerlink, a.article-more-link, p.article-more-link, "
    "div.post-button, div.highlight-tools"
)
ROLES: Final[dict[str, dict[str, str]]] = {
    "landscape": {
        "header": "header#header",
        "navigation": "nav#main-nav, nav#mobile-nav, aside#sidebar",
        "form": "form.search-form",
        "share": "footer.article-footer",
        "related": "aside#sidebar > div:last-child, p.article-more-link",
        "byline": "div.article-meta, ul.article-tag-list",
        "pagination": "nav#article-nav, nav#page-nav",
        "legal": "footer#footer",
    },
    "next": {
        "header": "header.header > div",
        "navigation": "ul.sidebar-nav, div.post-toc, div.back-to-top",
        "sidebar": "div.site-overview-wrap",
        "byline": "div.post-meta-container, div.post-tags",
        "related": "div.post-button",
        "pagination": "div.post-nav, nav.pagination",
        "footer": "footer.footer",
        "legal": "footer div.copyright",
        "other": "div.noscript-warning",
    },
    "butterfly": {
        "header": "nav#nav",
        "navigation": "div#sidebar, #card-toc",
        "byline": "#post-meta, div.post-meta__tag-list",
        "share": "div.post-share, div.card-info",
        "related": "div.relatedPosts, div.card-recent-post",
        "pagination": "nav.pagination-post",
        "sidebar": "div#aside-content, div.author-info-name, div.site-data",
        "legal": "footer#footer, div.post-copyright",
    },
    "fluid": {
        "header": "nav#navbar",
        "navigation": "ul.navbar-nav, #mobile-grid-menu, aside.sidebar",
        "form": "#mobile-search-btn, #modalSearch",
        "other": "#mobile-color-toggle-btn, div.noscript-warning",
        "byline": "div.post-metas, #banner .mt-3, #banner .mt-1",
        "pagination": "div.post-prevnext",
        "legal": "div.license-box",
        "footer": "footer",
    },
}
SETTINGS: Final[dict[str, Any]] = {
    "title": "Harbour notes",
    "subtitle": "Letters from the quay",
    "author": "Mara Lindqvist",
    "language": "en",
    "timezone": "UTC",
    "permalink": ":year/:month/:day/:title/",
    "syntax_highlighter": "highlight.js",
    "highlight": {"line_number": True, "wrap": True, "hljs": False},
    "index_generator": {"per_page": 6, "order_by": "-date"},
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = npm(folder, *PACKAGES)
    package = json.loads((folder / "package.json").read_text())
    write(folder / "package.json", json.dumps({**package, "hexo": {}}))  # a site
    source = fresh(folder / "source")
    fresh(folder / "scaffolds")
    for content in contents:
        _write(source, content)
    for place, theme in enumerate(TRUTH):
        own = contents[place :: len(TRUTH)]
        settings = {"url": f"https://hexo.example/{theme}", "root": f"/{theme}/"}
        settings |= SETTINGS | {"theme": theme, "public_dir": f"public-{theme}"}
        write(folder / "_config.yml", yaml.safe_dump(settings))
        run(programs / "hexo", "clean", cwd=folder)
        run(programs / "hexo", "generate", cwd=folder)
        for content in own:
            path = _path(content)
            html = (folder / f"public-{theme}" / path[1:] / "index.html").read_bytes()
            truth, roles = TRUTH[theme], ROLES[theme]
            yield page_of(
                content, path, html, truth, drop=DROP, roles=roles, template=theme
            )
        if theme in LISTS:
            yield Page(
                path="/",
                html=(folder / f"public-{theme}" / "index.html").read_bytes(),
                content=LISTS[theme],
                drop=DROP,
                roles=ROLES[theme],
                title="",
                type="listing",
                entries="article h1 a.p-name, article h2.post-title a",
                template=theme,
            )


def _path(content: Content) -> str:
    if content.kind == "about":
        return f"/{content.slug}/"
    return f"/{content.date.replace('-', '/')}/{content.slug}/"


def _write(source: Path, content: Content) -> None:
    first, _, rest = content.markup("gfm", html_box).partition("\n\n")
    head: dict[str, Any] = {
        "title": content.title,
        "date": f"{content.date} 12:00:00",
        "author": content.author,
    }
    about = content.kind == "about"
    if not about:
        head |= {"tags": list(content.tags), "categories": [content.kind]}
    more = "" if about or not rest.strip() else "<!-- more -->\n\n"
    text = (
        f"---\n{json.dumps(head, ensure_ascii=False)}\n---\n\n{first}\n\n{more}{rest}"
    )
    name = f"{content.slug}/index.md" if about else f"_posts/{content.slug}.md"
    write(source / name, text)
