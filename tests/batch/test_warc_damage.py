"""Generated damage of archives loses the damaged records, and no others."""

from __future__ import annotations

import gzip
import struct
import tempfile
from pathlib import Path
from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_mainpage.batch import read_batches

from .archives import info, response, url, write_gzipped, write_plain

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


def seconds_to_read(path: Path, data: bytes) -> float:
    path.write_bytes(gzip.compress(info()) + data)
    start = process_time()
    for _ in read_batches(path, format="warc"):
        pass
    return process_time() - start


def test_small_records_of_one_member_are_read_in_proportion(tmp_path: Path) -> None:
    small = b"WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 1\r\n\r\nx\r\n\r\n"
    path = tmp_path / "a.warc.gz"
    few = seconds_to_read(path, gzip.compress(small * 5_000))
    assert seconds_to_read(path, gzip.compress(small * 40_000)) < 30 * max(few, 0.03)


def test_marks_of_members_are_read_in_proportion(tmp_path: Path) -> None:
    assert seconds_to_read(tmp_path / "a.warc.gz", b"\x1f\x8b\x08" * 60_000) < 3


def test_members_within_broken_members_are_read_in_proportion(tmp_path: Path) -> None:
    size = 60_000
    chain = bytearray()
    while len(chain) + 40 < size:  # each is stored data up to the end of the last
        left = size - len(chain) - 15
        stored = b"\0" + struct.pack("<HH", left, left ^ 0xFFFF) + b"WARC/1.0\r\n"
        chain += b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + stored
    chain += b"x" * (size - len(chain)) + b"\7"  # a block that is none
    path = tmp_path / "a.warc.gz"
    few = seconds_to_read(path, bytes(chain))
    assert seconds_to_read(path, bytes(chain) * 8) < 30 * max(few, 0.03)
    again = bytes(chain) + gzip.compress(response(1))
    path.write_bytes(gzip.compress(info()) + again)
    rows = [row for b in read_batches(path, format="warc") for row in b.to_pylist()]
    assert [row["url"] for row in rows if not row["error"]] == [url(1)]
