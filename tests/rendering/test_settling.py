"""Waiting and scrolling in a real browser, on pages that are hard to wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from scrapy_mainpage.rendering.settle import (
    IDLE_SECONDS,
    MAX_PENDING_SECONDS,
    MIN_MAIN_WORDS,
    Measurement,
    Settled,
    check_settled,
    make_init_script,
    settle,
)
from tests.rendering.opened import in_browser
from tests.rendering.server import Answer, Reply, html, serve
from tests.rendering.settlingpages import (
    ANSWERS,
    BLOCKED,
    EMPTY,
    END,
    ENDLESS_PAGES,
    NOT_HELD,
    RELOADING,
    SCROLLED,
    SPOILT,
    TOLD,
    WAITED_FOR,
)

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytest.importorskip("playwright")

LONG, BRIEF = 30, 1.5
LIMIT = 6
"""Seconds for pages that never end, of which a busy browser has to say so."""

SCREENS = 4


@dataclass(frozen=True)
class Case:
    page: str | Reply
    wait: float
    screens: int = 0


@dataclass(frozen=True)
class Result:
    settled: Settled
    source: str = ""
    offset: float = 0.0
    errors: tuple[str, ...] = ()


CASES = {
    **{name: Case(page, LONG) for name, page in (WAITED_FOR | NOT_HELD).items()},
    **{name: Case(page, LONG) for name, page in (SPOILT | EMPTY).items()},
    **{name: Case(page, BRIEF) for name, page in BLOCKED.items()},
    **{name: Case(page, LIMIT) for name, page in ENDLESS_PAGES.items()},
    **{name: Case(page, 5) for name, page in RELOADING.items()},
    **{name: Case(page, LONG, SCREENS) for name, page in SCROLLED.items()},
    "not scrolled": Case(SCROLLED["lazy"], LONG),
    "told": Case(TOLD, LONG),
}
UNREADABLE = {*BLOCKED, *RELOADING, *ENDLESS_PAGES}
OFFSETS = "[...document.all].reduce((sum, e) => sum + e.scrollTop, 0)"


def as_replies(pages: Mapping[str, str | Reply]) -> dict[str, Answer]:
    return {p: html(it) if isinstance(it, str) else it for p, it in pages.items()}


@cache
def results(program: str) -> dict[str, Result]:
    """Run all cases, several at a time; return their results."""
    paths = {name: f"/page{number}" for number, name in enumerate(CASES)}
    pages = {paths[name]: case.page for name, case in CASES.items()}
    with serve(as_replies(pages | ANSWERS)) as site:

        async def run(browser: Browser, name: str, case: Case) -> Result:
            context = await browser.new_context()
            await context.add_init_script(make_init_script())
            page = await context.new_page()
            errors: list[str] = []
            page.on("pageerror", lambda error: errors.append(str(error)))
            await page.goto(site.url + paths[name], wait_until="commit")
            settled = await settle(page, case.wait, scroll=case.screens)
            if name in UNREADABLE:
                await context.close()
                return Result(settled)
            source = await page.content()
            offset = await page.evaluate(OFFSETS) if name in SCROLLED else 0
            await context.close()
            return Result(settled, source, offset, tuple(errors))

        return in_browser(program, CASES, run)


Ask = Callable[[str], Result]


@pytest.fixture
def result(requirement: Callable[[str], str]) -> Ask:
    """Return the result of a case by name."""
    program = requirement("browser")
    return lambda name: results(program)[name]


class TestWaiting:
    @pytest.mark.parametrize("name", WAITED_FOR)
    def test_content_is_waited_for(self, result: Ask, name: str) -> None:
        assert END in result(name).source
        assert result(name).settled.reason == "stable"
        assert result(name).settled.measured.words > MIN_MAIN_WORDS

    @pytest.mark.parametrize("name", NOT_HELD)
    def test_a_page_that_has_its_content_does_not_wait_for_the_limit(
        self, result: Ask, name: str
    ) -> None:
        assert result(name).settled.reason == "stable"
        assert END in result(name).source

    @pytest.mark.parametrize("name", EMPTY)
    def test_a_page_without_anything_is_given_up(self, result: Ask, name: str) -> None:
        settled = result(name).settled
        assert settled.reason == "idle"
        assert settled.measured.words < MIN_MAIN_WORDS

    @pytest.mark.parametrize("name", ENDLESS_PAGES)
    def test_what_never_ends_ends_by_the_limit(self, result: Ask, name: str) -> None:
        assert result(name).settled.reason == "limit"

    @pytest.mark.parametrize("name", BLOCKED)
    def test_a_page_that_does_not_let_go_is_left(self, result: Ask, name: str) -> None:
        assert result(name).settled.reason == "blocked"

    @pytest.mark.parametrize("name", RELOADING)
    def test_reloading_has_an_end(self, result: Ask, name: str) -> None:
        assert result(name).settled.reason in {"navigations", "limit"}
        assert result(name).settled.navigations > 1

    def test_redirects_by_script_are_counted(self, result: Ask) -> None:
        assert result("three redirects by script").settled.navigations == 2
        assert result("nothing, it is static").settled.navigations == 0

    def test_menus_and_footers_do_not_count(self, result: Ask) -> None:
        assert result("no content").settled.measured.words == 2


class TestPagesThatChangeTheBrowser:
    @pytest.mark.parametrize("name", SPOILT)
    def test_content_is_waited_for(self, result: Ask, name: str) -> None:
        assert END in result(name).source
        assert result(name).settled.reason == "stable"

    @pytest.mark.parametrize("name", [*WAITED_FOR, *SPOILT])
    def test_no_page_sees_an_error(self, result: Ask, name: str) -> None:
        assert result(name).errors == ()

    def test_replaced_functions_are_as_the_browsers_own(self, result: Ask) -> None:
        source = result("told").source
        told = source.partition("</pre>")[0].rpartition(">")[2].split("|")[:-1]
        assert sorted(told) == sorted(
            [
                "native true",
                "names fetchsetTimeout1",
                "own false",
                "this true",
                "arguments a,b",
                "code 1",
                "number number",
                "error Uncaught Error: mine",
                "interval 6",
                "illegal TypeError",
                "send InvalidStateError",
                "promise true",
                "body true",
            ]
        )


class TestScrolling:
    @pytest.mark.parametrize("name", ["infinite", "inner"])
    def test_an_endless_list_grows_for_as_many_screens(
        self, result: Ask, name: str
    ) -> None:
        settled = result(name).settled
        assert settled.scrolls == SCREENS
        assert result(name).source.count("of a list of things") > 8 * 2

    def test_what_comes_into_sight_is_loaded(self, result: Ask) -> None:
        assert result("lazy").source.count(END) == 3
        assert result("not scrolled").source.count(END) < 3

    def test_a_page_of_one_screen_is_not_scrolled(self, result: Ask) -> None:
        assert result("one screen").settled.scrolls == 0
        assert result("one screen").settled.reason == "stable"

    @pytest.mark.parametrize("name", SCROLLED)
    def test_the_page_is_at_its_top_again(self, result: Ask, name: str) -> None:
        assert result(name).offset == 0


@pytest.mark.parametrize("how", ["closed", "crashed"])
def test_a_page_that_is_gone_raises(
    requirement: Callable[[str], str], how: str
) -> None:
    from playwright.async_api import Error

    async def run(browser: Browser, url: str, how: str) -> Settled:
        context = await browser.new_context()
        await context.add_init_script(make_init_script())
        page = await context.new_page()
        # A page that has only just begun may hang when it is closed.
        await page.goto(f"{url}/", wait_until="domcontentloaded")
        settling = asyncio.ensure_future(settle(page, LONG))
        if how == "closed":
            await page.close()
        else:
            with pytest.raises(Error):
                await page.goto("chrome://crash")
        return await settling

    page = ENDLESS_PAGES["long poll without a text"]
    pages = as_replies({"/": page, **ANSWERS})
    with serve(pages) as site, pytest.raises(Error, match=how):
        in_browser(requirement("browser"), {site.url: how}, run)


BARE = Measurement(now=0.1)
FULL = replace(BARE, words=10 * MIN_MAIN_WORDS)
LATER = MAX_PENDING_SECONDS + 1

STATES = {
    "bare, nothing pending": (replace(BARE, now=100), "idle"),
    "bare, pending": (replace(BARE, now=100, pending=1), None),
    "bare, timers": (replace(BARE, now=100, maybe=1), None),
    "bare, not long enough": (replace(BARE, now=IDLE_SECONDS - 0.1), None),
    "bare, long enough": (replace(BARE, now=IDLE_SECONDS), "idle"),
    "pending": (replace(FULL, now=LATER - 2, pending=1), None),
    "pending, late": (replace(FULL, now=LATER, pending=1), "stable"),
    "timers": (replace(FULL, now=1, maybe=1), "stable"),
    "an answer of just now": (replace(FULL, now=2, active=1.9), None),
    "an answer of before": (replace(FULL, now=2.5, active=1.9), "stable"),
    "an answer of just now, late": (
        replace(FULL, now=LATER + 0.1, active=LATER),
        "stable",
    ),
    "scrolled, pending": (replace(FULL, now=LATER + 1, epoch=LATER, pending=1), None),
    "scrolled": (replace(FULL, now=LATER + 1, epoch=LATER), "stable"),
}


@pytest.mark.parametrize("name", STATES)
def test_a_page_settles_when_nothing_pending_may_bring_text(name: str) -> None:
    measured, reason = STATES[name]
    assert check_settled(measured, 0.0, 0.5) == reason


def test_the_text_has_to_be_stable() -> None:
    assert check_settled(replace(FULL, now=2.0), 1.75, 0.5) is None
    assert check_settled(replace(FULL, now=2.0), 1.25, 0.5) == "stable"
    assert check_settled(replace(FULL, now=2.0), 1.75, 0.5, filled=True) == "stable"


def test_an_answer_that_is_none_of_the_scripts_is_an_error() -> None:
    with pytest.raises(ValueError, match="other numbers"):
        Measurement.from_script("1 2 3")
