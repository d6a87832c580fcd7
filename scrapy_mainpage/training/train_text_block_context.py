"""Training of the text-block-context trees (Kim et al. 2013, sections 4.2 to 4.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import sklearn
from tqdm import tqdm

from ..evaluation.datasets import DataSetError, read_document, site_folds
from ..evaluation.gold import gold_mask
from ..evaluation.metrics import tokenize
from ..extraction.algorithms.segmentation.text_segments import OTHER_TAG, Segments, cut
from ..extraction.algorithms.text_block_context import (
    FEATURES,
    TAG_FEATURES,
    Tree,
    features,
)
from ..extraction.baselines.boilerpipe import density_rules, num_words_rules
from .cards import text_block_context_card
from .train_forest import round_down
from .training_pages import Score, SegmentedPage

if TYPE_CHECKING:
    import numpy.typing as npt

    Mask = npt.NDArray[np.bool_]
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from ..evaluation.datasets import DataSet, LabelledPage

    Rows = npt.NDArray[np.float32]


def prune(tree: Any, confidence_factor: float) -> Mask:
    """Which nodes of scikit-learn's *tree* are leaves after pruning.

    A subtree becomes a leaf if that is expected to make no more errors. A factor above
    one half turns pruning off.
    """
    is_leaf = np.asarray(tree.children_left < 0)
    if confidence_factor > 0.5:
        return is_leaf
    records = tree.n_node_samples.astype(float)
    share = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
    errors = records * share.min(axis=1)
    expected = np.array(
        [
            upper_errors(n, e, confidence_factor)
            for n, e in zip(records, errors, strict=True)
        ]
    )
    # Children come after their parent.
    for node in np.flatnonzero(~is_leaf)[::-1]:
        below = tree.children_left[node], tree.children_right[node]
        kept = expected[below[0]] + expected[below[1]]
        is_leaf[node] = expected[node] <= kept
        expected[node] = min(expected[node], kept)
    return is_leaf


def upper_errors(records: float, errors: float, confidence_factor: float) -> float:
    """The errors to expect of a leaf: the upper bound of its error rate, in records.

    The rate is binomial; from one error on it is taken as normal, with the correction
    for continuity.
    """
    free: float = confidence_factor ** (1 / records)
    none = records * (1 - free)
    if errors < 1:
        one = upper_errors(records, 1, confidence_factor) if errors > 0 else none
        return none + errors * (one - none)
    if errors + 0.5 >= records:
        return records
    z = NormalDist().inv_cdf(1 - confidence_factor)
    rate = (errors + 0.5) / records
    spread = sqrt(rate * (1 - rate) / records + (z / (2 * records)) ** 2)
    bound = (rate + z * z / (2 * records) + z * spread) / (1 + z * z / records)
    return bound * records


MIN_NUM_OBJ: Final = 10
"""Records in a leaf at least (section 4.3)."""

CONFIDENCE_FACTOR: Final = 0.7
"""Of the pruning (section 4.3)."""

SEED: Final = 0
"""Decides between splits that are equally good."""


@dataclass(frozen=True)
class Recipe:
    """How a tree is trained: the options of the algorithm, and J48's (section 4.3)."""

    segmentation: str = "paper"
    word_density: str = "lines"
    min_num_obj: int = MIN_NUM_OBJ
    confidence_factor: float = CONFIDENCE_FACTOR

    @property
    def name(self) -> str:
        """The name of the tree's files, without a suffix."""
        density = "" if self.word_density == "lines" else f"_{self.word_density}"
        return f"text_block_context_{self.segmentation}{density}"


def segment_page(
    set_name: str, page: LabelledPage, segmentation: str, word_density: str = "lines"
) -> SegmentedPage | None:
    """Cut *page* and label its segments; ``None`` without gold text or segments."""
    if page.text is None:
        return None
    document = read_document(page.html())
    segments = cut(document, segmentation, word_density)
    if not len(segments):
        return None
    ends = np.append(segments.first_run[1:], len(document.runs.kind))
    texts = [
        document.text[document.runs.start[a] : document.runs.end[a:b].max()].decode(
            "utf-8", "replace"
        )
        for a, b in zip(segments.first_run.tolist(), ends.tolist(), strict=True)
    ]
    main = gold_mask([tokenize(text) for text in texts], tokenize(page.text))
    return SegmentedPage(set_name, page.site, segments, features(segments), main)


def fit_tree(
    pages: Sequence[SegmentedPage],
    min_num_obj: int = MIN_NUM_OBJ,
    confidence_factor: float = CONFIDENCE_FACTOR,
) -> Tree:
    """A tree by the entropy criterion on all segments of *pages*, pruned.

    Raises ``ValueError`` if all or none of them are main content.
    """
    from sklearn.tree import DecisionTreeClassifier

    rows = np.vstack([page.rows for page in pages])
    main = np.concatenate([page.main for page in pages])
    if main.all() or not main.any():
        amount = "all" if main.all() else "none"
        raise ValueError(f"{amount} of the text is main content: nothing to learn")
    classifier = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=min_num_obj, random_state=SEED
    )
    classifier.fit(one_hot(rows), main)
    return _flatten(classifier.tree_, prune(classifier.tree_, confidence_factor))


