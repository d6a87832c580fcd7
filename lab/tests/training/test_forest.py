"""The training of the shipped model of ``learned`` from nothing."""

from __future__ import annotations

from statistics import mean

import numpy as np
import pytest

from lab.training.forest import cross_validate
from lab.training.training_pages import TrainingPage, page_f1
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES

pytestmark = pytest.mark.usefixtures("quick")


def test_it_predicts_what_main_content_is(pages: list[TrainingPage]) -> None:
    markup, _, _ = cross_validate(pages, FEATURE_NAMES, 4)
    assert markup is not None
    assert mean(page_f1(page)[0] for page in pages) >= 0.7
    probability = np.concatenate([page.probability for page in pages])
    main = np.concatenate([page.main for page in pages])
    assert probability[main].mean() > probability[~main].mean() + 0.4
