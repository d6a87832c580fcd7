"""Hugo, with the theme that ``hugo new theme`` writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ..content import html_box
from ..record import Page, page_of
from ..tools import fresh, python, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {
    "article": 6,
    "recipe": 1,
    "about": 1,
    "landing": 1,
    "product": 2,
    "documentation": 2,
}
SETTINGS: Final = """
baseURL = 'https://hugo.example/'
languageCode = 'en'
title = 'Harbour notes'
theme = 'own'
[markup.goldmark.renderer]
unsafe = true
[markup.goldmark.extensions.extras.superscript]
enable = true
[markup.highlight]
lineNos = true
[menus]
main = [{name = 'Home', pageRef = '/', weight = 1},
        {name = 'Posts', pageRef = '/posts', weight = 2},
        {name = 'Tags', pageRef = '/tags', weight = 3}]
"""
TRUTH: Final = "main"
TAGS: Final = "//main/div[div[1][normalize-space()='Tags:']]"
DROP: Final = f"{TAGS} | //main/time | //span[@class='lnt' or @class='ln']"
ROLES: Final = {
    "header": "body > header",
    "navigation": "body > header nav",
    "byline": f"//main/time | {TAGS}",
    "legal": "body > footer",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    hugo = python("hugo", "hugo") / "hugo"
    site = fresh(folder / "site")
    run(hugo, "new", "theme", "own", "--themesDir", "themes", cwd=site)
    write(site / "hugo.toml", SETTINGS)
    for content in contents:
        head = {"title": content.title, "date": content.date, "tags": content.tags}
        front = json.dumps(head, ensure_ascii=False)
        text = content.markup("markdown", html_box)
        write(site / "content" / "posts" / f"{content.slug}.md", f"{front}\n\n{text}")
    run(hugo, "--quiet", cwd=site)
    for content in contents:
        path = f"/posts/{content.slug}/"
        html = (site / "public" / path[1:] / "index.html").read_bytes()
        yield page_of(content, path, html, TRUTH, drop=DROP, roles=ROLES)
    yield Page(
        path="/posts/",
        html=(site / "public" / "posts" / "index.html").read_bytes(),
        content=TRUTH,
        drop=DROP,
        roles=ROLES,
        title="Posts",
        type="listing",
    )
