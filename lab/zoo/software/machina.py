"""django-machina, a forum from PyPI, with its own templates on SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..publish import as_thread, plain_thread
from ..record import Page, page_of
from ..serve import django

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"thread": 16}
PACKAGES: Final = ("django-machina==1.3.1", "django<5")
TRUTH: Final = "#main_container h1, .post-content"
ROLES: Final = {
    "header": "nav.navbar",
    "breadcrumb": "nav[aria-label=breadcrumb], ol.breadcrumb",
    "navigation": "nav.navbar div.navbar-nav",
    "form": "nav.navbar form",
    "byline": ".post-content-wrapper > p, .post-sidebar, .topic-created, "
    ".topic-last-post, .topic-last-post-col, .topic-count + .topic-count, "
    ".topic-count-col + .topic-count-col",
    "comments": ".topic-name + .topic-count, .topic-name-col + .topic-count-col",
    "other": ".post-signature",
    "pagination": "ul.pagination",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    threads = [as_thread(content) for content in contents]
    with django("machina", folder, PACKAGES, threads) as (site, paths):
        for content in contents:
            path = paths[content.slug]
            html = site.get(path, **{"Accept-Language": content.language})
            source = plain_thread(content)
            yield page_of(content, path, html, TRUTH, roles=ROLES, source=source)
        forums = [name for name in paths if name.startswith("forum ")]
        for name in sorted(forums, key=lambda name: len(paths[name]))[:2]:
            yield Page(
                path=paths[name],
                html=site.get(paths[name]),
                content="#main_container h1, a.topic-name-link",
                title=name.removeprefix("forum "),
                roles=ROLES,
                type="listing",
                entries="a.topic-name-link",
            )
