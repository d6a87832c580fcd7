"""What the tests of the training have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.training import train_forest, train_learned
from scrapy_mainpage.training.train_forest import PARAMETERS
from scrapy_mainpage.training.train_pages import TrainingPage, read_page
from tests.evaluation.training import write_kinds


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned of a few pages in little time."""
    monkeypatch.setitem(PARAMETERS, "min_data_in_leaf", 5)
    # More threads than free cores wait for each other.
    monkeypatch.setitem(PARAMETERS, "num_threads", 1)
    monkeypatch.setattr(train_forest, "ROUNDS", 20)
    monkeypatch.setattr(train_learned, "ROUNDS", 20)


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
