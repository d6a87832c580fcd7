"""The training of the learned default: the model and its card."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from scrapy_mainpage.evaluation.datasets import DataSetError, load_sets
from scrapy_mainpage.extraction.learned.features import FEATURE_NAMES
from scrapy_mainpage.extraction.learned.learned import MARKUP, Learned, load_forest
from scrapy_mainpage.training import train_forest, train_learned
from scrapy_mainpage.training.training_pages import TrainingPage, page_f1
from tests.evaluation.sets import write_set
from tests.extraction.helpers import document_of
from tests.training.kinds import article

pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(scope="module")
def trained(quick: None, kinds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model of the 40 pages."""
    folder = tmp_path_factory.mktemp("trained") / "new" / "folder"
    train_learned.train_learned(load_sets(kinds), folder, 2, "free to use", "ours")
    return folder


class TestModelAndCard:
    def test_the_card_describes_the_model(
        self, trained: Path, pages: list[TrainingPage]
    ) -> None:
        card = (trained / "learned.rst").read_text("utf-8")
        forest = load_forest(str(trained / "learned.npz"))
        assert forest.names == (*FEATURE_NAMES, MARKUP)
        assert len(forest.slots) > 0
        assert forest.context is not None
        fit = partial(train_forest.fit_correction, start=load_forest(None))
        first, second = train_forest.cross_validate(pages, 2, fit)
        assert first == pytest.approx((forest.slope, forest.offset))
        assert second == pytest.approx((forest.context.slope, forest.context.offset))
        blocks = sum(len(page.main) for page in pages)
        share = sum(page.main.sum() for page in pages) / blocks
        flat = " ".join(card.split())
        for part in (
            f"over {len(forest.names)} features",
            "2 times 20 rounds of 7 leaves",
            ":Start: the model ours",
            f":Markup: {len(forest.slots)} hashes",
            "kinds (40 pages)",
            f":Blocks: {blocks}, {share:.1%} main content",
            "min_data_in_leaf 5",
            f"log odds times {forest.slope:.3f} plus {forest.offset:.3f}",
            "--folds 2",
            "free to use",
            "2-fold cross-validation grouped by site",
        ):
            assert part in flat
        scores = {
            kind: mean(page_f1(page)[0] for page in pages if kind in ("all", page.type))
            for kind in ("all", "article", "forum")
        }
        table = re.findall(r"^kinds +(\w+) +(\d+) +([\d.]+)$", card, re.MULTILINE)
        assert table == [
            ("all", "40", f"{scores['all']:.3f}"),
            ("article", "20", f"{scores['article']:.3f}"),
            ("forum", "20", f"{scores['forum']:.3f}"),
        ]

    def test_the_same_data_give_the_same_files(
        self, trained: Path, kinds: Path, tmp_path: Path
    ) -> None:
        train_learned.train_learned(
            load_sets(kinds), tmp_path, 2, "free to use", "ours"
        )
        for name in ("learned.npz", "learned.rst"):
            assert (tmp_path / name).read_bytes() == (trained / name).read_bytes()

    def test_the_model_serves_the_algorithm(self, trained: Path) -> None:
        algorithm = Learned(model=str(trained / "learned.npz"))
        document = document_of(article("something new")[0])
        assert algorithm.judge(document).main.tolist() == [False] * 2 + [True] * 3 + [
            False
        ] * (document.n_blocks - 5)

    def test_page_types_are_those_of_the_package(self, trained: Path) -> None:
        forest, shipped = load_forest(str(trained / "learned.npz")), load_forest(None)
        assert forest.types is not None
        assert shipped.types is not None
        for name, array in shipped.types.arrays().items():
            assert np.array_equal(forest.types.arrays()[name], array)

    def test_snippets_alone_can_be_learned_of(self, tmp_path: Path) -> None:
        labels, html = [], {}
        for k in range(12):
            page, text = article(f"topic{k}")
            labels.append(
                {
                    "id": f"p{k}",
                    "url": f"https://site{k}.example/",
                    "with": [text.splitlines()[2]],
                    "without": ["News", "All rights reserved"],
                }
            )
            html[f"p{k}"] = page
        sets = load_sets(write_set(tmp_path / "set", labels, **html))
        card = train_learned.train_learned(sets, tmp_path, 2, "", "ours")
        found = re.search(r"alone: ([\d.]+)% of those .*,\n([\d.]+)% of the", card)
        assert found
        taken, left = map(float, found.groups())
        assert taken >= 90
        assert left >= 90

    def test_data_without_any_label_are_refused(self, tmp_path: Path) -> None:
        labels = [
            {"id": name, "url": f"https://{name}.example/", "with": ["not there"]}
            for name in "ab"
        ]
        sets = load_sets(write_set(tmp_path / "set", labels, a="<p>x", b="<p>y"))
        with pytest.raises(DataSetError, match=r"no block .* label"):
            train_learned.train_learned(sets, tmp_path / "model", 2, "", "ours")

    def test_training_goes_on_from_a_model(
        self, trained: Path, kinds: Path, tmp_path: Path
    ) -> None:
        start, sets = trained / "learned.npz", load_sets(kinds)
        card = train_learned.train_learned(sets, tmp_path, 2, "", str(start))
        assert f":Start: the model {start}" in " ".join(card.split())
        before, after = (
            load_forest(str(f / "learned.npz")) for f in (trained, tmp_path)
        )
        assert len(after.roots) == len(before.roots) + 1 + 40
        assert after.types is not None
        assert np.array_equal(after.slots, before.slots)
        algorithm = Learned(model=str(tmp_path / "learned.npz"))
        main = algorithm.judge(document_of(article("something new")[0])).main
        assert main[3:5].tolist() == [True, True]

    def test_a_model_of_other_features_is_no_start(
        self, trained: Path, kinds: Path, tmp_path: Path
    ) -> None:
        forest = load_forest(str(trained / "learned.npz"))
        names, path = forest.names, tmp_path / "x.npz"
        replace(forest, names=(names[1], names[0], *names[2:])).save(path)
        with pytest.raises(ValueError, match="not a model of this version's features"):
            train_learned.train_learned(load_sets(kinds), tmp_path, 2, "", str(path))

    def test_pages_without_text_are_refused(self, tmp_path: Path) -> None:
        labels = [{"id": "a", "url": "https://a.example/", "text": "x"}]
        sets = load_sets(write_set(tmp_path / "set", labels, a="<img>"))
        with pytest.raises(DataSetError, match="no labelled page has any text"):
            train_learned.train_learned(sets, tmp_path / "model", 2, "", "ours")
