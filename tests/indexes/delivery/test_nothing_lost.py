"""No accepted document is lost by any failure; its last version is kept."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage import indexes
from scrapy_mainpage.indexes import IndexDocument

from .memory import (
    Memory,
    Place,
    Step,
    assert_counted,
    counts,
    failing,
    gone,
    page,
    rejecting,
    unavailable,
)

NUMBERS = st.integers(0, 5)
STEPS = st.one_of(
    st.just(Memory.put),
    st.builds(failing, st.just(gone()), applied=st.booleans()),
    st.builds(failing, st.just(gone(retryable=False)), applied=st.booleans()),
    st.builds(failing, st.sampled_from([KeyError("k"), OSError(5, "i/o")])),
    st.builds(
        rejecting,
        NUMBERS,
        NUMBERS,
        reason=st.sampled_from(["busy", "odd"]),
        retryable=st.booleans(),
    ),
)


@pytest.fixture(scope="module", autouse=True)
def memory_indexes() -> object:
    """Map every ``memory://`` URL to the index of the place in use."""

    async def connect(url: str) -> indexes.Index:
        return CURRENT[-1].memory.connect()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(indexes, "connect_index", connect)
        yield


CURRENT: list[Place] = []


@given(
    puts=st.lists(st.tuples(NUMBERS, st.booleans()), max_size=25),
    steps=st.lists(STEPS, max_size=25),
    closed_at_first=st.integers(0, 3),
    batch=st.integers(1, 5),
    retries=st.integers(0, 2),
    can_be_buried=st.booleans(),
)
def test_last_version_is_in_the_index_or_dead_or_kept(
    puts: list[tuple[int, bool]],
    steps: list[Step],
    closed_at_first: int,
    batch: int,
    retries: int,
    can_be_buried: bool,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        CURRENT[:] = [place]
        place.memory.steps += steps
        place.memory.opening += [unavailable()] * closed_at_first
        if not can_be_buried:
            place.dead_letters.mkdir()
        last: dict[str, str | None] = {}
        with place.writer(batch=batch, retries=retries, pending=8) as writer:
            for version, (number, is_deletion) in enumerate(puts):
                put(place, writer, last, number, None if is_deletion else f"{version}")
        assert_counted(writer, len(puts))
        found = counts(writer)
        dead = [each.operation for each in place.dead()] if can_be_buried else []
        kept = place.left_operations()
        assert "lost" not in found
        assert len(dead) == found.get("dead", 0)
        assert bool(found.get("kept", 0)) <= bool(kept)
        outside = {
            (each.url, each.document.text if each.document else None)
            for each in (*dead, *kept)
        }
        for url, text in last.items():
            is_in = place.memory.documents.get(url) == text
            assert is_in or (url, text) in outside
        if can_be_buried:
            assert kept == []
            assert not place.folders()
        else:
            place.memory.steps.clear()
            place.run()
            assert place.memory.documents == {k: v for k, v in last.items() if v}


def put(
    place: Place, writer: object, last: dict[str, str | None], n: int, text: str | None
) -> None:
    url = page(n)
    last[url] = text
    wait = (
        writer.delete(url) if text is None else writer.put(IndexDocument(url, text))  # type: ignore[attr-defined]
    )
    if wait is not None:
        wait.result(60)
