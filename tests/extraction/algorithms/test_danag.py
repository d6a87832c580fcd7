"""DANAg on examples that are worked out by hand from the paper."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.algorithms.danag import (
    Danag,
    line_lengths,
    main_lines,
    smooth,
)
from tests.extraction.helpers import document_of, texts_of


def lines(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def main_texts(html: str, **options: object) -> list[str]:
    document = document_of(html)
    algorithm = Danag(**options)
    return texts_of(document, algorithm.select(document, algorithm.score(document)))


def test_smoothing_adds_both_neighbours_and_zeros_outside():
    assert smooth(lines(5, 1, 7)).tolist() == [6, 13, 8]
    assert smooth(lines(4)).tolist() == [4]


def test_lines_hold_the_characters_of_content_and_of_code():
    document = document_of('<body><p id="a">Hello</p><div><b>Hi</b> you</div>')
    t1, t2 = line_lengths(document)
    # <html> | <body> | <p id="a"> and </p> | <div><b></b></div></body></html>
    assert t1.tolist() == [0, 0, 5, 6]
    assert t2.tolist() == [6, 6, 10 + 4, 5 + 3 + 4 + 6 + 7 + 7]


def test_scripts_styles_and_comments_are_removed_first():
    plain = document_of("<body><p>Hello</p></body>")
    noisy = document_of(
        "<body><!-- comment --><script>var a = 1</script><style>p {}</style>"
        "<p>Hello</p></body>"
    )
    assert [x.tolist() for x in line_lengths(noisy)] == [
        x.tolist() for x in line_lengths(plain)
    ]


@pytest.mark.parametrize(
    ("content", "difference", "main"),
    [
        # The first run has the larger difference, the second one the more content.
        ((100, 0, 120), (90, -1, 5), [2]),
        ((9, 0, 9), (1, -1, 1), [0]),  # a tie
        ((1, 2), (-5, 0), []),
    ],
)
def test_the_run_with_the_most_content_is_the_first_paragraph(
    content: tuple[int, ...], difference: tuple[int, ...], main: list[int]
):
    chosen = main_lines(lines(*content), lines(*difference), gap=0)
    assert np.flatnonzero(chosen).tolist() == main


def test_runs_join_in_both_directions_over_at_most_gap_lines():
    diff = lines(1, -1, -1, 1, -1, 1, -1, -1, -1, 1)
    t1 = lines(1, 0, 0, 1, 0, 9, 0, 0, 0, 1)
    chosen = main_lines(t1, diff, gap=2, whole_area=False)
    assert np.flatnonzero(chosen).tolist() == [0, 3, 5]
    chosen = main_lines(t1, diff, gap=3, whole_area=False)
    assert np.flatnonzero(chosen).tolist() == [0, 3, 5, 9]


def test_the_area_includes_what_lies_between_its_paragraphs():
    diff, t1 = lines(-1, 1, -1, 1, -1), lines(0, 5, 0, 5, 0)
    assert np.flatnonzero(main_lines(t1, diff, gap=1)).tolist() == [1, 2, 3]


def text(letter: str, characters: int) -> str:
    """One line of *characters*, a block of its own."""
    return f"<p>{letter * characters}</p>"


def junk(lines: int) -> str:
    """Lines with more code than content, by far."""
    return "<p class=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>j</p>" * lines


def kinds(html: str, **options: object) -> str:
    """The first letter of each block of the main content."""
    return "".join(found[0] for found in main_texts(html, **options))


@pytest.mark.parametrize(("single", "found"), [(900, "b"), (1100, "a")])
def test_all_lines_of_a_run_count_together(single: int, found: str):
    html = text("a", single) + junk(40) + text("b", 500) * 2
    assert set(kinds(html)) - {"j"} == {found}


@pytest.mark.parametrize(("lines", "joined"), [(22, True), (23, False)])
def test_the_smoothing_takes_a_line_on_each_side_of_a_gap(lines: int, joined: bool):
    html = text("a", 900) + junk(lines) + text("b", 400)
    assert ("b" in kinds(html)) is joined


def test_the_whole_area_is_an_option():
    html = text("a", 900) + junk(10) + text("b", 400)
    assert kinds(html).count("j") == 10
    assert kinds(html, whole_area=False).count("j") == 2


def test_navigation_is_left_out_and_the_article_kept():
    menu = "".join(f'<li><a href="/section/{i}">Menu {i}</a></li>' for i in range(30))
    body = "".join(f"<p>{'A sentence of the article. ' * 6}</p>" for _ in range(5))
    texts = main_texts(f"<body><ul>{menu}</ul><article>{body}</article></body>")
    assert len(texts) == 5
    assert all(text.startswith("A sentence") for text in texts)


def test_minified_and_indented_source_give_the_same():
    parts = [
        "<div>",
        "<ul>",
        *(f'<li><a href="/a/{i}">go</a></li>' for i in range(9)),
        "</ul>",
        f"<p>{'Words that tell a story. ' * 9}</p>",
        "</div>",
    ]
    assert main_texts("".join(parts)) == main_texts("\n   ".join(parts))


def test_hidden_text_is_no_content():
    hidden = f"<p hidden>{'Nobody sees these words. ' * 50}</p>"
    assert main_texts(f"<body>{hidden}<p>{'Seen by all. ' * 9}</p>") == [
        ("Seen by all. " * 9).strip()
    ]


def test_scores_rank_dense_blocks_above_sparse_ones():
    document = document_of(
        f"<p>{'Long text here. ' * 30}</p>" + '<p><a href="/long/address">x</a></p>' * 3
    )
    scores = Danag().score(document)
    assert scores[0] == scores.max() > 0.9
    assert scores.min() >= 0
    assert scores.max() <= 1


def test_an_empty_page_has_no_scores():
    assert Danag().score(document_of("<html></html>")).shape == (0,)
