"""The training of the shipped model of ``learned`` from nothing."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest

from lab.tests.training.kinds import page_of
from lab.training.boosting import page_rows
from lab.training.forest import cross_validate, fit_forest, weigh_sets
from lab.training.markup import has_markup, unseen_markup
from lab.training.training_pages import TrainingPage, page_f1
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES
from scrapy_mainpage.extraction.learned.learned import MARKUP

pytestmark = pytest.mark.usefixtures("quick")


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("wcxb-dev", (1.0, 1.0)),
        ("zoo-train", (0.6, 0.6)),
        ("documentation", (1.5, 3.0)),
        ("world-news", (1.5, 1.0)),
    ],
)
def test_sets_have_weights(name: str, weights: tuple[float, float]) -> None:
    page = page_of(np.zeros((2, 1), np.float32), np.array([True, False]), set_name=name)
    weigh_sets([page])
    assert (page.set_weight, page.context_weight) == weights


def test_of_few_sites_no_markup_is_learned(pages: list[TrainingPage]) -> None:
    few = [page for page in pages if page.site in {f"site{k}.example" for k in "0123"}]
    assert not has_markup(few)
    forest = fit_forest(few, FEATURE_NAMES, None)
    assert len(few) == 20
    assert forest.names == FEATURE_NAMES
    assert len(forest.slots) == 0
    assert page_rows(forest, few[0]) is few[0].rows


def test_the_markup_is_the_last_feature(pages: list[TrainingPage]) -> None:
    markup = unseen_markup(pages, [k % 4 for k in range(len(pages))])
    forest = fit_forest(pages, FEATURE_NAMES, markup)
    assert forest.names == (*FEATURE_NAMES, MARKUP)
    assert len(forest.slots) > 0


def test_it_predicts_what_main_content_is(pages: list[TrainingPage]) -> None:
    markup, _, _ = cross_validate(pages, FEATURE_NAMES, 4)
    assert markup is not None
    assert mean(page_f1(page)[0] for page in pages) >= 0.7
    probability = np.concatenate([page.probability for page in pages])
    main = np.concatenate([page.main for page in pages])
    assert probability[main].mean() > probability[~main].mean() + 0.4
