"""Generated damage of archives: what is before it is read, and nothing twice."""

from __future__ import annotations

import struct
import tempfile
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_mainpage.batch import read_batches
from scrapy_mainpage.batch.warc import read_warc

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


@example(place=0.4155, cut=0, instead=b"\x04\x00\x00\x00")
@given(
    place=st.floats(0, 1, exclude_max=True),
    cut=st.integers(0, 300),
    instead=st.binary(max_size=40),
)
def test_what_is_before_the_damage_is_read_and_nothing_twice(
    archive: tuple[bytes, list[int]],
    place: float,
    cut: int,
    instead: bytes,
) -> None:
    data, offsets = archive
    begin = int(place * len(data))
    end = min(begin + cut, len(data))
    damaged = data[:begin] + instead + data[end:]
    # The damage may have hit the mark of a beginning, at the end before it.
    before = {url(k) for k in range(COUNT) if offsets[k + 1] <= begin - 4}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.warc")
        path.write_bytes(damaged)
        batches = read_batches(path, format="warc")
        rows = [row for batch in batches for row in batch.to_pylist()]
    good = [row["url"] for row in rows if not row["error"]]
    assert before <= {*good}
    assert len(good) == len({*good}) <= COUNT


@pytest.mark.parametrize("size", [1, 30])
def test_a_broken_gzip_member_costs_no_other(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.warc.gz"
    offsets = write_gzipped(path, map(response, range(COUNT)))
    data = bytearray(path.read_bytes())
    for k in (2, 3, 7):
        data[offsets[k] + 200 : offsets[k] + 200 + size] = bytes(size)
    path.write_bytes(data)
    rows = [row for b in read_batches(path, format="warc") for row in b.to_pylist()]
    good = [row["url"] for row in rows if not row["error"]]
    assert [url(k) for k in range(COUNT) if k not in (2, 3, 7)] == [
        each for each in good if each not in map(url, (2, 3, 7))
    ]
    assert len(good) == len({*good})


def test_broken_members_in_one_another_are_read_in_proportion() -> None:
    start = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\0"  # of a member, and of a stored block
    chain = bytearray()
    for left in range(60_000, 0, -25):
        chain += start + struct.pack("<HH", left, left ^ 0xFFFF) + b"WARC/1.0\r\n"
    began = process_time()
    rows = [*read_warc(BytesIO(chain * 8 + b"\7"), 1 << 20)]
    assert process_time() - began < 1
    assert all(isinstance(row, dict) and row["error"] for row in rows)
