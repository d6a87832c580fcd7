"""Training of the model of boilerplate roles, on pages whose roles are regular."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from lab.training import role_trees
from lab.training.__main__ import FOLDER
from lab.training.role_words import (
    RoleWeights,
)
from lab.training.roles import (
    find_changed,
    read_labels,
    read_samples,
    train,
)
from scrapy_mainpage.evaluation.datasets import LabelledPage, load_sets, read_document
from scrapy_mainpage.extraction.labels import CODE, MAX_ROLES
from scrapy_mainpage.extraction.labels._features import NAMES
from scrapy_mainpage.extraction.labels.labelling import ROLES, RoleModel
from scrapy_mainpage.label import Label


@pytest.fixture(autouse=True)
def quick_roles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(role_trees.PARAMETERS, "num_threads", 1)
        patch.setattr(role_trees, "ROUNDS", 40)
        patch.setattr(role_trees, "RATE", 0.5)
        yield


def roles_of(page: LabelledPage) -> dict[int, Label]:
    """The first two blocks are the menu, the last one is legal."""
    last = read_document(page.html()).n_blocks - 1
    return {0: Label.NAVIGATION, 1: Label.NAVIGATION, last: Label.LEGAL}


@pytest.fixture
def labels(kinds: Path, tmp_path: Path) -> Path:
    (data_set,) = load_sets(kinds)
    rows = [
        {"set": data_set.name, "page": page.id, "block": block, "label": str(label)}
        for page in data_set.pages
        for block, label in roles_of(page).items()
    ]
    file = tmp_path / "labels.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    return file


def test_roles_are_learned_and_right_on_sites_never_seen(
    kinds: Path, labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(load_sets(kinds), [labels], [labels], tmp_path)
    assert "accuracy 1.000" in capsys.readouterr().out
    with (tmp_path / "roles.npz").open("rb") as file:
        trees = RoleModel.load(file)
    with np.load(tmp_path / "role_words.npz") as data:
        weights = np.pad(data["weights"], ((0, 0), (0, MAX_ROLES - len(ROLES))))
    (data_set,) = load_sets(kinds)
    page = data_set.pages[0]
    sample, *_ = read_samples(data_set.name, page, roles_of(page))
    model = RoleWeights(weights, trees)
    given = model.predict(sample.rows, sample.slots).argmax(axis=0)
    assert (given == sample.roles).all()


def test_pages_whose_blocks_have_changed_are_found(kinds: Path, tmp_path: Path) -> None:
    (data_set,) = load_sets(kinds)
    first, second, *_ = data_set.pages
    document = read_document(first.html())
    texts = "\n".join(map(document.block_text, range(document.n_blocks)))
    digest = sha256(texts.encode()).hexdigest()[:16]
    file = tmp_path / "labels.jsonl"
    rows = [
        {"set": data_set.name, "page": page.id, "labels": "header", "text": digest}
        for page in (first, second)
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    pages = {(data_set.name, page.id): page for page in data_set.pages}
    assert [*find_changed([file], pages)] == [(data_set.name, second.id)]


def test_blocks_are_read_with_the_true_main_content_and_the_predicted_one(
    kinds: Path, labels: Path
) -> None:
    (data_set,) = load_sets(kinds)
    known = read_labels([labels])
    page = data_set.pages[0]
    own = known[data_set.name, page.id]
    true, predicted, nameless, *parts = read_samples(data_set.name, page, own)
    shape = (3, len(NAMES))
    assert true.rows.shape == predicted.rows.shape == nameless.rows.shape == shape
    assert all(part.rows.shape[0] <= 3 and not part.is_whole for part in parts)
    assert true.roles.tolist() == [ROLES.index(CODE[own[k]]) for k in sorted(own)]
    # Both menu entries weigh as the root of their number.
    assert true.weights.sum() == pytest.approx((2**0.5 + 1) / 2)


@pytest.mark.parametrize("part", ["tuned", "held-out", "rare"])
def test_the_hand_labelled_blocks_hold_labels_and_hashes_and_no_text(part: str) -> None:
    lines = (FOLDER / f"{part}.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) > 400
    for row in rows:
        assert row.keys() == {"set", "page", "block", "xpath", "text", "label"}
        assert Label(row["label"])
        assert len(bytes.fromhex(row["text"])) == 8
    assert len({(r["set"], r["page"], r["block"]) for r in rows}) == len(rows)


def test_the_pages_labelled_by_reading_share_no_page_with_the_measured() -> None:
    rows = [*map(json.loads, (FOLDER / "read.jsonl").read_text().splitlines())]
    assert len(rows) > 1_500
    for row in rows:
        assert row.keys() == {"set", "page", "text", "labels"}
        assert len(bytes.fromhex(row["text"])) == 8
    pages = {(row["set"], row["page"]) for row in rows}
    assert len(pages) == len(rows)
    for part in ("tuned", "held-out", "rare"):
        for line in (FOLDER / f"{part}.jsonl").read_text().splitlines():
            row = json.loads(line)
            assert (row["set"], row["page"]) not in pages
    labels = read_labels([FOLDER / "read.jsonl"])
    assert sum(map(len, labels.values())) > 180_000
