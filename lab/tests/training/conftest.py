"""Fixtures of the tests of the training."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.tests.training.kinds import write_kinds
from lab.training import boosting, learned_card
from lab.training.boosting import PARAMETERS
from lab.training.training_pages import TrainingPage, read_page
from scrapy_mainpage.evaluation.datasets import load_sets


@pytest.fixture(scope="module")
def quick() -> Iterator[None]:
    """Small forests, and leaves small enough for few pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PARAMETERS, "min_data_in_leaf", 5)
        # More threads than free cores wait for each other.
        patch.setitem(PARAMETERS, "num_threads", 1)
        patch.setattr(boosting, "ROUNDS", 20)
        patch.setattr(learned_card, "ROUNDS", 20)
        yield


@pytest.fixture(scope="session")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 pages of 8 sites of two kinds."""
    return write_kinds(tmp_path_factory.mktemp("data") / "kinds")


@pytest.fixture
def pages(kinds: Path) -> list[TrainingPage]:
    """The same pages, read for training."""
    (data_set,) = load_sets(kinds)
    read = [read_page("kinds", page) for page in data_set.pages]
    return [page for page in read if page is not None]
