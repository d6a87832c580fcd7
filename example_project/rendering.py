"""Rendering of the demo's pages, if a browser is installed."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy_mainpage.rendering.launch import find_problem

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def switch_on(settings: BaseSettings, url: str) -> str | None:
    """Enable rendering of pages that need it, where possible.

    Returns one line that names the missing part, else ``None``.
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

    Rendered pages reach such hosts only if these are allowed. An address that was typed
    is; a name could lead anywhere.

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
