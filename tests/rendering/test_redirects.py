"""Server redirects met by a browser: Scrapy follows them or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.mockserver import article
from tests.rendering.sites.server import Answer, Reply, Site, html, redirect, serve
from tests.rendering.test_crawls import ALWAYS, by_url, pages, says, visit

SECRET = {"headers": {"Authorization": "secret", "X-Api-Key": "secret"}}
KEEPS = {"meta": {"dont_redirect": True, "handle_httpstatus_list": [302]}}


def asked(site: Site, path: str) -> Any:
    [found] = [request for request in site.log if request.path == path]
    return found


def test_redirects_are_followed_by_scrapy(requirement: Callable[[str], str]) -> None:
    requirement("browser")
    robots = Reply(b"User-agent: *\nDisallow: /secret", 200)
    framed = article("framed").replace("</main>", '</main><iframe src="/in"></iframe>')
    with serve({"/end": html(article("end"))}) as other:
        site_pages: dict[str, Answer] = {
            **pages("shell", "late"),
            "/robots.txt": robots,
            "/old": redirect("/shell", 308),
            "/away": redirect(f"{other.url}/end"),
            "/hidden": redirect("/secret"),
            "/secret": html(article("secret")),
            "/kept": redirect("/new"),
            "/framed": html(framed),
            "/in": redirect("/inner"),
            "/inner": html("<p>A frame."),
            "/data/late": redirect("/data/shell"),
        }
        visits = ["/old", ["/away", SECRET], "/hidden", ["/kept", KEEPS], "/framed"]
        with serve(site_pages) as site:
            settings = {**ALWAYS, "ROBOTSTXT_OBEY": True}
            done = visit(site, settings, *visits, "/late")
    items = by_url(done)
    # The target is rendered, with the redirect in its meta.
    assert items["/shell"]["rendered"]
    assert items["/shell"]["redirects"] == ["/old"]
    assert says(items["/shell"], "shell")
    assert site.requests["/old"] == site.requests["/shell"] == 1
    # Credentials stay behind.
    assert says(items[f"{other.url}/end"], "end")
    assert asked(site, "/away").headers["Authorization"] == "secret"
    assert asked(other, "/end").headers["Authorization"] is None
    # robots.txt is asked for the target.
    assert not site.requests["/secret"]
    assert done.stat("robotstxt/forbidden") == 1
    # A spider that wants the redirect itself gets it.
    assert not site.requests["/new"]
    assert done.stat("downloader/response_status_count/302") == 3
    # Frames and scripts follow by themselves.
    assert site.requests["/inner"] == 1
    assert says(items["/framed"], "framed")
    assert says(items["/late"], "shell")
