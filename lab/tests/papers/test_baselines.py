"""The baselines, by hand from their publications, and on strange pages."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest

from lab.papers.baselines.boilerpipe import density_rules, num_words_rules
from lab.papers.baselines.text_density import (
    composite_density,
    density_of,
    density_sums,
    measure,
)
from lab.papers.systems import BASELINES
from scrapy_mainpage.extraction.algorithms import get_algorithm
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import Segments
from tests.extraction.helpers import document_of, texts_of

A, B, C = (letter * size for letter, size in (("a", 99), ("b", 90), ("c", 20)))
PURE = f"<p>{A}</p><p>{B}</p><p>{C}</p>"
#: With half of the page's images and a third of its text, "d" loses.
IMAGES = "<p>" + "d" * 99 + "<img src=1></p><p><img src=2></p>"
W4, W9, W16, W17, W19, W40 = ("word " * size for size in (4, 9, 16, 17, 19, 40))
MENU = "".join(f'<li><a href="/{i}">Link</a></li>' for i in range(3))
CLASSED = "".join(f'<li class="menu item"><a href="/{i}">M{i}</a>' for i in range(9))
TWO = f"<body><div><p>{'a' * 100}</p><p>{'b' * 100}</p></div><ul>{MENU}</ul></body>"
LINKS = " ".join(
    f'<a href="/wiki/article/{i}" title="Article {i}">term</a> and words'
    for i in range(12)
)
LONG_TAG = f'<b class="{"x" * 60}">one</b> two three four five'
TOKENS = f"<p>{' '.join([LONG_TAG] * 12)}</p>"
HEBREW = "\u05e9\u05dc\u05d5\u05dd " * 24
WLR = (
    f"<body><div><p>{'w ' * 20}</p><p>{'w ' * 18}</p><p>{'w ' * 15}</p></div>"
    f"<aside><p>{'s ' * 19}</p></aside></body>"
)
BTE = "<body><ul><li>a<li>b</ul><p>one two three</p><p>{}</p><ul><li>c</ul></body>"


def main_texts(html: str, name: str, **options: object) -> list[str]:
    document = document_of(html)
    algorithm = get_algorithm(BASELINES[name], options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


@pytest.mark.parametrize(
    ("name", "options", "html", "texts"),
    [
        # The quota of links; an element over it takes its content along.
        ("lqf", {}, "<p>abcd<a href=/>efgh</a></p><p>text</p>", ["abcdefgh", "text"]),
        ("lqf", {}, "<p>abcd<a href=/>efghi</a></p><p>text</p>", ["text"]),
        ("lqf", {}, "<div><p>text</p><p><a href=/>link text</a></p></div><p>r</p>",
         ["r"]),
        ("lqf", {"quota": 0.8},
         "<div><p>text</p><p><a href=/>link text</a></p></div><p>r</p>", ["text", "r"]),
        ("lqf", {}, "<body>intro<ul><li><a href=/>a long link</a></ul></body>",
         ["intro"]),
        # Lists of links: two links and eight words beside them are text.
        ("crunch", {}, f"<p>{W4}{W4}<a href=/>a</a><a href=/>b</a></p><p>x",
         [f"{W4}{W4}ab", "x"]),
        ("crunch", {}, f"<p>{W4}<a href=/>a</a><a href=/>b</a></p><p>x", ["x"]),
        ("crunch", {"ratio": 1}, f"<p>{W4}<a href=/>a</a></p><p>x", [f"{W4}a", "x"]),
        ("crunch", {}, "<body>x<form><p>search</p></form></body>", ["x"]),
        # Long lines at most c2 apart; the region with the most text.
        ("density", {"c2": 1}, f"<p>{C}</p><p>x</p><p>{C}</p><p>x</p><p>x</p><p>{C}",
         [C, "x", C]),
        ("density", {"c2": 0}, f"<p>{C}</p><p>x</p><p>{C}{C}", [C + C]),
        ("density", {}, "<p>short</p>", []),
        # R2L takes the right-to-left characters of the area, DANA all of its text.
        ("r2l", {}, f"<p>{HEBREW}</p><p>in English</p><p>{HEBREW}</p>",
         [HEBREW.strip()] * 2),
        ("dana", {}, f"<p>{HEBREW}</p><p>in English</p><p>{HEBREW}</p>",
         [HEBREW.strip(), "in English", HEBREW.strip()]),
        ("dana", {"gap": 0}, f"<p>{HEBREW}</p>{'<p>a text in English</p>' * 9}"
         f"<p>{HEBREW}{HEBREW}</p>", ["a text in English", HEBREW + HEBREW.strip()]),
        ("dana", {}, f"<p>{W40}</p>", []),
        # The one block with the most probable text; the cluster with the most text.
        ("fe", {}, PURE + IMAGES, [A]),
        ("k-fe", {}, PURE, [A, B]),
        ("k-fe", {"k": 1}, PURE, [A, B, C]),
        ("k-fe", {"k": 3}, PURE, [A]),
        ("k-fe", {}, "<p>text</p><ul><li><a href=/>link</a><li>item</ul>", ["text"]),
        # 17 words; before 16 words; after five; 16 words and nothing after them.
        ("boilerpipe-numwords", {}, f"<p>{W17}</p><p>five of these few words</p>"
         f"<p>{W16}</p><p>end</p>",
         [W17.strip(), "five of these few words", W16.strip(), "end"]),
        ("boilerpipe-numwords", {}, "<p>few</p><p>words</p>", []),
        # 4, 9 and 4 words, and only the last follows more than 4: 4 of 17 words.
        ("boilerpipe-numwords", {"segmentation": "paper"},
         f"<p>{W4}<b>{W9}</b>{W4}</p>", []),
        # </p><p> costs two: three words are worth it, one is not.
        ("bte", {}, BTE.format("four five six"), ["one two three", "four five six"]),
        ("bte", {}, BTE.format("four"), ["one two three"]),
        # 9 words - 6 <hr> - </p><p> = 1.
        ("bte", {}, f"<p>{W9}</p>{'<hr>' * 6}<p>{W9}</p>", [W9.strip()] * 2),
        ("bte", {}, f"<p>{W9}</p>{'<hr>' * 8}<p>{W9}</p>", [W9.strip()]),
        ("dsc", {}, f"<p>{W40}</p>{'<b>x</b> ' * 40}<p>{W40}</p>", [W40.strip()] * 2),
        *((name, {}, f"<ul>{CLASSED}</ul>{'<br>' * 30}<p>{W40}</p>", [W40.strip()])
          for name in ("ccb", "accb", "tccb")),
        # ACCB ignores the tags of links, TCCB counts a long tag as one token.
        ("ccb", {}, f"<div><p>{LINKS}</p></div>", []),
        ("accb", {}, f"<div><p>{LINKS}</p></div>", [" ".join(["term and words"] * 12)]),
        ("ccb", {}, TOKENS, []),
        ("tccb", {}, TOKENS, [" ".join(["one two three four five"] * 12)]),
        # Smoothing gives the link behind the article a quarter of its density.
        ("cetd", {"variant": "CETD-DS"}, TWO, ["a" * 100, "b" * 100]),
        ("cetd", {"variant": "CECTD-DS"}, TWO, ["a" * 100, "b" * 100]),
        ("cetd", {"variant": "CECTD-S"}, TWO, ["a" * 100, "b" * 100, "Link"]),
        # body 600 characters by 7 tags: 86. The short p has 3, the div (of 603) 121.
        ("cetd", {"variant": "CETD-DS"}, f"<body><div><p>{'a' * 300}</p><p>abc</p>"
         f"<p>{'b' * 300}</p></div><ul><li>x<li>y</ul></body>",
         ["a" * 300, "abc", "b" * 300]),
        # The best three: 20 and 18 in the div, 19 in the aside.
        *(("wlr", {"best": best}, WLR, [("w " * n).strip() for n in (20, 18, 15)])
          for best in (1, 3)),
        ("wlr", {"best": 1}, f'<body><div><p><a href="/">{W40}</a></p></div>'
         f"<section><p>{W9}</p></section></body>", [W9.strip()]),
    ],
)  # fmt: skip
def test_the_texts_that_a_system_takes(
    name: str, options: dict[str, Any], html: str, texts: list[str]
) -> None:
    assert main_texts(html, name, **options) == texts


AFTER_TEXT, AFTER_LINKS = 0.555556, 0.56


@pytest.mark.parametrize(
    ("rules", "before", "segment", "after", "main"),
    [
        # After text: 16 words, 15 in the next segment, 4 in the one before.
        (num_words_rules, (0, AFTER_TEXT), 17, 0, True),
        (num_words_rules, (4, AFTER_TEXT), 16, 15, False),
        (num_words_rules, (5, AFTER_TEXT), 16, 15, True),
        (num_words_rules, (4, AFTER_TEXT), 16, 16, True),
        # After links: 40 words, 17 in the next segment.
        (num_words_rules, (100, AFTER_LINKS), 40, 17, False),
        (num_words_rules, (100, AFTER_LINKS), 41, 17, True),
        (num_words_rules, (100, AFTER_LINKS), 40, 18, True),
        # After text a density of 10 in the next, 4 in the one before; 9 of its own.
        (density_rules, (4, AFTER_TEXT), 9, 10, False),
        (density_rules, (4.5, AFTER_TEXT), 9, 10, True),
        (density_rules, (4, AFTER_TEXT), 9, 10.5, True),
        (density_rules, (0, AFTER_TEXT), 9.5, 0.5, True),
        (density_rules, (20, AFTER_TEXT), 9.5, 0, False),
        # After links a density of 11 in the next segment, whatever the own one.
        (density_rules, (20, AFTER_LINKS), 20, 11, False),
        (density_rules, (0, AFTER_LINKS), 1, 11.5, True),
    ],
)
def test_both_algorithms_of_boilerpipe(
    rules: Any, before: Any, segment: float, after: float, main: bool
) -> None:
    zeros, amount = np.zeros(3, np.int32), np.array([before[0], segment, after])
    for own_links, expected in ((0.333333, main), (0.34, False)):
        found = rules(
            Segments(
                first_run=zeros, block=zeros, tag=zeros, words=amount.astype(np.int32),
                word_density=amount, link_density=np.array([before[1], own_links, 0]),
                place=zeros, end_place=zeros,
            )
        )  # fmt: skip
        assert found[1] == expected


def test_cetd_by_its_formulas() -> None:
    linked = '<div><a href="/1">{0}</a><a href="/2">{0}</a></div>'.format("x" * 10)
    document = document_of(f"<body><p>{'x' * 80}</p>{linked}</body>")
    sizes = measure(document)
    # html, body, p, div, a, a
    assert sizes.chars.tolist() == [100, 100, 80, 20, 10, 10]
    assert sizes.tags.tolist() == [5, 4, 0, 2, 0, 0]
    assert sizes.link_chars.tolist() == [20, 20, 0, 20, 10, 10]
    assert sizes.link_tags.tolist() == [2, 2, 0, 2, 0, 0]
    assert density_of(sizes).tolist() == [20, 25, 80, 10, 10, 10]
    density, e = composite_density(sizes, document), np.e
    # C/T log_b(C/LC T/LT) with b = ln(C/notLC LC + LC_b/C_b C + e)
    body = 25 * log(100 / 20 * 4 / 2) / log(log(100 / 80 * 20 + 0.2 * 100 + e))
    text = 80 * log(80) / log(log(80 / 80 * 1 + 0.2 * 80 + e))
    assert density[1:4] == pytest.approx([body, text, 0])
    document = document_of("<body><div>12345<p>abc</p><p>abcdefg</p></div></body>")
    sizes = measure(document)
    sums = density_sums(document, sizes, density_of(sizes), composite=False)
    # Text of div 5, p 3, p 7; body has only div, with 15 characters and 2 tags.
    assert sums.tolist() == [15 / 3, 15 / 2, 15, 3, 7]


#: Texts beside an article that a baseline may take along, by blurring and windows.
MAX_REACH = {"cetr": 4, "dsc": 3, "tccb": 6}


@pytest.mark.parametrize("name", BASELINES)
def test_an_article_is_found_among_menus_and_hidden_text_never(name: str) -> None:
    text = "Many words of a long paragraph without any link in it. " * 9
    algorithm = get_algorithm(BASELINES[name])
    page = f"<p>{text}</p><p style='display:none'>{text}</p><p>{text}</p>"
    assert algorithm.score(document_of(page))[1] == 0
    menu = "".join(f'<li><a href="/s/{i}">Menu {i}</a></li>' for i in range(30))
    article = "".join(f"<p>{i} {text}</p>" for i in range(6))
    html = f"<body><ul>{menu}</ul><div>{article}</div><ul>{menu}</ul></body>"
    document = document_of(html)
    chosen = algorithm.select(document, algorithm.score(document))
    if name not in ("fe", "r2l", "dana"):
        assert chosen[30:36].all()
        assert chosen.sum() <= 6 + MAX_REACH.get(name, 0)
