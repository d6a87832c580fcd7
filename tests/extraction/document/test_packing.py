"""Tables of whole numbers, packed and unpacked."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.document.schema import pack, unpack

NUMBERS = st.one_of(
    st.integers(-1, 200),
    st.integers(-(1 << 15), 1 << 16),
    st.integers(-(1 << 31), (1 << 31) - 1),
)
TABLES = st.lists(
    st.integers(0, 30).flatmap(
        lambda rows: st.lists(
            st.lists(NUMBERS, min_size=rows, max_size=rows), min_size=1, max_size=4
        )
    ),
    max_size=3,
)


@given(TABLES)
def test_what_is_packed_comes_out_the_same(tables: list[list[list[int]]]) -> None:
    arrays = [np.array(table, np.int32) for table in tables]
    found, rest = unpack(pack(arrays, {"some": b"thing"}))
    assert [table.tolist() for table in found] == tables
    assert all(table.dtype == np.int32 for table in found)
    assert rest == {"some": b"thing"}


def test_numbers_that_go_up_step_by_step_take_little() -> None:
    column = np.arange(100_000, dtype=np.int32)
    assert len(pack([column[np.newaxis]], None)) < 1_000
