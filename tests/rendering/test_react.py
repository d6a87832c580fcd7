"""A crawl of a React application: routes and texts come from scripts alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.rendering.sites import seeds, server
from tests.rendering.touring import f1, tour


@pytest.fixture(autouse=True)
def _browser(requirement: Callable[[str], str]) -> None:
    requirement("browser")


def test_all_routes_are_found_by_their_links_and_have_their_whole_text() -> None:
    with server.serve(seeds.pages()) as site:
        home = f"{site.url}/app/"
        done = tour([home], follow=True)
        routes = {f"{site.url}{path}": text for path, text in seeds.TRUTHS.items()}
    assert set(done.items) == set(routes)
    assert all(item["rendered"] for item in done.items.values()), done.items
    scores = {url: f1(item["text"], routes[url]) for url, item in done.items.items()}
    assert min(scores.values()) >= 0.95, scores
    assert site.requests["/app/"] == 2  # without a browser first
    assert done.stats("failed") == {}
