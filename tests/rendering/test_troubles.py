"""Crawls of pages that crash, block, flood or trick the browser: the crawl goes on."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.rendering.sites import behaviours, server, texts
from tests.rendering.sites.troubles import PAGES, TRUTHS
from tests.rendering.touring import Tour, f1, tour

SETTINGS = {
    "MAINPAGE_RENDER_WAIT": 3,
    "MAINPAGE_RENDER_TIMEOUT": 12,
    "MAINPAGE_RENDER_MAX_SIZE": 4_000_000,
    "DOWNLOAD_TIMEOUT": 3,
}
#: Pages that cannot be judged before their download, which never ends.
UNJUDGED = (
    "/download/file",
    "/endless/flood",
    "/endless/trickle",
    "/endless/silence",
)
GOOD = "/late/timer/300"
GOODS = [f"{GOOD}?{number}" for number in range(3)]
FAILING = {
    "/crash/loading": {"crash"},
    "/crash/later": {"crash"},
    "/crash/static": {"crash"},
    "/dialogs/endless": {"blocked", "timeout"},
    "/blocked/loading": {"blocked", "timeout"},
    "/blocked/later": {"blocked", "timeout"},
    "/huge/dom": {"too_large", "blocked", "timeout", "crash"},
    "/download/file": {"not_html"},
}


@pytest.fixture(autouse=True)
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


@cache
def all_pages() -> tuple[Tour, dict[str, dict[str, Any]]]:
    """Visit all pages in one crawl, with good pages before, among and after them."""
    paths = [path for path in TRUTHS if path != "/crash/static"]
    asked: list[Any] = [[path, {"mainpage_render": True}] for path in UNJUDGED]
    visits = [GOODS[0], *asked, GOODS[1], "/crash/static", *paths, GOODS[2]]
    with server.serve({**behaviours.PAGES, **PAGES}) as site:
        done = tour(
            [
                site.url + visit
                if isinstance(visit, str)
                else [site.url + visit[0], visit[1]]
                for visit in visits
            ],
            SETTINGS,
        )
    items = {url.removeprefix(site.url): item for url, item in done.items.items()}
    assert len(items) == len(visits)
    return done, items


@pytest.mark.parametrize("path", FAILING)
def test_where_rendering_fails_the_static_page_goes_on(path: str) -> None:
    item = all_pages()[1][path]
    assert not item["rendered"], item
    if path == "/download/file":
        assert item["reason"] is None  # No page, so no reason.
        return
    assert item["reason"].removeprefix("failed:") in FAILING[path], item


def test_each_failure_is_counted_by_its_reason() -> None:
    done, items = all_pages()
    failed = Counter(done.stats("failed/"))
    named = Counter(
        item["reason"].removeprefix("failed:")
        for item in items.values()
        if (item.get("reason") or "").startswith("failed:")
    )
    # Two of the visits leave no page, hence no reason.
    assert failed - named == Counter(not_html=1, timeout=1)
    assert failed["crash"] >= 3
    assert failed.total() == len(FAILING) + 1


def test_static_text_is_there_after_a_crash() -> None:
    text = all_pages()[1]["/crash/static"]["text"]
    assert f1(text, texts.truth("the crash static bridge")) >= 0.95


@pytest.mark.parametrize(
    "path", [path for path, truth in TRUTHS.items() if truth and path not in FAILING]
)
def test_what_the_page_shows_in_spite_of_its_tricks_is_rendered(path: str) -> None:
    item = all_pages()[1][path]
    assert item["rendered"], item
    assert f1(item["text"], TRUTHS[path]) >= 0.95, item


@pytest.mark.parametrize("path", GOODS)
def test_good_pages_of_the_same_crawl_are_rendered(path: str) -> None:
    item = all_pages()[1][path]
    assert item["rendered"], item
    assert f1(item["text"], behaviours.TRUTHS[GOOD]) >= 0.95, item


def test_a_download_in_the_place_of_the_page_leaves_the_page() -> None:
    item = all_pages()[1]["/download/location"]
    assert item["rendered"], item
    assert item["url"].endswith("/download/location")


@pytest.mark.parametrize("path", ["/endless/flood", "/endless/trickle"])
def test_a_page_without_an_end_is_taken_as_far_as_it_came(path: str) -> None:
    item = all_pages()[1][path]
    assert item["rendered"], item
    assert "endless ledger" in item["text"]


def test_a_page_that_never_begins_fails_in_time() -> None:
    done, items = all_pages()
    assert items["/endless/silence"] == {
        "asked": items["/endless/silence"]["asked"],
        "error": "DownloadTimeoutError",
    }
    assert done.stats("failed/timeout") != {}


def test_a_connection_that_brings_too_much_is_cut_and_counted() -> None:
    done, _ = all_pages()
    assert done.stats("refused/too_large")[""] >= 1
    assert "connection was cut (too_large)" in done.crawl.log


@pytest.mark.skipif(sys.platform != "linux", reason="processes are seen in /proc")
def test_the_browser_that_is_gone_after_the_crawl_was_there() -> None:
    # Each tour ends with a check for leftover processes.
    processes = all_pages()[0].processes
    assert any("--type=renderer" in line for line in processes)
    assert any("--remote-debugging" in line for line in processes)
