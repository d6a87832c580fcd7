"""The training of the text-block-context trees."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from lab.training.j48 import read_tree
from lab.training.text_block_context import (
    MIN_NUM_OBJ,
    SEED,
    SegmentedPage,
    fit_tree,
    flatten,
    one_hot,
    segment_page,
    train,
)
from scrapy_mainpage.evaluation.datasets import LabelledPage, load_sets
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    OTHER_TAG,
    cut,
)
from scrapy_mainpage.extraction.algorithms.text_block_context import (
    FEATURES,
    TAG_FEATURES,
    features,
    load_model,
)
from tests.evaluation.sets import article_label, label, write_set
from tests.extraction.helpers import document_of

SEGMENTS = cut(document_of("<p>"), "paper")


def random_page(seed: int, site: str = "a", size: int = 400) -> SegmentedPage:
    """A page of random features; a few predict main content, with noise."""
    random = np.random.default_rng(seed)
    rows = random.gamma(2, 5, (size, len(FEATURES))).astype(np.float32)
    rows[:, TAG_FEATURES] = random.integers(0, OTHER_TAG + 1, (size, len(TAG_FEATURES)))
    own_tag = rows[:, FEATURES.index("tag")]
    main = (rows[:, FEATURES.index("word_density")] > 8) ^ np.isin(own_tag, (3, 4, 5))
    return SegmentedPage(
        "set", site, SEGMENTS, rows, main ^ (random.random(size) < 0.1)
    )


def reference(page: SegmentedPage) -> DecisionTreeClassifier:
    classifier = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=MIN_NUM_OBJ, random_state=SEED
    )
    return classifier.fit(one_hot(page.rows), page.main)


def labelled(folder: Path, text: str | None, html: str) -> LabelledPage:
    line = label("a", without=["Home"]) if text is None else label("a", text=text)
    (data_set,) = load_sets(write_set(folder, [line], a=html))
    return data_set.pages[0]


@pytest.mark.parametrize("seed", range(3))
def test_the_flat_tree_predicts_as_scikit_learn_does(seed: int) -> None:
    page, unseen = random_page(seed), random_page(seed + 100)
    grown = reference(page)
    tree = flatten(read_tree(grown.tree_))
    assert len(tree.left) > len(fit_tree([page]).left)
    for rows in (page.rows, unseen.rows):
        expected = grown.predict_proba(one_hot(rows))[:, 1]
        assert tree.predict(rows) == pytest.approx(expected, abs=1e-6)


HTML = (
    "<div><a href='/'>Home</a> <a href='/n'>News</a></div>"
    "<p>Owls are birds that <b>hunt at night</b> and sleep by day.</p><p>Legal</p>"
)
OWLS = "Owls are birds that hunt at night and sleep by day."


@pytest.mark.parametrize(
    ("segmentation", "main"),
    [
        ("boilerpipe", [False, True, False]),
        ("paper", [False, True, True, True, False]),
    ],
)
def test_segments_are_labelled_by_the_gold_text(
    tmp_path: Path, segmentation: str, main: list[bool]
) -> None:
    page = segment_page("birds", labelled(tmp_path / "set", OWLS, HTML), segmentation)
    assert page is not None
    assert (page.set_name, page.site) == ("birds", "a.example")
    assert page.main.tolist() == main
    assert np.array_equal(page.rows, features(page.segments))


TOPICS = "owls cats mice dogs bats rats newts frogs toads hens".split()


def test_tree_and_card_are_written(tmp_path: Path) -> None:
    """Of two sets of articles; a page with snippets only is left out."""
    labels = [article_label(topic) for topic in TOPICS]
    write_set(tmp_path / "data" / "first", labels[:6])
    snippets = label("hares", **{"with": ["Sentence 1"]})
    write_set(tmp_path / "data" / "second", [*labels[6:], snippets])
    sets, output = load_sets(tmp_path / "data"), tmp_path / "new" / "out"
    card = train(sets, "paper", output, 2, "CC0, by nobody.")
    assert (output / "text_block_context_paper.rst").read_text("utf-8") == card
    tree = load_model(str(output / "text_block_context_paper.npz"))
    said = " ".join(card.split())
    for part in (
        "at least 10 records a leaf, pruned as J48 does with confidence factor 0.7",
        f":Nodes: {len(tree.left)} ",
        ":Data: first (6 pages), second (4 pages)",
        # Two links, a heading, a paragraph and a footer on each page.
        ":Records: 50 segments of 10 pages of 10 sites, 40.0% main content",
        f":Date: {date.today().isoformat()} ",
        "lab.training text-block-context DATA_DIR --folds 2 --licence LICENCE",
        ":Licence: of the data: CC0, by nobody. None of its text",
        "in 2-fold cross-validation grouped by site",
    ):
        assert part in said
    cells = (line.split() for line in card.splitlines())
    rows = [row for row in cells if row[1:2] == ["text-block-context"]]
    assert [row[0] for row in rows] == ["first", "second", "all"]
    assert rows[-1][1:] == ["text-block-context", "1.000", "1.000", "1.000"]
    segmented = segment_page("first", sets[0].pages[0], "boilerpipe")
    assert segmented is not None
    predicted = tree.predict(segmented.rows) >= 0.5
    assert predicted.tolist() == [False, False, True, True, False]
