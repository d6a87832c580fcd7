"""The script of the visual report connects its panes, and no other script runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.report import write_report
from tests.browser import open_page
from tests.mockserver import SENTENCE

WIDE = {"width": 1200, "height": 700}
MENU = "".join(f"<p><a href=/{k}>Link {k}</a>" for k in range(30))
HTML = f"<nav>{MENU}</nav><article>" + "".join(
    f"<h2 id=p{k}>Part {k}<a href=#p{k}>¶</a></h2><p>{SENTENCE * 6}" for k in range(20)
)
FIRST = 30
"""The first block of the main content."""

TOP = "name => document.getElementById(name).getBoundingClientRect().top"
TEXT_SCROLL = "document.getElementById('extracted').scrollTop"

pytestmark = pytest.mark.timeout(300)


def report() -> str:
    return write_report(extract(HTML, algorithm="semantic-markup"))


Open = Callable[..., Any]


@pytest.fixture
def open_report(
    requirement: Callable[[str], str], request: pytest.FixtureRequest, tmp_path: Path
) -> Open:
    """Opens the report of the page in a new tab; ends with the block."""
    requirement("browser")
    browser = request.getfixturevalue("chromium")

    @contextmanager
    def opened(**options: Any) -> Iterator[Any]:
        file = tmp_path / "report.html"
        file.write_text(report(), "utf-8")
        errors: list[str] = []
        options = {"viewport": WIDE, "reduced_motion": "reduce", **options}
        context = browser.new_context(**options)
        tab = context.new_page()
        tab.on("console", lambda message: errors.append(message.text))
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto(file.as_uri())
        yield tab
        assert errors == []
        context.close()

    return opened


def wait_until(tab: Any, holds: Callable[[], bool]) -> bool:
    """Whether a condition of the page comes true within ten seconds."""
    for _ in range(100):
        if holds():
            return True
        tab.wait_for_timeout(100)
    return False


def assert_lit(tab: Any, *names: str) -> None:
    blocks = tab.locator(".lit")
    read = "all => all.map(e => e.id)"
    wait_until(tab, lambda: blocks.evaluate_all(read) == [*names])
    assert blocks.evaluate_all(read) == [*names]


def rest(tab: Any) -> tuple[float, float]:
    """Where window and text stand once neither has moved for 300 ms."""
    before = None
    while (now := tab.evaluate(f"[scrollY, {TEXT_SCROLL}]")) != before:
        before = now
        tab.wait_for_timeout(300)
    return now[0], now[1]


def assert_beside(tab: Any, block: int) -> None:
    """The block stands at the same height in both panes."""

    def are_beside() -> bool:
        left, right = (tab.evaluate(TOP, f"{side}{block}") for side in "bx")
        return abs(left - right) < 2 and 0 <= left < WIDE["height"]

    assert wait_until(tab, are_beside)


def test_permalinks_which_are_not_extracted_cut_no_connection() -> None:
    text = report()
    for block in range(FIRST, FIRST + 40):
        assert f'href="#x{block}"' in text
        assert f'href="#b{block}"' in text


class TestHighlight:
    def test_the_pointer_on_a_block_lights_it_on_both_sides(
        self, open_report: Open
    ) -> None:
        with open_report() as tab:
            tab.hover(f"#b{FIRST + 1}")
            assert_lit(tab, f"b{FIRST + 1}", f"x{FIRST + 1}")
            tab.hover(f"#x{FIRST + 2}")
            assert_lit(tab, f"b{FIRST + 2}", f"x{FIRST + 2}")
            tab.hover("#b1")
            assert_lit(tab)

    def test_the_focus_of_a_link_does_so_too(self, open_report: Open) -> None:
        with open_report() as tab:
            tab.focus(f"#b{FIRST} .go")
            assert_lit(tab, f"b{FIRST}", f"x{FIRST}")
            tab.keyboard.press("Tab")
            assert_lit(tab, f"b{FIRST + 1}", f"x{FIRST + 1}")


class TestScrolling:
    @pytest.mark.parametrize("motion", ["reduce", "no-preference"])
    def test_the_text_follows_the_page(self, open_report: Open, motion: str) -> None:
        with open_report(reduced_motion=motion) as tab:
            tab.mouse.move(200, 300)
            start = tab.evaluate(TOP, f"b{FIRST + 20}") - 50
            tab.mouse.wheel(0, start)
            assert wait_until(tab, lambda: abs(rest(tab)[0] - start) <= 1)
            assert_beside(tab, FIRST + 20)
            tab.mouse.wheel(0, -start)
            assert wait_until(tab, lambda: rest(tab) == (0, 0))

    @pytest.mark.parametrize("motion", ["reduce", "no-preference"])
    def test_the_page_follows_the_text(self, open_report: Open, motion: str) -> None:
        with open_report(reduced_motion=motion) as tab:
            tab.hover(f"#x{FIRST}")
            top = tab.evaluate(TOP, "extracted")
            start = tab.evaluate(TOP, f"x{FIRST + 20}") - top - 50
            tab.mouse.wheel(0, start)
            assert wait_until(tab, lambda: abs(rest(tab)[1] - start) <= 1)
            assert_beside(tab, FIRST + 20)

    def test_keys_move_both_wherever_the_pointer_rests(self, open_report: Open) -> None:
        with open_report() as tab:
            tab.hover(f"#x{FIRST}")
            for _ in range(4):
                tab.keyboard.press("PageDown")
                window, text = rest(tab)
            assert window > 2 * WIDE["height"]
            assert text > WIDE["height"]
            tab.focus("#extracted")
            tab.keyboard.press("Home")
            rest(tab)
            assert tab.evaluate(TEXT_SCROLL) == 0
            assert_beside(tab, FIRST)

    def test_a_link_between_the_panes_moves_the_other_pane_alone(
        self, open_report: Open
    ) -> None:
        with open_report() as tab:
            tab.mouse.move(200, 300)
            tab.mouse.wheel(0, tab.evaluate(TOP, f"b{FIRST + 20}") - 300)
            window, _ = rest(tab)
            tab.click(f"#b{FIRST + 21} .go")
            assert rest(tab)[0] == pytest.approx(window, abs=2)
            assert tab.evaluate("location.hash") == f"#x{FIRST + 21}"

    def test_one_pane_below_the_other_stays_where_it_is(
        self, open_report: Open
    ) -> None:
        with open_report(viewport={"width": 390, "height": 700}) as tab:
            tab.mouse.move(200, 300)
            tab.mouse.wheel(0, 4000)
            assert wait_until(tab, lambda: rest(tab) == (4000, 0))


def test_the_report_is_whole_without_scripts(open_report: Open) -> None:
    with open_report(java_script_enabled=False) as tab:
        tab.click(f"#b{FIRST} .go")
        assert tab.url.endswith(f"#x{FIRST}")
        assert tab.locator(".text h2").count() == 20


@pytest.mark.parametrize(
    ("before", "hostile"),
    [
        ("<title>", "<script>err(1)</script>"),
        ("</body>", "<script>err(1)</script>"),
        ("</body>", "<svg onload=err(1)></svg>"),
        ("</script>", "err(1)"),
    ],
)
def test_the_policy_stops_a_script_that_escaping_would_let_through(
    requirement: Callable[[str], str], before: str, hostile: str
) -> None:
    text = report().replace(before, hostile + before, 1)
    console = open_page(requirement("browser"), text).console
    assert "Content Security Policy" in console
    assert "err is not defined" not in console
    without_policy = text.replace("Content-Security-Policy", "x-policy", 1)
    console = open_page(requirement("browser"), without_policy).console
    assert "err is not defined" in console
