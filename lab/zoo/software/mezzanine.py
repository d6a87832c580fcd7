"""Mezzanine from PyPI: its blog, and its shop Cartridge, on SQLite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

from ..publish import as_post, of_kind, rich_html
from ..record import Page
from ..serve import Site, debian, django
from ..tools import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"article": 10, "recipe": 2, "thread": 5, "product": 12}
DEPARTMENTS: Final = ("Household", "Leisure")
PACKAGES: Final = ("cartridge==1.3.4", "setuptools<81")
ASIDE: Final = "//div[contains(@class, 'right')]//h3"
RECENT: Final = "contains(@class, 'recent-posts')"
ROLES: Final = {
    "header": ".navbar-header",
    "navigation": "//*[contains(@class, 'navbar') or contains(@class, 'tree')]//ul | "
    "//button[contains(@class, 'navbar-toggle')] | "
    f"{ASIDE}[not(following-sibling::*[1][{RECENT}])] | "
    f"{ASIDE}/following-sibling::*[self::h6 or self::ul][not({RECENT})]",
    "breadcrumb": "ul.breadcrumb",
    "footer": "footer",
    "pagination": "ul.pager, ul.pagination",
    "form": ".navbar-form, .panel.rating, #add-cart",
    "byline": ".middle h6.post-meta, .middle ul.tags",
    "sidebar": "div.right",
    "related": f"//ul[{RECENT}] | {ASIDE}[following-sibling::*[1][{RECENT}]]",
    "share": f"//div[contains(@class, 'panel-body')][ul[{RECENT}]]",
}
POST_DROP: Final = (
    "h6.post-meta, .post-meta + p, ul.tags, .rating, .share-twitter, .share-facebook, "
    "ul.pager, #related-posts, #comments"
)
POST_ROLES: Final = ROLES | {
    "related": f"//*[@id='related-posts'] | {ROLES['related']}",
    "comments": "#comments, .post-meta + p",
}
RELATED: Final = (
    "//div[contains(@class, 'related-products')] | "
    "//div[contains(@class, 'related-products')]/preceding-sibling::h2[1]"
)
PRODUCT_DROP: Final = (
    "//*[@id='add-cart'] | //*[@id='variations']/li[@style] | "
    f"//*[contains(@class, 'rating')] | {RELATED}"
)
LIST_DROP: Final = (
    "h6.post-meta, .blog-list-detail, ul.tags, .rating, .share-twitter, "
    ".share-facebook, ul.pager, ul.pagination, form, .btn"
)


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    threads, products = of_kind(contents, "thread"), of_kind(contents, "product")
    posts = of_kind(contents, "article", "recipe")
    shop = [
        {
            **content.data,
            "slug": content.slug,
            "title": content.title,
            "html": rich_html(content),
            "price": str(content.data["price"]),
            "variants": content.data.get("variants", ()),
            "category": DEPARTMENTS[crc32(content.name.encode()) % len(DEPARTMENTS)],
        }
        for content in products
    ]
    site = {"posts": [as_post(post, threads) for post in posts], "products": shop}
    locales = _irish_locale(folder)
    with django("mezzanine", folder, PACKAGES, site, LOCPATH=str(locales)) as (
        server,
        paths,
    ):
        for content in posts:
            yield _page(server, paths, content, POST_DROP, POST_ROLES, "article")
        roles = ROLES | {"related": RELATED}
        for content in products:
            yield _page(server, paths, content, PRODUCT_DROP, roles, "product")
        yield from _listings(server, paths)


def _irish_locale(folder: Path) -> Path:
    """A folder with the locale that prices are written in: English and euro."""
    sources = debian("locales") / "usr/share/i18n"
    if not (folder / "locale/en_IE.UTF-8").is_dir():
        (folder / "locale").mkdir(exist_ok=True)
        run("localedef", "--no-archive", "-c", "-f", "UTF-8", "-i", "en_IE",
            folder / "locale/en_IE.UTF-8", I18NPATH=str(sources))  # fmt: skip
    return folder / "locale"


def _page(
    site: Site,
    paths: Mapping[str, str],
    content: Content,
    drop: str,
    roles: Mapping[str, str],
    type_: str,
) -> Page:
    return Page(
        path=paths[content.slug],
        html=site.get(paths[content.slug]),
        content=".container > h1, .middle",
        drop=drop,
        title=content.title,
        roles=roles,
        type=type_,
        language=content.language,
        source=f"{content.plain} {content.data.get('price', '')}",
    )


def _listings(site: Site, paths: Mapping[str, str]) -> Iterator[Page]:
    names = {"Blog": "/blog/"} | {
        name: paths[f"category {name}"] for name in DEPARTMENTS
    }
    for title, path in names.items():
        yield Page(
            path=path,
            html=site.get(path),
            content=".container > h1, .middle",
            drop=LIST_DROP,
            title=title,
            roles=ROLES,
            type="listing" if title == "Blog" else "collection",
            entries=".middle > h2 a, .product-list a.thumbnail",
        )
