"""Archives with damage anywhere: it costs the records that it is in, and no others."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_mainpage.batch.sources import Opening, Source, open_source

from .archives import response, url, write_gzipped, write_plain

COUNT = 12


@pytest.fixture(scope="module", params=[write_gzipped, write_plain])
def archive(request: pytest.FixtureRequest) -> tuple[bytes, list[int]]:
    """An archive, and where its records begin, with its end."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.warc")
        offsets = request.param(path, map(response, range(COUNT)))
        data = path.read_bytes()
    return data, [*offsets, len(data)]


def read(source: Source, bounds: list[int]) -> Iterator[dict[str, Any]]:
    """The rows of the parts between *bounds*, each from where the last has ended."""
    stop = 0
    for start, end in pairwise(bounds):
        first = stop if stop >= start else source.locate(start)
        for found in source.read(first, end):
            assert found.next >= found.position
            stop = found.next
            if found.row is not None:
                yield found.row


@settings(max_examples=150)
@given(
    place=st.floats(0, 1, exclude_max=True),
    cut=st.integers(0, 300),
    instead=st.binary(max_size=40),
    parts=st.lists(st.floats(0, 1), max_size=3),
)
def test_damage_costs_the_records_that_it_is_in(
    archive: tuple[bytes, list[int]],
    place: float,
    cut: int,
    instead: bytes,
    parts: list[float],
) -> None:
    data, offsets = archive
    begin = int(place * len(data))
    end = min(begin + cut, len(data))
    damaged = data[:begin] + instead + data[end:]
    whole = {
        url(k)
        for k in range(COUNT)
        # A mark of the beginning may be what was damaged, at the end before it.
        if offsets[k + 1] <= begin - 4 or offsets[k] >= end + 4
    }
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.warc")
        path.write_bytes(damaged)
        with open_source(path, Opening("warc")) as source:
            rows = list(read(source, [0, source.end]))
            bounds = sorted(int(part * source.end) for part in parts)
            in_parts = list(read(source, [0, *bounds, source.end]))
    assert in_parts == rows
    good = [row["url"] for row in rows if not row.get("error")]
    assert whole <= {*good}
    assert len(good) == len({*good}) <= COUNT
