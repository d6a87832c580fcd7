"""The training of the learned default's forest."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.tests.training.kinds import Rows, page_of
from lab.training import boosting
from lab.training.boosting import (
    boost,
    calibrate,
    cross_validate,
    page_rows,
    site_folds,
)
from lab.training.training_pages import TrainingPage
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES
from scrapy_mainpage.extraction.learned.learned import Forest

pytestmark = pytest.mark.usefixtures("quick")

#: A forest rounds the values of its leaves: the sum of some trees may be off by this.
ROUNDED = 5e-4


@pytest.fixture
def boosters(monkeypatch: pytest.MonkeyPatch) -> list[lightgbm.Booster]:
    """The boosters that LightGBM trains, appended as they are made."""
    trained: list[lightgbm.Booster] = []
    train = lightgbm.train

    def kept(*args: Any, **options: Any) -> lightgbm.Booster:
        trained.append(train(*args, **options))
        return trained[-1]

    monkeypatch.setattr(lightgbm, "train", kept)
    return trained


def raw(forest: Forest, rows: Rows) -> npt.NDArray[np.float64]:
    return replace(forest, slope=1.0, offset=0.0).log_odds(rows)


def mean_of(boosters: list[lightgbm.Booster], rows: Rows) -> npt.NDArray[np.float64]:
    return np.mean([b.predict(rows, raw_score=True) for b in boosters], axis=0)


class TestForest:
    def test_the_flat_trees_predict_as_lightgbm_does(
        self, pages: list[TrainingPage], boosters: list[lightgbm.Booster]
    ) -> None:
        forest = boost(pages, [page.rows for page in pages], FEATURE_NAMES)
        assert [booster.num_trees() for booster in boosters] == [20, 20]
        assert len(forest.roots) == 40
        assert len(forest.left) > 60
        random = np.random.default_rng(3)
        seen = np.vstack([page_rows(forest, page) for page in pages])
        mixed = random.permuted(seen, axis=0)
        wild = random.normal(0, 50, seen.shape).astype(np.float32)
        for rows in (seen, mixed, wild):
            assert raw(forest, rows) == pytest.approx(
                mean_of(boosters, rows), abs=ROUNDED
            )
        first, second = (booster.predict(seen, raw_score=True) for booster in boosters)
        assert not np.array_equal(first, second)


class TestCrossValidation:
    def test_no_forest_sees_a_page_of_the_sites_that_it_is_tried_on(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rows = [np.full((4, 1), k, np.float32) for k in range(12)]
        main = np.array([True, False, False, True])
        pages = [page_of(rows[k], main, site=f"s{k // 3}") for k in range(12)]
        site_of = {k: page.site for k, page in enumerate(pages)}
        tried: Counter[str] = Counter()

        class Unseen:
            table = None

            def __init__(self, train: list[TrainingPage], *more: Any):
                self.sites = {page.site for page in train}
                assert not more

            def log_odds(self, rows: Rows) -> npt.NDArray[np.float64]:
                (site,) = {site_of[value] for value in rows[:, 0].tolist()}
                assert site not in self.sites
                assert len(self.sites) == 3
                tried[site] += 1
                return self.said

        class First(Unseen):
            said = np.array([0.8, -1.4, -0.4, 0.4])

        class Second(Unseen):
            said = np.array([1.2, -2.0, -0.1, 0.3])

        monkeypatch.setattr(boosting, "fit_context", Second)
        monkeypatch.setattr(boosting, "context_rows", lambda page: page.rows)
        first, second = cross_validate(pages, 4, First)  # type: ignore[arg-type]
        assert tried == dict.fromkeys(["s0", "s1", "s2", "s3"], 6)
        assert first != second
        for page in pages:
            assert page.odds == pytest.approx(first[0] * First.said + first[1])
            expected = sigmoid(second[0] * Second.said + second[1])
            assert page.probability == pytest.approx(expected)


def sigmoid(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))


def log_loss(
    pages: list[TrainingPage], slope: float = 1, offset: float = 0
) -> np.float64:
    total = np.float64(0)
    for page in pages:
        odds = boosting._log_odds(page.probability)
        surprise = (1 - 2 * page.main) * (slope * odds + offset)
        total += (page.weight * np.logaddexp(0, surprise)).sum()
    return total


class TestCalibration:
    @pytest.mark.parametrize(("slope", "offset"), [(1.8, -0.7), (0.5, 1.0)])
    def test_it_finds_what_was_done_to_the_log_odds(
        self, slope: float, offset: float
    ) -> None:
        random = np.random.default_rng(5)
        pages = []
        for _ in range(40):
            true = random.normal(0, 1.5, 500)
            main = random.random(500) < sigmoid(true)
            probability = sigmoid((true - offset) / slope)
            rows = np.zeros((500, 1), np.float32)
            pages.append(page_of(rows, main, probability=probability))
        found = calibrate(pages)
        assert found == pytest.approx((slope, offset), abs=0.06)
        assert log_loss(pages, *found) <= log_loss(pages)
        nearby = [(0.02, 0), (-0.02, 0), (0, 0.02), (0, -0.02)]
        assert all(
            log_loss(pages, *found) < log_loss(pages, found[0] + a, found[1] + b)
            for a, b in nearby
        )


class TestFolds:
    @given(
        st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=40),
        st.integers(1, 5),
        st.integers(0, 9),
    )
    def test_a_site_is_in_one_fold_and_folds_have_as_many_sites(
        self, sites: list[str], folds: int, seed: int
    ) -> None:
        if len(set(sites)) < folds:
            sites += "abcdefghij"
        fold_of = dict(zip(sites, site_folds(sites, folds, seed), strict=True))
        # The order of the pages does not matter.
        assert [fold_of[s] for s in sites[::-1]] == site_folds(sites[::-1], folds, seed)
        counts = [list(fold_of.values()).count(fold) for fold in range(folds)]
        assert max(counts) - min(counts) <= 1
