"""Block gold from the text of the main content."""

from __future__ import annotations

import numpy as np
import pytest
from parsel import Selector

from scrapy_mainpage.evaluation.gold import gold_blocks, gold_mask
from scrapy_mainpage.extraction.document.document import read_tree

MENU = ["home", "news", "contact"]
FIRST = "the owl sleeps in the old barn by the river all day".split()
SECOND = "at night it hunts for mice over the wet fields".split()


def chosen(blocks: list[list[str]], gold: list[str]) -> list[int]:
    return np.flatnonzero(gold_mask(blocks, gold)).tolist()


def test_blocks_of_a_page_that_the_gold_text_holds() -> None:
    html = """<body><nav><a>Home</a> <a>News</a></nav><h1>Owls</h1>
    <p>The owl sleeps in the old barn.</p><p></p><ul><li>At night</li></ul>
    <footer>All rights reserved</footer></body>"""
    document = read_tree(Selector(text=html).root)
    texts = [document.block_text(i) for i in range(document.n_blocks)]
    mask = gold_blocks(document, "Owls\n\nThe owl sleeps in the old barn.\n- At night")
    assert [text for text, main in zip(texts, mask, strict=True) if main] == [
        "Owls",
        "The owl sleeps in the old barn.",
        "At night",
    ]


def test_common_words_of_a_menu_are_not_main_content() -> None:
    menu = "all the news of the day in the old town".split()
    assert chosen([menu, FIRST, SECOND], FIRST + SECOND) == [1, 2]


def test_words_in_another_order_are_not_covered_by_ngrams() -> None:
    assert chosen([FIRST[::-1]], FIRST) == []


def test_a_short_block_is_held_against_bigrams() -> None:
    gold = [*FIRST, "free", "entry", "today", *SECOND]
    assert chosen([FIRST, ["free", "today"], SECOND], gold) == [0, 2]
    assert chosen([FIRST, ["entry", "today"], SECOND], gold) == [0, 1, 2]


def test_a_block_that_the_gold_text_holds_elsewhere_is_added() -> None:
    assert chosen([SECOND, FIRST, MENU], FIRST + SECOND) == [0, 1]


def test_a_moved_block_is_added_only_as_often_as_the_gold_text_holds_it() -> None:
    blocks = [SECOND, ["x"] * 50, FIRST, ["y"] * 50, SECOND]
    assert len(chosen(blocks, FIRST + SECOND)) == 2


def test_of_two_alike_the_one_in_the_main_content_is_taken() -> None:
    title = ["owls", "at", "night"]
    filler = [[f"menu{i}"] for i in range(30)]
    blocks = [title, *filler, title, FIRST, SECOND]
    assert chosen(blocks, title + FIRST + SECOND) == [31, 32, 33]


@pytest.mark.parametrize(
    ("blocks", "gold"),
    [([], []), ([], ["a"]), ([["a"]], []), ([[], []], ["a"]), ([["a"]], ["b"])],
)
def test_without_words_nothing_is_main_content(
    blocks: list[list[str]], gold: list[str]
) -> None:
    mask = gold_mask(blocks, gold)
    assert mask.dtype == bool
    assert mask.shape == (len(blocks),)
    assert not mask.any()
