"""Whether the demo renders pages in a browser, and what it says about those it did."""

from __future__ import annotations

from collections import defaultdict
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from textwidth import cut, fit

from scrapy_mainpage.rendering.browser.launch import find_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from report import Row
    from scrapy.settings import BaseSettings

#: The mark of rendered pages in the table.
MARK = "*"


def switch_on(settings: BaseSettings, url: str) -> str | None:
    """Have pages rendered that need it, where that is possible.

    Returns what is missing for it in one line, ``None`` if nothing is.
    """
    if missing := find_problem(settings):
        return f"JavaScript pages were not rendered: that {missing}"
    settings.set("MAINPAGE_RENDER", "auto", priority="cmdline")
    if host := own_host(url):
        hosts = [*settings.getlist("MAINPAGE_RENDER_ALLOWED_HOSTS"), host]
        settings.set("MAINPAGE_RENDER_ALLOWED_HOSTS", hosts, priority="cmdline")
    return None


def own_host(url: str) -> str | None:
    """Return host and port of a URL that names this machine, or an address.

    Pages may not reach such hosts from inside of the browser, unless they are allowed
    to. Who types an address means it; what a name leads to is up to its owner.

    >>> own_host("http://127.0.0.1:8000/"), own_host("http://localhost/docs/")
    ('127.0.0.1:8000', 'localhost:80')
    >>> own_host("https://[fd00::7]/"), own_host("https://example.com/")
    ('[fd00::7]:443', None)
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        version = ip_address(host).version
    except ValueError:
        if host != "localhost":
            return None
        version = 4
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"[{host}]:{port}" if version == 6 else f"{host}:{port}"


def rendered_pages(rows: Iterable[Row], stats: dict[str, Any], width: int) -> list[str]:
    """Return the lines that say which pages were rendered, and why; ``[]`` if none.

    The reasons are the plugin's: its documentation lists them.
    """
    rows = list(rows)
    done = [row for row in rows if row.rendered]
    failed = [row for row in rows if row.render_reason.startswith("failed:")]
    lines = []
    if done:
        time = stats.get("mainpage/render/time", 0) / len(done)
        heading = f"{MARK} {len(done)} rendered in a browser, {time:.1f} s per page"
        lines += [f"{heading}; why:", *_by_reason(done, width)]
    if failed:
        heading = f"{len(failed)} could not be rendered, and stay as they were"
        lines += [f"{heading}; why:", *_by_reason(failed, width)]
    return lines


def _by_reason(rows: list[Row], width: int) -> list[str]:
    """Return a line per reason, with as many of its pages as there is room for."""
    pages = defaultdict(list)
    for row in rows:
        pages[row.render_reason].append(row.path)
    margin = max(map(len, pages)) + 2
    return [
        f"  {reason:{margin}}{_listed(paths, width - margin - 2)}"
        for reason, paths in sorted(pages.items(), key=lambda item: -len(item[1]))
    ]


def _listed(paths: list[str], width: int) -> str:
    """Return the paths on one line, and how many there was no room for.

    >>> _listed(["/a", "/b", "/c"], 20), _listed(["/first", "/second", "/third"], 20)
    ('/a  /b  /c', '/first  + 2 more')
    """
    for shown in range(len(paths), 0, -1):
        more = f"  + {len(paths) - shown} more" if shown < len(paths) else ""
        line = "  ".join(paths[:shown]) + more
        if len(cut(line, width)) == len(line):
            return line
    return fit(paths[0], max(1, width - len(more))).rstrip() + more
