"""Trees from files: accepted and rejected files."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.algorithms import AlgorithmError, get_algorithm
from scrapy_mainpage.extraction.algorithms.text_block_context import FEATURES, Tree
from scrapy_mainpage.extraction.learned.page_types import pack

#: Blocks with at most five words per line are main content.
SHORT = Tree(
    feature=np.array([FEATURES.index("word_density"), 0, 0], np.int16),
    threshold=np.array([5, 0, 0], np.float32),
    equals=np.zeros(3, np.uint8),
    left=np.array([1, -1, -1], np.int32),
    value=np.array([0, 1, 0], np.float32),
)


def saved(folder: Path, **arrays: Any) -> str:
    np.savez_compressed(folder / "tree.npz", **arrays)
    return str(folder / "tree.npz")


def refusal(path: str) -> str:
    with pytest.raises(AlgorithmError) as caught:
        get_algorithm("text-block-context", {"model": path})
    message = str(caught.value)
    assert path in message
    assert "\n" not in message
    return message


def test_a_tree_of_the_users_own_decides(tmp_path: Path) -> None:
    path = saved(tmp_path, **pack(asdict(SHORT)))
    page = extract(
        "<p>one two</p><p>one two three four five six seven</p>",
        algorithm="text-block-context",
        model=path,
    )
    assert page.text == "one two"


@pytest.mark.parametrize(
    "change",
    [
        {"left": np.array([2, -1, -1])},  # its second child is outside
        {"left": np.array([-1, -1])},
        {"left": np.array([[1, -1, -1]])},
        {"feature": np.array([25, 0, 0])},
        {"feature": np.array([-1, 0, 0])},
        {"value": np.array([0.5])},
        dict.fromkeys(asdict(SHORT), np.zeros(0)),
    ],
)
def test_a_tree_in_which_a_row_could_get_lost_is_refused(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    assert "no tree" in refusal(
        saved(tmp_path, **pack(asdict(replace(SHORT, **change))))
    )


def test_a_model_is_a_path() -> None:
    with pytest.raises(AlgorithmError, match="model must be the path of a file, not 0"):
        get_algorithm("text-block-context", {"model": 0})


def test_other_files_are_refused(tmp_path: Path) -> None:
    assert "No such file" in refusal(str(tmp_path / "nowhere.npz"))
    assert "threshold is not a file" in refusal(saved(tmp_path, feature=SHORT.left))
    for name, content in [
        ("empty.npz", b""),
        ("text.npz", b"no archive"),
        ("broken.npz", b"PK\x03\x04 no archive"),
        ("pickle.npz", b"\x80\x04N."),
    ]:
        (tmp_path / name).write_bytes(content)
        assert "model '" in refusal(str(tmp_path / name))
    np.save(tmp_path / "array.npy", SHORT.left)
    assert "no tree: " in refusal(str(tmp_path / "array.npy"))
    objects = {name: np.array([None, {}]) for name in asdict(SHORT)}
    assert "Object arrays cannot be loaded" in refusal(saved(tmp_path, **objects))
