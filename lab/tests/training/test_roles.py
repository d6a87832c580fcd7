"""Training of the model of boilerplate roles, on pages whose roles are regular."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from lab.training import role_trees, roles
from lab.training.__main__ import FOLDER
from lab.training.role_words import (
    COLUMNS,
    RoleWeights,
    cross_fit,
    fit_words,
    sum_words,
)
from lab.training.roles import (
    find_changed,
    read_labels,
    read_samples,
    train,
)
from scrapy_mainpage.evaluation.datasets import LabelledPage, load_sets, read_document
from scrapy_mainpage.extraction.labels import CODE, LABELS, MAX_ROLES
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


def test_labels_of_a_page_are_read_from_one_line(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    row = {"set": "a", "page": "b", "labels": "header navigation*2 * legal *3"}
    file.write_text(json.dumps(row))
    assert read_labels([file]) == {
        ("a", "b"): {
            0: Label.HEADER,
            1: Label.NAVIGATION,
            2: Label.NAVIGATION,
            4: Label.LEGAL,
        }
    }


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


def test_of_the_items_of_a_list_two_are_drawn_with_the_weight_of_all(
    kinds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roles, "MAX_LIKE_BLOCKS", 1)
    (data_set,) = load_sets(kinds)
    page = data_set.pages[0]
    sample, *_ = read_samples(data_set.name, page, roles_of(page))
    assert len(sample.roles) == 2
    assert sample.weights.sum() == pytest.approx((2**0.5 + 1) / 2)


WORD = np.array([[3, 7, -1]], np.int32), np.array([[4, 7, -1]], np.int32)


def test_words_that_tell_roles_apart_have_weights_and_common_ones_have_none() -> None:
    slots = np.concatenate([word for word in WORD for _ in range(9)])
    table = fit_words(slots, np.repeat([0, 2], 9), np.ones(18))
    assert table[3, 0] > 0 > table[3, 2]
    assert table[4, 0] < 0 < table[4, 2]
    assert not table[7].any()
    assert not table[:, 1].any()
    assert sum_words(table, WORD[0]).argmax() == 0


def test_words_of_a_sample_are_weighed_by_others_alone() -> None:
    sides = [np.repeat(word, 5, axis=0) for word in WORD]
    samples = [np.concatenate(sides), np.concatenate(sides[::-1])]
    roles = [np.repeat([0, 2], 5)] * 2
    found, _ = cross_fit(samples, roles, [np.ones(10)] * 2, [0, 1], [True, True])
    # Each fold has the roles the other way round.
    for own, role in zip(found, roles, strict=True):
        assert (own.argmax(axis=1) != role).all()


def test_the_last_features_are_those_of_words() -> None:
    assert NAMES[COLUMNS] == tuple(f"words_{LABELS[role]}" for role in ROLES)


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
