"""Pages with little to go by: without names, of few blocks, or made up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from scrapy_mainpage.evaluation.datasets import parse_page
from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.label import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt
    from lxml.etree import _Element

    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.label import Label

    Ints = npt.NDArray[np.intp]
    Mask = npt.NDArray[np.bool_]


MAX_MAIN_BLOCKS: Final = 6
MAX_PARTS: Final = 3
MAX_PART_BLOCKS: Final = (2, 4, 8, 14)
"""Shares of a part that is kept; one is drawn."""


def remove_names(html: bytes) -> Document:
    """The page without classes and ids, as if a program had made them up."""
    root = parse_page(html)
    for element in root.iter("*"):
        for name in {"class", "id"}.intersection(map(str, element.attrib)):
            del element.attrib[name]
    return read_tree(root)


def keep_parts(
    html: bytes,
    main: Mask,
    labels: Mapping[int, Label],
    draw: np.random.RandomState,
) -> tuple[Document, Ints] | None:
    """The page cut to the begin of its main content and a few parts, and their blocks.

    A part is around one of the blocks with *labels*; those of rare roles are kept as
    often. ``None`` if there is none, or not all blocks stay as they were.
    """
    blocks_of: dict[Label, list[int]] = {}
    for block, label in labels.items():
        if not label.is_main:
            blocks_of.setdefault(label, []).append(block)
    if not blocks_of:
        return None
    roles = sorted(blocks_of)
    root = parse_page(html)
    document = read_tree(root)
    parent, first = document.elements.parent, document.elements.first_block
    end = document.elements.end_block
    kept = np.zeros(document.n_blocks, bool)
    kept[np.flatnonzero(main)[: draw.randint(1, MAX_MAIN_BLOCKS + 1)]] = True
    for _ in range(draw.randint(1, MAX_PARTS + 1)):
        seed = draw.choice(blocks_of[roles[draw.randint(len(roles))]])
        at, most = int(document.blocks.element[seed]), draw.choice(MAX_PART_BLOCKS)
        while parent[at] >= 0 and end[parent[at]] - first[parent[at]] <= most:
            at = int(parent[at])
        kept[first[at] : end[at]] = True
    before = np.concatenate(([0], np.cumsum(kept)))
    empty = (end > first) & (before[end] == before[first])
    largest = np.flatnonzero(empty & ~empty[np.maximum(parent, 0)])
    for element in _find_elements(root, document, largest):
        if element.getparent() is None:
            return None
        tail = element.tail
        element.clear()
        element.tail = tail
    partial = read_tree(root)
    if partial.n_blocks != kept.sum():
        return None
    return partial, np.flatnonzero(kept)


def _find_elements(root: _Element, document: Document, numbers: Ints) -> list[_Element]:
    found: list[Any] = [root.xpath(document.xpath(k)) for k in numbers.tolist()]
    return [elements[0] for elements in found]


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
