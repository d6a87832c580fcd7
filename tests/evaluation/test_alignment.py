"""Longest common subsequences, whole and in parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.evaluation.alignment import (
    align,
    ngrams,
    pair,
)

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


def matched(a: Words, b: Words, **options: int) -> Words:
    array = np.array(a, np.int64)
    return array[align(array, np.array(b, np.int64), **options)].tolist()


@given(words, words)
def test_align_finds_a_longest_common_subsequence(a: Words, b: Words) -> None:
    common = matched(a, b)
    assert is_subsequence(common, b)
    assert len(common) == slow_length(a, b)


@given(words, words, st.integers(1, 60))
def test_in_parts_it_is_a_common_subsequence_still(
    a: Words, b: Words, max_cells: int
) -> None:
    assert is_subsequence(matched(a, b, max_cells=max_cells), b)


@pytest.mark.parametrize("max_cells", [10, 100, 10_000, 10**9])
def test_parts_are_cut_where_both_hold_the_same(max_cells: int) -> None:
    rng = np.random.default_rng(5)
    gold = rng.permutation(3000)
    page = np.concatenate([gold[:700], rng.integers(3000, 9000, 400), gold[900:]])
    found = align(page, gold, max_cells)
    assert found.sum() >= 0.99 * 2800
    assert not found[700:1100].any()


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
