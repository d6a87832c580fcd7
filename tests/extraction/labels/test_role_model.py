"""The model of roles: its probabilities, its file, and a plain walk down its trees."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from scrapy_mainpage.extraction.labels._features import NAMES
from scrapy_mainpage.extraction.labels.labelling import (
    ROLES,
    RoleModel,
    label_blocks,
    load_roles,
)
from scrapy_mainpage.extraction.learned._forest import QuickForest
from tests.extraction.helpers import block_texts, document_of, evidence_of
from tests.extraction.labels.test_roles import TEXT


def test_roles_have_probabilities_and_kinds_are_certain() -> None:
    document = document_of(f"<nav><ul><li>Menu</ul></nav>{TEXT}<footer>© 2024</footer>")
    main = np.array(["miller" in text for text in block_texts(document)])
    _, probabilities = label_blocks(evidence_of(document, main))
    assert (probabilities[main] == 1).all()
    assert (probabilities > 1 / len(ROLES)).all()
    assert (probabilities <= 1).all()
    assert probabilities[block_texts(document).index("© 2024")] > 0.8


@pytest.mark.parametrize("blocks", [1, 32, 45])
@pytest.mark.parametrize("use_avx2", [True, False])
def test_probabilities_are_those_of_a_plain_walk_down_the_trees(
    blocks: int, use_avx2: bool
) -> None:
    model = load_roles()
    forest = QuickForest(*no_values(model), model.roots, np.arange(len(model.names)))
    forest.use_avx2 &= use_avx2
    draw = np.random.RandomState(1)
    columns = draw.choice(model.threshold, (len(model.names), blocks))
    found = forest.sum_vectors(columns, model.vectors)
    assert found.tolist() == [walk(model, row) for row in columns.T]


def no_values(model: RoleModel) -> tuple[Any, ...]:
    nothing = np.zeros(len(model.left), np.float32)
    return model.feature, model.threshold, model.left, nothing


def walk(model: RoleModel, row: npt.NDArray[np.float32]) -> list[int]:
    """The sum of the leaves that *row* ends in."""
    total = np.zeros(model.vectors.shape[2], np.int64)
    for root, vectors in zip(model.roots.tolist(), model.vectors, strict=True):
        node = root
        while model.left[node] >= 0:
            is_above = row[model.feature[node]] > model.threshold[node]
            node = model.left[node] + int(is_above)
        total += vectors[leaves_below(model, root).index(node)]
    return [int(x) for x in total]


def leaves_below(model: RoleModel, node: int) -> list[int]:
    left = int(model.left[node])
    if left < 0:
        return [node]
    return leaves_below(model, left) + leaves_below(model, left + 1)


def test_vectors_that_fit_no_tree_are_refused() -> None:
    model = load_roles()
    forest = QuickForest(*no_values(model), model.roots, np.arange(len(model.names)))
    matrix = np.zeros((len(model.names), 3), np.float32)
    with pytest.raises(ValueError, match="not a vector for each leaf"):
        forest.sum_vectors(matrix, model.vectors[1:])


def test_a_model_is_an_archive_of_its_fields(tmp_path: Path) -> None:
    model = load_roles()
    np.savez(tmp_path / "roles.npz", **asdict(model))
    with (tmp_path / "roles.npz").open("rb") as file:
        again = RoleModel.load(file)
    matrix = np.random.RandomState(1).rand(len(NAMES), 40).astype(np.float32)
    assert (again.predict(matrix) == model.predict(matrix)).all()
