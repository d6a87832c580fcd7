"""Training of the model of boilerplate roles, and the made-up pages for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from lab.training import role_model
from lab.training.__main__ import FOLDER
from lab.training.role_model import RoleWeights
from lab.training.roles import find_changed, read_labels, read_samples, train
from lab.training.small_pages import PARTS, keep_parts, make_plain_page, remove_names
from scrapy_mainpage.evaluation.datasets import LabelledPage, load_sets, read_document
from scrapy_mainpage.extraction.labels import CODE
from scrapy_mainpage.extraction.labels._features import NAMES
from scrapy_mainpage.extraction.labels.labelling import ROLES, RoleModel
from scrapy_mainpage.extraction.labels.phrases import load_word_weights
from scrapy_mainpage.label import Label
from tests.extraction.helpers import block_texts


@pytest.fixture(autouse=True)
def quick_roles() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(role_model.PARAMETERS, "num_threads", 1)
        patch.setattr(role_model, "ROUNDS", 40)
        patch.setattr(role_model, "RATE", 0.5)
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
    weights = load_word_weights(tmp_path / "role_words.npz")
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


MENU = "<ul class=menu><li>Home</li><li>Away</li></ul>"
PAGE = (
    f"<nav id=top>{MENU}</nav><div><p>The miller.</p><p>The mill.</p></div>"
    "<footer><p>Imprint</p><div><p>Tarn</p> 2024</div></footer>"
).encode()
MAIN = np.array([False, False, True, True, False, False, False])
LABELS = {0: Label.NAVIGATION, 1: Label.NAVIGATION, 2: Label.PARAGRAPH, 4: Label.LEGAL}


def test_a_part_of_a_page_is_of_blocks_that_stay_as_they_are() -> None:
    texts = block_texts(remove_names(PAGE))
    kept_roles = set()
    for seed in range(20):
        part = keep_parts(PAGE, MAIN, LABELS, np.random.RandomState(seed))
        assert part
        document, kept = part
        assert block_texts(document) == [texts[k] for k in kept]
        assert 2 in kept
        kept_roles |= {LABELS.get(int(k)) for k in kept}
    assert {Label.NAVIGATION, Label.LEGAL} <= kept_roles


def test_each_block_has_the_label_of_the_part_around_it() -> None:
    draw = np.random.RandomState(1)
    seen: set[Label] = set()
    for _ in range(60):
        document, labels = make_plain_page(draw)
        assert len(labels) == document.n_blocks
        for block, label in enumerate(labels):
            element = int(document.blocks.element[block])
            tags = set()
            while element >= 0:
                tags.add(document.tag_name(element))
                element = int(document.elements.parent[element])
            assert ("article" in tags) == label.is_main
            assert label is Label.FORM or "form" not in tags
        seen.update(labels)
    assert seen == {*PARTS, Label.PARAGRAPH}
