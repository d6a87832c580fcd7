"""The models that embed texts: shipped adapters, factories, endpoints, bad ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from scrapy_mainpage.indexes.embedders import Embedder, EmbedderError, make_embedder


class Endpoint(BaseHTTPRequestHandler):
    """Answers as OpenAI's, in another order; ``asked`` has the requests."""

    asked: list[tuple[str | None, dict[str, Any]]] = []
    answer: Any = None

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.headers["Authorization"], body))
        rows = [
            {"index": n, "embedding": [len(text), 1]}
            for n, text in enumerate(body["input"])
        ]
        answer = {"data": rows[::-1]} if self.answer is None else self.answer
        data = json.dumps(answer).encode()
        self.send_response(500 if self.answer == "fail" else 200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    Endpoint.asked, Endpoint.answer = [], None
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/embeddings"
        server.shutdown()
        thread.join()


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


def test_an_endpoint_is_asked_as_openai_s(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAINPAGE_EMBEDDER_KEY", "s3cret")
    embedder = make_embedder(f"openai:small@{endpoint}")
    made = embedder.passages(["a", "abc"])
    assert made[1, 0] > made[0, 0]
    authorization, body = Endpoint.asked[-1]
    assert authorization == "Bearer s3cret"
    assert body == {"model": "small", "input": ["a", "abc"]}
    assert "s3cret" not in embedder.name


@pytest.mark.parametrize("answer", ["fail", {"data": 3}, [], {"data": [{"index": 0}]}])
def test_an_endpoint_without_vectors_is_an_error(endpoint: str, answer: object) -> None:
    embedder = make_embedder(f"openai:m{answer}@{endpoint}")
    Endpoint.answer = answer
    with pytest.raises(EmbedderError, match=r"^m"):
        embedder.query("text")


def test_wordllama_finds_its_weights_in_its_wheel() -> None:
    pytest.importorskip("wordllama")
    embedder = make_embedder("wordllama")
    assert embedder.name == "wordllama (256 dimensions)"
    car, vehicle, sleep = embedder.passages(["a car", "an automobile", "to sleep"])
    assert car @ vehicle > car @ sleep + 0.1
    assert make_embedder("wordllama:64").size == 64


def test_model2vec_reads_a_folder(tmp_path: Path) -> None:
    model2vec = pytest.importorskip("model2vec")
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {"[UNK]": 0, "[PAD]": 1, "owl": 2, "cat": 3}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    vectors = np.eye(4, 8, dtype=np.float32)
    model2vec.StaticModel(vectors, tokenizer).save_pretrained(tmp_path / "model")
    embedder = make_embedder(f"model2vec:{tmp_path / 'model'}")
    owl, cat = embedder.passages(["owl owl", "cat"])
    assert (embedder.size, round(float(owl @ cat), 3)) == (8, 0.0)


@pytest.mark.parametrize(
    ("library", "name", "options"),
    [
        ("fastembed", "fastembed", {"local_files_only": True}),
        (
            "sentence_transformers",
            "sentence-transformers",
            {"local_files_only": True},
        ),
    ],
)
def test_libraries_get_a_folder_and_download_nothing(
    library: str,
    name: str,
    options: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a stand-in for the library, as its models are large."""
    given: dict[str, object] = {}

    class Model:
        def __init__(self, *args: object, **options: object) -> None:
            given.update(options, args=args)

        def embed(self, texts: list[str], **_: object) -> Iterator[list[float]]:
            return iter([[1.0, 2.0] for _ in texts])

        def encode(self, texts: list[str], **_: object) -> list[list[float]]:
            return list(self.embed(texts))

    module = ModuleType(library)
    module.TextEmbedding = module.SentenceTransformer = Model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, library, module)
    embedder = make_embedder(f"{name}:{tmp_path}")
    assert embedder.name == f"{name}:{tmp_path.name} (2 dimensions)"
    assert embedder.size == 2
    assert options.items() <= given.items()
    assert str(tmp_path) in (given.get("specific_model_path"), *given["args"])  # type: ignore[misc]
    with pytest.raises(EmbedderError, match="there is no"):
        make_embedder(f"{name}:{tmp_path / 'missing'}")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gpt", "no such model; allowed: wordllama, model2vec"),
        ("nowhere_module:make", "nowhere_module is not installed"),
        ("json:nothing", "AttributeError"),
        ("json:dumps", "TypeError"),
        ("model2vec", "path"),
        ("openai:m@file:///etc/passwd", "an address with http"),
        ("openai:m@http://127.0.0.1:1/", "m: URLError"),
        ("wordllama:3", "dim"),
    ],
)
def test_what_is_no_model_is_one_line(name: str, problem: str) -> None:
    with pytest.raises(EmbedderError, match=problem) as caught:
        make_embedder(name)
    assert "\n" not in str(caught.value)


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
