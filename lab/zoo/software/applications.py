"""Applications with a database: each is filled, served on the loopback, and read."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..content import as_post, as_product, as_thread, of_kind, plain_thread
from ..tools import (
    SITES,
    Site,
    ToolError,
    debian,
    django,
    fresh,
    mariadb,
    need,
    run,
    serving,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content
    from ..record import Page
    from . import Software


def page_type(content: Content) -> str:
    """The type where software knows no products, threads or landing pages."""
    kinds = {"documentation": "documentation", "landing": "service"}
    return kinds.get(content.kind, "article")


# --- Forums


def machina(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    threads = [as_thread(content) for content in contents]
    with django(own.name, folder, own.packages, threads) as (site, paths):
        yield from _threads(own, contents, site, paths)
        forums = [name for name in paths if name.startswith("forum ")]
        for name in sorted(forums, key=lambda name: len(paths[name]))[:2]:
            html, title = site.get(paths[name]), name.removeprefix("forum ")
            yield own.listing(html, own.lists[0], path=paths[name], title=title)


def spirit(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    threads = [as_thread(content) for content in contents]
    with django(own.name, folder, own.packages, threads) as (site, paths):
        yield from _threads(own, contents, site, paths)
        forums = sorted(name for name in paths if name.startswith("forum "))
        for path in ("/", *(paths[name] for name in forums[:2])):
            yield own.listing(site.get(path), own.lists[0], path=path)


def _threads(
    own: Software, contents: Sequence[Content], site: Site, paths: dict[str, str]
) -> Iterator[Page]:
    for content in contents:
        path = paths[content.slug]
        html = site.get(path, **{"Accept-Language": content.language})
        yield own.page(content, path, html, source=plain_thread(content))


# --- Shops


def oscar(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    products = [as_product(content) for content in contents]
    with django(own.name, folder, own.packages, products) as (site, paths):
        for content in contents:
            path = paths[content.slug]
            html = site.get(path, **{"Accept-Language": content.language})
            yield own.page(content, path, html, source="")
        for row in own.lists:
            html = site.get(row["path"])
            if b"product_pod" not in html:
                raise ToolError(f"{row['path']} lists no products")
            yield own.listing(html, row)


# --- Wikis, on PHP's own server


def mediawiki(
    own: Software, contents: Sequence[Content], folder: Path
) -> Iterator[Page]:
    """Needs php-cli, -sqlite3, -xml, -mbstring, -intl and python3-pygments."""
    files = debian("mediawiki", "mediawiki-classes")
    root, data = fresh(folder / "site"), fresh(folder / "data")
    copy_tree(files / "usr/share/mediawiki", root)
    for link in ("extensions", "images", "config", "LocalSettings.php"):
        (root / link).unlink()
    (root / "extensions-core").rename(root / "extensions")
    site, php = Site(own.name), need("php", "php-cli")
    settings, script = data / "LocalSettings.php", root / "maintenance"
    flags = (f"--server={site.url}", "--scriptpath=", f"--confpath={data}",
             f"--dbpath={data}", "--dbtype=sqlite", "--pass=a long secret")  # fmt: skip
    run(php, script / "install.php", *flags, "Fieldbook", "Keeper")
    write(settings, settings.read_text("utf-8") + own.settings)
    for content in contents:
        write(data / "text" / f"{_wiki_title(content)}.txt", _wikitext(content))
    texts = sorted((data / "text").iterdir())
    env = {"MW_CONFIG_FILE": str(settings)}
    run(php, script / "importTextFiles.php", "--overwrite", *texts, **env)
    env["PHP_CLI_SERVER_WORKERS"] = "2"
    with serving_php(site, root, folder, **env):
        for skin, share in own.shares(contents):
            for content in share:
                path = f"/index.php/{quote(_wiki_title(content).replace(' ', '_'))}"
                html = site.get(f"{path}?useskin={skin}&uselang={content.language}")
                yield own.page(content, path, html, skin, type=page_type(content))


def _wiki_title(content: Content) -> str:
    return re.sub(r"[\[\]{}|#<>/:?]", "", content.title)


def _wikitext(content: Content) -> str:
    def box(kind: str, title: str, text: str) -> str:
        head = f'<div class="mw-message-box {kind}">'
        return f"{head}'''{title}'''\n\n{text}\n</div>\n"

    text = content.markup("mediawiki", box).replace("{|\n", '{| class="wikitable"\n')
    links = "".join(f"[[Category:{tag}]]\n" for tag in content.tags)
    return f"{text}\n{links}"


def copy_tree(source: Path, to: Path) -> None:
    shutil.copytree(source, to, symlinks=True, dirs_exist_ok=True)


@contextmanager
def serving_php(
    site: Site, root: Path, folder: Path, *flags: str, **env: str
) -> Iterator[None]:
    """Serve *root* by PHP's own server."""
    command = (need("php", "php-cli"), *flags, "-S", site.url[7:], "-t", root)
    with serving(*command, log=folder / "php.log", port=site.port, **env):
        yield


