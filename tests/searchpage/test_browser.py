"""The search page in a browser: by keys, hostile pages, axe, narrow and dark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from scrapy_mainpage.searchpage.server import SearchServer
from tests.searchpage.helpers import HOSTILE, serve

WAIT_MS = 30_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchServer]:
    with serve(tmp_path_factory.mktemp("index")) as server:
        yield server


@pytest.fixture
def tab(
    requirement: Callable[[str], str],
    request: pytest.FixtureRequest,
    server: SearchServer,
) -> Iterator[Any]:
    """The page in a tab of a phone's width, in dark; nothing else may be loaded."""
    requirement("browser")
    context = request.getfixturevalue("chromium").new_context(
        viewport={"width": 390, "height": 700}, color_scheme="dark"
    )
    tab = context.new_page()
    tab.set_default_timeout(WAIT_MS)
    hosts, errors = set(), []
    tab.on("request", lambda r: hosts.add(urlsplit(r.url).hostname))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("dialog", lambda dialog: errors.append(dialog.message))
    tab.route(re.compile("^https:"), lambda route: route.fulfill(body="elsewhere"))
    tab.goto(server.url)
    yield tab
    assert (hosts - {"docs.example.com"}, errors) == ({"127.0.0.1"}, [])
    context.close()


def typed(tab: Any, query: str) -> None:
    """Type the query, and wait for its answer."""
    tab.keyboard.type(query)
    tab.wait_for_function(
        "query => document.getElementById('status').textContent.includes(query)",
        arg=f"“{query}”",
    )


def focused(tab: Any) -> str:
    text: str = tab.evaluate(
        "document.activeElement.textContent || document.activeElement.id"
    )
    return text


def test_works_without_a_mouse(tab: Any) -> None:
    assert focused(tab) == "query"
    typed(tab, "warming hide glu")
    assert tab.inner_text("#status") == "2 results for “warming hide glu”"
    tab.keyboard.press("ArrowDown")
    assert focused(tab) == "Hide glue"
    tab.keyboard.press("ArrowDown")
    assert focused(tab) == "Warming"
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("ArrowUp")
    assert focused(tab) == "query"
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Escape")
    assert focused(tab) == "query"
    tab.keyboard.press("Escape")
    tab.wait_for_function("() => !document.querySelector('#hits li')")
    assert tab.input_value("#query") == tab.inner_text("#status") == ""
    tab.keyboard.press("Tab")
    tab.keyboard.press("/")
    assert focused(tab) == "query"
    # Enter opens the best result, also before the answer to the last key.
    tab.keyboard.type("warming")
    tab.keyboard.press("Enter")
    tab.wait_for_url("https://docs.example.com/glue/hide.html#warm")
    tab.go_back()
    tab.wait_for_selector("#hits li")
    assert tab.input_value("#query") == "warming"


def test_facets_narrow_the_search_by_keys(tab: Any) -> None:
    typed(tab, "holds")
    button = tab.get_by_role("button", name="version: 2 1")
    button.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => document.querySelectorAll('#hits > li').length == 1")
    assert button.get_attribute("aria-pressed") == "true"
    assert focused(tab) == "version: 2 1"
    assert tab.url.endswith("?q=holds&filter=version%3A2")
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => document.querySelectorAll('#hits > li').length == 2")


def test_hostile_pages_are_texts(tab: Any) -> None:
    typed(tab, "hostile")
    assert tab.inner_text("#hits h2 >> nth=0") in (HOSTILE, "الغراء")
    assert HOSTILE in tab.inner_text("#hits")
    assert tab.locator("#hits img, #hits script").count() == 0
    assert tab.locator("#hits mark").all_inner_texts() == ["hostile", "hostile"]
    tab.fill("#query", "")
    typed(tab, "evil glue")
    tab.wait_for_selector("h2:has-text('Evil glue')")
    assert tab.locator("h2:has-text('Evil glue') a").get_attribute("href") is None


def test_more_results_are_shown_on_demand(tab: Any) -> None:
    typed(tab, "varnish")
    assert tab.inner_text("#status") == "The best 10 results for “varnish”"
    tab.get_by_role("button", name="More results").click()
    tab.wait_for_function("() => document.querySelectorAll('#hits > li').length == 25")
    tab.wait_for_function("() => document.activeElement.closest('li')")
    assert tab.locator("#more").is_hidden()


def test_an_answer_that_fails_is_said(tab: Any, server: SearchServer) -> None:
    tab.route("**/search.json?*", lambda route: route.fulfill(status=503, body="{}"))
    tab.keyboard.type("glue")
    tab.wait_for_function(
        "() => document.getElementById('status').textContent.startsWith('No answer')"
    )


def test_axe_has_nothing_to_say(tab: Any) -> None:
    for query, scheme in (("", "light"), ("hide glue", "dark"), ("holds", "light")):
        tab.emulate_media(color_scheme=scheme)
        if query:
            tab.fill("#query", "")
            typed(tab, query)
        result = Axe().run(tab)
        assert result.violations_count == 0, result.generate_report()
    for width in (320, 390):
        tab.set_viewport_size({"width": width, "height": 700})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_state_is_in_the_address(tab: Any, server: SearchServer) -> None:
    typed(tab, "epoxy")
    assert tab.url == f"{server.url}?q=epoxy"
    assert tab.title() == "epoxy - Search <b>site.db"