def one_hot(rows: Rows) -> Rows:
    """The numeric features, then a column for each value of each tag feature."""
    numeric = np.delete(rows, TAG_FEATURES, axis=1)
    values = np.arange(OTHER_TAG + 1)
    tags = [rows[:, [k]] == values for k in TAG_FEATURES]
    return np.hstack([numeric, *tags]).astype(np.float32)


def _flatten(tree: Any, is_leaf: Mask) -> Tree:
    """scikit-learn's tree as arrays in which the second child follows the first."""
    numeric = [k for k in range(len(FEATURES)) if k not in TAG_FEATURES]
    order = [0]
    nodes: list[tuple[int, float, int, int]] = []
    for node in order:  # grows while it is read: breadth first
        below, above = int(tree.children_left[node]), int(tree.children_right[node])
        column = int(tree.feature[node])
        if is_leaf[node]:
            nodes.append((0, 0.0, 0, -1))
        elif column < len(numeric):
            nodes.append((numeric[column], tree.threshold[node], 0, len(order)))
            order += [below, above]
        else:
            group, tag = divmod(column - len(numeric), OTHER_TAG + 1)
            nodes.append((TAG_FEATURES[group], float(tag), 1, len(order)))
            order += [above, below]  # a column of 1 is this tag
    feature, threshold, equals, left = zip(*nodes, strict=True)
    counts = tree.value[order, 0, :]
    return Tree(
        np.array(feature, np.int16),
        round_down(np.array(threshold)),
        np.array(equals, np.uint8),
        np.array(left, np.int32),
        (counts[:, 1] / counts.sum(axis=1)).astype(np.float32),
    )


def cross_validate(
    pages: Sequence[SegmentedPage], folds: int, recipe: Recipe | None = None
) -> dict[str, dict[str, Score]]:
    """Scores in *folds*-fold cross-validation grouped by site, per set and for all.

    For the tree and for Boilerpipe's rule sets, as in the paper's Table 3.
    """
    recipe = recipe or Recipe()
    fold_of = site_folds([page.site for page in pages], folds)
    predicted: list[Mask] = [page.main for page in pages]
    for fold in range(folds):
        tree = fit_tree(
            [p for p, f in zip(pages, fold_of, strict=True) if f != fold],
            recipe.min_num_obj,
            recipe.confidence_factor,
        )
        for k, page in enumerate(pages):
            if fold_of[k] == fold:
                predicted[k] = tree.predict(page.rows) >= 0.5
    rules: dict[str, Callable[[Segments], Mask]] = {
        "boilerpipe NumWords": num_words_rules,
        "boilerpipe Density": density_rules,
    }
    choices = {"text-block-context": predicted}
    for name, rule in rules.items():
        choices[name] = [rule(page.segments) for page in pages]
    return {name: _scores(pages, chosen) for name, chosen in choices.items()}


def _scores(pages: Sequence[SegmentedPage], chosen: Sequence[Mask]) -> dict[str, Score]:
    names = sorted({page.set_name for page in pages})
    scores = {name: _score(pages, chosen, [name]) for name in names}
    scores["all"] = _score(pages, chosen, names)
    return scores


def _score(
    pages: Sequence[SegmentedPage], chosen: Sequence[Mask], names: Iterable[str]
) -> Score:
    wanted = set(names)
    at = [k for k, page in enumerate(pages) if page.set_name in wanted]
    return Score.of(
        np.concatenate([chosen[k] for k in at]),
        np.concatenate([pages[k].main for k in at]),
    )


def train_text_block_context(
    sets: list[DataSet], recipe: Recipe, output: Path, folds: int, licence: str
) -> str:
    """Write the tree of *recipe* and its card into *output*.

    Returns the card, in which *licence* is the note on the licence of the data. The
    same data give the same tree. Raises ``OSError`` or ``ValueError`` if data cannot
    be read, learned from or written.
    """
    pages = _read(sets, recipe)
    output.mkdir(parents=True, exist_ok=True)
    scores = cross_validate(pages, folds, recipe)
    tree = fit_tree(pages, recipe.min_num_obj, recipe.confidence_factor)
    card = text_block_context_card(
        pages,
        scores,
        recipe.segmentation,
        folds,
        licence,
        density=recipe.word_density,
        leaf=recipe.min_num_obj,
        factor=recipe.confidence_factor,
        version=sklearn.__version__,
        seed=SEED,
        nodes=len(tree.left),
    )
    np.savez_compressed(output / f"{recipe.name}.npz", **asdict(tree))
    (output / f"{recipe.name}.rst").write_text(card, encoding="utf-8")
    return card


def _read(sets: list[DataSet], recipe: Recipe) -> list[SegmentedPage]:
    labelled = [(data.name, page) for data in sets for page in data.pages]
    bar = tqdm(labelled, desc="Reading", unit=" pages", disable=None)
    options = recipe.segmentation, recipe.word_density
    read = [segment_page(name, page, *options) for name, page in bar]
    pages = [page for page in read if page is not None]
    if not pages:
        raise DataSetError("no page has a gold text")
    return pages
