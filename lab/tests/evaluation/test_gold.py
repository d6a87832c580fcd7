"""Block gold from the text of the main content."""

from __future__ import annotations

import numpy as np
import pytest
from parsel import Selector

from lab.evaluation.gold import element_blocks, gold_blocks, gold_mask
from scrapy_mainpage.evaluation.datasets import read_document
from scrapy_mainpage.extraction.document.document import read_tree
from tests.extraction.helpers import texts_of

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


def test_a_short_block_is_held_against_bigrams() -> None:
    gold = [*FIRST, "free", "entry", "today", *SECOND]
    assert chosen([FIRST, ["free", "today"], SECOND], gold) == [0, 2]
    assert chosen([FIRST, ["entry", "today"], SECOND], gold) == [0, 1, 2]


def test_of_two_alike_the_one_in_the_main_content_is_taken() -> None:
    title = ["owls", "at", "night"]
    filler = [[f"menu{i}"] for i in range(30)]
    blocks = [title, *filler, title, FIRST, SECOND]
    assert chosen(blocks, title + FIRST + SECOND) == [31, 32, 33]


PAGE = (
    "<p>menu</p><main><h1>Owls<a>#</a></h1><p>sleep <b>by the day</b></p>"
    "<div><aside>ad <section>of the <main>inner</main> day</section></aside></div>"
    "<p>last<span>a long remark</span></p></main><article>comment</article>"
)


@pytest.mark.parametrize(
    ("content", "drop", "expected"),
    [
        ("//h1", "", ["Owls#"]),
        ("//p[1] | //article", "", ["menu", "sleep by the day", "comment"]),
        ("//article", "//nav", ["comment"]),
        # Most characters of the last block are left out, few of the heading.
        ("/html/body/main", "//a | //span | //aside", ["Owls#", "sleep by the day"]),
        ("//b", "", ["sleep by the day"]),
        ("//h1/a", "", []),
        # What is left out is so with all that it holds.
        ("//main", "//aside | //main/p", ["Owls#"]),
        ("//div", "//aside//main", ["ad", "of the", "day"]),
        ("//main//aside/..", "//div", []),
        # What selects no element
        ("//h1", "//h1/text() | //@class | //comment()", ["Owls#"]),
        ("//h1", "count(//p)", ["Owls#"]),
    ],
)
def test_blocks_of_the_elements_of_the_main_content(
    content: str, drop: str, expected: list[str]
) -> None:
    html = PAGE.encode()
    mask = element_blocks(html, content, drop)
    assert mask.dtype == bool
    assert texts_of(read_document(html), mask) == expected


def test_a_page_cannot_say_what_its_content_is() -> None:
    html = b"<main data-mainpage=0>owl<p data-mainpage=0>a</main><p data-mainpage=1>b"
    assert element_blocks(html, "//main").tolist() == [True, True, False]
