"""MediaWiki of Debian with five skins, on PHP's own server and SQLite.

Needs the Debian packages php-cli, php-sqlite3, php-xml, php-mbstring, php-intl and
python3-pygments.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from ..record import Page
from ..serve import Site, debian, serving
from ..tools import fresh, need, run, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ..content import Content

WANTED: Final = {"wiki": 10, "documentation": 6, "article": 5, "recipe": 2, "about": 1}
SKINS: Final = ("vector-2022", "vector", "timeless", "monobook", "minerva")
SETTINGS: Final = """
foreach (['Vector', 'MonoBook', 'Timeless', 'MinervaNeue'] as $skin) wfLoadSkin($skin);
wfLoadExtensions(['Cite', 'ParserFunctions', 'SyntaxHighlight_GeSHi', 'CategoryTree']);
$wgPygmentizePath = '/usr/bin/pygmentize';
$wgJobRunRate = 0; $wgDefaultSkin = 'vector'; $wgPageLanguageUseDB = true;
$wgRightsUrl = 'https://creativecommons.org/licenses/by-sa/4.0/';
$wgRightsText = 'Creative Commons Attribution-ShareAlike';
"""
DROP: Final = """
    .mw-editsection, .toc, .catlinks, #catlinks, .printfooter, #siteSub, .mw-indicators,
    #contentSub, #contentSub2, .mw-jump-link, .mw-cite-backlink, style
"""
ROLES: Final = {
    "header": ".mw-header, .header-container, #mw-header, #p-logo, #p-personal, "
    "#siteSub",
    "navigation": "#mw-navigation, #column-one, .navigation-drawer, .toc, "
    "#mw-site-navigation, #mw-related-navigation, #left-navigation, #right-navigation, "
    "#mw-panel-toc, #mw-page-header-links, .minerva__tab-container, .page-actions-menu",
    "footer": "footer, #footer, #mw-footer",
    "legal": "#footer-info-copyright, #footer-places-privacy, #copyright, #privacy, "
    "#footer-places-disclaimers, #footer-places-disclaimer, #disclaimer",
    "form": "#p-search, .minerva-search-form",
    "byline": "#catlinks, #catlinks-sidebar, .last-modified-bar, #lastmod, "
    "#footer-info-lastmod",
    "other": ".printfooter, #mw-panel-toc button",
}


def build(contents: Sequence[Content], folder: Path) -> Iterator[Page]:
    files = debian("mediawiki", "mediawiki-classes")
    root, data = fresh(folder / "site"), fresh(folder / "data")
    shutil.copytree(
        files / "usr/share/mediawiki", root, symlinks=True, dirs_exist_ok=True
    )
    for link in ("extensions", "images", "config", "LocalSettings.php"):
        (root / link).unlink()
    (root / "extensions-core").rename(root / "extensions")
    site = Site("mediawiki")
    settings = data / "LocalSettings.php"
    place = (
        f"--server={site.url}",
        "--scriptpath=",
        f"--confpath={data}",
        f"--dbpath={data}",
    )
    script = root / "maintenance"
    php = need("php", "php-cli")
    run(php, script / "install.php", "--dbtype=sqlite", *place, "--pass=a long secret",
        "Fieldbook", "Keeper")  # fmt: skip
    write(settings, settings.read_text("utf-8") + SETTINGS)
    for content in contents:
        write(data / "text" / f"{_title(content)}.txt", wikitext(content))
    texts = sorted((data / "text").iterdir())
    run(php, script / "importTextFiles.php", "--overwrite", *texts,
        MW_CONFIG_FILE=str(settings))  # fmt: skip
    command = (php, "-S", site.url[7:], "-t", root)
    env = {"MW_CONFIG_FILE": str(settings), "PHP_CLI_SERVER_WORKERS": "2"}
    with serving(*command, log=folder / "php.log", port=site.port, **env):
        yield from _pages(site, contents)


def _title(content: Content) -> str:
    return re.sub(r"[\[\]{}|#<>/:?]", "", content.title)


def wikitext(content: Content) -> str:
    text = content.markup("mediawiki", _box)
    text = text.replace("{|\n", '{| class="wikitable"\n')
    links = "".join(f"[[Category:{tag}]]\n" for tag in content.tags)
    return f"{text}\n{links}"


def _box(kind: str, title: str, text: str) -> str:
    return f"<div class=\"mw-message-box {kind}\">'''{title}'''\n\n{text}\n</div>\n"


def _pages(site: Site, contents: Sequence[Content]) -> Iterator[Page]:
    for number, content in enumerate(contents):
        skin = SKINS[number % len(SKINS)]
        name = _title(content).replace(" ", "_")
        path = f"/index.php/{quote(name)}"
        yield Page(
            path=path,
            html=site.get(f"{path}?useskin={skin}&uselang={content.language}"),
            content="#firstHeading, #mw-content-text .mw-parser-output",
            drop=DROP,
            title=content.title,
            roles=ROLES,
            type="documentation" if content.kind == "documentation" else "article",
            language=content.language,
            template=skin,
            source=content.plain,
        )
