"""The training of the learned default's forest."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
import pytest

from scrapy_mainpage.evaluation import train_forest, train_learned
from scrapy_mainpage.evaluation.datasets import DataSetError, load_sets
from scrapy_mainpage.evaluation.train_forest import (
    PARAMETERS,
    TrainingPage,
    calibrate,
    cross_validate,
    fit_forest,
    page_f1,
    read_page,
)
from scrapy_mainpage.evaluation.train_learned import calibration_error
from scrapy_mainpage.extraction._trees import predict_forest
from scrapy_mainpage.extraction.algorithms.learned import Forest, Learned
from scrapy_mainpage.extraction.features import compute_features, feature_names
from tests.evaluation.sets import FOOTER, MENU, sentences, write_set
from tests.extraction.helpers import document_of

Rows = npt.NDArray[np.float32]

SITES, PAGES_A_SITE = 8, 5


def article(topic: str) -> tuple[str, str]:
    """A page of a magazine and its main content."""
    aside = f"<aside><p>{sentences('other things', 3)}</p></aside>"
    html = (
        f"<title>On {topic}</title>{MENU}<article><h1>On {topic}</h1>"
        f"<p>{sentences(topic, 5)}</p><p>{sentences(topic, 3)}</p></article>{aside}"
    )
    return (
        html + FOOTER,
        f"On {topic}\n\n{sentences(topic, 5)}\n\n{sentences(topic, 3)}",
    )


def thread(topic: str) -> tuple[str, str]:
    """A page of a forum and its main content: all posts."""
    posts = [f"Post {k} says: {sentences(topic, 2)}" for k in range(4)]
    rows = "".join(
        f"<div class=post><span class=author>User {k}</span><div>{post}</div></div>"
        for k, post in enumerate(posts)
    )
    return f"<title>{topic}</title>{MENU}<h2>{topic}</h2>{rows}{FOOTER}", "\n\n".join(
        posts
    )


def write_kinds(folder: Path, noise: bool = True) -> Path:
    """A set of 40 pages of two kinds of sites; with *noise* every seventh gold lacks
    what came after its first sentence.
    """
    labels, html = [], {}
    for k in range(SITES * PAGES_A_SITE):
        site, topic = k % SITES, f"topic{k}"
        kind = ("article", "forum")[site % 2]
        html[f"p{k}"], text = (article if kind == "article" else thread)(topic)
        labels.append(
            {
                "id": f"p{k}",
                "url": f"https://www.site{site}.example/{topic}",
                "type": kind,
                "text": text.split(". ")[0] if noise and k % 7 == 6 else text,
            }
        )
    return write_set(folder, labels, **html)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learned of a few pages in little time."""
    monkeypatch.setitem(PARAMETERS, "min_data_in_leaf", 5)
    monkeypatch.setattr(train_forest, "ROUNDS", 20)
    monkeypatch.setattr(train_learned, "ROUNDS", 20)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_kinds(tmp_path_factory.mktemp("data") / "kinds")


@pytest.fixture
def pages(kinds: Path) -> list[TrainingPage]:
    (data_set,) = load_sets(kinds)
    read = [read_page("kinds", page) for page in data_set.pages]
    return [page for page in read if page is not None]


@pytest.fixture
def boosters(monkeypatch: pytest.MonkeyPatch) -> list[lightgbm.Booster]:
    """What LightGBM trained, as it is trained."""
    trained: list[lightgbm.Booster] = []
    train = lightgbm.train

    def kept(*args: Any, **options: Any) -> lightgbm.Booster:
        trained.append(train(*args, **options))
        return trained[-1]

    monkeypatch.setattr(lightgbm, "train", kept)
    return trained


def page_of(
    rows: Rows, main: npt.NDArray[np.bool_], site: str = "a", **more: Any
) -> TrainingPage:
    """A page of which each block has one word."""
    n = len(rows)
    values = {
        "set_name": "set",
        "type": "",
        "site": site,
        "rows": rows,
        "main": main,
        "words": np.ones(n),
        "tokens": [Counter(["word"])] * n,
        "gold": Counter({"word": int(main.sum())}),
        "probability": np.full(n, 0.5),
    }
    return TrainingPage(**(values | more))


def raw(forest: Forest, rows: Rows) -> npt.NDArray[np.float64]:
    return predict_forest(
        rows, forest.feature, forest.threshold, forest.left, forest.value, forest.roots
    )


