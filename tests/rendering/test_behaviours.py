"""Crawls of pages with late, scrolled, covered or redirected content."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from tests.rendering.sites import server
from tests.rendering.sites.behaviours import CONSENT, PAGES, SCREENS, TRUTHS, piece
from tests.rendering.touring import Tour, f1, tour

SETTINGS = {"MAINPAGE_RENDER_WAIT": 6, "MAINPAGE_RENDER_TIMEOUT": 20}
PATIENT = {**SETTINGS, "MAINPAGE_RENDER_WAIT": 10, "MAINPAGE_RENDER_SCROLL": 12}
SCROLLS = ("/scroll/finite", "/scroll/endless")
GOAL = "/redirect/goal"


@pytest.fixture(autouse=True)
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


class Visited(NamedTuple):
    """Items and requests by path."""

    tour: Tour
    items: dict[str, dict[str, Any]]
    requests: list[server.Request]


def visit(paths: tuple[str, ...], settings: dict[str, Any]) -> Visited:
    with server.serve(PAGES) as site:
        done = tour([site.url + path for path in paths], settings)
        items = {url.removeprefix(site.url): it for url, it in done.items.items()}
        for item in items.values():
            item["url"] = item["url"].removeprefix(site.url)
    return Visited(done, items, site.log)


@cache
def all_pages() -> Visited:
    """Visit all pages in one crawl without scrolling."""
    return visit(tuple(TRUTHS), SETTINGS)


@cache
def scrolled() -> Visited:
    return visit(SCROLLS, PATIENT)


def score(path: str) -> float:
    return f1(all_pages().items[path]["text"], TRUTHS[path])


@pytest.mark.parametrize(
    "path",
    [
        path
        for path, truth in TRUTHS.items()
        if truth and path not in (*SCROLLS, "/hydration")
    ],
)
def test_the_rendered_page_has_the_whole_main_content(path: str) -> None:
    item = all_pages().items[path]
    assert item["rendered"], item
    assert score(path) >= 0.95, item


@pytest.mark.parametrize("path", [path for path in TRUTHS if "/consent/" in path])
def test_nothing_of_a_consent_overlay_is_main_content(path: str) -> None:
    text = all_pages().items[path]["text"]
    sentences = re.findall(r"[^.]+\.", CONSENT)
    assert len(sentences) == 3
    for sentence in [*sentences, "We value your privacy", "Accept all"]:
        assert sentence.strip() not in text


def test_content_that_never_comes_leaves_an_empty_page() -> None:
    item = all_pages().items["/late/never"]
    assert item["rendered"]
    assert item["text"] == ""


@pytest.mark.parametrize("kind", ["replace", "assign", "chain", "meta"])
def test_redirects_by_script_lead_to_the_goal(kind: str) -> None:
    assert all_pages().items[f"/redirect/{kind}"]["url"] == GOAL


def test_the_url_is_what_the_page_made_of_it() -> None:
    assert all_pages().items["/redirect/push"]["url"] == "/redirect/pushed"


@pytest.mark.parametrize("path", ["/redirect/circle", "/redirect/round"])
def test_redirects_in_a_circle_end(path: str) -> None:
    item = all_pages().items[path]
    assert item["text"] == ""
    assert item["rendered"] or item["reason"] == "failed:navigations"


def test_waiting_for_a_page_that_is_never_quiet_ends_and_is_counted() -> None:
    stats = all_pages().tour.stats("settled/")
    assert stats["navigations"] >= 2
    assert stats["limit"] >= 1
    assert score("/restless") >= 0.95


def test_data_that_the_page_carries_is_used_without_a_browser() -> None:
    visited = all_pages()
    item = visited.items["/hydration"]
    assert not item["rendered"]
    assert item["reason"] == "hydration_data"
    assert score("/hydration") >= 0.95
    assert [request.path for request in visited.requests].count("/hydration") == 1


def test_service_workers_do_not_come_between() -> None:
    requested = {request.path for request in all_pages().requests}
    assert "/worker" in requested
    assert "/worker.js" not in requested


def test_without_scrolling_there_is_what_comes_by_itself() -> None:
    for path in SCROLLS:
        text = all_pages().items[path]["text"]
        assert f1(text, "\n".join(piece(0))) >= 0.95


def test_scrolling_brings_the_whole_of_a_list_that_ends() -> None:
    text = scrolled().items["/scroll/finite"]["text"]
    assert f1(text, TRUTHS["/scroll/finite"]) >= 0.95


def test_scrolling_ends_on_a_list_without_an_end() -> None:
    text = scrolled().items["/scroll/endless"]["text"]
    for number in range(SCREENS):
        assert piece(number)[0] in text
    asked = [it for it in scrolled().requests if it.path.startswith("/scroll/endless/")]
    assert len(asked) < 50
