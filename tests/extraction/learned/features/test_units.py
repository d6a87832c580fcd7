"""Units of blocks, and second copies: what has its log odds together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.learned.features import settle_odds
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.pages import pages


@given(pages, st.integers(0, 9))
def test_generated_pages(html: str, seed: int) -> None:
    document = document_of(html)
    random = np.random.default_rng(seed)
    odds = random.uniform(-6, 6, document.n_blocks)
    before = odds.copy()
    settled = settle_odds(document, odds)
    assert np.abs(settled).max(initial=0) <= 6
    assert odds.tolist() == before.tolist()


def units(html: str) -> list[int]:
    """The sizes of the runs of blocks of *html* that have one log odds."""
    document = document_of(html)
    odds = -6 - np.arange(document.n_blocks) / 100
    settled = settle_odds(document, odds)
    bounds = np.flatnonzero(np.abs(np.diff(settled, prepend=9, append=9)) > 1e-9)
    return np.diff(bounds).tolist()


def cells(rows: int, columns: int, text: str = "a b") -> str:
    return f"<tr>{f'<td>{text}' * columns}" * rows


LONG = "word " * 70


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<table>{cells(2, 3)}</table><p>b", [6, 1]),
        (f"<table><caption>a</caption>{cells(3, 1)}</table>", [4]),
        (f"<table>{cells(1, 2, '<p>a<p>b<p>c')}</table>", [6]),
        (f"<table>{cells(1, 2, '<p>a<p>b<p>c<p>d')}</table>", [1] * 8),
        # One cell, a heading, a table inside, a cell with most of many words
        ("<table><tr><td><p>a<p>b</table>", [1, 1]),
        ("<table><tr><td><h2>a</h2><td>b</table>", [1, 1]),
        (f"<table><tr><td><h2>a</h2>{cells(2, 2)}</table>", [5]),
        (f"<table><tr><td>a<td>b<td><table>{cells(2, 1)}</table></table>", [1, 1, 2]),
        (f"<table><tr><td>{LONG}<td>a<tr><td>b</table>", [1] * 3),
        (f"<table><tr><td>{LONG}<td>{LONG}</table>", [2]),
        (f"<table><tr><td>{'word ' * 50}<td>a</table>", [2]),
        ("<pre>a<p>b</p><div>c</div></pre><p>d", [3, 1]),
        ("<ul><li>a<li>b<ol><li>c<li>d</ol><li>e</ul>", [5]),
        ("<dl><dt>a<dd>b<dd>c</dl>", [3]),
        (f"<ul><li>a<li><table>{cells(1, 2)}</table></ul>", [1, 2]),
        ("<ul>" + "<li><p>a<p>b" * 3 + "</ul>", [1] * 6),
        ("<ul>" + "<li><p>a" * 3 + "<li><p>a<p>b</ul>", [5]),
        ("<ul><li>a<li><h3>b</h3></ul>", [1, 1]),
        # The outermost list counts.
        ("<ul><li><p>a<p>b<p>c<ul><li>d</ul></ul>", [1] * 4),
    ],
)
def test_what_a_unit_is(html: str, expected: list[int]) -> None:
    assert units(html) == expected


def test_a_unit_has_one_mean_weighted_by_words() -> None:
    document = document_of("<ul><li>a b c<li>d<li>*</ul><p>e")
    odds = np.array([2.0, -1.0, 5.0, 0.5])
    mean = (3.1 * 2 - 1.1 + 0.1 * 5) / 4.3
    settled = settle_odds(document, odds)
    assert settled.tolist() == pytest.approx([*[mean] * 3, 0.5])


LONG_TEXTS = [f"{word} b c d e f g h i j" for word in ("one", "two", "three")]
OTHER = "k l m n o p q r s t"
PARAGRAPHS = "".join(f"<p>{text}</p>" for text in LONG_TEXTS)


@pytest.mark.parametrize(
    ("html", "lowered"),
    [
        # A copy for small screens, its heading with it
        (f"<h1>a</h1>{PARAGRAPHS}<p>x</p><h1>a</h1>{PARAGRAPHS}<p>y", [5, 6, 7, 8]),
        (f"{PARAGRAPHS}<p>a<div>{PARAGRAPHS}<p>a</div>", [4, 5, 6, 7]),
        # A quotation; entries of a reference, each with its name
        (PARAGRAPHS + "<p>four".join(f"<p>{text}</p>" for text in LONG_TEXTS[1:]), []),
        (PARAGRAPHS + PARAGRAPHS.replace("<p>", "<p>four<p>", 1) * 3, []),
        ("".join(f"<h2>{name}</h2>{PARAGRAPHS}" for name in ("x", "y", "z")), []),
    ],
)
def test_texts_that_the_page_had_in_the_same_order(
    html: str, lowered: list[int]
) -> None:
    document = document_of(html)
    settled = settle_odds(document, np.full(document.n_blocks, 2.0))
    assert np.flatnonzero(settled < 0).tolist() == lowered
