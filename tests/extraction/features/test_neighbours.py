"""The features of the blocks before and after, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.extraction.features.helpers import features_of, values

FIVE = "<p>a<p>b b<p>c c c<h2>d d d d</h2><li><a href=x>e e e e e.</a>"


def test_neighbours_have_the_values_of_the_blocks_there() -> None:
    columns = features_of(FIVE)
    assert values(columns, "words_-1") == [0, 1, 2, 3, 4]
    assert values(columns, "words_-2") == [0, 0, 1, 2, 3]
    assert values(columns, "words_+1") == [2, 3, 4, 5, 0]
    assert values(columns, "words_+2") == [3, 4, 5, 0, 0]
    assert values(columns, "heading_+1") == [0, 0, 2, 0, 0]
    assert values(columns, "link_density_+2") == [0, 0, 1, 0, 0]
    assert values(columns, "ends_sentence_+1") == [0, 0, 0, 1, 0]
    assert values(columns, "tag_li_-1") == [0, 0, 0, 0, 0]


def test_means_are_over_what_the_window_holds_of_the_page() -> None:
    columns = features_of(FIVE)
    assert values(columns, "words_mean1") == [1.5, 2, 3, 4, 4.5]
    assert values(columns, "words_mean3") == [2.5, 3, 3, 3, 3.5]
    assert values(columns, "words_mean6") == [3, 3, 3, 3, 3]
    assert values(columns, "heading_mean1") == [0, 0, 0.66667, 0.66667, 1]
    assert values(columns, "tag_p_mean1") == [1, 1, 0.66667, 0.33333, 0]


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_pages_smaller_than_the_windows(size: int) -> None:
    columns = features_of("".join(f"<p>{'w ' * (k + 1)}" for k in range(size)))
    words = [float(k + 1) for k in range(size)]
    assert values(columns, "words_-1") == [0, *words][:size]
    assert values(columns, "words_-2") == [0, 0, *words][:size]
    assert values(columns, "words_+1") == [*words[1:], 0][:size]
    assert values(columns, "words_+2") == [*words[2:], 0, 0][:size]
    mean = sum(words) / max(size, 1)
    assert values(columns, "words_mean3") == [mean] * size


def test_means_hold_their_precision_on_long_pages() -> None:
    # A link density of 0.1 over 100,000 blocks: a sum in single precision would drift.
    columns = features_of("<p><a href=x>a</a> b c d e f g h i j" * 100_000)
    means = columns["link_density_mean1"]
    assert means == pytest.approx(np.float32(0.1), rel=1e-6)
