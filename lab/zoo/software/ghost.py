"""Ghost of npm with its themes Source and Casper, on Node and MariaDB.

Needs the Debian package mariadb-server.
"""

from __future__ import annotations

import json
import urllib.request
from typing import TYPE_CHECKING, Any, Final

from ..publish import rich_html
from ..record import Page, page_of
from ..serve import Site, mariadb, serving
from ..tools import fresh, need, npm, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

VERSION: Final = "5.99.1"
WANTED: Final = {"article": 14, "recipe": 2, "landing": 1, "about": 2}
THEMES: Final = ("source", "casper")
LOGIN: Final = {"username": "editor@ghost.example", "password": "a long secret 1"}
LIST_ROLES: Final = {
    "header": "header#gh-navigation, header#gh-head, section.gh-header, "
    "div.site-header-content",
    "navigation": "header nav",
    "byline": ".gh-card-meta, .post-card-meta, .post-card-tags, .gh-card-tag",
    "footer": "footer.gh-footer, footer.site-footer",
    "legal": "footer section.copyright",
    "form": ".footer-cta, .gh-footer-signup, .gh-cta, form.gh-form, .gh-header form",
    "pagination": "nav.pagination, .gh-more",
    "sidebar": "aside.gh-sidebar",
}
ROLES: Final = LIST_ROLES | {
    "byline": ".gh-article-meta, .article-byline, .gh-article-tag, .article-tag",
    "related": ".gh-main ~ section.gh-container, .site-main ~ aside.read-more-wrap",
    "comments": ".gh-comments, .article-comments",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    root, data = _install(folder), fresh(folder / "data")
    site = Site("ghost")
    with mariadb(data) as socket:
        run("mariadb", "--no-defaults", f"--socket={socket}", "-uroot",
            text="create database ghost character set utf8mb4")  # fmt: skip
        database = {"socketPath": str(socket), "user": "root", "database": "ghost"}
        settings = {
            "url": site.url,
            "server": {"host": "127.0.0.1", "port": site.port},
            "database": {"client": "mysql", "connection": database},
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
            yield from _pages(site, contents)


def _install(folder: Path) -> Path:
    """Ghost as its package has it: the versions are those of its lock file."""
    root = folder / "package"
    if not (folder / "done").is_file():
        yarn = npm(folder / "yarn", "yarn@1.22.22") / "yarn"
        run("npm", "pack", f"ghost@{VERSION}", cwd=folder)
        run("tar", "xf", f"ghost-{VERSION}.tgz", cwd=folder)
        package = json.loads((root / "package.json").read_text("utf-8"))
        del package["devDependencies"]
        write(root / "package.json", json.dumps(package))
        registry = run("npm", "config", "get", "registry").strip()
        lock = (root / "yarn.lock").read_text("utf-8")
        lock = lock.replace("https://registry.yarnpkg.com/", registry)
        write(root / "yarn.lock", lock)
        flags = (
            "--production --ignore-optional --ignore-scripts --ignore-engines".split()
        )
        run(yarn, "install", *flags, "--non-interactive", cwd=root)
        (folder / "done").touch()
    return root


class Admin:
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


def _fill(admin: Admin, contents: Sequence[Content]) -> None:
    owner = {"name": "Mara Lindqvist", "blogTitle": "Halyard", **LOGIN}
    owner["email"] = LOGIN["username"]
    admin.send("authentication/setup/", {"setup": [owner]})
    admin.send("session/", LOGIN)
    for content in contents:
        kind = "pages" if content.kind in {"about", "landing"} else "posts"
        post = {
            "title": content.title,
            "slug": content.slug,
            "lexical": _card(content),
            "tags": [{"name": tag} for tag in content.tags],
            "published_at": f"{content.date[:10]}T09:00:00.000Z",
            "status": "published",
        }
        admin.send(f"{kind}/", {kind: [post]})


def _card(content: Content) -> str:
    """The document of Ghost's editor: all of the content in one card of HTML."""
    card = {"type": "html", "version": 1, "html": rich_html(content)}
    return json.dumps({"root": {"type": "root", "version": 1, "children": [card]}})


def _pages(site: Site, contents: Sequence[Content]) -> Iterator[Page]:
    site.wait()
    admin = Admin(site)
    _fill(admin, contents)
    for number, theme in enumerate(THEMES):
        admin.send(f"themes/{theme}/activate/", {}, "PUT")
        for content in contents[number :: len(THEMES)]:
            path = f"/{content.slug}/"
            kind = "service" if content.kind == "landing" else "article"
            yield page_of(
                content,
                path,
                site.get(path),
                "h1.gh-article-title, h1.article-title, section.gh-content",
                roles=ROLES,
                type=kind,
                template=theme,
            )
        yield Page(
            path="/",
            html=site.get("/"),
            content=".gh-feed article, .post-feed article",
            drop=".gh-card-meta, .post-card-meta, .post-card-tags, .gh-card-tag",
            title="Halyard",
            roles=LIST_ROLES,
            type="listing",
            template=theme,
        )
