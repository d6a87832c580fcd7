"""The model of roles: its probabilities, its file, and a plain walk down its trees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scrapy_mainpage.extraction.labels._features import NAMES
from scrapy_mainpage.extraction.labels.evidence import (
    LabelEvidence,
    label_blocks,
    rate_labels,
)
from scrapy_mainpage.extraction.labels.roles import (
    ROLES,
    RoleModel,
    load_roles,
)
from scrapy_mainpage.extraction.learned._learned import predict_trees
from tests.extraction.helpers import block_texts, document_of
from tests.extraction.labels.test_roles import TEXT


def test_roles_have_probabilities_and_kinds_are_certain() -> None:
    document = document_of(f"<nav><ul><li>Menu</ul></nav>{TEXT}<footer>© 2024</footer>")
    main = np.array(["miller" in text for text in block_texts(document)])
    codes, probabilities = rate_labels(document, main)
    assert (probabilities[main] == 1).all()
    assert (probabilities > 1 / len(ROLES)).all()
    assert (probabilities <= 1).all()
    assert (codes == label_blocks(document, main)).all()
    assert probabilities[block_texts(document).index("© 2024")] > 0.8


def test_roles_are_the_likeliest_by_a_plain_walk_down_the_trees() -> None:
    document = document_of(f"<nav><ul><li>Menu</ul></nav>{TEXT}<div>Share</div>")
    main = np.zeros(document.n_blocks, bool)
    wanted = np.arange(document.n_blocks, dtype=np.int32)
    matrix = LabelEvidence(document, main).signs(forum=False).features(wanted)
    model = load_roles()
    columns = matrix[[NAMES.index(name) for name in model.names]]
    rows = np.ascontiguousarray(columns.T)
    nodes = (model.feature, model.threshold, model.left, model.value)
    totals = np.array([predict_trees(rows, *nodes, roots) for roots in model.roots])
    powers = np.exp(totals)
    found = model.predict(matrix)
    assert found.sum(axis=0) == pytest.approx(1, abs=1e-5)
    assert found == pytest.approx(powers / powers.sum(axis=0), abs=2e-3)


def test_a_model_is_saved_and_loaded(tmp_path: Path) -> None:
    model = load_roles()
    model.save(tmp_path / "roles.npz")
    with (tmp_path / "roles.npz").open("rb") as file:
        again = RoleModel.load(file)
    matrix = np.random.RandomState(1).rand(len(NAMES), 40).astype(np.float32)
    assert (again.predict(matrix) == model.predict(matrix)).all()
