"""Pieces of a text that have one of some words."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_mainpage.extraction.document._search import find_pieces

TEXT = b"by an author, a writer"
WORDS = (b"author", b"writer", b"auth0r")


def find(*bounds: tuple[int, int], words: tuple[bytes, ...] = WORDS) -> list[bool]:
    starts, ends = np.array(bounds, np.int32).reshape(-1, 2).T.copy()
    return [bool(each) for each in find_pieces(TEXT, starts, ends, words)]


def test_a_word_is_found_inside_of_a_piece_alone() -> None:
    middle, last = TEXT.index(b"author"), TEXT.index(b"writer")
    assert find((0, middle), (0, middle + 6), (middle, middle + 6)) == [
        False,
        True,
        True,
    ]
    assert find((middle, middle + 5), (middle + 1, last + 5)) == [False, False]
    assert find((last, len(TEXT)), (0, 0)) == [True, False]
    assert find() == []


@pytest.mark.parametrize("words", [(b"",), (b"a",) * 17])
def test_words_that_cannot_be_sought_are_an_error(words: tuple[bytes, ...]) -> None:
    with pytest.raises(ValueError, match="16 words"):
        find((0, 1), words=words)
