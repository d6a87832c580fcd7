"""Gain of a rendered page over a static one, by a sketch of the latter."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import dataclass
from typing import Any

import pytest

from scrapy_mainpage.label import Label
from scrapy_mainpage.page import Block, Page
from scrapy_mainpage.rendering.gain import (
    MIN_GAIN,
    estimate_gain,
    is_gain,
    make_sketch,
)


@dataclass
class Content:
    """Stand-in for the document behind a page's blocks."""

    made: tuple[Block, ...]

    def blocks(self) -> tuple[Block, ...]:
        return self.made


def page(*main: str, other: tuple[str, ...] = ()) -> Page:
    """A page with blocks of main content, after other blocks."""
    texts = [(text, Label.NAVIGATION) for text in other]
    texts += [(text, Label.PARAGRAPH) for text in main]
    blocks = tuple(
        Block(at, text, label, 0.5, "/p", "p", len(text.split()), 0.0)
        for at, (text, label) in enumerate(texts)
    )
    words = sum(len(text.split()) for text in main)
    content: Any = Content(blocks)
    return Page(None, "\n".join(main), "test", words=words, _content=content)


def prose(words: int, seed: int = 0) -> str:
    """*words* different words."""
    chance = random.Random(seed)
    return " ".join(f"w{chance.getrandbits(60):x}" for _ in range(words))


def test_the_same_page_gains_nothing_at_all() -> None:
    for words in (1, 2, 3, 60, 600, 6_000, 60_000):
        same = page(prose(words), "A short one.", other=("Home", "About us"))
        assert estimate_gain(make_sketch(same), same) == 0.0


@pytest.mark.parametrize("static", [600, 3_000, 20_000])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_share_of_new_words_is_estimated(static: int, share: float) -> None:
    old, new = prose(static, 3), prose(600, 4).split()
    kept = round(600 * (1 - share))
    rendered = page(" ".join(old.split()[:kept]), " ".join(new[kept:]))
    off = 0.05 if static <= 3_000 else 0.2
    assert estimate_gain(make_sketch(page(old)), rendered) == pytest.approx(
        share, abs=off
    )


def test_a_rendered_page_without_main_content_gains_nothing() -> None:
    rendered = page(other=("Home", prose(100)))
    assert estimate_gain(make_sketch(page(prose(10, 1))), rendered) == 0.0
    assert estimate_gain(make_sketch(page()), Page.empty(None, "binary")) == 0.0


def test_a_quote_that_changes_at_each_visit_is_no_gain() -> None:
    text = prose(600)
    for seed in range(1, 50):
        static = page(text, prose(10, seed))
        rendered = page(text, prose(10, seed + 100))
        share = estimate_gain(make_sketch(static), rendered)
        assert share < MIN_GAIN / 2
        assert not is_gain(share, rendered)


def test_a_short_product_on_an_empty_page_is_a_gain() -> None:
    rendered = page("Blue chair", "12 Euro", "In stock")
    assert is_gain(estimate_gain(make_sketch(page("Loading")), rendered), rendered)


def test_scripts_without_blanks_are_compared_too() -> None:
    chinese = "渲染之后的页面多出了主要内容而静态页面没有这些文字"
    known = make_sketch(page(chinese))
    assert estimate_gain(known, page(chinese)) == 0.0
    other = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"
    assert estimate_gain(known, page(other)) > 0.9
    assert estimate_gain(known, page(chinese, other)) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("words", [1, 600, 6_000, 100_000])
def test_a_sketch_is_small_and_plain(words: int) -> None:
    made = make_sketch(page(prose(words)))
    assert len(pickle.dumps(made)) < 1_000
    assert json.loads(json.dumps(made)) == made


def test_lone_surrogates_are_words_like_others() -> None:
    odd = page("one \ud800 two \udfff three")
    assert estimate_gain(make_sketch(odd), odd) == 0.0
