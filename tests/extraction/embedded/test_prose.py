"""Prose, words, tags, and the text that a page has already."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.embedded.prose import (
    MAX_SEEN_CHARACTERS,
    SeenText,
    count_words,
    is_html,
    split_words,
)

TEXTS = st.text(st.sampled_from("ab cC\u00df\u0130 \u4e2d\u30fb\ud55c_-\u00e9.0\uff11"))


@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_the_share_that_was_seen(texts: list[str], text: str) -> None:
    known = {sequence for seen in texts for sequence in sequences(seen)}
    own = sequences(text)
    share = sum(sequence in known for sequence in own) / len(own) if own else 1.0
    seen = SeenText(texts)
    assert seen.share(text) == share
    seen.add(text)
    assert seen.share(text) == 1.0


def sequences(text: str) -> list[tuple[str, ...]]:
    words = split_words(text)
    if len(words) < 4:
        return [tuple(words)] if words else []
    return [tuple(words[k : k + 4]) for k in range(len(words) - 3)]


def test_sequences_of_many_words() -> None:
    words = [f"word{k}" for k in range(20_000)]
    seen = SeenText([" ".join(words)])
    assert seen.share(" ".join(words[5_000:])) == 1.0
    assert seen.share(" ".join(reversed(words))) == 0.0
    assert seen.share("word1") == 0.0


def test_text_after_the_bound_counts_as_new() -> None:
    seen = SeenText(["a " * (MAX_SEEN_CHARACTERS // 2), "one two three four five"])
    assert seen.share("a a a a") == 1.0
    assert seen.share("one two three four five") == 0.0


def test_each_cjk_character_is_a_word() -> None:
    assert count_words("It's 3 o'clock, 下午三点。") == 9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <p>b", True),
        ("</SPAN >", True),
        ("<br/>", True),
        ("<h6 class=x\n>", True),
        ("<3 and <4", False),
        ("< p>", False),
        ("<p <", False),
        ("a < b > c", False),
    ],
)
def test_tags_of_texts(text: str, expected: bool) -> None:
    assert is_html(text) is expected
