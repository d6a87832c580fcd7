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

    def connect(url: str, **options: object) -> indexes.Index:
        return CURRENT[-1].memory.connect()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(indexes, "open_index", connect)
        yield


CURRENT: list[Place] = []


@given(
    puts=st.lists(st.tuples(NUMBERS, st.booleans()), max_size=25),
    steps=st.lists(STEPS, max_size=25),
    closed_at_first=st.integers(0, 3),
    batch=st.integers(1, 5),
    retries=st.integers(0, 2),
    direct=st.booleans(),
)
def test_last_version_is_in_the_index_or_a_dead_letter(
    puts: list[tuple[int, bool]],
    steps: list[Step],
    closed_at_first: int,
    batch: int,
    retries: int,
    direct: bool,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        CURRENT[:] = [place]
        place.memory.steps += steps
        place.memory.opening += [unavailable()] * closed_at_first
        last: dict[str, str | None] = {}
        with place.writer(batch=batch, retries=retries, direct=direct) as writer:
            for version, (number, is_deletion) in enumerate(puts):
                url = page(number)
                last[url] = None if is_deletion else f"{version}"
                if is_deletion:
                    writer.delete(url)
                else:
                    writer.put(IndexDocument(url, f"{version}"))
        assert_counted(writer, len(puts))
        dead = {url for url, _ in place.dead()}
        assert counts(writer).get("dead", 0) >= len(dead)
        assert place.left() == []
        for url, text in last.items():
            assert place.memory.documents.get(url) == text or url in dead
        place.memory.steps.clear()
        place.run(retry=True)
        assert place.rows() == []
        assert place.memory.documents == {k: v for k, v in last.items() if v}
