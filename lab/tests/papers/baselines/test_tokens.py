"""BTE, DSC and content code blurring, by hand from their publications."""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.baselines.baseline import read_source
from lab.papers.baselines.code_blurring import ContentCodeBlurring
from lab.papers.baselines.token_curves import DocumentSlopeCurve
from lab.papers.systems import BASELINES
from scrapy_mainpage.extraction.algorithms import get_algorithm
from tests.extraction.helpers import document_of, texts_of


def main_texts(html: str, name: str, **options: object) -> list[str]:
    document = document_of(html)
    algorithm = get_algorithm(BASELINES[name], options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


def test_a_page_is_its_texts_and_the_tags_between_them() -> None:
    source = read_source(
        document_of(
            "<html><body><script>var a</script><p class=x>Two words<br>"
            "and <b>three</b></p></body></html>"
        )
    )
    assert source.words.tolist() == [2, 1, 1]
    assert source.chars.tolist() == [9, 4, 5]
    # <html><body><p class="x"> | <br> | <b> | </b></p></body></html>
    assert source.tags.tolist() == [3, 1, 1, 4]
    assert source.code.tolist() == [6 + 6 + 13, 4, 3, 4 + 4 + 7 + 7]


def test_characters_are_not_bytes() -> None:
    assert read_source(document_of("<p>größer</p>")).chars.tolist() == [6]


def test_bte_is_the_region_with_most_words_inside_and_most_tags_outside() -> None:
    html = (
        "<body><ul><li>a<li>b</ul><p>one two three four five</p><p>{}</p>"
        "<ul><li>c</ul></body>"
    )
    # </p><p> costs two: three words are worth it, one is not.
    first = "one two three four five"
    three = html.format("six seven eight")
    assert main_texts(three, "bte") == [first, "six seven eight"]
    assert main_texts(html.format("six"), "bte") == [first]


def test_bte_goes_over_a_gap_if_the_words_behind_it_are_worth_it() -> None:
    gap = "<hr>" * 6
    words = "w " * 9
    # 9 words - 6 <hr> - </p><p> = 1.
    assert len(main_texts(f"<p>{words}</p>{gap}<p>{words}</p>", "bte")) == 2
    gap += "<hr><hr>"
    assert len(main_texts(f"<p>{words}</p>{gap}<p>{words}</p>", "bte")) == 1


def test_dsc_takes_windows_of_less_than_half_the_average_slope() -> None:
    # 20 of 40 tokens are tags; a window of 4 may have one.
    is_tag = np.repeat([True, False, True], [10, 20, 10])
    low = DocumentSlopeCurve().low_tokens(is_tag)
    assert np.flatnonzero(low).tolist() == list(range(10, 30))
    is_tag[[15, 18, 19]] = True
    low = DocumentSlopeCurve().low_tokens(is_tag)
    # 16 to 19 has two, and so has 18 to 21; 14 to 17 has one.
    assert np.flatnonzero(low).tolist() == [*range(10, 18), *range(20, 30)]


def test_dsc_finds_every_low_section() -> None:
    words = "word " * 30
    html = f"<p>{words}</p>{'<b>x</b> ' * 30}<p>{words}</p>"
    assert main_texts(html, "dsc") == [words.strip()] * 2


def test_blurring_is_a_weighted_mean_of_the_neighbours() -> None:
    vector = np.array([0, 1, 0, 1, 1, 1, 0, 0], np.float32)
    side, centre = np.exp(-2), 1.0  # one standard deviation is half the range of 1
    whole = centre + 2 * side
    blurred = ContentCodeBlurring(r=1, rounds=1).blur(vector)
    expected = [side, centre, 2 * side, centre + side, whole, centre + side, side, 0]
    assert blurred == pytest.approx(np.array(expected) / whole, abs=1e-6)


def test_blurring_ends_when_the_vector_is_steady() -> None:
    vector = np.zeros(9, np.float32)
    vector[4] = 1
    once = ContentCodeBlurring(r=1, rounds=1).blur(vector)
    # The centre falls by 0.21 in the first round and by 0.14 in the second.
    assert (ContentCodeBlurring(r=1, steady=0.3).blur(vector) == once).all()
    assert ContentCodeBlurring(r=1, steady=0.1).blur(vector)[4] < once[4] - 0.1


LONG = "word " * 40
LINKS = " ".join(
    f'<a href="/wiki/article/{i}" title="Article {i}">term</a> and words'
    for i in range(12)
)


def test_text_between_much_code_is_no_content() -> None:
    menu = "".join(f'<li class="menu item"><a href="/{i}">M{i}</a>' for i in range(9))
    html = f"<ul>{menu}</ul>{'<br>' * 30}<p>{LONG}</p>"
    for name in ("ccb", "accb", "tccb"):
        assert main_texts(html, name) == [LONG.strip()]


def test_accb_alone_ignores_the_tags_of_links() -> None:
    html = f"<div><p>{LINKS}</p></div>"
    assert main_texts(html, "ccb") == []
    assert len(main_texts(html, "accb")) == 1


def test_tccb_counts_a_long_tag_as_one_token() -> None:
    tag = f'<b class="{"x" * 60}">'
    html = f"<p>{' '.join(f'{tag}one</b> two three four five' for _ in range(12))}</p>"
    assert main_texts(html, "ccb") == []
    assert len(main_texts(html, "tccb")) == 1
