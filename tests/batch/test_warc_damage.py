"""Generated damage of archives loses the damaged records, and no others."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrapy_mainpage.batch import read_batches

from .archives import response, url, write_gzipped, write_plain

COUNT = 12


@pytest.fixture(scope="module", params=[write_gzipped, write_plain])
def archive(request: pytest.FixtureRequest) -> tuple[bytes, list[int]]:
    """An archive, and the offsets of its records and its end."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.warc")
        offsets = request.param(path, map(response, range(COUNT)))
        data = path.read_bytes()
    return data, [*offsets, len(data)]


@settings(max_examples=80)
@example(place=0.4155, cut=0, instead=b"\x04\x00\x00\x00")
@given(
    place=st.floats(0, 1, exclude_max=True),
    cut=st.integers(0, 300),
    instead=st.binary(max_size=40),
)
def test_damage_costs_the_records_that_it_is_in(
    archive: tuple[bytes, list[int]],
    place: float,
    cut: int,
    instead: bytes,
) -> None:
    data, offsets = archive
    begin = int(place * len(data))
    end = min(begin + cut, len(data))
    damaged = data[:begin] + instead + data[end:]
    whole = {
        url(k)
        for k in range(COUNT)
        # The damage may have hit the mark of a beginning, at the end before it.
        if offsets[k + 1] <= begin - 4 or offsets[k] >= end + 4
    }
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.warc")
        path.write_bytes(damaged)
        batches = read_batches(path, format="warc")
        rows = [row for batch in batches for row in batch.to_pylist()]
    good = [row["url"] for row in rows if not row["error"]]
    assert whole <= {*good}
    assert len(good) == len({*good}) <= COUNT
