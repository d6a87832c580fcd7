"""The memory benchmark: pages that are always new, and what it says of them."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

import pytest

from benchmarks.memorygrowth import HEADER, renamed, run, verdict
from benchmarks.tables import Table


def test_a_page_comes_with_names_that_no_other_had() -> None:
    html = b'<div class="a b" id="c"><a href="/x">y</a><p>Words.</p></div>'
    assert renamed(html, 7) == (
        b'<div class="n7-a b" id="n7-c"><a href="n7-/x">y</a>'
        b"<x7 data-x7=1></x7><p>Words.</p></div>"
    )


@pytest.mark.parametrize(
    ("last", "said"),
    [(109.0, "grew by 9.0 MB after page 1, the bar of 10.0 holds"), (111.0, "MISSED")],
)
def test_growth_is_what_came_on_top_when_caches_were_full(
    last: float, said: str
) -> None:
    levels = [100.0, 90.0, 105.0, last]
    table = Table("", HEADER, [[k + 1, 0.0, level] for k, level in enumerate(levels)])
    assert said in verdict(table)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_every_step_is_measured(tmp_path: Path) -> None:
    (table,) = run(Namespace(data=tmp_path, pages=40))
    assert [row[0] for row in table.rows] == list(range(2, 41, 2))
    assert all(row[1] > 0 < row[2] for row in table.rows)
    assert "GENERATED" in table.title