class TestReading:
    def test_blocks_have_features_labels_weights_and_words(
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
        assert tuple(columns) == feature_names()
        for k, name in enumerate(columns):
            assert np.array_equal(page.rows[:, k], columns[name])
        # Home, News; title, two paragraphs; the aside; the footer
        assert page.main.tolist() == [False] * 2 + [True] * 3 + [False] * 2
        assert page.words.tolist() == [1, 1, 2, 35, 21, 24, 9]
        assert page.tokens[2] == Counter(["on", "topic0"])
        assert page.gold["topic0"] == 9
        assert page.probability.tolist() == [0] * 7

    def test_pages_without_gold_text_or_without_any_block_are_left_out(
        self, tmp_path: Path
    ) -> None:
        labels = [
            {"id": "a", "url": "https://a.example/", "with": ["x"]},
            {"id": "b", "url": "https://b.example/", "text": "x"},
            {"id": "c", "url": "https://c.example/", "text": ""},
        ]
        html = {"a": "<p>x", "b": "<img>", "c": "<p>x"}
        (data_set,) = load_sets(write_set(tmp_path / "set", labels, **html))
        found = [read_page("set", page) for page in data_set.pages]
        assert [page is None for page in found] == [True, True, False]

    @pytest.mark.parametrize(
        ("set_name", "factor"),
        [("wcxb-dev", 1), ("multilingual-news", 0.6), ("my own", 1.5)],
    )
    def test_a_block_weighs_as_its_share_of_the_main_words_up_to_a_quarter(
        self, set_name: str, factor: float
    ) -> None:
        sizes = [50, 10, 20, 200, 20]
        page = page_of(
            np.zeros((5, 1), np.float32),
            np.array([True, True, False, False, True]),
            set_name=set_name,
            tokens=[Counter({"word": size}) for size in sizes],
        )
        assert page.weight == pytest.approx(
            np.array([0.25, 0.125, 0.25, 0.25, 0.25]) * factor
        )

    def test_a_page_without_main_content_weighs_a_fifth(self) -> None:
        page = page_of(
            np.zeros((2, 1), np.float32),
            np.zeros(2, bool),
            set_name="wcxb-dev",
            tokens=[Counter({"word": size}) for size in (1, 8)],
        )
        assert page.weight == pytest.approx([0.1 / 5, 0.25 / 5])


class TestForest:
    def test_the_flat_trees_predict_as_lightgbm_does(
        self, pages: list[TrainingPage], boosters: list[lightgbm.Booster]
    ) -> None:
        forest = fit_forest(pages, feature_names())
        (booster,) = boosters
        assert len(forest.roots) == booster.num_trees() == 20
        assert len(forest.left) > 60
        random = np.random.default_rng(3)
        seen = np.vstack([page.rows for page in pages])
        mixed = random.permuted(seen, axis=0)
        wild = random.normal(0, 50, seen.shape).astype(np.float32)
        for rows in (seen, mixed, wild):
            expected = booster.predict(rows, raw_score=True)
            assert raw(forest, rows) == pytest.approx(expected, abs=1e-5)

    def test_thresholds_part_neighbouring_numbers_of_single_precision(
        self, boosters: list[lightgbm.Booster]
    ) -> None:
        # The mean of these two is a tie, which rounds to the higher one.
        low = np.nextafter(np.float32(101), np.float32(200))
        high = np.nextafter(low, np.float32(200))
        rows = np.repeat([[low], [high]], 200, axis=0).astype(np.float32)
        main = np.arange(400) >= 200
        forest = fit_forest([page_of(rows, main)], ["x"])
        expected = boosters[0].predict(rows, raw_score=True)
        assert expected[0] != expected[-1]
        assert raw(forest, rows) == pytest.approx(expected, abs=1e-5)

    def test_the_same_pages_give_the_same_forest(
        self, pages: list[TrainingPage]
    ) -> None:
        first, second = (fit_forest(pages, feature_names()) for _ in range(2))
        for name in Forest.__dataclass_fields__:
            assert np.array_equal(getattr(first, name), getattr(second, name))

    def test_another_seed_gives_another_forest(
        self, pages: list[TrainingPage], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = fit_forest(pages, feature_names())
        monkeypatch.setitem(PARAMETERS, "seed", 2)
        second = fit_forest(pages, feature_names())
        assert not np.array_equal(first.value, second.value)

    def test_light_blocks_are_drawn_and_stand_for_all(self) -> None:
        # 600 blocks of a word beside 400 of 20: what weighs as the heaviest is sure.
        sizes = [1] * 600 + [20] * 400
        main = np.arange(1000) >= 600
        rows = np.arange(1000, dtype=np.float32)[:, None]
        page = page_of(rows, main, tokens=[Counter({"w": size}) for size in sizes])
        drawn, labels, weight = train_forest._sample([page])
        light = labels == 0
        assert drawn[~light, 0].tolist() == list(range(600, 1000))
        assert 45 < light.sum() < 100  # 600 times 0.12, give or take
        shares = weight / weight.sum()
        assert shares[light].sum() == pytest.approx(600 / 8600, rel=0.35)
        assert weight.mean() == pytest.approx(1)


class TestCrossValidation:
    def test_no_forest_sees_a_page_of_the_sites_that_it_is_tried_on(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rows = [np.full((4, 1), k, np.float32) for k in range(12)]
        main = np.array([True, False, False, True])
        pages = [page_of(rows[k], main, site=f"s{k // 3}") for k in range(12)]
        site_of = {id(page.rows): page.site for page in pages}
        tried: Counter[str] = Counter()

        class Unseen:
            def __init__(self, train: list[TrainingPage], names: list[str]):
                self.sites = {page.site for page in train}
                assert names == ["x"]

            def predict(self, rows: Rows) -> npt.NDArray[np.float64]:
                assert site_of[id(rows)] not in self.sites
                assert len(self.sites) == 3
                tried[site_of[id(rows)]] += 1
                return np.array([0.7, 0.2, 0.4, 0.6])

        monkeypatch.setattr(train_forest, "fit_forest", Unseen)
        steps: list[int] = []
        slope, offset = cross_validate(pages, ["x"], 4, steps.append)
        assert tried == dict.fromkeys(["s0", "s1", "s2", "s3"], 3)
        assert steps == [0, 1, 2, 3]
        odds = [math.log(p / (1 - p)) for p in (0.7, 0.2, 0.4, 0.6)]
        expected = [1 / (1 + math.exp(-(slope * x + offset))) for x in odds]
        for page in pages:
            assert page.probability == pytest.approx(expected)

    def test_more_folds_than_sites_are_refused(self, pages: list[TrainingPage]) -> None:
        with pytest.raises(ValueError, match="8 sites are too few for 9 folds"):
            cross_validate(pages, feature_names(), 9)

    def test_it_predicts_what_main_content_is(self, pages: list[TrainingPage]) -> None:
        cross_validate(pages, feature_names(), 4)
        assert mean(page_f1(page, 0)[0] for page in pages) >= 0.7
        probability = np.concatenate([page.probability for page in pages])
        main = np.concatenate([page.main for page in pages])
        assert probability[main].mean() > probability[~main].mean() + 0.4


def sigmoid(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))


def log_loss(
    pages: list[TrainingPage], slope: float = 1, offset: float = 0
) -> np.float64:
    total = np.float64(0)
    for page in pages:
        odds = train_forest._log_odds(page.probability)
        surprise = (1 - 2 * page.main) * (slope * odds + offset)
        total += (page.weight * np.logaddexp(0, surprise)).sum()
    return total


class TestCalibration:
    @pytest.mark.parametrize(
        ("slope", "offset"), [(0.4, 0.0), (1.0, 0.0), (1.8, -0.7), (0.5, 1.0)]
    )
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

    @pytest.mark.parametrize("likely", [0.6, 0.99, 1 - 1e-12])
    @pytest.mark.parametrize("main", [[True, False], [True, True], [False, False]])
    def test_sure_cases_do_not_throw_it_off(
        self, likely: float, main: list[bool]
    ) -> None:
        rows = np.zeros((2, 1), np.float32)
        probability = np.array([likely, 1 - likely])
        pages = [page_of(rows, np.array(main), probability=probability)] * 20
        slope, offset = calibrate(pages)
        assert np.isfinite([slope, offset]).all()
        assert log_loss(pages, slope, offset) <= log_loss(pages)

    def test_the_calibration_error_is_the_mean_distance_over_bins(self) -> None:
        # Bins: 0.12 and 0.18 with no main content; 0.9 with half; 1.0 with all.
        probability = np.array([0.12, 0.18, 0.9, 0.9, 1.0])
        main = np.array([False, False, True, False, True])
        rows = np.zeros((5, 1), np.float32)
        pages = [page_of(rows, main, probability=probability)]
        # All weigh the same; 0.9 and 1.0 share the last bin: |2.8 - 2|.
        assert calibration_error(pages) == pytest.approx((0.3 + 0.8) / 5)


class TestScore:
    def test_the_words_of_the_best_set_against_the_gold(self) -> None:
        page = page_of(
            np.zeros((3, 1), np.float32),
            np.array([True, True, False]),
            words=np.array([2.0, 2.0, 2.0]),
            tokens=[Counter("ab"), Counter("ac"), Counter("xy")],
            gold=Counter("abad"),
            probability=np.array([0.9, 0.8, 0.1]),
        )
        f1, expected = page_f1(page, 0)
        assert f1 == pytest.approx(2 * 3 / (4 + 4))  # a, b, a of a, b, a, c
        assert expected == pytest.approx(2 * 3.4 / (4 + 3.6))

    @pytest.mark.parametrize(("gold", "f1"), [("", 1), ("abc", 0)])
    def test_with_too_few_words_expected_nothing_is_taken(
        self, gold: str, f1: float
    ) -> None:
        page = page_of(
            np.zeros((1, 1), np.float32), np.ones(1, bool), gold=Counter(gold)
        )
        assert page_f1(page, 0.6)[0] == f1


class TestModelAndCard:
    @pytest.fixture
    def read(self, monkeypatch: pytest.MonkeyPatch) -> list[TrainingPage]:
        """The pages that the training read, with what was predicted of them."""
        pages: list[TrainingPage] = []
        before = train_forest.cross_validate

        def kept(own: list[TrainingPage], *args: Any) -> tuple[float, float]:
            pages.extend(own)
            return before(own, *args)

        monkeypatch.setattr(train_learned, "cross_validate", kept)
        return pages

    def test_the_card_says_what_is_in_the_model(
        self, kinds: Path, tmp_path: Path, read: list[TrainingPage]
    ) -> None:
        output = tmp_path / "new" / "folder"
        card = train_learned.train_learned(load_sets(kinds), output, 4, "free to use")
        assert (output / "learned.rst").read_text("utf-8") == card
        with (output / "learned.npz").open("rb") as file:
            forest = Forest.load(file)
        assert forest.names == feature_names()
        flat = " ".join(card.split())
        blocks = sum(len(page.main) for page in read)
        share = sum(page.main.sum() for page in read) / blocks
        for part in (
            f"over {len(forest.names)} features",
            "20 rounds of 7 leaves",
            "kinds (40 pages)",
            f":Blocks: {blocks}, {share:.1%} main content",
            "min_data_in_leaf 5",
            f"log odds times {forest.slope:.3f} plus {forest.offset:.3f}",
            "--folds 4",
            "free to use",
            "4-fold cross-validation grouped by site",
            f"calibration error of the blocks' probabilities: "
            f"{calibration_error(read):.3f}",
        ):
            assert part in flat
        scores = {
            kind: mean(
                page_f1(page, Learned.least_words)[0]
                for page in read
                if kind in ("all", page.type)
            )
            for kind in ("all", "article", "forum")
        }
        table = re.findall(r"^kinds +(\w+) +(\d+) ([\d.]+)$", card, re.MULTILINE)
        assert table == [
            ("all", "40", f"{scores['all']:.3f}"),
            ("article", "20", f"{scores['article']:.3f}"),
            ("forum", "20", f"{scores['forum']:.3f}"),
        ]

    def test_the_same_data_give_the_same_files(
        self, kinds: Path, tmp_path: Path
    ) -> None:
        files = []
        for name in ("first", "second"):
            train_learned.train_learned(load_sets(kinds), tmp_path / name, 2, "")
            files.append((tmp_path / name / "learned.npz").read_bytes())
        assert files[0] == files[1]

    def test_the_model_serves_the_algorithm(self, kinds: Path, tmp_path: Path) -> None:
        train_learned.train_learned(load_sets(kinds), tmp_path, 2, "")
        algorithm = Learned(model=str(tmp_path / "learned.npz"))
        document = document_of(article("something new")[0])
        main = algorithm.judge(document).main
        assert main[3:5].tolist() == [True, True]
        assert main[:2].tolist() == [False, False]

    def test_pages_that_are_all_got_right(self, tmp_path: Path) -> None:
        # No spread, so that nothing correlates.
        data = load_sets(write_kinds(tmp_path / "kinds", noise=False))
        card = train_learned.train_learned(data, tmp_path / "model", 2, "")
        assert re.search(r"kinds +all +40 0\.9\d\d|kinds +all +40 1\.000", card)
        assert "nan" not in card.split("Expected calibration")[1]

    def test_data_without_gold_texts_are_refused(self, tmp_path: Path) -> None:
        labels = [{"id": "a", "url": "https://a.example/", "with": ["x"]}]
        sets = load_sets(write_set(tmp_path / "set", labels, a="<p>x"))
        with pytest.raises(DataSetError, match=r"no page .*gold text"):
            train_learned.train_learned(sets, tmp_path / "model", 2, "")

    def test_pages_without_text_are_refused(self, tmp_path: Path) -> None:
        labels = [{"id": "a", "url": "https://a.example/", "text": "x"}]
        sets = load_sets(write_set(tmp_path / "set", labels, a="<img>"))
        with pytest.raises(DataSetError, match="no page"):
            train_learned.train_learned(sets, tmp_path / "model", 2, "")
