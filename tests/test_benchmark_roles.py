"""The measure of the labels: what it counts, and that it says when it cannot."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.roles import HALVES, Score, rows_of, table
from scrapy_mainpage.page import Label

ROOT = Path(__file__).parents[1]


def test_precision_and_recall_are_of_the_pairs_of_labels() -> None:
    pairs = {
        (Label.FORM, Label.FORM): 3,
        (Label.FORM, Label.SHARE): 1,
        (Label.LEGAL, Label.FORM): 2,
        (Label.CODE, Label.CODE): 4,
    }
    score = Score(Counter(pairs))
    assert score.of(Label.FORM) == [3 / 5, 3 / 4, 4]
    assert score.of(Label.SHARE) == [0, 0, 0]
    assert score.accuracy(main=False) == 3 / 6
    assert score.accuracy(main=True) == 1
    rows = table("roles", [score, score], main=False).rows
    assert [row[0] for row in rows][-1] == "all right"
    assert "code" not in [row[0] for row in rows]


def test_no_page_is_in_both_halves() -> None:
    tuned, held_out = (rows_of(half).keys() for half in HALVES)
    assert not tuned & held_out


def test_without_the_pages_it_says_that_nothing_was_measured(tmp_path: Path) -> None:
    folders = [f"--data={tmp_path / 'data'}", f"--results={tmp_path / 'results'}"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "roles", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "NOTHING MEASURED" in done.stdout


@pytest.mark.parametrize("half", HALVES)
def test_every_boilerplate_role_is_in_each_half(half: str) -> None:
    found = {row["label"] for rows in rows_of(half).values() for row in rows}
    assert {label.value for label in Label} <= found
