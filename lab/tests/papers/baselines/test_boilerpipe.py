"""Boilerpipe's rule sets, by hand from Algorithms 1 and 2 of the WSDM 2010 paper.

Each case is the page as a list of segments: (words or text density, link density). The
segment in the middle is the one to classify.
"""

from __future__ import annotations

import numpy as np
import pytest

from lab.papers.baselines.boilerpipe import (
    density_rules,
    num_words_rules,
)
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import Segments

Segment = tuple[float, float]

TEXT = 0.555556  # the highest link density of a preceding segment that is not a menu
LINKS = 0.56
OWN = 0.333333


def segments(*values: Segment) -> Segments:
    """Segments with the same number for words and text density."""
    amount = np.array([value[0] for value in values])
    zeros = np.zeros(len(values), np.int32)
    return Segments(
        first_run=zeros,
        block=zeros,
        tag=zeros,
        words=amount.astype(np.int32),
        word_density=amount,
        link_density=np.array([value[1] for value in values]),
        place=zeros,
        end_place=zeros,
    )


@pytest.mark.parametrize(
    ("before", "segment", "after", "main"),
    [
        # Link density of the segment itself.
        ((100, 0), (100, OWN), (100, 0), True),
        ((100, 0), (100, 0.34), (100, 0), False),
        # After text: 16 words, 15 in the next segment, 4 in the one before.
        ((0, TEXT), (17, 0), (0, 0), True),
        ((4, TEXT), (16, 0), (15, 0), False),
        ((5, TEXT), (16, 0), (15, 0), True),
        ((4, TEXT), (16, 0), (16, 0), True),
        # After links: 40 words, 17 in the next segment.
        ((100, LINKS), (40, 0), (17, 0), False),
        ((100, LINKS), (41, 0), (17, 0), True),
        ((100, LINKS), (40, 0), (18, 0), True),
    ],
)
def test_algorithm_2_tells_by_numbers_of_words(
    before: Segment, segment: Segment, after: Segment, main: bool
) -> None:
    assert num_words_rules(segments(before, segment, after))[1] == main


@pytest.mark.parametrize(
    ("before", "segment", "after", "main"),
    [
        # Link density of the segment itself.
        ((20, 0), (20, OWN), (20, 0), True),
        ((20, 0), (20, 0.34), (20, 0), False),
        # After text, sparse: a density of 10 in the next, 4 in the one before.
        ((4, TEXT), (9, 0), (10, 0), False),
        ((4.5, TEXT), (9, 0), (10, 0), True),
        ((4, TEXT), (9, 0), (10.5, 0), True),
        # After text, dense: any text in the next segment.
        ((0, TEXT), (9.5, 0), (0.5, 0), True),
        ((20, TEXT), (9.5, 0), (0, 0), False),
        # After links: a density of 11 in the next segment, whatever the own one.
        ((20, LINKS), (20, 0), (11, 0), False),
        ((0, LINKS), (1, 0), (11.5, 0), True),
    ],
)
def test_algorithm_1_tells_by_densities(
    before: Segment, segment: Segment, after: Segment, main: bool
) -> None:
    assert density_rules(segments(before, segment, after))[1] == main


def test_outside_of_the_page_there_are_no_words_and_no_links() -> None:
    assert num_words_rules(segments((17, 0))).tolist() == [True]
    assert num_words_rules(segments((16, 0))).tolist() == [False]
    assert density_rules(segments((20, 0))).tolist() == [False]
    assert density_rules(segments((20, 0), (1, 0))).tolist() == [True, True]
