"""Passages with vectors, and searches by meaning."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from scrapy_mainpage.indexes import (
    Index,
    IndexDocument,
    IndexFailure,
    Section,
    open_index,
)
from scrapy_mainpage.indexes.documents import Passage
from scrapy_mainpage.indexes.embedders import Embedder
from tests.servers.searchserver import SearchServer

#: Each line is a meaning, with its words.
MEANINGS = ["car automobile vehicle", "dog hound puppy", "glue adhesive paste", "old"]


class Model:
    """An embedder that knows the meanings; ``read`` are the texts it has embedded."""

    def __init__(self, name: str = "model", size: int = len(MEANINGS)):
        self.read: list[str] = []
        self.size = size
        self.embedder = Embedder(name, self)
        self.read.clear()

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.read += texts
        rows = [text.lower().split() for text in texts]
        return [
            [sum(word in line for word in row) + 0.01 for line in self.meanings]
            for row in rows
        ]

    @property
    def meanings(self) -> list[list[str]]:
        return [line.split() for line in (MEANINGS * 2)[: self.size]]


@pytest.fixture
def place(tmp_path: Path) -> str:
    """The URL of an empty index."""
    return f"sqlite:///{(tmp_path / 'site.db').as_posix()}"


def page(
    name: str, *texts: str, path: str = "Guide", **fields: object
) -> IndexDocument:
    """A page with a passage for each text."""
    url = f"https://{name}.example/"
    passages = tuple(
        Passage(
            f"{name} {text}",
            place,
            text,
            f"Part {place}",
            f"p{place}",
            (path, f"Part {place}"),
        )
        for place, text in enumerate(texts)
    )
    sections = tuple(Section(f"Part {n}", 2, f"p{n}") for n in range(len(texts)))
    return IndexDocument(
        url, " ".join(texts), path, sections=sections, passages=passages, **fields
    )


PAGES = (
    page("cars", "the automobile is fast", "a puppy barks", language="en"),
    page("dogs", "a hound sleeps", page_type="article", language="de"),
    page(
        "glue",
        "paste dries",
        "an adhesive holds the old hound",
        fields={"version": "2"},
    ),
)


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def index(place: str, model: Model) -> Iterator[Index]:
    with open_index(place, embedder=model.embedder) as index:
        index.put_many(PAGES)
        assert index.embed() == 5
        yield index


def hosts(index: Index, query: str, **options: object) -> list[str]:
    options = {"mode": "vector", "limit": 2, **options}
    return [hit.site.partition(".")[0] for hit in index.search(query, **options)]


def test_meanings_are_found_with_their_sections(index: Index) -> None:
    first, *_ = index.search("vehicle", mode="vector")
    assert (first.url, first.link) == (
        "https://cars.example/",
        "https://cars.example/#p0",
    )
    assert first.sections[0].path == ("Guide", "Part 0")
    assert first.snippet == "the automobile is fast"
    assert first.passage is None
    assert not index.search("vehicle")  # no page has the word
    passages = index.search("dog", mode="vector", passages=True, limit=3)
    texts = [hit.passage.text for hit in passages if hit.passage]
    assert sorted(texts[:2]) == ["a hound sleeps", "a puppy barks"]
    assert texts[2] == "an adhesive holds the old hound"


def test_both_kinds_of_search_are_fused(index: Index) -> None:
    # By words "barks" is on one page, by meaning "dog" on another, too.
    hits = index.search("dog barks", mode="hybrid", limit=2)
    assert [hit.url for hit in hits] == [
        "https://cars.example/",
        "https://dogs.example/",
    ]
    assert hits[0].snippet.endswith("a puppy **barks**")
    assert hits[0].sections[0].heading == "Part 1"
    assert hits[0].score > hits[1].score


def test_what_is_named_as_the_query_stays_first(index: Index) -> None:
    index.put_many([IndexDocument("https://name.example/", "nothing", "Old hound")])
    assert hosts(index, "old hound", mode="hybrid")[0] == "name"


def test_filters_exclusions_and_phrases_hold_by_meaning(index: Index) -> None:
    assert hosts(index, "dog", language="en") == ["cars"]
    assert hosts(index, "dog", page_type="article") == ["dogs"]
    assert hosts(index, "dog", site="glue.example") == ["glue"]
    assert hosts(index, "dog version:2") == ["glue"]
    assert "dogs" not in hosts(index, "dog -sleeps", limit=5)
    assert hosts(index, 'dog "old hound"', limit=5) == ["glue"]
    assert hosts(index, "version:2", mode="hybrid") == ["glue"]  # without words


def test_facets_and_sorting_work_with_every_mode(index: Index) -> None:
    hits = index.search("adhesive", mode="hybrid", facets=["version"])
    assert hits.facets == {"version": {"2": 1}}


def test_only_changed_passages_are_embedded_again(index: Index, model: Model) -> None:
    model.read.clear()
    index.put_many([PAGES[0]])
    assert index.embed() == 0
    index.put_many([page("cars", "the automobile is fast", "a dog barks")])
    index.put_many([page("dogs", "a hound sleeps", path="Book")])
    assert index.embed() == 2
    assert model.read == [
        "Guide > Part 1\na dog barks",
        "Book > Part 0\na hound sleeps",
    ]
    assert hosts(index, "vehicle", limit=1) == ["cars"]


def test_passages_that_are_gone_are_not_found(index: Index) -> None:
    index.put_many([page("cars", "nothing of that")])
    index.delete(["https://dogs.example/"])
    for _ in range(2):
        assert hosts(index, "dog", limit=1) == ["glue"]
        index.embed()


def test_another_model_or_size_is_said_and_embeds_everything_again(
    index: Index, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    other = Model("other", size=6)
    with caplog.at_level(logging.WARNING):
        with (
            pytest.raises(IndexFailure, match="its vectors are of model"),
            open_index(place, read_only=True, embedder=other.embedder),
        ):
            pass
        assert not caplog.records
        with open_index(place, embedder=other.embedder) as again:
            assert again.embed() == 5
            assert hosts(again, "vehicle", limit=1) == ["cars"]
    (record,) = caplog.records
    assert record.getMessage() == (
        "5 passages get vectors of other (6 dimensions), in place of model (4 "
        "dimensions); 0 documents have no passages"
    )
    with open_index(place, read_only=True, embedder=other.embedder) as again:
        assert hosts(again, "vehicle", limit=1) == ["cars"]


def test_an_embedder_for_an_index_without_is_said(
    place: str, model: Model, caplog: pytest.LogCaptureFixture
) -> None:
    with open_index(place) as index:
        index.put_many([*PAGES, IndexDocument("https://bare.example/", "old words")])
    with open_index(place, embedder=model.embedder) as index:
        assert index.embed() == 5
    (record,) = caplog.records
    said = "5 passages get vectors of model (4 dimensions); 1 documents have no"
    assert said in record.getMessage()
    with open_index(place, embedder=model.embedder):
        assert len(caplog.records) == 1


def test_without_an_embedder_or_vectors_a_failure_says_so(
    place: str, model: Model
) -> None:
    with open_index(place) as index:
        index.put_many(PAGES)
        assert index.embed() == 0
        with pytest.raises(IndexFailure, match="needs MAINPAGE_EMBEDDER"):
            index.search("dog", mode="hybrid")
    with (
        pytest.raises(IndexFailure, match="it has no vectors"),
        open_index(place, read_only=True, embedder=model.embedder),
    ):
        pass


def test_an_engine_without_vectors_says_so(model: Model) -> None:
    with (
        SearchServer() as server,
        pytest.raises(IndexFailure, match="only indexes in SQLite keep vectors"),
        open_index(server.url(), embedder=model.embedder),
    ):
        pass


def test_a_model_that_fails_keeps_what_is_embedded(
    place: str, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(texts: list[str]) -> object:
        raise OSError("no answer")

    with open_index(place, embedder=model.embedder) as index:
        index.put_many(PAGES[:1])
        index.embed()
        index.put_many(PAGES[1:])
        monkeypatch.setattr(model.embedder, "_function", fail)
        with pytest.raises(IndexFailure, match="OSError: no answer"):
            index.embed()
        monkeypatch.undo()
        assert index.embed() == 3


def test_passages_that_the_model_refuses_leave_the_others(
    place: str, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(texts: list[str]) -> object:
        if any("hound sleeps" in text for text in texts):
            raise ValueError("too long")
        return model(texts)

    monkeypatch.setattr("scrapy_mainpage.indexes.vectors.BATCH", 1)
    monkeypatch.setattr(model.embedder, "_function", refuse)
    with open_index(place, embedder=model.embedder) as index:
        index.put_many(PAGES)
        with pytest.raises(IndexFailure, match="too long"):
            index.embed()
        assert hosts(index, "vehicle")[0] == "cars"
        monkeypatch.undo()
        assert index.embed() == 1


def test_many_passages_are_ranked_as_by_exact_vectors(place: str) -> None:
    choose = np.random.default_rng(2)
    values = choose.normal(size=(300, 32)).astype(np.float32)

    def embed(texts: list[str]) -> object:
        return np.stack([values[int(text.split()[-1])] for text in texts])

    embedder = Embedder(
        "numbers", lambda texts: values[:1] if texts == ["size"] else embed(texts)
    )
    pages = [page(f"n{n}", *(str(n * 10 + k) for k in range(10))) for n in range(30)]
    with open_index(place, embedder=embedder) as index:
        index.put_many(pages)
        index.embed()
        unit = values / np.linalg.norm(values, axis=1, keepdims=True)
        found = 0
        for number in range(20):
            best = set(map(int, (-(unit @ unit[number])).argsort()[:10]))
            hits = index.search(f"{number}", mode="vector", passages=True)
            found += len(best & {int(hit.passage.text) for hit in hits if hit.passage})
        assert found >= 185  # of 200: one byte a value
