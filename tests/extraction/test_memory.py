"""How the memory of a large tree is given back; when garbage is not looked for."""

from __future__ import annotations

import gc

import pytest

from scrapy_mainpage import extract
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing import _freeing
from scrapy_mainpage.extraction.parsing.memory import (
    LARGE_TREE,
    joined_frees,
    no_collections,
)

PARAGRAPH = b"<p>The kettle boils at noon. Bring a cup, and be on time.</p>"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the C library is asked for."""
    asked: list[bool] = []
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    monkeypatch.setattr(_freeing, "set_fast_bins", asked.append)
    return asked


def test_what_is_set_is_set_back(calls: list[bool]) -> None:
    with joined_frees():
        assert calls == [False]
    assert calls == [False, True]


def test_it_is_set_back_after_an_error(calls: list[bool]) -> None:
    with pytest.raises(KeyError), joined_frees():
        raise KeyError
    assert calls == [False, True]


def test_what_the_environment_says_stays(
    calls: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.mxfast=0")
    with joined_frees():
        pass
    assert calls == []


@pytest.mark.parametrize("size", [LARGE_TREE // 2, LARGE_TREE + 1])
def test_only_large_trees_are_freed_that_way(size: int, calls: list[bool]) -> None:
    html = PARAGRAPH * (size // len(PARAGRAPH) + 1)
    page = Extractor("semantic-markup").extract(html)
    assert page.words_total == 12 * (size // len(PARAGRAPH) + 1)
    assert calls == [False, True] * (size > LARGE_TREE)


def test_a_large_page_is_extracted_again_and_again() -> None:
    html = PARAGRAPH * (LARGE_TREE // len(PARAGRAPH) + 1)
    first, *others = (Extractor().extract(html) for _ in range(3))
    assert first.words
    assert [page.text for page in others] == [first.text] * 2


@pytest.mark.parametrize("was_enabled", [True, False])
def test_garbage_is_not_collected_inside_and_as_before_behind(
    was_enabled: bool,
) -> None:
    enabled = gc.isenabled()
    try:
        (gc.enable if was_enabled else gc.disable)()
        with no_collections():
            assert not gc.isenabled()
            with no_collections():
                assert not gc.isenabled()
            assert not gc.isenabled()
        assert gc.isenabled() == was_enabled
        with pytest.raises(KeyError), no_collections():
            raise KeyError
        assert gc.isenabled() == was_enabled
    finally:
        (gc.enable if enabled else gc.disable)()


def test_json_in_a_page_does_not_have_garbage_collected() -> None:
    arrays = ",".join(["[]"] * 20_000)
    script = f"<script type=application/ld+json>[{arrays}]</script><p>owls"
    collections: list[str] = []
    seen = gc.callbacks[:]
    gc.callbacks.append(lambda phase, _: collections.append(phase))
    try:
        assert extract(script).words_total == 1
    finally:
        gc.callbacks[:] = seen
    assert len(collections) < 20
