"""Clicks for more content in a real browser: what they bring, and what none touches."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from scrapy_mainpage.rendering.browser.settle import (
    MAX_CLICKS,
    Patience,
    make_init_script,
    settle,
)
from scrapy_mainpage.rendering.browser.snapshot import make_click_script
from scrapy_mainpage.setting_readers import RefusedError, clicks
from tests.rendering.opened import in_browser
from tests.rendering.sites.server import html, serve, text

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
        ":show-more",
        NEW,
    ),
    "in another language, with a number": (
        f'<button onclick="{ADD % NEW}; this.remove()">9 weitere laden</button>',
        ":show-more",
        NEW,
    ),
    "the same button again, while it adds": (
        f'<button onclick="{COUNTED}if (n > 3) this.remove(); '
        f"{ADD % (NEW + ' ')}" + '">もっと見る</button>',
        ":show-more",
        " ".join([NEW] * 4),
    ),
    "data that comes later": (
        "<a href='#' onclick=\"fetch('/').then(() => setTimeout(() => "
        f'{ADD % NEW}, 300)); this.remove()">Voir plus</a>',
        ":show-more",
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
        ":show-more",
        " ".join([NEW] * MAX_CLICKS),
    ),
    "a script in a link": (
        '<a href="javascript:more()">Show more</a>'
        f"<script>function more() {{ {ADD % NEW} }}</script>",
        ":show-more",
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
        ":show-more",
        NEW,
    ),
    "a page with a variable of the browser's": (
        f'<script>const navigation = {{}}</script><button onclick="{ADD % NEW}; '
        'this.remove()">Show more</button>',
        ":show-more",
        NEW,
    ),
    "no time for the second tab": (
        TABS.replace("show(1)", "show(1); fetch('/slow')"),
        "[role=tab]",
        "of its own, with facts.",
    ),
    "a script that does not end": (
        '<button onclick="while (true);">Show more</button>',
        ":show-more",
        "away",
    ),
    "icons and long labels": (
        "".join(
            f'<button onclick="{ADD % NEW}" {names}</button>'
            for names in (
                'aria-label="Add to cart">+',
                'title="Buy">Kettle',
                '><img alt="Delete">',
                ">+",
                ">Jetzt kostenpflichtig bestellen, mit allem Zubehör",
                ">Delete account?",
                ">加入购物车",
            )
        ),
        "button",
        "",
    ),
    "a link": (
        f'<a href="/next" onclick="{ADD % NEW}">Read more</a>',
        ":show-more",
        "",
    ),
    "a submit": (
        f'<form action="/next" onclick="{ADD % NEW}"><button>Show more</button></form>',
        "button",
        "",
    ),
    "a purchase": (f'<button class=b onclick="{ADD % NEW}">Buy</button>', ".b", ""),
    "a login": (f'<button class=b onclick="{ADD % NEW}">Anmelden</button>', ".b", ""),
    "consent": (
        f'<div id=cookies><button class=b onclick="{ADD % NEW}">OK</button></div>',
        ".b",
        "",
    ),
    "a selector that no browser knows": ("<b>no</b>", "b::attr(x)", ""),
    "a button that opens another page": (
        f"<button onclick=\"location.href='/next'; {ADD % NEW}\">Show more</button>",
        ":show-more",
        "away",
    ),
    "a route of the application": (
        "<button onclick=\"history.pushState(0, '', '/next'); "
        "document.querySelector('main').textContent = 'Another page.'\">More</button>",
        ":show-more",
        "away",
    ),
}


TYPICAL = {
    "en": "Show more|Load more comments|See all reviews|Continue reading|"
    "Show more like this|Show all McDonald's|Load more beliefs|See all exclusives",
    "de": "Mehr anzeigen|Weiterlesen|Alle Vorteile anzeigen|Weitere Mitteilungen laden",
    "fr": "Afficher plus|Lire la suite|Voir plus de commentaires",
    "es": "Mostrar más|Seguir leyendo|Cargar más resultados|Ver todo",
    "pt": "Mostrar mais|Carregar mais|Continuar lendo|Ver tudo",
    "it": "Mostra altro|Carica altri|Continua a leggere|Leggi tutto",
    "nl": "Meer laden|Toon meer|Lees verder|Alle reacties tonen",
    "pl": "Pokaż więcej|Załaduj więcej|Czytaj dalej",
    "cs": "Zobrazit více|Zobrazit všechny skupiny|Načíst další",
    "sk": "Zobraziť viac|Načítať ďalšie",
    "sv": "Visa mer|Läs mer|Ladda fler",
    "da": "Vis mere|Indlæs flere|Læs mere",
    "no": "Vis mer|Last inn flere|Les mer",
    "fi": "Näytä lisää|Lue lisää|Lataa lisää",
    "hu": "További betöltése|Több megjelenítése|Tovább olvasom",
    "ro": "Vezi mai mult|Citește mai mult|Încarcă mai multe",
    "tr": "Daha fazla göster|Devamını oku|Tümünü gör",
    "el": "Εμφάνιση περισσότερων|Διαβάστε περισσότερα",
    "ru": "Показать ещё|Читать далее|Загрузить больше|Показать все сообщения",
    "uk": "Показати ще|Читати далі|Завантажити більше",
    "bg": "Покажи още|Виж повече|Прочети още",
    "hr": "Prikaži više|Učitaj još|Vidi sve",
    "id": "Tampilkan lebih banyak|Muat lebih banyak|Lihat semua|Baca selengkapnya",
    "vi": "Xem thêm|Tải thêm bình luận|Xem tất cả",
    "ar": "عرض المزيد|تحميل المزيد|عرض الكل",
    "fa": "نمایش بیشتر|مشاهده همه|ادامه مطلب",
    "he": "הצג עוד|קרא עוד|הצג הכל",
    "hi": "और देखें|और पढ़ें|सभी देखें",
    "th": "ดูเพิ่มเติม|โหลดเพิ่มเติม|อ่านต่อ",
    "ja": "もっと見る|続きを読む|すべて表示|もっと読み込む",
    "zh": "查看更多|加载更多|阅读全文|展开|显示全部评论|更多",
    "ko": "더보기|더 보기|계속 읽기|전체 보기",
}
ACTS = (
    "Jetzt kostenpflichtig bestellen|Accept all cookies and continue|Buy?|Place bid|"
    "Continue with Google to sign in|Add this item to your shopping cart|Apply now|"
    "Delete account?|Show all permanently delete everything|Show all for $|Log off|"
    "Show more accept marketing cookies|Finalizar compra|Passer commande|Join|Confirm|"
    "全部清空|もっと買う|今すぐ買う|购买|구매하기|Оформить|Купить|Anmelden|Dona ora|"
    "Acquista ora|Segui|Inloggen|Kup teraz|Koupit|Köp nu|Satın al|Beli sekarang|"
    "Mua ngay|Masuk|Excluir conta"
)


async def run(browser: Browser, name: str, case: tuple[str, str, str]) -> str:
    body, wanted, _ = case
    pages = {"/": html(f"<body><main>{LEDE}</p>{body}</main>"), "/slow": SLOW}
    with serve(pages) as site:
        page = await browser.new_page()
        await page.add_init_script(make_init_script())
        await page.goto(f"{site.url}/", wait_until="commit")
        script = make_click_script(clicks(wanted))
        wait = 2.5 if "/slow" in body or "while" in body else 10
        patience = Patience(0.2, wait, click=script)
        settled = await asyncio.wait_for(settle(page, patience), 30)
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


def test_a_tab_s_text_stays_when_the_next_one_replaces_it(
    requirement: Callable[[str], str],
) -> None:
    found = results(requirement("browser"))["tabs, one after another"]
    assert found.index("with figures") < found.index("with facts")


def test_a_bad_selector_stops_the_crawl_at_its_start() -> None:
    assert clicks("summary, :show-more") == ("summary", ":show-more")
    assert clicks(":is(.x, [title='a,b']) b,.c") == (":is(.x, [title='a,b']) b", ".c")
    assert clicks('[class*="more" i]') == ('[class*="more" i]',)
    for wrong in ("a[[", ":showmore", "main :show-more"):
        with pytest.raises(RefusedError, match="selector"):
            clicks([wrong])


LABELS = json.loads(
    files("scrapy_mainpage.rendering.browser")
    .joinpath("click_labels.json")
    .read_text("utf-8")
)
MORE = re.compile("|".join(LABELS["more"].values()), re.IGNORECASE)
NEVER = re.compile("|".join(LABELS["never"]), re.IGNORECASE)


def test_labels_that_say_more_are_none_of_those_that_act() -> None:
    said = [label for labels in TYPICAL.values() for label in labels.split("|")]
    assert TYPICAL.keys() == LABELS["more"].keys()
    assert not [label for label in said if not MORE.fullmatch(label)]
    assert not [label for label in said if NEVER.search(label)]


def test_labels_that_act_are_not_clicked() -> None:
    assert not [label for label in ACTS.split("|") if not NEVER.search(label)]
    for label in ("Get full access", "Get more credits", "全部清空", "もっと買う"):
        assert not MORE.fullmatch(label)
