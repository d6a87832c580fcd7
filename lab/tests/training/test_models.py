"""What the shipped models learn, and the labelled pages that they learn it from."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest

from lab.tests.training.kinds import Rows, article, page_of
from lab.training import page_types
from lab.training.__main__ import main
from lab.training.boosting import boost, calibrate, logistic, page_rows
from lab.training.forest import cross_validate, fit_markup
from lab.training.page_types import cross_validate_types
from lab.training.training_pages import (
    SNIPPETS_WEIGHT,
    TrainingPage,
    page_f1,
    read_page,
)
from scrapy_mainpage.evaluation.datasets import load_sets
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES, block_slots
from scrapy_mainpage.extraction.learned.learned import Forest, load_forest
from scrapy_mainpage.extraction.learned.page_types import PAGE_TYPES
from tests.evaluation.sets import write_set
from tests.extraction.helpers import document_of
from tests.extraction.learned.features.helpers import compute_features

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
    @pytest.mark.usefixtures("quick")
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


@pytest.mark.parametrize(("slope", "offset"), [(1.8, -0.7), (0.5, 1.0)])
def test_the_calibration_finds_what_was_done_to_the_log_odds(
    slope: float, offset: float
) -> None:
    random = np.random.default_rng(5)
    pages = []
    for _ in range(40):
        true = random.normal(0, 1.5, 500)
        main = random.random(500) < logistic(true)
        probability = logistic((true - offset) / slope)
        rows = np.zeros((500, 1), np.float32)
        pages.append(page_of(rows, main, probability=probability))
    assert calibrate(pages) == pytest.approx((slope, offset), abs=0.06)


@pytest.mark.usefixtures("quick")
def test_it_predicts_what_main_content_is(pages: list[TrainingPage]) -> None:
    markup, _ = cross_validate(pages, FEATURE_NAMES, 4)
    assert markup is not None
    assert mean(page_f1(page)[0] for page in pages) >= 0.7
    probability = np.concatenate([page.probability for page in pages])
    main = np.concatenate([page.main for page in pages])
    assert probability[main].mean() > probability[~main].mean() + 0.4


def run(data: Path, output: Path) -> str:
    """The card that the command writes."""
    options = f"--sets=kinds --limit=32 --folds=2 --output={output}".split()
    main(["learned", str(data), *options])
    return (output / "learned.rst").read_text("utf-8")


@pytest.mark.usefixtures("quick")
def test_the_card_of_the_shipped_model_measures_more(
    kinds: Path, tmp_path: Path
) -> None:
    card = run(kinds, tmp_path)
    said = " ".join(card.split())
    assert "lab.training learned DATA_DIR --folds 2 --licence LICENCE" in said
    assert "kinds (32 pages)" in said
    assert re.search(r"calibration error of the blocks' probabilities: 0\.\d+\.", said)
    assert re.search(r"confidence with the F1 reached: -?0\.\d+\.", said)
    assert "Page types: not trained, too few labelled pages." in said
    rows = re.findall(r"^0\.\d to [01]\.\d +(\d+) ", card, re.MULTILINE)
    assert sum(map(int, rows)) == 32
    # Nothing to train on is left without the only set.
    assert "without the set" not in said
    assert load_forest(str(tmp_path / "learned.npz")).types is None


def page_of_html(html: str, main: list[int], site: str) -> TrainingPage:
    document = document_of(html)
    n = document.n_blocks
    labels = np.isin(np.arange(n), main)
    rows = np.zeros((n, 1), np.float32)
    return page_of(rows, labels, site=site, slots=block_slots(document))


def story(site: str, body: str = "post", menu: str = "menu") -> TrainingPage:
    html = f"<div class={menu}><p>a<p>b</div><div class={body}><p>c<p>d</div>"
    return page_of_html(html, [2, 3], site)


SITES = [f"s{k}" for k in range(8)]


def test_names_of_few_sites_are_not_learned() -> None:
    pages = [story(site, f"post {site}own") for site in SITES]
    pages += [story(site, "rare") for site in SITES[:4]]
    slots, _ = fit_markup([*pages, *[story(site, "five") for site in SITES[:5]]])

    def learned(name: str) -> bool:
        own, other = (
            set(block_slots(document_of(f"<div class={n}><p>a</div>"))[0].tolist())
            for n in (name, "neverseen")
        )
        return bool((own - other) & set(slots.tolist()))

    assert [learned(name) for name in ("post", "five")] == [True, True]
    assert [learned(name) for name in ("s1own", "rare")] == [False, False]


NAMES = ("words", "page_words")
PAGES_A_TYPE = 18


def typed_pages() -> list[TrainingPage]:
    """Pages of each type: a name of the type, one of all, and words by the type."""
    found = []
    for kind, name in enumerate(PAGE_TYPES):
        document = document_of(f"<div class='page {name}kind'><p>a<p>b</div>")
        for k in range(PAGES_A_TYPE):
            words = 10.0 * (kind + 1) + k % 3
            page = page_of(
                np.array([[words, 2 * words]] * 2, np.float32),
                np.array([True, False]),
                site=f"{k}.example",
                type=name,
                document=document,
            )
            found.append(page)
    return found


@pytest.fixture
def small_types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(page_types.PARAMETERS, "num_threads", 1)
    monkeypatch.setitem(page_types.PARAMETERS, "min_data_in_leaf", 5)


@pytest.mark.usefixtures("small_types")
def test_types_that_differ_are_told_on_sites_never_seen() -> None:
    found = cross_validate_types(typed_pages(), NAMES, 3)
    assert found is not None
    assert sum(found.values()) == PAGES_A_TYPE * len(PAGE_TYPES)
    assert sum(found[kind, kind] for kind in PAGE_TYPES) >= 0.95 * sum(found.values())


class TestReading:
    def test_blocks_have_features_labels_and_weights(
        self, pages: list[TrainingPage]
    ) -> None:
        assert len(pages) == 40
        page = pages[0]
        assert (page.set_name, page.type, page.site) == (
            "kinds",
            "article",
            "site0.example",
        )
        document = document_of(article("topic0")[0])
        columns = compute_features(document)
        assert tuple(columns) == FEATURE_NAMES
        for k, name in enumerate(columns):
            assert np.array_equal(page.rows[:, k], columns[name])
        # Home, News; title, two paragraphs; the aside; the footer
        assert page.main.tolist() == [False] * 2 + [True] * 3 + [False] * 2
        assert page.tokens[2] == Counter(["on", "topic0"])
        assert page.gold["topic0"] == 9
        assert page.probability.tolist() == [0] * 7


def read_one(folder: Path, html: str, **labels: object) -> TrainingPage:
    line = {"id": "a", "url": "https://a.example/", **labels}
    (data_set,) = load_sets(write_set(folder / "set", [line], a=html))
    page = read_page("set", data_set.pages[0])
    assert page is not None
    return page


# Blocks 0 to 5: two hold "Sentence one", one "two"; the menu holds neither.
SNIPPETS = (
    "<p>Sentence one is here.<p>Here, too: Sentence  <b>one</b>.<p>Only two<p>Menu"
    "<p>Menu of the day and of the night<p>Something that no one knows"
)


class TestSnippets:
    def test_blocks_that_hold_them_are_known_and_no_others(
        self, tmp_path: Path
    ) -> None:
        labels = {"with": ["Sentence one", "two"], "without": [" Menu\n of"]}
        page = read_one(tmp_path, SNIPPETS, **labels)
        assert page.known is not None
        assert page.known.tolist() == [True, True, True, False, True, False]
        assert page.main.tolist() == [True, True, True, False, False, False]
        # A third for each snippet, shared equally by the blocks that hold it.
        assert page.weight == pytest.approx(
            np.array([1 / 6, 1 / 6, 0.25, 0, 0.25, 0]) * SNIPPETS_WEIGHT
        )
        found = [(main, at.tolist()) for main, at in page.snippets]
        assert found == [(True, [0, 1]), (True, [2]), (False, [4])]
