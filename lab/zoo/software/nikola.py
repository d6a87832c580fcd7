"""Nikola, with three of its themes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, python, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {
    "article": 9, "recipe": 1, "about": 2, "landing": 1, "wiki": 1, "product": 2,
}  # fmt: skip
SETTINGS: Final = """
POSTS = (("posts/*.md", "posts", "post.tmpl"),)
PAGES = (("pages/*.md", "pages", "page.tmpl"),)
COMPILERS = {"markdown": (".md",)}
MARKDOWN_EXTENSIONS = ["fenced_code", "codehilite", "extra"]
INDEX_TEASERS = True
CONTENT_FOOTER = "Contents © {date} {author} - Powered by Nikola"
CONTENT_FOOTER_FORMATS = {"en": ((), {"date": "2025", "author": "Mara Lindqvist"})}
SOCIAL_BUTTONS_CODE = '''<ul class="social"><li><a href="#">Share</a></li>
<li><a href="#">Mail</a></li></ul>'''
"""
THEMES: Final = ("bootblog4", "bootstrap4", "base")
TRUTH: Final = "article h1.p-name, article h1.entry-title, div[itemprop~='articleBody']"
DROP: Final = "a.footnote-backref, td.linenos"
ROLES: Final = {
    "header": "header.blog-header, nav.navbar, header#header",
    "navigation": "ul.navbar-nav, nav#menu",
    "byline": "article header div.metadata, ul.tags",
    "comments": "p.commentline, section.comments",
    "pagination": "ul.pager",
    "sidebar": "aside.blog-sidebar, div.blog-sidebar",
    "share": "//ul[@class='social'] | //nav//li[a[contains(@href, 'rss.xml')]]",
    "other": "//p[contains(@class, 'sourceline')] | //li[a[@id='sourcelink']]",
    "legal": "footer.blog-footer, footer#footer",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    nikola = python("nikola", "Nikola==8.3.3") / "nikola"
    for place, theme in enumerate(THEMES):
        site = fresh(folder / theme)
        run(nikola, "init", "-q", "site", cwd=site)
        site /= "site"
        settings = (site / "conf.py").read_text("utf-8")
        write(site / "conf.py", f"{settings}\n{SETTINGS}\nTHEME = {theme!r}\n")
        for content in contents:
            write(site / _place(content) / f"{content.slug}.md", _post(content))
        run(nikola, "build", cwd=site)
        for content in contents[place :: len(THEMES)]:
            path = f"/{_place(content)}/{content.slug}/"
            yield page_of(
                content,
                path,
                (site / "output" / path[1:] / "index.html").read_bytes(),
                TRUTH,
                drop=DROP,
                roles=ROLES,
                template=theme,
            )


def _place(content: Content) -> str:
    return "pages" if content.kind in {"about", "landing"} else "posts"


def _post(content: Content) -> str:
    head = {
        "title": content.title,
        "slug": content.slug,
        "date": f"{content.date} 12:00:00 UTC",
        "author": content.author,
        "tags": ", ".join(content.tags),
        "category": content.kind,
    }
    lines = "\n".join(f".. {name}: {value}" for name, value in head.items())
    text = content.markup("markdown_phpextra", html_box)
    text = text.replace("<div class", '<div markdown="1" class')
    return f"<!--\n{lines}\n-->\n\n{text}"
