"""Training of the text-block-context trees (Kim et al. 2013, sections 4.2 to 4.4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import sklearn
from sklearn.metrics import precision_recall_fscore_support
from sklearn.tree import DecisionTreeClassifier
from tqdm import tqdm

from lab.evaluation.gold import gold_mask
from lab.papers.baselines.boilerpipe import density_rules, num_words_rules
from lab.training.boosting import round_down, site_folds
from lab.training.learned_card import table
from scrapy_mainpage.evaluation.datasets import DataSetError, read_document
from scrapy_mainpage.evaluation.scores import tokenize
from scrapy_mainpage.extraction.algorithms.segmentation.text_segments import (
    OTHER_TAG,
    Segments,
    cut,
)
from scrapy_mainpage.extraction.algorithms.text_block_context import (
    FEATURES,
    TAG_FEATURES,
    Tree,
    features,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from scrapy_mainpage.evaluation.datasets import DataSet, LabelledPage

    Mask = npt.NDArray[np.bool_]
    Rows = npt.NDArray[np.float32]
    Score = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class SegmentedPage:
    """A labelled page, cut into segments: its set, site, features and true labels."""

    set_name: str
    site: str
    segments: Segments
    rows: Rows
    main: Mask


MIN_NUM_OBJ: Final = 10
"""Records in a leaf at least (section 4.3)."""

SEED: Final = 0
"""Decides between splits that are equally good."""

RULES: Final = {
    "boilerpipe NumWords": num_words_rules,
    "boilerpipe Density": density_rules,
}
"""The classifiers that Table 3 compares with the tree."""

CARD: Final = """\
Model card: text-block-context, {segmentation} segmentation
{underline}

:Algorithm: decision tree by the entropy criterion, at least {leaf} records a leaf, not
   pruned, as in J48 with confidence factor 0.7 (Kim et al. 2013, section 4.3);
   scikit-learn {version}, random state {seed}
:Features: 25, of a segment and two neighbours on each side
:Nodes: {nodes}
:Data: {data}
:Records: {records} segments of {pages} pages of {sites} sites, {share:.1%} main content
:Labels: from the gold texts, by alignment of words
:Date: {today}
:Made by: ``python -m lab.training text-block-context DATA_DIR --folds {folds}
   --output DIR``
:Licence: of the data: {licence}. None of its text is in the tree.

Precision, recall and F-measure of the main-content class, segment by segment, in
{folds}-fold cross-validation grouped by site:

{table}
"""


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
    """A tree by the entropy criterion on all segments of *pages*.

    J48 does not prune with a confidence factor above one half; the paper's is 0.7
    (section 4.3). Raises ``ValueError`` if all or none of them are main content.
    """
    rows = np.vstack([page.rows for page in pages])
    main = np.concatenate([page.main for page in pages])
    if main.all() or not main.any():
        amount = "all" if main.all() else "none"
        raise ValueError(f"{amount} of the text is main content: nothing to learn")
    classifier = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=MIN_NUM_OBJ, random_state=SEED
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
        round_down(np.array(threshold)),
        np.array(equals, np.uint8),
        np.array(left, np.int32),
        (counts[:, 1] / counts.sum(axis=1)).astype(np.float32),
    )


def cross_validate(
    pages: Sequence[SegmentedPage], folds: int
) -> dict[str, dict[str, Score]]:
    """Scores in *folds*-fold cross-validation grouped by site, per set and for all.

    For the tree, and for the rules of Boilerpipe, as in the paper's Table 3:
    precision, recall and F of the main-content class over all segments.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    predicted: list[Mask] = [page.main for page in pages]
    for fold in range(folds):
        tree = fit_tree([p for p, f in zip(pages, fold_of, strict=True) if f != fold])
        for k, page in enumerate(pages):
            if fold_of[k] == fold:
                predicted[k] = tree.predict(page.rows) >= 0.5
    choices = {"text-block-context": predicted}
    for name, rule in RULES.items():
        choices[name] = [rule(page.segments) for page in pages]
    sets = {name: {name} for name in sorted({page.set_name for page in pages})}
    return {
        classifier: {
            name: _score(pages, chosen, own)
            for name, own in (sets | {"all": set(sets)}).items()
        }
        for classifier, chosen in choices.items()
    }


def _score(
    pages: Sequence[SegmentedPage], chosen: Sequence[Mask], sets: set[str]
) -> Score:
    at = [k for k, page in enumerate(pages) if page.set_name in sets]
    true = np.concatenate([pages[k].main for k in at])
    found = np.concatenate([chosen[k] for k in at])
    precision, recall, f, _ = precision_recall_fscore_support(
        true, found, average="binary", zero_division=0.0
    )
    return float(precision), float(recall), float(f)


def train(
    sets: list[DataSet], segmentation: str, output: Path, folds: int, licence: str
) -> str:
    """Write the tree for *segmentation* and its card into the folder *output*.

    Returns the card, in which *licence* is the note on the licence of the data. The
    same data give the same tree. Raises ``OSError`` or ``ValueError`` if data cannot be
    read, learned from or written.
    """
    pages = _read(sets, segmentation)
    scores = cross_validate(pages, folds)
    tree = fit_tree(pages)
    card = make_card(pages, scores, segmentation, folds, licence, len(tree.left))
    output.mkdir(parents=True, exist_ok=True)
    name = f"text_block_context_{segmentation}"
    np.savez_compressed(output / f"{name}.npz", **asdict(tree))
    (output / f"{name}.rst").write_text(card, encoding="utf-8")
    return card


def _read(sets: list[DataSet], segmentation: str) -> list[SegmentedPage]:
    labelled = [(data.name, page) for data in sets for page in data.pages]
    bar = tqdm(labelled, desc="Reading", unit=" pages", disable=None)
    read = [segment_page(name, page, segmentation) for name, page in bar]
    pages = [page for page in read if page is not None]
    if not pages:
        raise DataSetError("no page has a gold text")
    return pages


def make_card(
    pages: Sequence[SegmentedPage],
    scores: Mapping[str, Mapping[str, Score]],
    segmentation: str,
    folds: int,
    licence: str,
    nodes: int,
) -> str:
    """The card of a tree; *scores* are those of each classifier on each set."""
    main = np.concatenate([page.main for page in pages])
    title = CARD.partition("\n")[0].format(segmentation=segmentation)
    counts = sorted(Counter(page.set_name for page in pages).items())
    rows = [
        (name, classifier, *(f"{score:.3f}" for score in by_set[name]))
        for name in next(iter(scores.values()))
        for classifier, by_set in scores.items()
    ]
    return CARD.format(
        segmentation=segmentation,
        underline="=" * len(title),
        leaf=MIN_NUM_OBJ,
        version=sklearn.__version__,
        seed=SEED,
        nodes=nodes,
        data=",\n   ".join(f"{name} ({count} pages)" for name, count in counts),
        records=len(main),
        pages=len(pages),
        sites=len({page.site for page in pages}),
        share=float(main.mean()),
        today=date.today().isoformat(),
        licence=licence.strip().rstrip("."),
        folds=folds,
        table=table(("set", "classifier", "precision", "recall", "F"), rows),
    )