# --- Blogs, on MariaDB


@contextmanager
def database(name: str, folder: Path) -> Iterator[Path]:
    """An empty database of MariaDB; its socket."""
    with mariadb(fresh(folder)) as socket:
        command = ("mariadb", "--no-defaults", f"--socket={socket}", "-uroot")
        run(*command, text=f"create database {name} character set utf8mb4")
        yield socket


def wordpress(
    own: Software, contents: Sequence[Content], folder: Path
) -> Iterator[Page]:
    """Needs php-cli, -mysql, -xml, -mbstring, -gd and mariadb-server."""
    themes = [f"wordpress-theme-{name}" for name in own.themes]
    libraries = ("php-getid3", "libjs-underscore", "libjs-cropper")
    files = debian("wordpress", "wordpress-l10n", *themes, *libraries)
    copy_tree(files / "usr/share", fresh(folder / "site"))
    root, site = folder / "site/wordpress", Site(own.name)
    write(root / "wp-content/mu-plugins/request.php", own.settings["plugin"])
    posts = [content for content in contents if content.kind != "thread"]
    filling = _for_wordpress(own, posts, of_kind(contents, "thread"))
    with database(own.name, folder / "data") as socket:
        known = {"socket": socket, "url": site.url}
        write(root / "wp-config.php", own.settings["config"] % known)
        script = SITES / "wordpress.php"
        run(need("php", "php-cli"), script, root, text=json.dumps(filling))
        with serving_php(site, root, folder, "-d", "memory_limit=512M"):
            yield from _wordpress_pages(own, site, posts)


def _for_wordpress(
    own: Software, posts: Sequence[Content], threads: Sequence[Content]
) -> dict[str, Any]:
    return {
        "title": "The Corner Bench",
        "themes": [*own.themes],
        "options": {
            "blogdescription": "Notes on making, mending and cooking",
            "posts_per_page": 8,
            "show_avatars": "1",
            "thread_comments": "1",
        },
        "posts": [
            as_post(content, threads)
            | {
                "type": "page" if content.kind in {"about", "landing"} else "post",
                "category": content.tags[0].title() if content.tags else "Notes",
            }
            for content in posts
        ],
    }


def _wordpress_pages(
    own: Software, site: Site, posts: Sequence[Content]
) -> Iterator[Page]:
    for theme, share in own.shares(posts):
        for content in share:
            path = f"/{content.date[:4]}/{content.date[5:7]}/{content.slug}/"
            if content.kind in {"about", "landing"}:
                path = f"/{content.slug}/"
            locale = own.settings["locales"].get(content.language, "en_US")
            html = site.get(path, **{"X-Theme": theme, "X-Locale": locale})
            yield own.page(content, path, html, theme, type=page_type(content))
        html = site.get("/", **{"X-Theme": theme})
        yield own.listing(html, own.lists[0], theme)
