"""Hashing and counting of what is alike, against plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_mainpage.extraction import _grouping
from tests.extraction.features import twin

LARGEST = (1 << 64) - 1
# A few keys over and over, also such that fall into one place of a small table.
KEYS = st.sampled_from([0, 1, 16, 32, 1 << 31, 1 << 63, LARGEST]) | st.integers(
    0, LARGEST
)


def listed(columns: tuple[np.ndarray, ...]) -> tuple[list[int], ...]:
    return tuple(column.tolist() for column in columns)


@settings(max_examples=300, deadline=None)
@given(st.lists(KEYS, max_size=60))
def test_groups_are_numbered_as_they_come(keys: list[int]) -> None:
    found = _grouping.number_groups(np.array(keys, np.uint64))
    assert listed(found) == twin.number_groups(keys)


def test_many_groups_of_many_keys() -> None:
    keys = np.random.default_rng(1).integers(0, 30_000, 100_000).astype(np.uint64)
    group, rank, size = _grouping.number_groups(keys)
    known, first, counts = np.unique(keys, return_index=True, return_counts=True)
    order = np.argsort(first)
    assert np.array_equal(known[order][group], keys)
    assert np.array_equal(size, counts[order])
    last = {int(key): k for k, key in enumerate(keys)}
    assert all(rank[k] == size[group[k]] - 1 for k in last.values())
    assert np.array_equal(np.sort(rank[group == 0]), np.arange(size[0]))


TOKENS = st.lists(st.tuples(st.booleans(), st.binary(max_size=12)), max_size=8)


def hashes_of(tokens: list[tuple[bool, bytes]]) -> list[int]:
    ends = np.cumsum([len(token) for _, token in tokens], dtype=np.int32)
    starts = np.concatenate(([0], ends[:-1])).astype(np.int32)[: len(tokens)]
    attribute = np.array([5 if is_class else 4 for is_class, _ in tokens], np.int32)
    values = b"".join(token for _, token in tokens)
    return _grouping.class_hashes(values, attribute, starts, ends, 5).tolist()


@settings(max_examples=300, deadline=None)
@given(TOKENS)
def test_hashes_of_tokens(tokens: list[tuple[bool, bytes]]) -> None:
    assert hashes_of(tokens) == [twin.class_hash(*token) for token in tokens]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (b"post", b"post", True),
        (b"post", b"POST", True),
        (b"post-12", b"post-7", True),
        (b"1a2", b"a", True),
        (b"12", b"", True),
        (b"post", b"posts", False),
        (b"a-b", b"b-a", False),
        ("é".encode(), "É".encode(), False),
    ],
)
def test_letter_case_and_digits_tell_no_classes_apart(
    first: bytes, second: bytes, same: bool
) -> None:
    one, other = hashes_of([(True, first), (True, second)])
    assert (one == other) == same
    assert 0 not in (one, other)
    assert hashes_of([(False, first)]) == [0]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_nearest_marked_ancestor(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 30))
    parent = [data.draw(st.integers(-(i == 0), max(i - 1, -1))) for i in range(size)]
    marked = [data.draw(st.booleans()) for _ in range(size)]
    found = _grouping.nearest_marked(
        np.array(parent, np.int32), np.array(marked, np.uint8)
    )
    assert found.tolist() == twin.nearest_marked(parent, marked)


NUMBERS = st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31)]) | st.integers(-9, 9)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=30))
def test_keys_of_pairs_are_equal_where_the_pairs_are(
    pairs: list[tuple[int, int]],
) -> None:
    first, second = np.array(pairs, np.int32).T
    keys = _grouping.pair_keys(first.copy(), second.copy())
    assert listed(_grouping.number_groups(keys)) == twin.number_groups(pairs)
