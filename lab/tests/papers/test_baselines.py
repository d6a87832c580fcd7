"""The baselines, by hand from their publications, and on strange pages."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest

from lab.papers.baselines.boilerpipe import density_rules, num_words_rules
from lab.papers.baselines.tag_ratios import (
    ContentExtractionViaTagRatios,
    derivatives,
    tag_ratios,
)
from lab.papers.baselines.text_density import (
    composite_density,
    density_of,
    density_sums,
    measure,
)
from lab.papers.systems import BASELINES
from scrapy_mainpage.extraction.algorithms import AlgorithmError, get_algorithm
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


def segments(*values: tuple[float, float]) -> Segments:
    """Segments by words (or text density) and link density."""
    amount = np.array([value[0] for value in values])
    zeros = np.zeros(len(values), np.int32)
    return Segments(
        first_run=zeros, block=zeros, tag=zeros, words=amount.astype(np.int32),
        word_density=amount, link_density=np.array([value[1] for value in values]),
        place=zeros, end_place=zeros,
    )  # fmt: skip


TEXT = 0.555556  # the highest link density of a preceding segment that is not a menu
LINKED = 0.56
OWN = 0.333333


@pytest.mark.parametrize(
    ("before", "segment", "after", "main"),
    [
        ((100, 0), (100, OWN), (100, 0), True),
        ((100, 0), (100, 0.34), (100, 0), False),
        # After text: 16 words, 15 in the next segment, 4 in the one before.
        ((0, TEXT), (17, 0), (0, 0), True),
        ((4, TEXT), (16, 0), (15, 0), False),
        ((5, TEXT), (16, 0), (15, 0), True),
        ((4, TEXT), (16, 0), (16, 0), True),
        # After links: 40 words, 17 in the next segment.
        ((100, LINKED), (40, 0), (17, 0), False),
        ((100, LINKED), (41, 0), (17, 0), True),
        ((100, LINKED), (40, 0), (18, 0), True),
    ],
)
def test_algorithm_2_of_boilerpipe(
    before: Any, segment: Any, after: Any, main: bool
) -> None:
    assert num_words_rules(segments(before, segment, after))[1] == main


@pytest.mark.parametrize(
    ("before", "segment", "after", "main"),
    [
        ((20, 0), (20, OWN), (20, 0), True),
        ((20, 0), (20, 0.34), (20, 0), False),
        # After text, sparse: a density of 10 in the next, 4 in the one before.
        ((4, TEXT), (9, 0), (10, 0), False),
        ((4.5, TEXT), (9, 0), (10, 0), True),
        ((4, TEXT), (9, 0), (10.5, 0), True),
        # After text, dense: any text in the next segment.
        ((0, TEXT), (9.5, 0), (0.5, 0), True),
        ((20, TEXT), (9.5, 0), (0, 0), False),
        # After links: a density of 11 in the next segment, whatever the own one.
        ((20, LINKED), (20, 0), (11, 0), False),
        ((0, LINKED), (1, 0), (11.5, 0), True),
    ],
)
def test_algorithm_1_of_boilerpipe(
    before: Any, segment: Any, after: Any, main: bool
) -> None:
    assert density_rules(segments(before, segment, after))[1] == main


def test_cetr_by_its_formulas() -> None:
    document = document_of(
        "<body><p>Hello <b>big</b> world</p><div>x<br>y</div></body>"
    )
    # <html> | <body> | <p>Hello <b>big</b> world</p> | <div>x<br>y</div>
    ratios = tag_ratios(document)[document.blocks.line]
    assert ratios == pytest.approx([15 / 3, 3 / 2])
    found = derivatives(np.array([4.0, 0, 0, 0, 8]), 3)
    assert found == pytest.approx([4, 8 / 3, 8 / 3, 8 / 3, 8])
    side = np.exp(-0.5)
    smooth = ContentExtractionViaTagRatios().smooth(np.array([0.0, 1, 0, 0]))
    assert smooth == pytest.approx(np.array([side, 1, side, 0]) / (1 + 2 * side))
    ratios = np.array([1.0, 1, 1, 1, 90, 1, 1])
    # The peak smooths to 25, 41 and 25; the deviation of the whole is 15.
    for coefficient, lines in ((1.0, [3, 4, 5]), (2.0, [4])):
        algorithm = ContentExtractionViaTagRatios(method="tm", coefficient=coefficient)
        assert np.flatnonzero(algorithm.lines(ratios)).tolist() == lines


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


STRANGE = {
    "empty": "<html></html>",
    "no text": "<body><img src=a><br></body>",
    "one word": "<p>word</p>",
    "one link": "<p><a href=/>word</a></p>",
    "text beside elements": "a<p>b</p>c",
    "frames": "<frameset><frame src=a></frameset>",
    "unknown tags": "<x-a>one <y-b>two</y-b></x-a>",
    "no letters": "<p>--- ***</p>",
    "deep": "<div>" * 200 + "text" + "</div>" * 200,
}


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("html", STRANGE.values(), ids=STRANGE)
def test_strange_pages_have_a_score_per_block(name: str, html: str) -> None:
    document = document_of(html)
    scores = get_algorithm(BASELINES[name]).score(document)
    assert scores.shape == (document.n_blocks,)
    assert ((scores >= 0) & (scores <= 1)).all()


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
    if name != "fe":
        assert chosen[30:36].all()
        assert chosen.sum() <= 6 + MAX_REACH.get(name, 0)


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("boilerpipe-numwords", "segmentation", "lines"), ("ccb", "r", 0),
        ("ccb", "t", 1.5), ("accb", "steady", -1), ("tccb", "rounds", 1.5),
        ("cetd", "variant", "cetd"), ("cetr", "method", "3d"), ("cetr", "radius", 0),
        ("cetr", "alpha", True), ("cetr", "coefficient", None), ("dsc", "window", 1),
        ("dsc", "share", "half"), ("k-fe", "k", 0), ("lqf", "quota", 2),
        ("wlr", "best", 0),
    ],
)  # fmt: skip
def test_a_bad_value_is_refused(name: str, option: str, value: object) -> None:
    with pytest.raises(AlgorithmError, match=f"{option} must be "):
        get_algorithm(BASELINES[name], {option: value})
