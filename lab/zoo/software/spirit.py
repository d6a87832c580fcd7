"""Spirit, a forum from PyPI, with its own templates on SQLite."""

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
PACKAGES: Final = ("django-spirit==0.14.3",)
TRUTH: Final = "h1.headline, .comment__text"
ROLES: Final = {
    "header": "header.layout__header",
    "navigation": ".layout__categories, .layout__menu",
    "breadcrumb": "ul.breadcrumb_nav",
    "form": ".js-search-content, .layout__search, form",
    "byline": ".comment__info, .comment__img, .topic__category, .topic__date",
    "share": ".comment__footer",
    "comments": ".comments__footer_menu__notify, .topic__comments",
    "pagination": ".comments__footer_menu__paginator, .paginator",
    "footer": "footer",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    threads = [as_thread(content) for content in contents]
    with django("spirit", folder, PACKAGES, threads) as (site, paths):
        for content in contents:
            path = paths[content.slug]
            html = site.get(path, **{"Accept-Language": content.language})
            source = plain_thread(content)
            yield page_of(content, path, html, TRUTH, roles=ROLES, source=source)
        forums = sorted(name for name in paths if name.startswith("forum "))
        for path in ("/", *(paths[name] for name in forums[:2])):
            yield Page(
                path=path,
                html=site.get(path),
                content="h1.headline, .topic__title",
                title="Topics",
                roles=ROLES,
                type="listing",
                entries="a.topic__link",
            )
