"""The features of blocks are for some pages of all kinds what they were before."""

from __future__ import annotations

import json

import pytest

from .features import RECORD, feature_pages, feature_sums

PAGES = feature_pages()
SUMS = json.loads(RECORD.read_text("utf-8"))


@pytest.mark.parametrize("name", PAGES)
def test_features_are_those_on_record(name: str) -> None:
    assert feature_sums(PAGES[name]) == pytest.approx(SUMS[name], rel=1e-4, abs=1e-4)


def test_each_feature_shows_on_some_page() -> None:
    silent = {
        name for name in SUMS["far"] if not any(sums[name] for sums in SUMS.values())
    }
    # A block's element is never inline.
    assert silent == {"tag_a", "tag_span"}
