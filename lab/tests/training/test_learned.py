"""The shipped models: their command, what the cards measure, sets left out."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from lab.training import forest
from lab.training.__main__ import main
from lab.training.forest import cross_validate
from lab.training.learned import leave_out
from lab.training.training_pages import TrainingPage
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES
from scrapy_mainpage.extraction.learned.learned import Forest, load_forest


def run(data: Path, output: Path) -> str:
    """The card that the command writes."""
    options = f"--sets=kinds --limit=32 --folds=2 --output={output}".split()
    main(["learned", str(data), *options])
    return (output / "learned.rst").read_text("utf-8")


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("quick")
def test_the_card_of_the_shipped_model_measures_more(
    kinds: Path, tmp_path: Path
) -> None:
    card = run(kinds, tmp_path)
    said = " ".join(card.split())
    assert "python -m lab.training learned DATA_DIR --folds 2 --output DIR" in said
    assert "kinds (32 pages)" in said
    assert re.search(r"calibration error of the blocks' probabilities: 0\.\d+\.", said)
    assert re.search(r"confidence with the F1 reached: -?0\.\d+\.", said)
    assert "Page types: not trained, too few labelled pages." in said
    rows = re.findall(r"^0\.\d to [01]\.\d +(\d+) ", card, re.MULTILINE)
    assert sum(map(int, rows)) == 32
    # Nothing to train on is left without the only set.
    assert "without the set" not in said
    assert load_forest(str(tmp_path / "learned.npz")).types is None


@pytest.mark.timeout(300)
@pytest.mark.usefixtures("quick")
def test_a_set_is_measured_by_trees_that_saw_none_of_it(
    pages: list[TrainingPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    sums = cross_validate(pages, FEATURE_NAMES, 4)
    seen: list[set[str]] = []
    fit, fit_surroundings = forest.fit_forest, forest.fit_context

    def watched(train: list[TrainingPage], *more: object) -> Forest:
        assert seen[-1] == {page.site for page in train}
        return fit(train, *more)

    def watched_too(train: list[TrainingPage]) -> Forest:
        seen.append({page.site for page in train})
        return fit_surroundings(train)

    monkeypatch.setattr(forest, "fit_forest", watched)
    monkeypatch.setattr(forest, "fit_context", watched_too)
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
