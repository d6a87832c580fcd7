"""Longest common subsequences, whole and in parts."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lab.evaluation.alignment import align, ngrams, pair

Words = list[int]
words = st.lists(st.integers(0, 5), max_size=40)


def slow_length(a: Words, b: Words) -> int:
    """The textbook table, to compare with."""
    row = [0] * (len(b) + 1)
    for x in a:
        diagonal = 0
        for j, y in enumerate(b):
            diagonal, row[j + 1] = (
                row[j + 1],
                diagonal + 1 if x == y else max(row[j], row[j + 1]),
            )
    return row[-1]


def is_subsequence(a: Words, b: Words) -> bool:
    rest = iter(b)
    return all(word in rest for word in a)


def matched(a: Words, b: Words) -> Words:
    array = np.array(a, np.int64)
    return array[align(array, np.array(b, np.int64))].tolist()


@given(words, words)
def test_align_finds_a_longest_common_subsequence(a: Words, b: Words) -> None:
    common = matched(a, b)
    assert is_subsequence(common, b)
    assert len(common) == slow_length(a, b)


@given(st.text("abcd", max_size=30), st.text("abcd", max_size=30))
def test_pairs_are_of_equal_words_in_order(a: str, b: str) -> None:
    places, others = pair(a, b)
    assert len(places) == slow_length([*map(ord, a)], [*map(ord, b)])
    assert [a[i] for i in places] == [b[j] for j in others]
    assert places == sorted(set(places))
    assert others == sorted(set(others))


def test_negative_words_are_never_matched() -> None:
    assert matched([-1, 3, -1], [3, 3]) == [3]


def test_equal_ngrams_have_equal_hashes_and_others_do_not() -> None:
    hashes = ngrams(np.array([1, 2, 3, 1, 2, 4, 2, 1]), 2)
    assert len(hashes) == 7
    assert hashes[0] == hashes[3]
    assert len(set(hashes.tolist())) == 6
