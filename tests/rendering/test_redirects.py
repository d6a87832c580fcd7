"""Server redirects met by a browser: Scrapy follows them or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.crawling import Crawl, crawl
from tests.mockserver import article
from tests.rendering.sites.server import (
    Answer,
    Reply,
    Site,
    html,
    redirect,
    serve,
)
from tests.rendering.test_crawls import ALWAYS, VISIT, by_url, pages, says

SECRET = {"headers": {"Authorization": "secret", "X-Api-Key": "secret"}}


@pytest.fixture(autouse=True)
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


def visit(site: Site, *visits: Any, **settings: Any) -> Crawl:
    return crawl(VISIT, {**ALWAYS, **settings}, site=site.url, visits=[*visits])


def asked(site: Site, path: str) -> Any:
    [found] = [request for request in site.log if request.path == path]
    return found


@pytest.mark.parametrize("status", [302, 308])
def test_a_redirect_is_followed_by_scrapy_and_its_target_is_rendered(
    status: int,
) -> None:
    moved: dict[str, Answer] = {"/old": redirect("/shell", status)}
    with serve({**pages("shell"), **moved}) as site:
        done = visit(site, "/old")
    [item] = done.items
    assert (item["url"], item["redirects"]) == ("/shell", ["/old"])
    assert item["rendered"]
    assert says(item, "shell")
    assert done.stat(f"downloader/response_status_count/{status}") == 1
    assert site.requests["/old"] == site.requests["/shell"] == 1


def test_credentials_do_not_go_where_a_redirect_leads() -> None:
    with serve({"/end": html(article("end"))}) as other:
        moved: dict[str, Answer] = {"/old": redirect(f"{other.url}/end")}
        with serve(moved) as site:
            done = visit(site, ["/old", SECRET])
    [item] = done.items
    assert says(item, "end")
    assert asked(site, "/old").headers["Authorization"] == "secret"
    assert asked(other, "/end").headers["Authorization"] is None


def test_robots_txt_is_asked_for_the_target() -> None:
    robots = Reply(b"User-agent: *\nDisallow: /secret", 200)
    moved = {"/old": redirect("/secret"), "/secret": html(article("secret"))}
    with serve({"/robots.txt": robots, **moved}) as site:
        done = visit(site, "/old", ROBOTSTXT_OBEY=True)
    assert not done.items
    assert not site.requests["/secret"]
    assert done.stat("robotstxt/forbidden") == 1


def test_a_spider_that_wants_the_redirect_itself_gets_it() -> None:
    wants = {"meta": {"dont_redirect": True, "handle_httpstatus_list": [302]}}
    with serve({"/old": redirect("/new")}) as site:
        done = visit(site, ["/old", wants])
    assert not site.requests["/new"]
    assert done.stat("downloader/response_status_count/302") == 1


def test_frames_and_scripts_still_follow_redirects() -> None:
    framed = article("framed").replace("</main>", '</main><iframe src="/in"></iframe>')
    site_pages: dict[str, Answer] = {
        **pages("shell"),
        "/framed": html(framed),
        "/in": redirect("/inner"),
        "/inner": html("<p>A frame."),
        "/data/shell": redirect("/data/other"),
        "/data/other": pages("other")["/data/other"],
    }
    with serve(site_pages) as site:
        items = by_url(visit(site, "/framed", "/shell"))
    assert site.requests["/inner"] == 1
    assert says(items["/framed"], "framed")
    assert says(items["/shell"], "other")
