"""Words, sequences of words and tags, each against a plain way to find them."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.embedded._sequences import count_words
from scrapy_mainpage.extraction.embedded._tags import is_html
from scrapy_mainpage.extraction.embedded.shown import MOST_CHARACTERS, Shown, words_of

CHARACTERS = (
    "ab cC\u00df\u0130\u0149 \u4e2d\u6587\u30fb\u304b"
    "\u3131\ud55c _-\u00e9.0\uff11\u00b2\u0301"
)
TEXTS = st.text(st.sampled_from(CHARACTERS), max_size=40)
TAGS = st.lists(
    st.sampled_from(
        [
            "<",
            "</",
            ">",
            "/",
            "/>",
            " ",
            "p",
            "br",
            "b",
            "SPAN",
            "H1",
            "h7",
            "x",
            "\u00a0",
        ]
    ),
    max_size=9,
).map("".join)
TAG = re.compile(r"</?(?:p|br|b|span|h1)(?:\s[^<>]*)?/?>", re.IGNORECASE)


def sequences(text: str) -> list[tuple[str, ...]]:
    words = words_of(text)
    if len(words) < 4:
        return [tuple(words)] if words else []
    return [tuple(words[k : k + 4]) for k in range(len(words) - 3)]


@given(TEXTS)
def test_words_are_counted(text: str) -> None:
    assert count_words(text) == len(words_of(text))


@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_the_share_that_was_shown(texts: list[str], text: str) -> None:
    known = {sequence for shown in texts for sequence in sequences(shown)}
    own = sequences(text)
    share = sum(sequence in known for sequence in own) / len(own) if own else 1.0
    shown = Shown(texts)
    assert shown.share(text) == share
    assert shown.learn(text) == share
    assert shown.share(text) == 1.0


def test_sequences_of_many_words() -> None:
    words = [f"word{k}" for k in range(20_000)]
    shown = Shown([" ".join(words)])
    assert shown.share(" ".join(words[5_000:])) == 1.0
    assert shown.share(" ".join(reversed(words))) == 0.0
    assert shown.share("word1") == 0.0


def test_what_comes_after_the_bound_counts_as_new() -> None:
    shown = Shown(["a " * (MOST_CHARACTERS // 2), "one two three four five"])
    assert shown.share("a a a a") == 1.0
    assert shown.learn("one two three four five") == 0.0
    assert shown.share("one two three four five") == 0.0


@given(TAGS)
def test_what_is_a_tag(text: str) -> None:
    assert is_html(text) == (TAG.search(text) is not None)
