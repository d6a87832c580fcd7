"""LQF, FeatureExtractor and Boilerpipe's rules on pages, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.baselines.block_features import top_cluster
from lab.papers.systems import BASELINES
from scrapy_mainpage.extraction.algorithms import get_algorithm
from tests.extraction.helpers import document_of, texts_of


def main_texts(html: str, name: str, **options: object) -> list[str]:
    document = document_of(html)
    algorithm = get_algorithm(BASELINES[name], options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


@pytest.mark.parametrize(
    ("linked", "kept"), [("efgh", ["abcdefgh", "text"]), ("efghi", ["text"])]
)
def test_an_element_over_the_quota_of_links_is_removed(
    linked: str, kept: list[str]
) -> None:
    html = f"<p>abcd<a href=/>{linked}</a></p><p>text</p>"
    assert main_texts(html, "lqf") == kept


def test_an_element_over_the_quota_takes_its_content_along() -> None:
    html = "<div><p>text</p><p><a href=/>link text</a></p></div><p>rest</p>"
    assert main_texts(html, "lqf") == ["rest"]
    assert main_texts(html, "lqf", quota=0.8) == ["text", "rest"]


def test_a_page_of_links_keeps_the_text_beside_its_links() -> None:
    html = "<body>intro<ul><li><a href=/>a long link</a></ul></body>"
    assert main_texts(html, "lqf") == ["intro"]


PURE = [f"<p>{letter * size}</p>" for letter, size in (("a", 99), ("b", 90), ("c", 20))]


def test_fe_takes_the_one_block_with_the_most_probable_text() -> None:
    # With half of the page's images and a third of its text, "d" loses.
    image = "<p>" + "d" * 99 + "<img src=1></p><p><img src=2></p>"
    assert main_texts("".join(PURE) + image, "fe") == ["a" * 99]


def test_k_fe_takes_the_cluster_with_the_most_text() -> None:
    assert main_texts("".join(PURE), "k-fe") == ["a" * 99, "b" * 90]
    assert len(main_texts("".join(PURE), "k-fe", k=1)) == 3
    assert main_texts("".join(PURE), "k-fe", k=3) == ["a" * 99]


def test_links_and_lists_are_features_against_the_text() -> None:
    menu = "<ul><li><a href=/>link</a><li>item</ul>"
    assert main_texts(f"<p>text</p>{menu}", "k-fe") == ["text"]


def test_the_top_cluster_has_the_largest_mean() -> None:
    points = np.array([[1.0, 0.1], [1.0, 0.9], [1.0, 0.2], [1.0, 1.0]])
    assert top_cluster(points, 2).tolist() == [False, True, False, True]
    assert top_cluster(points, 9).tolist() == [False, False, False, True]


def test_boilerpipe_rules_choose_the_texts_of_their_segments() -> None:
    long, next_ = "word " * 17, "word " * 16
    html = f"<p>{long}</p><p>five of these few words</p><p>{next_}</p><p>end</p>"
    # 17 words; before 16 words; after five; 16 words and nothing after them.
    found = main_texts(html, "boilerpipe-numwords")
    assert found == [long.strip(), "five of these few words", next_.strip(), "end"]
    assert main_texts("<p>few</p><p>words</p>", "boilerpipe-numwords") == []


def test_the_papers_segmentation_cuts_at_inline_tags() -> None:
    four = "word " * 4
    html = f"<p>{four}<b>{'word ' * 9}</b>{four}</p>"
    # 17 words; or 4, 9 and 4, and only the last follows more than 4: 4 of 17 words.
    assert len(main_texts(html, "boilerpipe-numwords")) == 1
    assert main_texts(html, "boilerpipe-numwords", segmentation="paper") == []
