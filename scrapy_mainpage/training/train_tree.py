"""Training of the text-block-context trees (Kim et al. 2013, sections 4.2 to 4.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..evaluation.datasets import read_document
from ..evaluation.folds import site_folds
from ..evaluation.gold import gold_mask
from ..evaluation.rounding import rounded_down
from ..evaluation.tokens import tokenize
from ..extraction.algorithms.segmentation.text_segments import OTHER_TAG, Segments, cut
from ..extraction.algorithms.text_block_context import (
    FEATURES,
    TAG_FEATURES,
    Tree,
    features,
)
from .boilerpipe import density_rules, num_words_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from ..evaluation.datasets import LabelledPage

    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[np.float32]

MIN_LEAF: Final = 10
"""Records in a leaf at least (section 4.3)."""

SEED: Final = 0
"""Decides between splits that are equally good."""


@dataclass(frozen=True, eq=False)
class SegmentedPage:
    """A labelled page, cut into segments: its set, site, features and true labels."""

    set_name: str
    site: str
    segments: Segments
    rows: Rows
    main: Mask


@dataclass(frozen=True)
class Score:
    """Precision, recall and F-measure of the main-content class."""

    precision: float
    recall: float
    f: float

    @classmethod
    def of(cls, predicted: Mask, true: Mask) -> Score:
        """The score of *predicted* against *true*, segment by segment."""
        both = float((predicted & true).sum())
        precision = both / max(float(predicted.sum()), 1.0)
        recall = both / max(float(true.sum()), 1.0)
        return cls(
            precision,
            recall,
            2 * both / max(float(predicted.sum() + true.sum()), 1.0),
        )


def segment_page(
    set_name: str, page: LabelledPage, segmentation: str
) -> SegmentedPage | None:
    """Cut *page* and label its segments; ``None`` without gold text or segments."""
    if page.text is None:
        return None
    document = read_document(page.html())
    segments = cut(document, segmentation)
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


def fit_tree(pages: Sequence[SegmentedPage]) -> Tree:
    """A tree by the entropy criterion, without pruning, on all segments of *pages*.

    Raises ``ValueError`` if all or none of them are main content.
    """
    from sklearn.tree import DecisionTreeClassifier

    rows = np.vstack([page.rows for page in pages])
    main = np.concatenate([page.main for page in pages])
    if main.all() or not main.any():
        amount = "all" if main.all() else "none"
        raise ValueError(f"{amount} of the text is main content: nothing to learn")
    classifier = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=MIN_LEAF, random_state=SEED
    )
    classifier.fit(one_hot(rows), main)
    return _flatten(classifier.tree_)


def one_hot(rows: Rows) -> Rows:
    """The numeric features, then a column for each value of each tag feature."""
    numeric = np.delete(rows, TAG_FEATURES, axis=1)
    values = np.arange(OTHER_TAG + 1)
    tags = [rows[:, [k]] == values for k in TAG_FEATURES]
    return np.hstack([numeric, *tags]).astype(np.float32)


def _flatten(tree: Any) -> Tree:
    """scikit-learn's tree as arrays in which the second child follows the first."""
    numeric = [k for k in range(len(FEATURES)) if k not in TAG_FEATURES]
    order = [0]
    nodes: list[tuple[int, float, int, int]] = []
    for node in order:  # grows while it is read: breadth first
        below, above = int(tree.children_left[node]), int(tree.children_right[node])
        column = int(tree.feature[node])
        if below < 0:
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
        rounded_down(np.array(threshold)),
        np.array(equals, np.uint8),
        np.array(left, np.int32),
        (counts[:, 1] / counts.sum(axis=1)).astype(np.float32),
    )


def cross_validate(
    pages: Sequence[SegmentedPage], folds: int
) -> dict[str, dict[str, Score]]:
    """Scores in *folds*-fold cross-validation grouped by site, per set and for all.

    For the tree and for Boilerpipe's rule sets, as in the paper's Table 3.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    predicted: list[Mask] = [page.main for page in pages]
    for fold in range(folds):
        tree = fit_tree([p for p, f in zip(pages, fold_of, strict=True) if f != fold])
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
