"""Pelican, with the two themes that it brings."""

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
    "article": 8, "recipe": 2, "about": 2, "landing": 1, "product": 1, "thread": 1,
}  # fmt: skip
SETTINGS: Final = """
AUTHOR = "Mara Lindqvist"
SITENAME = "Harbour notes"
SITEURL = ""
PATH = "content"
TIMEZONE = "UTC"
DEFAULT_LANG = "en"
ARTICLE_URL = ARTICLE_SAVE_AS = "{slug}.html"
PAGE_URL = PAGE_SAVE_AS = "pages/{slug}.html"
LINKS = (("Harbour Store", "https://store.example/"), ("Forum", "https://forum.example/"))
SOCIAL = (("mastodon", "https://social.example/@harbour"),)
GITHUB_URL = "https://code.example/harbour"
DEFAULT_PAGINATION = 6
SUMMARY_MAX_LENGTH = 40
STATIC_PATHS = []
MARKDOWN = {
    "extension_configs": {
        "markdown.extensions.codehilite": {"css_class": "highlight", "linenums": True},
        "markdown.extensions.extra": {}, "markdown.extensions.meta": {},
    },
}
"""
TRUTH: Final = {
    "notmyidea": "section#content",
    "simple": "main > article",
}
DROP: Final = "footer.post-info, main > article > footer, td.linenos, span.linenos"
ROLES: Final = {
    "notmyidea": {
        "header": "header#banner",
        "navigation": "header#banner nav, div.blogroll",
        "byline": "footer.post-info",
        "share": "div.social",
        "footer": "footer#contentinfo",
    },
    "simple": {
        "header": "body > header",
        "navigation": "body > header nav",
        "byline": "main > article > footer",
        "footer": "body > footer",
    },
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    programs = python("pelican", "pelican[markdown]==4.11.0")
    site = fresh(folder / "site")
    write(site / "settings.py", SETTINGS)
    for content in contents:
        place = "pages/" if content.kind == "about" else ""
        write(site / "content" / place / f"{content.slug}.md", _post(content))
    for place, theme in enumerate(TRUTH):
        flags = ("-q", "-s", "settings.py", "-t", theme, "-o", f"out-{theme}")
        run(programs / "pelican", *flags, cwd=site)
        for content in contents[place :: len(TRUTH)]:
            pages = "pages/" if content.kind == "about" else ""
            path = f"/{pages}{content.slug}.html"
            yield page_of(
                content,
                path,
                (site / f"out-{theme}" / path[1:]).read_bytes(),
                TRUTH[theme],
                drop=DROP,
                roles=ROLES[theme],
                template=theme,
            )


def _post(content: Content) -> str:
    head = {
        "Title": content.title,
        "Slug": content.slug,
        "Date": content.date,
        "Authors": content.author,
        "Category": content.kind,
        "Tags": ", ".join(content.tags),
    }
    lines = "\n".join(f"{name}: {value}" for name, value in head.items() if value)
    text = content.markup("markdown_phpextra", html_box)
    return f"{lines}\n\n" + text.replace("<div class", '<div markdown="1" class')
