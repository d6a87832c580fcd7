"""Crawls of pages that try to reach forbidden addresses: the guard is in place.

``test_guard.py`` tries all ways of a page out of the browser.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from tests.mockserver import article
from tests.rendering.sites.server import html, redirect, serve
from tests.rendering.test_crawls import ALWAYS, by_url, says, shell, visit

ASKS = """for (const way of ["img", "script", "iframe"])
  document.body.append(Object.assign(document.createElement(way), {src: "URL/" + way}));
fetch("URL/fetch").catch(() => 0);
new WebSocket("URL/websocket".replace("http:", "ws:"));"""


def test_pages_reach_allowed_hosts_only(requirement: Callable[[str], str]) -> None:
    requirement("browser")
    with serve({"/own": html(article("secrets"))}) as forbidden:
        asks = f"<script>{ASKS.replace('URL', forbidden.url)}</script></body>"
        pages = {
            "/asks": html(article("asking").replace("</body>", asks)),
            "/leaves": shell(f"location.replace('{forbidden.url}/left')"),
            "/moved": redirect(f"{forbidden.url}/own"),
        }
        with serve(pages) as site:
            allowed = [f"127.0.0.1:{site.port}"]
            settings = {**ALWAYS, "MAINPAGE_RENDER_ALLOWED_HOSTS": allowed}
            settings["MAINPAGE_RENDER_BLOCK"] = []
            done = visit(site, settings, *pages)
        items = by_url(done)
        # Scrapy itself, which is not guarded, follows the redirect.
        assert forbidden.requests == Counter({"/own": 1})
    assert items["/asks"]["rendered"]
    assert says(items["/asks"], "asking")
    assert items["/leaves"]["reason"] == "failed:refused"
    assert items[f"{forbidden.url}/own"]["reason"] == "failed:refused"
    assert done.stat("mainpage/render/refused/loopback") >= 6
    assert done.log.count("may not reach") == 1
