"""Consent overlays in a real browser: marked, and excluded from main content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import pytest

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.label import Label
from scrapy_mainpage.page import Page
from scrapy_mainpage.rendering.page_reader import make_overlay_script
from tests.rendering.opened import in_browser

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytest.importorskip("playwright")

STORY = (
    "The river rises in the hills behind the town, and on its way to the sea it passes "
    "three old mills that nobody has worked for years. "
)
SAYINGS = {
    "en": (
        "We and our 842 partners store information on a device, such as cookies, and "
        "process personal data for ads and content, and audience insights.",
        "You may change your mind at any time by returning to this site.",
        "Accept all",
    ),
    "de": (
        "Wir und unsere 842 Partner speichern Informationen auf einem Gerät, zum "
        "Beispiel mit Cookies, um Anzeigen und Inhalte zu messen und zu zeigen.",
        "Ihre Einwilligung in die Verarbeitung der Daten ist freiwillig und kann "
        "jederzeit widerrufen werden.",
        "Alle akzeptieren",
    ),
    "ja": (
        "当サイトでは、広告の配信および利用状況の分析のためにクッキーを使用しています。",
        "設定はいつでも変更することができ、このページから取り消すことができます。",
        "同意する",
    ),
    "ru": (
        "Мы и наши партнёры храним информацию на устройстве, например файлы cookie, и "
        "обрабатываем персональные данные для показа рекламы.",
        "Вы можете передумать в любое время, вернувшись на эту страницу сайта.",
        "Принять все",
    ),
}
FIXED = "position: fixed; left: 0; right: 0; bottom: 0; z-index: 9999"
OVERLAYS = {
    "nameless": '<div class="css-1" style="{style}"><div class="css-2"><p>{first}</p>'
    "<p>{second}</p></div><button>{button}</button></div>",
    "section": '<section style="{style}"><h2>{first}</h2><p>{second}</p>'
    "<button>{button}</button></section>",
    "parts that call themselves content": '<div id="Dialog" role="dialog" '
    'style="{style}"><div id="DialogBody"><div id="DialogBodyContentText"><p>{first}'
    "</p><p>{second}</p></div></div><button>{button}</button></div>",
    "in a backdrop": '<div style="{style}; top: 0"><div><div><p>{first}</p><p>{second}'
    '</p></div><a href="#">{button}</a></div></div>',
}


def page(before: str = "", after: str = "", *, size: int = 3) -> str:
    story = "".join(f"<p>{STORY} Part {n}. {STORY}</p>" for n in range(size))
    return (
        "<!doctype html><html><head><title>The river</title></head><body>"
        f'{before}<nav><a href="/">Home</a> <a href="/news">News</a></nav>'
        f'<div class="css-3"><h1>The river</h1><div class="css-4">{story}</div></div>'
        f'<footer><a href="/imprint">Imprint</a></footer>{after}</body></html>'
    )


def overlay(kind: str, language: str) -> str:
    first, second, button = SAYINGS[language]
    return OVERLAYS[kind].format(style=FIXED, first=first, second=second, button=button)


NOTICE = "".join(f"<p>{saying}</p>" for saying in SAYINGS["en"][:2])
BUTTON = "<button>Accept all</button>"
PLACED = {
    **{(kind, "en"): "before" for kind in OVERLAYS},
    **{("nameless", language): "after" for language in SAYINGS},
}
COVERED = {
    f"{kind}, {language}": page(**{place: overlay(kind, language)})
    for (kind, language), place in PLACED.items()
}
SHADOW = page(
    "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = "
    f"`<div id=inner style='{FIXED}'>{NOTICE}{BUTTON}</div>`</script>"
)
LEFT_ALONE = {
    "an article about cookies": page(f"<div>{NOTICE}{BUTTON}</div>"),
    "a menu that sticks": page(
        '<div style="position: sticky; top: 0"><a href="#cookies">How we use cookies '
        f'and your personal data</a> <a href="#more">More</a></div>{NOTICE}'
    ),
    "another dialogue": page(
        f'<div style="{FIXED}"><p>Write to us about anything that you like to know, '
        f"and we answer within two days.</p>{BUTTON}</div>"
    ),
    "nothing to click on": page(f'<div style="{FIXED}">{NOTICE}</div>'),
    "a page within a layer": page(
        f'<div style="{FIXED}; top: 0"><main>{NOTICE * 3}{BUTTON}</main></div>'
    ),
}
IN_A_LAYER = (
    f'<!doctype html><body><div id=app style="{FIXED}; top: 0"><div>'
    f"<h1>The river</h1>{f'<p>{STORY * 2}</p>' * 8}</div>"
    f"<div id=bar>{NOTICE}{BUTTON}</div></div></body>"
)
CASES = {**COVERED, **LEFT_ALONE, "shadow": SHADOW, "in a layer": IN_A_LAYER}


@dataclass(frozen=True)
class Result:
    marked: int
    again: int
    source: str
    is_same: bool
    role: str | None


@cache
def results(program: str) -> dict[str, Result]:
    async def run(browser: Browser, name: str, html: str) -> Result:
        tab = await browser.new_page()
        await tab.set_content(html)
        marked = await tab.evaluate(make_overlay_script())
        source = await tab.content()
        again = await tab.evaluate(make_overlay_script())
        is_same = await tab.content() == source
        found = tab.locator("#inner, #bar")
        role = await found.get_attribute("role") if await found.count() else None
        await tab.close()
        return Result(marked, again, source, is_same, role)

    return in_browser(program, CASES, run)


Ask = Callable[[str], Result]


@pytest.fixture
def result(requirement: Callable[[str], str]) -> Ask:
    program = requirement("browser")
    return lambda name: results(program)[name]


def extracted(source: str) -> Page:
    return Extractor().extract(source)


@pytest.mark.parametrize("name", COVERED)
def test_no_sentence_of_an_overlay_is_main_content(result: Ask, name: str) -> None:
    first, second, button = SAYINGS[name.split(", ")[1]]
    marked = extracted(result(name).source)
    assert result(name).marked == 1
    for saying in (first, second, button):
        assert saying not in marked.text
        labels = {block.label for block in marked.blocks if block.text == saying}
        assert labels == {Label.CONSENT}
    assert marked.text.count(STORY.strip()) == 6


@pytest.mark.parametrize("name", LEFT_ALONE)
def test_what_is_no_overlay_is_left_alone(result: Ask, name: str) -> None:
    assert result(name).marked == 0
    assert "cookie-consent" not in result(name).source


def test_an_overlay_in_a_shadow_root_is_marked(result: Ask) -> None:
    assert result("shadow").marked == 1
    assert result("shadow").role == "dialog"


def test_a_bar_in_a_page_that_is_a_layer_is_marked_alone(result: Ask) -> None:
    found = result("in a layer")
    assert (found.marked, found.role) == (1, "dialog")
    text = extracted(found.source).text
    assert STORY.strip() in text
    assert SAYINGS["en"][0] not in text
