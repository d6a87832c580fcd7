"""Texts with colliding hashes, by an attacker who knows the hash, not the salt."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.document.document import read_tree
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES, compute
from scrapy_mainpage.extraction.parsing.tree import parse_html

TEXTS = [f"{a}{b}river" for a in "abcdefghijklmnop" for b in "abcdefghijklmnop"]


@pytest.mark.parametrize("times", [1, 2, 5])
def test_equal_texts_are_told_apart_from_others_whatever_the_salt(times: int) -> None:
    html = "".join(f"<p>{text}</p>" for text in TEXTS * times)
    document = read_tree(parse_html(html))
    same = compute(document)[FEATURE_NAMES.index("same_text")]
    assert np.array_equal(same, np.full(len(TEXTS) * times, times))


def test_classes_that_begin_alike_are_told_apart() -> None:
    classes = [f"{'a' * 64}{text}" for text in TEXTS]
    html = "".join(f"<p class='{name}'>river</p>" for name in classes * 3)
    tokens = read_tree(parse_html(html)).tokens
    places = list(zip(tokens.start.tolist(), tokens.end.tolist(), strict=True))
    assert len(set(places)) == len(classes)
    assert places == places[: len(classes)] * 3
