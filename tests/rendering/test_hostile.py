"""Crawls of pages that try to reach forbidden addresses.

Everything except the browser downloads from the site only: any visit to the
listener came from the browser.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.rendering.sites import asking, hostile, server
from tests.rendering.sites.listener import SECRET, Visit, listen
from tests.rendering.touring import Tour, f1, tour

SETTINGS = {
    "MAINPAGE_RENDER": "always",
    "MAINPAGE_RENDER_WAIT": 3,
    "MAINPAGE_RENDER_TIMEOUT": 60,
    "MAINPAGE_RENDER_BLOCK": [],
    "METAREFRESH_ENABLED": False,
    "DOWNLOAD_HANDLERS": {"http": "tests.rendering.touring.SiteHandler"},
}
#: Ways that outlast the page, or need features that rendered pages lack.
NEVER_SEEN = {*asking.SILENT, "late-fetch", "service-worker", "open", "open-blank"}


@pytest.fixture(autouse=True)
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


class Toured(NamedTuple):
    """Items by path (by URL if foreign), and visits to the listener."""

    tour: Tour
    items: dict[str, dict[str, Any]]
    visits: list[Visit]


def visit(paths: Callable[[int], list[str]], allowed: str) -> Toured:
    """Crawl the *paths* for the port of a listener; PORT is the site's port."""
    with listen() as listener, server.serve(hostile.pages(listener.port)) as site:
        settings = {
            **SETTINGS,
            "TOUR_SITE": f"127.0.0.1:{site.port}",
            "MAINPAGE_RENDER_ALLOWED_HOSTS": [allowed.replace("PORT", str(site.port))],
        }
        urls = [
            site.url + path if path.startswith("/") else path
            for path in paths(listener.port)
        ]
        done = tour(urls, settings)
    items = {url.removeprefix(site.url): item for url, item in done.items.items()}
    assert len(items) == len(urls)
    return Toured(done, items, listener.visits)


@cache
def all_pages() -> Toured:
    """All pages and all forbidden URLs; only the site's own port is allowed."""
    return visit(
        lambda port: [*asking_paths(), *leaving_paths(), *hostile.own_urls(port)],
        "127.0.0.1:PORT",
    )


def asking_paths() -> list[str]:
    return list(hostile.asking(1))


def leaving_paths() -> list[str]:
    """All addresses by one script and one redirect, a few by the other ways."""
    return [
        path
        for path in hostile.leaving(1)
        if way(path) in ("location", "302") or address(path) in ("ipv4", "metadata")
    ]


def way(path: str) -> str:
    return path.split("/")[2]


def address(path: str) -> str:
    return path.split("/")[3]


def redirects() -> list[str]:
    return [path for path in leaving_paths() if way(path).isdigit()]


def test_nothing_reaches_a_forbidden_address() -> None:
    assert all_pages().visits == []


def test_nothing_of_a_forbidden_page_is_in_an_item() -> None:
    assert not [it for it in all_pages().items.values() if SECRET in str(it)]


def test_what_was_refused_is_counted_by_its_reason_and_said_once() -> None:
    done = all_pages().tour
    refused = done.stats("refused/")
    assert set(refused) == {"loopback", "unspecified", "metadata"}
    assert min(refused.values()) > 0
    said = [line for line in done.crawl.log.splitlines() if "may not reach" in line]
    assert any("169.254.169.254:80 (metadata)" in line for line in said)
    assert len(said) == len({line.partition("may not reach")[2] for line in said})


@pytest.mark.parametrize("path", asking_paths())
def test_a_page_that_asks_in_vain_is_rendered_whole(path: str) -> None:
    item = all_pages().items[path]
    assert item["rendered"], item
    assert f1(item["text"], hostile.truth(path)) >= 0.95, item


@pytest.mark.parametrize(
    "path", [path for path in leaving_paths() if not way(path).isdigit()]
)
def test_a_page_that_goes_there_leaves_its_own_text(path: str) -> None:
    item = all_pages().items[path]
    assert f1(item["text"], hostile.truth(path)) >= 0.95, item
    assert item["url"].endswith(path)
    reasons = {"failed:refused"}
    if way(path) == "late-location":  # It may be read before it leaves.
        reasons.add("always")
    assert item["reason"] in reasons


@pytest.mark.parametrize("path", redirects())
def test_a_redirect_to_there_fails(path: str) -> None:
    item = all_pages().items[path]
    assert not item["rendered"], item
    assert item["text"] == ""


def test_failures_say_that_they_were_refused() -> None:
    failed = all_pages().tour.stats("failed/")
    assert set(failed) <= {"refused", "network"}
    assert failed["refused"] > failed.get("network", 0)


@pytest.mark.parametrize("name", hostile.targets(1, "start"))
def test_a_forbidden_url_is_not_rendered_either(name: str) -> None:
    [item] = [
        item
        for url, item in all_pages().items.items()
        if url.endswith((f"/start/{name}", "?start" if name == "metadata" else "\0"))
    ]
    assert not item["rendered"], item
    assert item["text"] == ""


def test_an_allowed_host_is_reached_in_all_those_ways() -> None:
    done = visit(lambda port: asking_paths(), "127.0.0.1")
    came = {visit.path.split("/")[1] for visit in done.visits if visit.path}
    assert {way(path) for path in asking_paths()} - came <= NEVER_SEEN
    assert {visit.address for visit in done.visits} <= {"127.0.0.1", "::ffff:127.0.0.1"}
    assert all(visit.protocol == "tcp" for visit in done.visits)
