"""Small made-up pages that say plainly what their parts are.

Labelled pages of real sites are rarely as small as the first page that a user tries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scrapy_mainpage.evaluation.datasets import parse_page
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.label import Label

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.document.document import Document

WORDS: Final = {
    "en": "river mill chair market garden window letter story winter bridge kettle",
    "de": "Fluss Mühle Stuhl Markt Garten Fenster Brief Geschichte Winter Brücke",
    "fr": "rivière moulin chaise marché jardin fenêtre lettre histoire hiver pont",
    "es": "río molino silla mercado jardín ventana carta historia invierno puente",
    "ru": "река мельница стул рынок сад окно письмо история зима мост",
}
PHRASES: Final = {
    "menu": "Home|Blog|News|About|Shop|Start|Laden|Accueil|Boutique|Inicio|Главная",
    "legal": "Imprint|Privacy|Terms of use|© 2024|Impressum|Datenschutz|Aviso legal",
    "form": "Search|Log in|Suche|Newsletter abonnieren|Rechercher|Buscar|Поиск",
    "more": "Related|More stories|Mehr zum Thema|À lire aussi|Más leídas|Популярное",
    "share": "Facebook|Twitter|LinkedIn|WhatsApp|RSS|Mastodon",
    "cookies": "We use cookies.|Wir verwenden Cookies.|Nous utilisons des cookies.",
}
PARTS: Final = {
    Label.CONSENT: "<div class=cookie-banner><p>{cookies}</p><button>OK</button>",
    Label.HEADER: "<header|div class=masthead><p>{link} {word}</p>",
    Label.NAVIGATION: "<nav|div role=navigation|div class=main-nav>{menus}",
    Label.BREADCRUMB: "<nav class=breadcrumb|div|p>{menu} › {link} › {word}",
    Label.FORM: "<form><label>{form}</label> <input><button>{form}</button>",
    Label.SHARE: "<div class=share|ul class=social>{shares}",
    Label.PAGINATION: "<nav class=pager|div class=pagination><a href=/1>1</a> {link} »",
    Label.COMMENTS: "<section id=comments><h3>3</h3><p>{word}</p><p>{sentence}</p>",
    Label.RELATED: "<aside|div class=related><h2>{more}</h2>{links}",
    Label.SIDEBAR: "<aside|div class=widget><h3>{word}</h3><p>{sentence}</p>",
    Label.ADVERTISEMENT: "<div class=ad-slot|div class=werbung><p>{link}</p>",
    Label.LEGAL: "<footer|div><p>{legal}</p>",
    Label.FOOTER: "<footer|div class=site-footer><p>{word} {word}</p><p>{link}</p>",
}
"""Start tags of each part, one of which is drawn, and its content."""

ABOVE: Final = tuple(PARTS)[:5]
CHANCE: Final = 0.3
"""Probability of a part to be on a page."""


def make_plain_page(
    draw: np.random.RandomState,
) -> tuple[Document, list[Label]]:
    """A page and the labels of its blocks; those of main content are paragraphs."""
    words = WORDS[draw.choice(list(WORDS))].split()
    text = "".join(f"<p>{_sentence(draw, words)}" for _ in range(draw.randint(1, 5)))
    shown = {part: draw.rand() < CHANCE for part in PARTS}
    above = [_fill(part, draw, words) for part in ABOVE if shown[part]]
    below = [_fill(p, draw, words) for p in PARTS if shown[p] and p not in ABOVE]
    title = " ".join(draw.choice(words, 3))
    body = f"<article data-part=paragraph><h1>{title}</h1>{text}</article>"
    html = f"<title>{title}</title>{''.join([*above, body, *below])}"
    root = parse_page(html.encode())
    document = read_tree(root)
    labels = []
    for element in document.blocks.element.tolist():
        path = f"{document.xpath(element)}/ancestor-or-self::*[@data-part][1]"
        found: Any = root.xpath(f"{path}/@data-part")
        labels.append(Label(found[0]))
    return document, labels


def _fill(part: Label, draw: np.random.RandomState, words: list[str]) -> str:
    """The HTML of one *part*."""
    starts, _, inside = PARTS[part][1:].partition(">")
    start = str(draw.choice(starts.split("|")))
    holes = {name: draw.choice(own.split("|")) for name, own in PHRASES.items()}
    link = f"<a href=/{draw.randint(99)}>{' '.join(draw.choice(words, 2))}</a>"
    lists: dict[str, Any] = {
        "links": [" ".join(draw.choice(words, draw.randint(4, 9))) for _ in range(3)],
        "menus": draw.choice(PHRASES["menu"].split("|"), draw.randint(1, 6)),
        "shares": draw.choice(PHRASES["share"].split("|"), draw.randint(1, 4)),
    }
    tag = draw.choice(["li", "p"])
    items = {
        name: "".join(f"<{tag}><a href=/x>{text}</a></{tag}>" for text in texts)
        for name, texts in lists.items()
    }
    filled = inside.format(
        word=draw.choice(words).capitalize(),
        sentence=_sentence(draw, words),
        link=link,
        **holes,
        **items,
    )
    return f"<{start} data-part={part}>{filled}</{start.split()[0]}>"


def _sentence(draw: np.random.RandomState, words: list[str]) -> str:
    return f"{' '.join(draw.choice(words, draw.randint(9, 20)))}.".capitalize()
