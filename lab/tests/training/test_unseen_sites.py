"""No model is tried on a site that it has learned from."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.tests.training.kinds import Rows, page_of
from lab.training import boosting, forest, text_block_context
from lab.training.boosting import logistic, site_folds
from lab.training.forest import unseen_markup
from lab.training.learned import leave_out
from lab.training.role_model import cross_fit
from lab.training.text_block_context import SegmentedPage
from lab.training.training_pages import TrainingPage
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import cut
from scrapy_mainpage.extraction.algorithms.text_block_context import features
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES, settle_odds
from scrapy_mainpage.extraction.learned.learned import Forest
from tests.extraction.helpers import document_of


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
    # The order of the pages does not matter.
    assert [fold_of[s] for s in sites[::-1]] == site_folds(sites[::-1], folds, seed)
    counts = [list(fold_of.values()).count(fold) for fold in range(folds)]
    assert max(counts) - min(counts) <= 1


SAID = np.array([0.8, -1.4, -0.4, 0.4])


def test_no_forest_sees_a_page_of_the_sites_that_it_is_tried_on() -> None:
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
            return SAID

    slope, offset = boosting.cross_validate(pages, 4, Unseen)  # type: ignore[arg-type]
    assert tried == dict.fromkeys(["s0", "s1", "s2", "s3"], 3)
    assert (slope, offset) != (1, 0)
    for page in pages:
        settled = settle_odds(page.document, slope * SAID + offset)
        assert page.probability == pytest.approx(logistic(settled))


def test_no_model_speaks_of_a_site_that_it_saw(monkeypatch: pytest.MonkeyPatch) -> None:
    # A page's sums are its site's number, if the model did not see the site.
    pages = [
        page_of(np.zeros((1, 1), np.float32), np.ones(1, bool), site=f"s{k % 8}")
        for k in range(24)
    ]
    seen: list[set[str]] = []

    def fit(train: list[TrainingPage]) -> tuple[object, object]:
        seen.append({page.site for page in train})
        return np.zeros(0, np.int32), np.zeros(0, np.float32)

    def sums(slots: list[str], table: object) -> list[str]:
        assert slots[0] not in seen[-1]
        return slots

    monkeypatch.setattr(forest, "fit_markup", fit)
    monkeypatch.setattr(forest, "slot_sums", sums)
    monkeypatch.setattr(forest, "slots_of", lambda page: [page.site])
    fold_of = [k % 4 for k in range(24)]
    assert unseen_markup(pages, fold_of) == [[page.site] for page in pages]
    assert seen == [{f"s{j}" for j in range(8) if j % 4 != k} for k in range(4)]


class UnseenTree:
    """A tree that takes pages of the sites that it learned from for boilerplate."""

    site_of: dict[int, str]

    def __init__(self, pages: list[SegmentedPage]):
        self.seen = {page.site for page in pages}

    def predict(self, rows: Rows) -> Rows:
        is_new = self.site_of[id(rows)] not in self.seen
        return np.full(len(rows), is_new, np.float32)


def test_no_text_block_context_tree_is_tried_on_a_site_that_it_learned_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    segments = cut(document_of("<p>One<p>Two"), "paper")
    pages = [
        SegmentedPage(
            "ab"[k % 2], f"s{k // 3}", segments, features(segments), np.ones(2, bool)
        )
        for k in range(12)
    ]
    sites = {id(page.rows): page.site for page in pages}
    rules = {"a rule": lambda segments: np.zeros(len(segments), bool)}
    monkeypatch.setattr(UnseenTree, "site_of", sites, raising=False)
    monkeypatch.setattr(text_block_context, "fit_tree", UnseenTree)
    monkeypatch.setattr(text_block_context, "RULES", rules)
    monkeypatch.setattr(text_block_context, "_only", lambda rows, _: rows)
    scores = text_block_context.cross_validate(pages, 4)
    tree, rule = (dict.fromkeys(("a", "b", "all"), 3 * (each,)) for each in (1, 0))
    trees = dict.fromkeys(("text-block-context", "boilerpipe tree"), tree)
    assert scores == {**trees, "a rule": rule}


def test_words_of_roles_are_weighed_by_the_pages_of_other_folds_alone() -> None:
    words = np.array([[3, 7, -1]], np.int32), np.array([[4, 7, -1]], np.int32)
    sides = [np.repeat(word, 5, axis=0) for word in words]
    samples = [np.concatenate(sides), np.concatenate(sides[::-1])]
    roles = [np.repeat([0, 2], 5)] * 2
    found, _ = cross_fit(samples, roles, [np.ones(10)] * 2, [0, 1], [True, True])
    # Each fold has the roles the other way round.
    for own, role in zip(found, roles, strict=True):
        assert (own.argmax(axis=1) != role).all()


@pytest.mark.usefixtures("quick")
def test_a_set_is_measured_by_trees_that_saw_none_of_it(
    pages: list[TrainingPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = forest.cross_validate(pages, FEATURE_NAMES, 4)
    seen: list[set[str]] = []
    fit = forest.fit_forest

    def watched(train: list[TrainingPage], *more: object) -> Forest:
        seen.append({page.site for page in train})
        return fit(train, *more)

    monkeypatch.setattr(forest, "fit_forest", watched)
    halves = [
        replace(page, set_name="ab"[page.site < "site4.example"]) for page in pages
    ]
    rows = leave_out(halves, *sums)
    assert [(group, n) for group, n, _ in rows] == [
        (("b", "all"), 20),
        (("b", "article"), 10),
        (("a", "all"), 20),
        (("a", "article"), 10),
    ]
    assert seen[0] & seen[1] == set()
    assert all(0.6 <= f1 <= 1 for _, _, f1 in rows)
