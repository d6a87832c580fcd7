"""CETR, CETD and WLR, by hand from their publications."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from lab.papers.baselines.element_ratios import leaves
from lab.papers.baselines.tag_ratios import (
    ContentExtractionViaTagRatios,
    cluster,
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
from scrapy_mainpage.extraction.algorithms import get_algorithm
from tests.extraction.helpers import document_of, texts_of


def main_texts(html: str, name: str, **options: object) -> list[str]:
    document = document_of(html)
    algorithm = get_algorithm(BASELINES[name], options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


def test_a_tag_ratio_is_the_characters_of_a_line_by_its_tags() -> None:
    document = document_of(
        "<body><p>Hello <b>big</b> world</p><div>x<br>y</div></body>"
    )
    # <html> | <body> | <p>Hello <b>big</b> world</p> | <div>x<br>y</div>
    ratios = tag_ratios(document)[document.blocks.line]
    assert ratios == pytest.approx([15 / 3, 3 / 2])


def test_derivatives_compare_a_line_with_the_mean_of_the_next_three() -> None:
    found = derivatives(np.array([4.0, 0, 0, 0, 8]), 3)
    assert found == pytest.approx([4, 8 / 3, 8 / 3, 8 / 3, 8])


def test_smoothing_is_a_gaussian_of_radius_one() -> None:
    side = np.exp(-0.5)
    smooth = ContentExtractionViaTagRatios().smooth(np.array([0.0, 1, 0, 0]))
    expected = np.array([side, 1, side, 0]) / (1 + 2 * side)
    assert smooth == pytest.approx(expected)


def test_clusters_begin_at_the_origin() -> None:
    points = np.array([0.0, 0, 1, 10, 11])[:, None]
    assert cluster(points, fixed=False).tolist() == [0, 0, 0, 2, 2]


def test_a_fixed_cluster_stays_at_the_origin() -> None:
    # Freely, the first two have their centre at 3, and 6 is nearer to it than to 10.
    points = np.array([2.0, 4, 6, 10, 20])[:, None]
    assert cluster(points, fixed=False).tolist() == [0, 0, 1, 1, 2]
    assert cluster(points, fixed=True).tolist() == [0, 0, 1, 1, 2]
    points = np.array([4.5, 4.5, 5.2, 10.0])[:, None]
    assert cluster(points, fixed=True)[2] == 1


def test_the_threshold_is_a_number_of_standard_deviations() -> None:
    ratios = np.array([1.0, 1, 1, 1, 90, 1, 1])
    algorithm = ContentExtractionViaTagRatios(method="tm", coefficient=1.0)
    # The peak smooths to 25, 41 and 25; the deviation of the whole is 15.
    assert np.flatnonzero(algorithm.lines(ratios)).tolist() == [3, 4, 5]
    algorithm = ContentExtractionViaTagRatios(method="tm", coefficient=2.0)
    assert np.flatnonzero(algorithm.lines(ratios)).tolist() == [4]


LINKED = '<div><a href="/1">{0}</a><a href="/2">{0}</a></div>'.format("x" * 10)


def test_text_density_is_characters_by_tags_below() -> None:
    document = document_of(f"<body><p>{'x' * 80}</p>{LINKED}</body>")
    sizes = measure(document)
    # html, body, p, div, a, a
    assert sizes.chars.tolist() == [100, 100, 80, 20, 10, 10]
    assert sizes.tags.tolist() == [5, 4, 0, 2, 0, 0]
    assert sizes.link_chars.tolist() == [20, 20, 0, 20, 10, 10]
    assert sizes.link_tags.tolist() == [2, 2, 0, 2, 0, 0]
    assert density_of(sizes).tolist() == [20, 25, 80, 10, 10, 10]


def test_composite_density_weighs_text_and_tags_against_links() -> None:
    document = document_of(f"<body><p>{'x' * 80}</p>{LINKED}</body>")
    density = composite_density(measure(document), document)
    e = np.e
    # C/T log_b(C/LC T/LT) with b = ln(C/notLC LC + LC_b/C_b C + e)
    body = 25 * log(100 / 20 * 4 / 2) / log(log(100 / 80 * 20 + 0.2 * 100 + e))
    text = 80 * log(80) / log(log(80 / 80 * 1 + 0.2 * 80 + e))
    assert density[1:4] == pytest.approx([body, text, 0])


def test_density_sum_adds_the_children_and_texts() -> None:
    document = document_of("<body><div>12345<p>abc</p><p>abcdefg</p></div></body>")
    sizes = measure(document)
    sums = density_sums(document, sizes, density_of(sizes), composite=False)
    # Text of div 5, p 3, p 7; body has only div, with 15 characters and 2 tags.
    assert sums.tolist() == [15 / 3, 15 / 2, 15, 3, 7]


MENU = "".join(f'<li><a href="/{i}">Link</a></li>' for i in range(3))


@pytest.mark.parametrize(
    ("variant", "more"), [("CETD-DS", []), ("CECTD-DS", []), ("CECTD-S", ["Link"])]
)
def test_the_element_with_the_largest_density_sum_is_taken_whole(
    variant: str, more: list[str]
) -> None:
    texts = ["a" * 100, "b" * 100]
    article = "".join(f"<p>{text}</p>" for text in texts)
    html = f"<body><div>{article}</div><ul>{MENU}</ul></body>"
    # Smoothing gives the link behind the article a quarter of its density.
    assert main_texts(html, "cetd", variant=variant) == texts + more


def test_density_sum_keeps_a_short_paragraph_that_smoothing_may_lose() -> None:
    # body 600 characters by 7 tags: 86. The short p has 3, the div (of sum 603) 121.
    article = f"<p>{'a' * 300}</p><p>abc</p><p>{'b' * 300}</p>"
    html = f"<body><div>{article}</div><ul><li>x<li>y</ul></body>"
    assert len(main_texts(html, "cetd", variant="CETD-DS")) == 3


def test_leaves_are_texts_and_empty_elements() -> None:
    document = document_of("<body><div><p>a b c</p><p>d<img src=x>e</p> </div></body>")
    # html, body, div, p, p, img
    assert leaves(document).tolist() == [4, 4, 4, 1, 3, 1]


def test_wlr_takes_the_container_of_the_most_words_among_the_best() -> None:
    sizes = (20, 18, 15)
    article = "".join(f"<p>{'w ' * size}</p>" for size in sizes)
    html = f"<body><div>{article}</div><aside><p>{'s ' * 19}</p></aside></body>"
    # The best three: 20 and 18 in the div, 19 in the aside.
    found = main_texts(html, "wlr", best=3)
    assert [len(text.split()) for text in found] == [20, 18, 15]
    assert main_texts(f"{html}", "wlr", best=1) == found


def test_wlr_does_not_count_words_in_links() -> None:
    link = f'<p><a href="/">{"l " * 30}</a></p>'
    html = f"<body><div>{link}</div><section><p>{'w ' * 9}</p></section></body>"
    assert main_texts(html, "wlr", best=1) == [("w " * 9).strip()]
