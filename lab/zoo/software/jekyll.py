"""Jekyll with its default theme, minima."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {
    "article": 9, "recipe": 2, "about": 2, "wiki": 1, "documentation": 2, "thread": 1,
}  # fmt: skip
SETTINGS: Final = """
title: Harbour notes
description: Letters from the quay, on boats, bread and software.
email: letters@harbour.example
url: https://jekyll.example
twitter_username: harbournotes
github_username: harbournotes
theme: minima
show_excerpts: true
permalink: /:year/:month/:day/:title.html
plugins: [jekyll-feed, jekyll-seo-tag]
"""
TRUTH: Final = "h1.post-title, div.post-content"
ROLES: Final = {
    "header": "header.site-header",
    "navigation": "nav.site-nav",
    "byline": "p.post-meta",
    "share": "ul.social-media-list, p.rss-subscribe",
    "footer": "footer.site-footer",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    jekyll = need("jekyll", "jekyll jekyll-theme-minima")
    site = fresh(folder / "site")
    write(site / "_config.yml", SETTINGS)
    write(site / "index.md", "---\nlayout: home\n---\n")
    for content in contents:
        head = {
            "layout": "page" if content.kind == "about" else "post",
            "title": content.title,
            "author": content.author,
            "tags": content.tags,
        }
        if content.kind == "about":
            head["permalink"] = _path(content)
            name = f"{content.slug}.md"
        else:
            name = f"_posts/{content.date}-{content.slug}.md"
        text = content.markup("markdown_phpextra", html_box)
        text = text.replace("<div class", '<div markdown="1" class')
        front = json.dumps(head, ensure_ascii=False)
        write(site / name, f"---\n{front}\n---\n\n{text}")
    run(jekyll, "build", "--quiet", cwd=site, LANG="C.UTF-8", JEKYLL_ENV="production")
    for content in contents:
        html = (site / "_site" / _path(content)[1:]).read_bytes()
        drop = "a.reversefootnote"
        yield page_of(content, _path(content), html, TRUTH, drop=drop, roles=ROLES)
    yield Page(
        path="/",
        html=(site / "_site" / "index.html").read_bytes(),
        content="h2.post-list-heading, ul.post-list",
        drop="span.post-meta",
        roles={**ROLES, "byline": "span.post-meta"},
        title="Posts",
        type="listing",
        entries="ul.post-list a.post-link",
    )


def _path(content: Content) -> str:
    if content.kind == "about":
        return f"/{content.slug}.html"
    return f"/{content.date.replace('-', '/')}/{content.slug}.html"
