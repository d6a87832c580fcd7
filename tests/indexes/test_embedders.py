"""The models that embed texts: shipped adapters, factories, bad ones."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from scrapy_mainpage.indexes.embedders import Embedder, EmbedderError, make_embedder


def lengths() -> Any:
    """A factory of a project."""
    return lambda texts: [[3 * len(text), 1.0] for text in texts]


def prefixed() -> Embedder:
    return Embedder("lengths", lengths(), query_prefix="query: ")


def test_a_factory_of_ones_own_returns_a_function_or_an_embedder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = ModuleType("own_models")
    module.__dict__.update(lengths=lengths, prefixed=prefixed)
    monkeypatch.setitem(sys.modules, "own_models", module)
    embedder = make_embedder("own_models:lengths")
    assert (embedder.size, embedder.name) == (2, "own_models:lengths (2 dimensions)")
    made = embedder.passages(["ab", "abcd"])
    assert np.allclose(made[1], np.array([12, 1]) / np.hypot(12, 1))
    assert make_embedder("own_models:lengths") is embedder
    other = make_embedder("own_models:prefixed")
    assert np.allclose(other.query("ab"), np.array([27, 1]) / np.hypot(27, 1))


def test_wordllama_finds_its_weights_in_its_wheel() -> None:
    pytest.importorskip("wordllama")
    embedder = make_embedder("wordllama")
    assert embedder.name == "wordllama (256 dimensions)"
    car, vehicle, sleep = embedder.passages(["a car", "an automobile", "to sleep"])
    assert car @ vehicle > car @ sleep + 0.1
    assert make_embedder("wordllama:64").size == 64


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gpt", "no such model; allowed: wordllama, module"),
        ("nowhere_module:make", "nowhere_module is not installed"),
        ("json:nothing", "AttributeError"),
        ("json:dumps", "a factory takes nothing"),
        ("fastembed:folder", "fastembed is not installed"),
        ("wordllama:3", "dim"),
    ],
)
def test_what_is_no_model_is_one_line(name: str, problem: str) -> None:
    with pytest.raises(EmbedderError, match=problem) as caught:
        make_embedder(name)
    assert "\n" not in str(caught.value)


def test_a_missing_package_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(EmbedderError, match=r"wordllama is .+mainpage\[embedders"):
        make_embedder.__wrapped__("wordllama")


@pytest.mark.parametrize(
    "vectors",
    [[], [1.0], [[1.0], [2.0]], [[float("nan")]], [["x"]], [[1.0], [1, 2]], 3],
)
def test_what_is_no_vector_is_an_error(vectors: object) -> None:
    with pytest.raises(EmbedderError):
        Embedder("bad", lambda texts: vectors)


def test_a_model_that_changes_its_size_is_an_error() -> None:
    sizes = iter([2, 3])
    embedder = Embedder("changing", lambda texts: np.ones((1, next(sizes))))
    with pytest.raises(EmbedderError, match="shape"):
        embedder.query("text")


def test_an_empty_text_is_far_from_all() -> None:
    embedder = Embedder("zero", lambda texts: np.zeros((len(texts), 3)))
    assert not embedder.query("").any()
