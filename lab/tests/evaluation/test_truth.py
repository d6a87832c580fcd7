"""Where the main content of a page is: by its text, its elements, its blocks."""

from __future__ import annotations

import numpy as np
import pytest
from parsel import Selector

from lab.evaluation.element_truth import Content, read_content
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


def read(body: str, content: str = "//main", drop: str = "") -> Content:
    html = f"<html><body><nav>Menu</nav><main>{body}</main></body></html>"
    return read_content(html.encode(), content, drop)


def texts(content: Content) -> list[str]:
    return [" ".join(block.text.split()) for block in content.blocks]


def kinds(content: Content) -> list[tuple[str, list[str]]]:
    return [
        (part.kind, texts(content)[part.start : part.end]) for part in content.parts
    ]


@pytest.mark.parametrize(
    ("body", "content", "found"),
    [
        # Block elements part texts, inline elements do not.
        ("a<p>One <b>t</b>wo<!-- no --> three</p>b<div>c<p>d</div>e<br>f", "//main",
         ["a", "One two three", "b", "c", "d", "e f"]),
        # What nobody reads is no text.
        ("<style>p{}</style>a<script>b</script><template>c</template> d", "//main",
         ["a d"]),
        # Several elements are read in order, and none twice.
        ("<p>a</p><div>no</div><p>b <b>c</b></p>", "//main/p | //b", ["a", "b c"]),
        ("<p>a</p>tail", "//main/p", ["a"]),
        ("<div>" * 200 + "deep", "//main", ["deep"]),
    ],
)  # fmt: skip
def test_texts(body: str, content: str, found: list[str]) -> None:
    assert texts(read(body, content)) == found


def test_lists_inside_a_list_belong_to_it() -> None:
    content = read("<ul><li>a<ol><li>b</ol></ul><ol><li>c</ol><dl><dt>d<dd>e</dl>")
    assert kinds(content) == [("lists", ["a", "b"]), ("lists", ["c"])]


def test_a_table_has_two_rows_with_text_and_no_table_inside() -> None:
    row = "<tr><td>a<td>b"
    inner = f"<table>{row}{row}</table>"
    assert kinds(read(inner)) == [("tables", ["a", "b", "a", "b"])]
    assert kinds(read(f"<table>{row}</table>")) == []
    assert kinds(read(f"<table>{row}<tr><td> <td></table>")) == []
    assert len(read(f"<table><tr><td>x<tr><td>{inner}</table>").parts) == 1
