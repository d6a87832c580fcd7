"""Training of the model of boilerplate roles, on text blocks labelled by reading.

``python -m scrapy_mainpage.training.train_roles DATA LABELS OUTPUT`` reads the folder
of sets DATA and the blocks in the files LABELS (with commas between them), lines as
those in ``tests/extraction/labels/labelled``; it prints the cross-validation by site.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..evaluation.datasets import LabelledPage, load_sets, read_document, site_folds
from ..evaluation.gold import element_blocks, gold_blocks
from ..extraction.algorithms import DEFAULT_ALGORITHM, get_algorithm
from ..extraction.labels import CODE, LABELS
from ..extraction.labels._features import NAMES
from ..extraction.labels.evidence import FORUM, LabelEvidence
from ..extraction.labels.roles import ROLES, RoleModel
from ..label import Label
from .train_forest import flatten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.intp]
    Rows = npt.NDArray[np.float32]

ROUNDS: Final = 45
FOLDS: Final = 3
PARAMETERS: Final[dict[str, Any]] = {
    "objective": "multiclass",
    "num_class": len(ROLES),
    "num_leaves": 8,
    "learning_rate": 0.2,
    "feature_fraction": 0.15,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "min_data_in_leaf": 10,
    "min_sum_hessian_in_leaf": 0.2,
    "lambda_l2": 5,
    "max_bin": 31,
    "deterministic": True,
    "force_col_wise": True,
    "num_threads": 1,
    "verbose": -1,
    "seed": 1,
}

MAX_LIKE_BLOCKS: Final = 2
"""Blocks of one parent, tag and role that are drawn: a list is one case."""

RARE_POWER: Final = 0.25
"""Of a role's share of all weights, which its blocks are divided by."""


@dataclass
class Sample:
    """Blocks drawn from one page: their features, roles, and weights."""

    site: str
    rows: Rows
    roles: Ints
    weights: Floats


def read_labels(files: Iterable[Path]) -> dict[tuple[str, str], dict[int, Label]]:
    """The labels of blocks by set and page."""
    found: dict[tuple[str, str], dict[int, Label]] = defaultdict(dict)
    for file in files:
        for row in map(json.loads, file.read_text().splitlines()):
            found[row["set"], row["page"]][row["block"]] = Label(row["label"])
    return found


def read_samples(
    set_name: str, page: LabelledPage, labels: dict[int, Label]
) -> list[Sample]:
    """The labelled blocks of *page*, with the true main content and the predicted."""
    html = page.html()
    document = read_document(html)
    predicted = np.array(get_algorithm(DEFAULT_ALGORITHM).judge(document).main)
    if page.content:
        main = np.array(element_blocks(html, page.content, page.drop))
    elif page.text is not None:
        main = np.array(gold_blocks(document, page.text))
    else:
        main = predicted.copy()
    for block, label in labels.items():
        main[block] = label.is_main
    at = np.array([b for b, label in labels.items() if not label.is_main], np.int32)
    roles = np.array([ROLES.index(CODE[labels[b]]) for b in at.tolist()], np.intp)
    at, roles, weights = _draw(document, at, roles, set_name + page.id)
    forum = FORUM in (page.type, set_name.rpartition("-")[2])
    samples = []
    for mask in (main, predicted):
        evidence = LabelEvidence(document, mask)
        is_forum = forum and evidence.may_have_comments
        rows = evidence.signs(forum=is_forum).features(at).T
        site = page.site or page.id.rpartition("-")[0]
        samples.append(Sample(site, rows, roles, weights / 2))
    return samples


def _draw(
    document: Any, at: npt.NDArray[np.int32], roles: Ints, seed: str
) -> tuple[npt.NDArray[np.int32], Ints, Floats]:
    """At most some blocks of one parent, tag and role, and the weights of those.

    The blocks of a role on a page weigh the root of their number together.
    """
    elements, element = document.elements, document.blocks.element[at]
    draw = np.random.RandomState(sum(seed.encode()))
    order = draw.permutation(len(at))
    seen: dict[tuple[int, int, int], int] = defaultdict(int)
    keys = list(
        zip(
            elements.parent[element].tolist(),
            elements.tag[element].tolist(),
            roles.tolist(),
            strict=True,
        )
    )
    drawn = []
    for k in order.tolist():
        seen[keys[k]] += 1
        if seen[keys[k]] <= MAX_LIKE_BLOCKS:
            drawn.append(k)
    chosen = np.array(sorted(drawn), np.intp)
    number = np.bincount(roles, minlength=len(ROLES))
    like = np.array([seen[keys[k]] for k in chosen.tolist()], np.float64)
    weights = np.maximum(like / MAX_LIKE_BLOCKS, 1)
    return at[chosen], roles[chosen], weights / np.sqrt(number[roles[chosen]])


def fit(samples: Sequence[Sample]) -> RoleModel:
    """Boosted trees on all *samples*."""
    import lightgbm

    rows = np.concatenate([sample.rows for sample in samples])
    roles = np.concatenate([sample.roles for sample in samples])
    weights = np.concatenate([sample.weights for sample in samples])
    share = np.bincount(roles, weights, len(ROLES)) / weights.sum()
    weights = weights / np.maximum(share, 1e-9)[roles] ** RARE_POWER
    data = lightgbm.Dataset(rows, roles, weight=weights / weights.mean())
    dump = lightgbm.train(PARAMETERS, data, ROUNDS).dump_model()
    nodes, roots = flatten([tree["tree_structure"] for tree in dump["tree_info"]])
    of_role = np.ascontiguousarray(roots.reshape(-1, len(ROLES)).T)
    used, nodes["feature"] = np.unique(nodes["feature"], return_inverse=True)
    nodes["feature"] = nodes["feature"].astype(np.int16)
    names = tuple(NAMES[k] for k in used.tolist())
    return RoleModel(names, roots=of_role, **nodes)


def cross_validate(samples: Sequence[Sample]) -> Floats:
    """Weights by true and given role, for sites that a model never saw."""
    fold_of = site_folds([sample.site for sample in samples], FOLDS)
    pairs = np.zeros((len(ROLES), len(ROLES)))
    for fold in range(FOLDS):
        model = fit([s for s, k in zip(samples, fold_of, strict=True) if k != fold])
        for sample in (s for s, k in zip(samples, fold_of, strict=True) if k == fold):
            given = model.predict(np.ascontiguousarray(sample.rows.T)).argmax(axis=0)
            np.add.at(pairs, (sample.roles, given), sample.weights)
    return pairs


def main(data: str, labels: str, output: str) -> None:
    """Train, cross-validate, write, print."""
    known = read_labels(map(Path, labels.split(",")))
    samples = [
        sample
        for data_set in load_sets(Path(data))
        for page in data_set.pages
        if (data_set.name, page.id) in known
        for sample in read_samples(data_set.name, page, known[data_set.name, page.id])
    ]
    pairs = cross_validate(samples)
    right = np.diag(pairs)
    score = 2 * right / np.maximum(pairs.sum(axis=0) + pairs.sum(axis=1), 1e-9)
    for code, f, n in zip(ROLES, score, pairs.sum(axis=1), strict=True):
        print(f"{LABELS[code]:15} F {f:.3f}  weight {n:.0f}")
    print(f"accuracy {right.sum() / pairs.sum():.3f}, mean F {score.mean():.3f}")
    fit(samples).save(Path(output))


if __name__ == "__main__":
    main(*sys.argv[1:])
