"""The words of blocks as slots of a table of weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from scrapy_mainpage.extraction.document.document import Document
from scrapy_mainpage.extraction.labels import LABELS, MAX_ROLES
from scrapy_mainpage.extraction.labels._words import WORD_SLOTS, sum_weights
from scrapy_mainpage.extraction.labels.phrases import load_word_weights, match_phrases
from tests.extraction.helpers import document_of


def slots_of(document: Document) -> list[set[int]]:
    rows = match_phrases(document).slots.tolist()
    return [{k for k in row if k >= 0} for row in rows]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Cookies</p><p>© 2024 Müller 東京</p><p></p><p>A b c d e f g h i j</p>",
        "<p>" + "word " * 300 + "</p><p>one</p>",
        "<p>alone</p>",
    ],
)
def test_sums_are_those_of_the_slots(html: str) -> None:
    draw = np.random.RandomState(1)
    weights = draw.randint(-127, 128, (WORD_SLOTS, MAX_ROLES)).astype(np.int8)
    document = document_of(html)
    wanted = np.arange(0, document.n_blocks, 3, dtype=np.int32)
    slots = match_phrases(document).slots
    sums, counts = sum_weights(wanted, slots, weights)
    for row, total, count in zip(slots[wanted], sums, counts, strict=True):
        used = row[row >= 0]
        assert count == len(used)
        assert (total == weights[used].astype(int).sum(axis=0)).all()


def test_equal_words_share_slots_whatever_their_case_and_digits() -> None:
    first, second = slots_of(document_of("<p>Posted 2024</p>")) + slots_of(
        document_of("<p>POSTED 1999</p>")
    )
    assert first == second


def test_a_word_has_another_slot_in_the_block_beside_it() -> None:
    related, news = slots_of(document_of("<p>Related</p><p>News</p>"))
    (alone,) = slots_of(document_of("<p>News</p>"))
    (near,) = news - alone
    assert near not in related


def test_weights_are_there_for_every_role_and_no_more() -> None:
    weights = load_word_weights()
    roles = sum(not label.is_main for label in LABELS)
    used: npt.NDArray[np.bool_] = np.abs(weights).max(axis=0) > 0
    assert used.tolist() == [k < roles for k in range(MAX_ROLES)]
