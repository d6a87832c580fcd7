"""Clicks for more content in a real browser: what they bring, and what none touches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import pytest

from scrapy_mainpage.rendering.page_reader import make_click_script
from scrapy_mainpage.rendering.settle import (
    MAX_CLICKS,
    make_init_script,
    settle,
)
from scrapy_mainpage.setting_readers import RefusedError, clicks
from tests.rendering.opened import in_browser
from tests.rendering.server import html, serve, text

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytest.importorskip("playwright")

LEDE = "<p>" + "The keepers of the light wrote down what they saw each night. " * 4
ADD = "document.querySelector('main').insertAdjacentHTML('beforeend', '<p>%s</p>')"
NEW = "Behind the button stands a sentence that no one has read before."
SLOW = text("late", "text/plain", delay=8)
COUNTED = "window.n = (window.n || 0) + 1; "
TABS = """<div role=tablist><button role=tab aria-selected=true onclick="show(0)">One
</button><button role=tab aria-selected=false onclick="show(1)">Two</button></div>
<div role=tabpanel id=panel></div><script>
const texts = ['The first tab has a text of its own, with facts.',
               'The second tab has a text of its own, with figures.'];
const show = (n) => document.getElementById('panel').textContent = texts[n];
show(0);</script>"""

#: The body, what is clicked, and the text that is there afterwards; "" for no click.
CASES: dict[str, tuple[str, str, str]] = {
    "a button that says more": (
        f'<button onclick="{ADD % NEW}; this.remove()">Show more</button>',
        "main button, main a",
        NEW,
    ),
    "the same button again, while it adds": (
        f'<button onclick="{COUNTED}if (n > 3) this.remove(); '
        f"{ADD % (NEW + ' ')}" + '">もっと見る</button>',
        "main button, main a",
        " ".join([NEW] * 4),
    ),
    "data that comes later": (
        "<a href='#' onclick=\"fetch('/').then(() => setTimeout(() => "
        f'{ADD % NEW}, 300)); this.remove()">Voir plus</a>',
        "main button, main a",
        NEW,
    ),
    "a question that a selector names": (
        f'<h3 class=q onclick="{ADD % NEW}; this.remove()">How do I buy?</h3>',
        ".q",
        NEW,
    ),
    "tabs, one after another": (TABS, "[role=tab]", "of its own, with facts."),
    "an endless list": (
        f'<button onclick="{ADD % NEW}">More</button>',
        "main button, main a",
        " ".join([NEW] * MAX_CLICKS),
    ),
    "a script in a link": (
        '<a href="javascript:more()">Show more</a>'
        f"<script>function more() {{ {ADD % NEW} }}</script>",
        "main button, main a",
        NEW,
    ),
    "a fragment in a link": (
        "<a class=t href='#two'>Two</a><script>addEventListener('hashchange', () => "
        f"{ADD % NEW})</script>",
        ".t",
        NEW,
    ),
    "a list that renames itself": (
        "<button onclick=\"history.replaceState(0, '', '/page/2'); this.remove(); "
        f'{ADD % NEW}">Show more</button>',
        "main button, main a",
        NEW,
    ),
    "a page with a variable of the browser's": (
        f'<script>const navigation = {{}}</script><button onclick="{ADD % NEW}; '
        'this.remove()">Show more</button>',
        "main button, main a",
        NEW,
    ),
    "no time for the second tab": (
        TABS.replace("show(1)", "show(1); fetch('/slow')"),
        "[role=tab]",
        "of its own, with facts.",
    ),
    "a script that does not end": (
        '<button onclick="while (true);">Show more</button>',
        "main button, main a",
        "away",
    ),
    "a link": (
        f'<a href="/next" onclick="{ADD % NEW}">Read more</a>',
        "main button, main a",
        "",
    ),
    "a submit": (
        f'<form action="/next" onclick="{ADD % NEW}"><button>Show more</button></form>',
        "button",
        "",
    ),
    "consent": (
        f'<div id=cookies><button class=b onclick="{ADD % NEW}">OK</button></div>',
        ".b",
        "",
    ),
    "a selector that no browser knows": ("<b>no</b>", "b::attr(x)", ""),
    "a button that opens another page": (
        f"<button onclick=\"location.href='/next'; {ADD % NEW}\">Show more</button>",
        "main button, main a",
        "away",
    ),
    "a route of the application": (
        "<button onclick=\"history.pushState(0, '', '/next'); "
        "document.querySelector('main').textContent = 'Another page.'\">More</button>",
        "main button, main a",
        "away",
    ),
}


async def run(browser: Browser, name: str, case: tuple[str, str, str]) -> str:
    body, wanted, _ = case
    pages = {"/": html(f"<body><main>{LEDE}</p>{body}</main>"), "/slow": SLOW}
    with serve(pages) as site:
        page = await browser.new_page()
        await page.add_init_script(make_init_script())
        await page.goto(f"{site.url}/", wait_until="commit")
        script = make_click_script(clicks(wanted))
        wait = 3.5 if "/slow" in body or "while" in body else 10
        settled = await asyncio.wait_for(settle(page, wait, click=script), 30)
        texts: list[str] = await page.evaluate(
            "[...document.querySelectorAll('main > :not(script)')].slice(1).map("
            "it => it.textContent)"
        )
        await page.close()
    assert page.url == f"{site.url}/", name
    assert settled.clicks <= MAX_CLICKS
    if settled.reason == "away":
        return "away"
    return " ".join(" ".join(texts).split()) if settled.clicks else ""


@cache
def results(program: str) -> dict[str, str]:
    return in_browser(program, CASES, run)


@pytest.mark.parametrize("name", CASES)
def test_clicks_bring_more_of_the_page_and_nothing_else(
    name: str, requirement: Callable[[str], str]
) -> None:
    found, wanted = results(requirement("browser"))[name], CASES[name][2]
    assert found == wanted if wanted in ("", "away") else wanted in found, found


def test_a_bad_selector_stops_the_crawl_at_its_start() -> None:
    assert clicks("summary, .more") == ("summary, .more",)
    assert clicks('["summary", ".more"]') == ("summary", ".more")
    assert clicks('[class*="more" i]') == ('[class*="more" i]',)
    with pytest.raises(RefusedError, match="selector"):
        clicks(["a[["])
