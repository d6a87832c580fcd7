"""Folds that keep the pages of a site together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.evaluation.folds import site_folds


@given(
    st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=40),
    st.integers(1, 5),
    st.integers(0, 9),
)
def test_a_site_is_in_one_fold_and_folds_have_as_many_sites(
    sites: list[str], folds: int, seed: int
) -> None:
    if len(set(sites)) < folds:
        sites += "abcdefghij"
    fold_of = dict(zip(sites, site_folds(sites, folds, seed), strict=True))
    assert [fold_of[site] for site in sites] == site_folds(sites, folds, seed)
    counts = [list(fold_of.values()).count(fold) for fold in range(folds)]
    assert max(counts) - min(counts) <= 1
    assert min(counts) > 0


def test_the_seed_alone_decides_whatever_the_order_of_the_pages() -> None:
    sites = [f"site{k}" for k in range(30)]
    fold_of = dict(zip(sites, site_folds(sites, 3), strict=True))
    backwards = sites[::-1]
    assert dict(zip(backwards, site_folds(backwards, 3), strict=True)) == fold_of
    assert site_folds(sites, 3, seed=1) != site_folds(sites, 3)


def test_fewer_sites_than_folds_are_an_error() -> None:
    assert sorted(site_folds(["a", "b", "b"], 2)) in ([0, 0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="2 sites are too few for 3 folds"):
        site_folds(["a", "b", "b"], 3)
