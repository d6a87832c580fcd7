"""Applications with a database: each is filled, served on the loopback, and read."""

from __future__ import annotations

import json
import re
import shutil
import urllib.request
from contextlib import contextmanager
from datetime import datetime, timezone
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote
from zlib import crc32

from ..publish import (
    as_post,
    as_product,
    as_thread,
    of_kind,
    plain_thread,
    rich_html,
)
from ..serve import SITES, Site, debian, django, mariadb, serving
from ..tools import ToolError, fresh, need, npm, pandoc, run, write
from . import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content
    from ..record import Page
    from . import Software

GHOST: Final = "5.99.1"
LOGIN: Final = {"username": "editor@ghost.example", "password": "a long secret 1"}
MAX_MESSAGES: Final = 12
DEPARTMENTS: Final = ("Household", "Leisure")


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


def mhonarc(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    """The archive of a mailing list, a page for each message."""
    program, site = own.need(), fresh(folder / "site")
    messages = [
        (content, place, post)
        for content in contents
        for place, post in enumerate(content.data["posts"])
    ]
    write(site / "mbox", "".join(_message(*message) for message in messages))
    fresh(site / "out")
    flags = ("-quiet", "-nomultipg", "-outdir", "out", "mbox")
    run(program, *flags, cwd=site, LC_ALL="C.UTF-8")
    for number, (content, place, _) in enumerate(messages[:MAX_MESSAGES]):
        path = f"/msg{number:05}.html"
        html, title = read_file(site / "out", path), _subject(content, place)
        yield own.page(content, path, html, title=title, source="")


def _message(content: Content, place: int, post: dict[str, Any]) -> str:
    """A message in the format of mailboxes."""
    date = datetime.strptime(str(post["date"])[:16], "%Y-%m-%d %H:%M")
    date = date.replace(tzinfo=timezone.utc)
    message = EmailMessage()
    message["From"] = f"{post['author']} <member{place}@quay.example>"
    message["To"] = "harbour@lists.example"
    message["Date"] = format_datetime(date)
    message["Subject"] = _subject(content, place)
    message["Message-ID"] = f"<{content.slug}.{place}@lists.example>"
    if place:
        message["In-Reply-To"] = f"<{content.slug}.{place - 1}@lists.example>"
    message.set_content(pandoc(post["text"], "plain"), cte="8bit")
    return f"From member{place}@quay.example {date.ctime()}\n{message}\n"


def _subject(content: Content, place: int) -> str:
    return f"Re: {content.title}" if place else content.title


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


def mezzanine(
    own: Software, contents: Sequence[Content], folder: Path
) -> Iterator[Page]:
    """A blog, and the shop Cartridge."""
    threads, products = of_kind(contents, "thread"), of_kind(contents, "product")
    posts = of_kind(contents, "article", "recipe")
    filling = {
        "posts": [as_post(post, threads) for post in posts],
        "products": [_for_cartridge(content) for content in products],
    }
    locales = str(_irish_locale(folder))
    made = django(own.name, folder, own.packages, filling, LOCPATH=locales)
    with made as (site, paths):
        for content in (*posts, *products):
            path = paths[content.slug]
            is_product = content.kind == "product"
            source = f"{content.plain} {content.data.get('price', '')}"
            part = "product" if is_product else "post"
            yield own.page(content, path, site.get(path), part, source=source)
        (row,) = own.lists
        yield own.listing(site.get(row["path"]), row)
        for name in DEPARTMENTS:
            path = paths[f"category {name}"]
            known = {"path": path, "title": name, "type": "collection"}
            yield own.listing(site.get(path), row, **known)


def _for_cartridge(content: Content) -> dict[str, Any]:
    return {
        **content.data,
        "slug": content.slug,
        "title": content.title,
        "html": rich_html(content),
        "price": str(content.data["price"]),
        "variants": content.data.get("variants", ()),
        "category": DEPARTMENTS[crc32(content.name.encode()) % len(DEPARTMENTS)],
    }


def _irish_locale(folder: Path) -> Path:
    """A folder with the locale that prices are written in: English and euro."""
    sources = debian("locales") / "usr/share/i18n"
    locale = folder / "locale/en_IE.UTF-8"
    if not locale.is_dir():
        locale.parent.mkdir(exist_ok=True)
        flags = ("--no-archive", "-c", "-f", "UTF-8", "-i", "en_IE")
        run("localedef", *flags, locale, I18NPATH=str(sources))
    return locale.parent


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


def dokuwiki(
    own: Software, contents: Sequence[Content], folder: Path
) -> Iterator[Page]:
    """Needs the Debian packages php-cli, php-xml, php-geshi and libphp-simplepie."""
    files = debian("dokuwiki")
    root, home = fresh(folder / "site"), fresh(folder / "home")
    copy_tree(files / "usr/share/dokuwiki", root)
    for part in ("plugins", "tpl"):
        (root / "lib" / part).unlink()
        shutil.copytree(files / "var/lib/dokuwiki/lib" / part, root / "lib" / part)
    shutil.copytree(files / "var/lib/dokuwiki/data", home / "data")
    shutil.copytree(files / "etc/dokuwiki", home / "conf", symlinks=True)
    write(home / "conf/local.php", own.settings["local"].format(home))
    write(home / "prepend.php", own.settings["prepend"].format(home))
    spaces = own.settings["spaces"]
    names = {c.name: f"{spaces.get(c.kind, 'wiki')}:{c.slug}" for c in contents}
    pages = home / "data/pages"
    for content in contents:
        text = content.markup(
            "dokuwiki", lambda _, title, own: f"**{title}**\n\n{own}\n"
        )
        text = f"====== {content.title} ======\n\n{text}"
        write(pages / f"{names[content.name].replace(':', '/')}.txt", text)
    links = "".join(f"  * [[{names[c.name]}|{c.title}]]\n" for c in contents)
    write(pages / "sidebar.txt", f"==== Pages ====\n\n{links}")
    write(pages / "start.txt", f"====== Start ======\n\n{links}")
    site, flag = Site(own.name), f"auto_prepend_file={home / 'prepend.php'}"
    with serving_php(site, root, folder, "-d", flag):
        for content in contents:
            path = f"/doku.php?id={names[content.name]}"
            html = site.get(path, **{"X-Lang": content.language})
            yield own.page(content, path, html, type=page_type(content))


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


def ghost(own: Software, contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    """Needs the Debian package mariadb-server."""
    root, site = _install_ghost(folder), Site(own.name)
    with database(own.name, folder / "data") as socket:
        connection = {"socketPath": str(socket), "user": "root", "database": own.name}
        settings = {
            "url": site.url,
            "server": {"host": "127.0.0.1", "port": site.port},
            "database": {"client": "mysql", "connection": connection},
            "mail": {"transport": "SMTP", "options": {"host": "127.0.0.1", "port": 9}},
            "sendWelcomeEmail": False,
            "optimization": {"getHelper": {"timeout": {"threshold": 60_000}}},
            "logging": {"transports": ["stdout"]},
            "privacy": {"useTinfoil": True},
        }
        write(root / "config.production.json", json.dumps(settings))
        command = (need("node", "nodejs"), root / "index.js")
        env = {"NODE_ENV": "production", "paths__contentPath": str(root / "content")}
        with serving(*command, cwd=root, log=folder / "log", port=site.port, **env):
            yield from _ghost_pages(own, site, contents)


def _install_ghost(folder: Path) -> Path:
    """Ghost as its package has it: the versions are those of its lock file."""
    root = folder / "package"
    if not (folder / "done").is_file():
        yarn = npm(folder / "yarn", "yarn@1.22.22") / "yarn"
        run("npm", "pack", f"ghost@{GHOST}", cwd=folder)
        run("tar", "xf", f"ghost-{GHOST}.tgz", cwd=folder)
        package = json.loads((root / "package.json").read_text("utf-8"))
        del package["devDependencies"]
        write(root / "package.json", json.dumps(package))
        registry = run("npm", "config", "get", "registry").strip()
        lock = (root / "yarn.lock").read_text("utf-8")
        lock = lock.replace("https://registry.yarnpkg.com/", registry)
        write(root / "yarn.lock", lock)
        flags = "--production --ignore-optional --ignore-scripts --ignore-engines"
        run(yarn, "install", *flags.split(), "--non-interactive", cwd=root)
        (folder / "done").touch()
    return root


class GhostAdmin:
    """Ghost's interface for editors."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookie = ""

    def send(self, path: str, values: dict[str, Any], method: str = "POST") -> None:
        request = urllib.request.Request(  # loopback
            f"{self.site.url}/ghost/api/admin/{path}",
            data=json.dumps(values).encode(),
            method=method,
            headers={
                "Content-Type": "application/json",
                "Origin": self.site.url,
                "Cookie": self.cookie,
            },
        )
        with urllib.request.urlopen(request, timeout=300) as answer:
            self.cookie = answer.headers.get("Set-Cookie", self.cookie).split(";")[0]

    def fill(self, contents: Sequence[Content]) -> None:
        """Set the site up, and publish the contents, each in one card of HTML."""
        owner = {"name": "Mara Lindqvist", "blogTitle": "Halyard", **LOGIN}
        owner["email"] = LOGIN["username"]
        self.send("authentication/setup/", {"setup": [owner]})
        self.send("session/", LOGIN)
        for content in contents:
            card = {"type": "html", "version": 1, "html": rich_html(content)}
            root = {"root": {"type": "root", "version": 1, "children": [card]}}
            kind = "pages" if content.kind in {"about", "landing"} else "posts"
            post = {
                "title": content.title,
                "slug": content.slug,
                "lexical": json.dumps(root),
                "tags": [{"name": tag} for tag in content.tags],
                "published_at": f"{content.date[:10]}T09:00:00.000Z",
                "status": "published",
            }
            self.send(f"{kind}/", {kind: [post]})


def _ghost_pages(
    own: Software, site: Site, contents: Sequence[Content]
) -> Iterator[Page]:
    site.wait()
    admin = GhostAdmin(site)
    admin.fill(contents)
    for theme, share in own.shares(contents):
        admin.send(f"themes/{theme}/activate/", {}, "PUT")
        for content in share:
            path, kind = f"/{content.slug}/", page_type(content)
            yield own.page(content, path, site.get(path), theme, type=kind)
        yield own.listing(site.get("/"), own.lists[0], theme)
