"""WordPress of Debian with three of its themes, on PHP's own server and MariaDB.

Needs the Debian packages php-cli, php-mysql, php-xml, php-mbstring, php-gd and
mariadb-server.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any, Final

from ..publish import as_post, of_kind
from ..record import Page, page_of
from ..serve import SITES, Site, debian, mariadb, serving
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"article": 20, "recipe": 4, "landing": 2, "about": 2, "thread": 8}
THEMES: Final = ("twentytwentyone", "twentytwentytwo", "twentytwentythree")
LOCALES: Final = {
    "ar": "ar", "de": "de_DE", "el": "el", "es": "es_ES", "fr": "fr_FR", "he": "he_IL",
    "ja": "ja", "pl": "pl_PL", "pt": "pt_BR", "ru": "ru_RU", "zh": "zh_CN",
}  # fmt: skip

CONFIG: Final = """<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:%(socket)s'); define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', '%(url)s'); define('WP_SITEURL', '%(url)s');
define('WP_HTTP_BLOCK_EXTERNAL', true); define('DISABLE_WP_CRON', true);
define('DISALLOW_FILE_MODS', true); define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""
#: Theme and language of a page are the request's.
PLUGIN: Final = """<?php
$filters = ['template' => 'THEME', 'stylesheet' => 'THEME', 'locale' => 'LOCALE'];
foreach ($filters as $name => $key) {
    add_filter($name, fn($own) => $_SERVER["HTTP_X_$key"] ?? $own);
}
"""

WIDGET: Final = "//*[contains(@class, 'widget_block')][.//*[contains(@class, '{}')]]"
META: Final = "//main/*[contains(@class, 'entry-content')]/following-sibling::div[1]"
LISTING_ROLES: Final = {
    "header": "body > div > header, .wp-site-blocks > header",
    "navigation": f"//header//nav | {WIDGET.format('wp-block-categories')} | "
    f"{WIDGET.format('wp-block-archives')}",
    "footer": "footer#colophon, .wp-site-blocks > footer",
    "form": "form",
    "byline": "article footer.entry-footer, .wp-block-post-date",
    "pagination": "nav.pagination, .wp-block-query-pagination",
    "related": WIDGET.format("wp-block-latest-"),
    "sidebar": "main > .wp-block-columns",
}
ROLES: Final = LISTING_ROLES | {
    "form": "form:not(#commentform)",
    "byline": "//*[contains(@class, 'entry-footer')] | "
    "//*[contains(@class, 'author-bio')] | "
    f"{META}[not(contains(@class, 'comments'))] | //*[contains(@class, 'post-date')] | "
    "//*[contains(@class, 'post-author') or contains(@class, 'post-terms')]",
    "pagination": "nav.post-navigation",
    "comments": "#comments, #respond, .wp-block-comments, .wp-block-post-comments",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    root = _unpack(fresh(folder / "site"))
    threads = of_kind(contents, "thread")
    posts = [content for content in contents if content.kind != "thread"]
    site = Site("wordpress")
    with mariadb(fresh(folder / "data")) as socket:
        run("mariadb", "--no-defaults", f"--socket={socket}", "-uroot",
            text="create database wordpress character set utf8mb4")  # fmt: skip
        write(root / "wp-config.php", CONFIG % {"socket": socket, "url": site.url})
        script = SITES / "wordpress.php"
        php = need("php", "php-cli")
        run(php, script, root, text=json.dumps(_site(posts, threads)))
        command = (php, "-d", "memory_limit=512M", "-S", site.url[7:], "-t", root)
        with serving(*command, log=folder / "php.log", port=site.port):
            yield from _pages(site, posts)


def _unpack(folder: Path) -> Path:
    themes = [f"wordpress-theme-{name}" for name in THEMES]
    libraries = ("php-getid3", "libjs-underscore", "libjs-cropper")
    files = debian("wordpress", "wordpress-l10n", *themes, *libraries)
    shutil.copytree(files / "usr/share", folder, symlinks=True, dirs_exist_ok=True)
    root = folder / "wordpress"
    write(root / "wp-content/mu-plugins/request.php", PLUGIN)
    return root


def _site(posts: Sequence[Content], threads: Sequence[Content]) -> dict[str, Any]:
    return {
        "title": "The Corner Bench",
        "themes": THEMES,
        "options": {
            "blogdescription": "Notes on making, mending and cooking",
            "posts_per_page": 8,
            "show_avatars": "1",
            "thread_comments": "1",
        },
        "posts": [_post(content, threads) for content in posts],
    }


def _post(content: Content, threads: Sequence[Content]) -> dict[str, Any]:
    return as_post(content, threads) | {
        "type": "page" if content.kind in {"about", "landing"} else "post",
        "category": content.tags[0].title() if content.tags else "Notes",
    }


def _pages(site: Site, posts: Sequence[Content]) -> Iterator[Page]:
    for number, content in enumerate(posts):
        theme = THEMES[number % len(THEMES)]
        path = f"/{content.date[:4]}/{content.date[5:7]}/{content.slug}/"
        if content.kind in {"about", "landing"}:
            path = f"/{content.slug}/"
        headers = {"X-Theme": theme, "X-Locale": LOCALES.get(content.language, "en_US")}
        kind = "service" if content.kind == "landing" else "article"
        yield page_of(
            content,
            path,
            site.get(path, **headers),
            "main h1, .entry-content",
            drop=".post-nav-links, .author-bio",
            roles=ROLES,
            type=kind,
            template=theme,
        )
    for theme in THEMES:
        yield Page(
            path="/",
            html=site.get("/", **{"X-Theme": theme}),
            content="main article, .wp-block-post-template",
            drop=".entry-footer, .wp-block-post-date, .more-link, .screen-reader-text",
            title="The Corner Bench",
            roles=LISTING_ROLES,
            type="listing",
            entries="main .entry-title a, .wp-block-post-title a",
            template=theme,
        )
