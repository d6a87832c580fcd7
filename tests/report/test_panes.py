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


def assert_lit(tab: Any, *names: str) -> None:
    """Wait until these blocks are lit, and no other."""
    lit = "[...document.querySelectorAll('.lit')].map(block => block.id).join()"
    tab.wait_for_function(f"names => {lit} === names", arg=",".join(names))


def await_scroll(tab: Any, window: float, text: float | None = None) -> None:
    """Wait until the window stands there, and the text."""
    there = f"() => Math.abs(scrollY - {window}) <= 1"
    if text is not None:
        there += f" && Math.abs({TEXT_SCROLL} - {text}) <= 1"
    tab.wait_for_function(there)


def await_beside(tab: Any, block: int) -> None:
    """Wait until the block stands at the same height in both panes."""
    tab.wait_for_function(
        """([block, height]) => {
            const [left, right] = ["b", "x"].map(side =>
                document.getElementById(side + block).getBoundingClientRect().top);
            return Math.abs(left - right) < 2 && 0 <= left && left < height;
        }""",
        arg=[block, WIDE["height"]],
    )


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
            await_scroll(tab, start)
            await_beside(tab, FIRST + 20)
            tab.mouse.wheel(0, -start)
            await_scroll(tab, 0, text=0)

    @pytest.mark.parametrize("motion", ["reduce", "no-preference"])
    def test_the_page_follows_the_text(self, open_report: Open, motion: str) -> None:
        with open_report(reduced_motion=motion) as tab:
            tab.hover(f"#x{FIRST}")
            top = tab.evaluate(TOP, "extracted")
            start = tab.evaluate(TOP, f"x{FIRST + 20}") - top - 50
            tab.mouse.wheel(0, start)
            tab.wait_for_function(f"() => Math.abs({TEXT_SCROLL} - {start}) <= 1")
            await_beside(tab, FIRST + 20)

    def test_keys_move_both_wherever_the_pointer_rests(self, open_report: Open) -> None:
        with open_report() as tab:
            tab.hover(f"#x{FIRST}")
            for _ in range(4):
                tab.keyboard.press("PageDown")
            height = WIDE["height"]
            tab.wait_for_function(
                f"() => scrollY > {2 * height} && {TEXT_SCROLL} > {height}"
            )
            tab.focus("#extracted")
            tab.keyboard.press("Home")
            tab.wait_for_function(f"() => {TEXT_SCROLL} === 0")
            await_beside(tab, FIRST)

    def test_a_link_between_the_panes_moves_the_other_pane_alone(
        self, open_report: Open
    ) -> None:
        with open_report() as tab:
            tab.mouse.move(200, 300)
            window = tab.evaluate(TOP, f"b{FIRST + 20}") - 300
            tab.mouse.wheel(0, window)
            await_scroll(tab, window)
            await_beside(tab, FIRST + 20)
            text = tab.evaluate(TEXT_SCROLL)
            tab.click(f"#b{FIRST + 21} .go")
            tab.wait_for_function(f"() => {TEXT_SCROLL} !== {text}")
            assert tab.evaluate("location.hash") == f"#x{FIRST + 21}"
            assert tab.evaluate("scrollY") == pytest.approx(window, abs=2)

    def test_one_pane_below_the_other_stays_where_it_is(
        self, open_report: Open
    ) -> None:
        with open_report(viewport={"width": 390, "height": 700}) as tab:
            tab.mouse.move(200, 300)
            tab.mouse.wheel(0, 4000)
            await_scroll(tab, 4000, text=0)


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
