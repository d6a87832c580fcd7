"""Training of the text-block-context trees (Kim et al. 2013, sections 4.2 to 4.4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Final

import numpy as np
import sklearn
from sklearn.metrics import precision_recall_fscore_support
from sklearn.tree import DecisionTreeClassifier
from tqdm import tqdm

from lab.evaluation.gold import gold_mask
from lab.papers.baselines.boilerpipe import density_rules, num_words_rules
from lab.tables import simple_table
from lab.training.boosting import round_down, site_folds
from lab.training.j48 import Node, prune, read_tree
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
from scrapy_mainpage.extraction.learned.page_types import pack

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
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

CONFIDENCE_FACTOR: Final = 0.7
"""Of the pruning (section 4.3). Above one half J48 estimates no more errors than there
are: it collapses, and raises subtrees, where that costs none."""

SEED: Final = 0
"""Decides between splits that are equally good."""

RULES: Final = {
    "boilerpipe NumWords": num_words_rules,
    "boilerpipe Density": density_rules,
}
"""The classifiers that Table 3 compares with the tree."""

BOILERPIPE_FEATURES: Final = tuple(
    f"{name}{offset}"
    for name in ("word_density", "link_density")
    for offset in ("_-1", "", "_+1")
)
"""Of the block and its two neighbours (section 2.2)."""

CARD: Final = """\
Model card: text-block-context, {segmentation} segmentation
{underline}

:Algorithm: decision tree by the entropy criterion, at least {leaf} records a leaf,
   pruned as J48 does with confidence factor {confidence} (Kim et al. 2013, section
   4.3); grown by scikit-learn {version}, random state {seed}
:Features: 25, of a segment and two neighbours on each side
:Nodes: {nodes}
:Data: {data}
:Records: {records} segments of {pages} pages of {sites} sites, {share:.1%} main content
:Labels: from the gold texts, by alignment of words
:Date: {today}
:Made by: ``python -m lab.training text-block-context DATA_DIR --folds {folds}
   --licence LICENCE --output DIR``
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
    """A tree by the entropy criterion on all segments of *pages*, pruned as by J48.

    Raises ``ValueError`` if all or none of them are main content.
    """
    rows = np.vstack([page.rows for page in pages])
    main = np.concatenate([page.main for page in pages])
    if main.all() or not main.any():
        amount = "all" if main.all() else "none"
        raise ValueError(f"{amount} of the text is main content: nothing to learn")
    classifier = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=MIN_NUM_OBJ, random_state=SEED
    )
    columns = one_hot(rows)
    root = read_tree(classifier.fit(columns, main).tree_)
    prune(root, columns, main, CONFIDENCE_FACTOR)
    return flatten(root)


def one_hot(rows: Rows) -> Rows:
    """The numeric features, then a column for each value of each tag feature."""
    numeric = np.delete(rows, TAG_FEATURES, axis=1)
    values = np.arange(OTHER_TAG + 1)
    tags = [rows[:, [k]] == values for k in TAG_FEATURES]
    return np.hstack([numeric, *tags]).astype(np.float32)


def flatten(root: Node) -> Tree:
    """The tree as arrays in which the second son follows the first."""
    numeric = [k for k in range(len(FEATURES)) if k not in TAG_FEATURES]
    order = [(root, 0.5)]
    nodes: list[tuple[int, float, int, int, float]] = []
    for node, around in order:  # grows while it is read: breadth first
        records = node.main + node.other
        # A leaf that lost its records to the raising says what is said around it.
        share = node.main / records if records else around
        if node.sons is None:
            nodes.append((0, 0.0, 0, -1, share))
            continue
        below, above = ((son, share) for son in node.sons)
        if node.feature < len(numeric):
            threshold = float(round_down(np.array(node.threshold)))
            test = numeric[node.feature], threshold, 0
            sons = [below, above]
        else:
            group, tag = divmod(node.feature - len(numeric), OTHER_TAG + 1)
            test = TAG_FEATURES[group], float(tag), 1
            sons = [above, below]  # a column of 1 is this tag
        nodes.append((*test, len(order), 0.0))
        order += sons
    columns = zip(*nodes, strict=True)
    kinds = (np.int16, np.float32, np.uint8, np.int32, np.float32)
    arrays = [np.array(c, kind) for c, kind in zip(columns, kinds, strict=True)]
    return Tree(*arrays)


def cross_validate(
    pages: Sequence[SegmentedPage], folds: int
) -> dict[str, dict[str, Score]]:
    """Scores in *folds*-fold cross-validation grouped by site, per set and for all.

    For the tree, for one over Boilerpipe's six features, as in the paper's Table 3, and
    for Boilerpipe's rules: precision, recall and F of the main-content class over all
    segments.
    """
    fold_of = site_folds([page.site for page in pages], folds)
    six = [replace(page, rows=_only(page.rows, BOILERPIPE_FEATURES)) for page in pages]
    choices = {}
    for name, own in (("text-block-context", pages), ("boilerpipe tree", six)):
        choices[name] = [page.main for page in own]
        for fold in range(folds):
            tree = fit_tree([p for p, f in zip(own, fold_of, strict=True) if f != fold])
            for k, page in enumerate(own):
                if fold_of[k] == fold:
                    choices[name][k] = tree.predict(page.rows) >= 0.5
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


def _only(rows: Rows, names: Iterable[str]) -> Rows:
    """The *rows* with these features alone; the others are all 0."""
    kept = np.isin(FEATURES, list(names))
    return np.where(kept, rows, 0).astype(np.float32)


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
    pages = read_segments(sets, segmentation)
    scores = cross_validate(pages, folds)
    tree = fit_tree(pages)
    card = make_card(pages, scores, segmentation, folds, licence, len(tree.left))
    output.mkdir(parents=True, exist_ok=True)
    name = f"text_block_context_{segmentation}"
    np.savez_compressed(output / f"{name}.npz", **pack(asdict(tree)))
    (output / f"{name}.rst").write_text(card, encoding="utf-8")
    return card


def read_segments(sets: Iterable[DataSet], segmentation: str) -> list[SegmentedPage]:
    """The pages with a gold text; raises ``DataSetError`` if there are none."""
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
        confidence=CONFIDENCE_FACTOR,
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
        table=simple_table([("set", "classifier", "precision", "recall", "F"), *rows]),
    )
