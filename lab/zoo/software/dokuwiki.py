"""DokuWiki of Debian on PHP's own server.

Needs the Debian packages php-cli, php-xml, php-geshi and libphp-simplepie.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final

from ..record import Page
from ..serve import Site, debian, serving
from ..tools import fresh, need, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"wiki": 8, "documentation": 6, "recipe": 3, "about": 1, "article": 4}
PREPEND: Final = """<?php
define('DOKU_CONF', '{0}/conf/'); define('DOKU_MAIN_CONF', '{0}/conf/');
"""
SETTINGS: Final = """<?php
$conf['title'] = 'Allotment handbook'; $conf['tagline'] = 'Kept by its gardeners';
$conf['savedir'] = '{0}/data'; $conf['useacl'] = 0; $conf['youarehere'] = 1;
$conf['license'] = 'cc-by-sa'; $conf['lang'] = $_SERVER['HTTP_X_LANG'] ?? 'en';
$conf['userewrite'] = 0; $conf['updatecheck'] = 0; $conf['tocminheads'] = 2;
"""
ROLES: Final = {
    "header": "#dokuwiki__header",
    "navigation": "#dokuwiki__sitetools, #dokuwiki__aside, #dokuwiki__pagetools, "
    "#dw__toc, #dokuwiki__usertools, .level1 > .backlinks, ul.skip",
    "breadcrumb": ".breadcrumbs",
    "form": "form.search, #dw__search",
    "footer": "#dokuwiki__footer",
    "legal": "#dokuwiki__footer .license",
    "byline": ".docInfo",
    "other": ".pageId, .secedit, #dokuwiki__pagetools li.edit, "
    "#dokuwiki__pagetools li.source",
}
#: Spaces of the wiki, by kind.
SPACES: Final = {"documentation": "manual", "recipe": "recipes", "article": "notes"}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    files = debian("dokuwiki")
    root, home = fresh(folder / "site"), fresh(folder / "home")
    shutil.copytree(
        files / "usr/share/dokuwiki", root, symlinks=True, dirs_exist_ok=True
    )
    for part in ("plugins", "tpl"):
        (root / "lib" / part).unlink()
        shutil.copytree(files / "var/lib/dokuwiki/lib" / part, root / "lib" / part)
    shutil.copytree(files / "var/lib/dokuwiki/data", home / "data")
    shutil.copytree(files / "etc/dokuwiki", home / "conf", symlinks=True)
    write(home / "conf/local.php", SETTINGS.format(home))
    write(home / "prepend.php", PREPEND.format(home))
    for content in contents:
        write(_place(home, content), wikitext(content))
    links = [f"  * [[{_page(content)}|{content.title}]]\n" for content in contents]
    write(home / "data/pages/sidebar.txt", "==== Pages ====\n\n" + "".join(links))
    write(home / "data/pages/start.txt", "====== Start ======\n\n" + "".join(links))
    site = Site("dokuwiki")
    php = (need("php", "php-cli"), "-d", f"auto_prepend_file={home / 'prepend.php'}")
    command = (*php, "-S", site.url[7:], "-t", root)
    with serving(*command, log=folder / "php.log", port=site.port):
        yield from _pages(site, contents)


def _page(content: Content) -> str:
    return f"{SPACES.get(content.kind, 'wiki')}:{content.slug}"


def _place(home: Path, content: Content) -> Path:
    return home / "data/pages" / (_page(content).replace(":", "/") + ".txt")


def wikitext(content: Content) -> str:
    return f"====== {content.title} ======\n\n{content.markup('dokuwiki', _box)}"


def _box(kind: str, title: str, text: str) -> str:
    return f"**{title}**\n\n{text}\n"


def _pages(site: Site, contents: Sequence[Content]) -> Iterator[Page]:
    for content in contents:
        path = f"/doku.php?id={_page(content)}"
        yield Page(
            path=path,
            html=site.get(path, **{"X-Lang": content.language}),
            content="#dokuwiki__content .page",
            drop="#dw__toc, .secedit, .toggle, .docInfo",
            title=content.title,
            roles=ROLES,
            type="documentation" if content.kind == "documentation" else "article",
            language=content.language,
            source=content.plain,
        )
