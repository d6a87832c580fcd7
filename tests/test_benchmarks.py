"""The benchmarks run and keep a record."""

from __future__ import annotations

import json
import subprocess
import sys
from mmap import mmap
from pathlib import Path

import pytest

from benchmarks.counters import Counters
from benchmarks.profile import STAGES, Profile

#: ``PERF_TYPE_SOFTWARE``, whose events virtual machines have as well.
SOFTWARE = 1
ROOT = Path(__file__).parents[1]
PAGE = b"<main><h1>Bread</h1>" + b"<p>Flour, water, salt, and a night of rest.</p>" * 50


def test_speed_leaves_a_record_of_generated_pages(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "speed", "--runs=1", "--pages=3"]
    folders = [f"--data={tmp_path / 'data'}", f"--results={tmp_path / 'results'}"]
    done = subprocess.run(
        [*command, *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (record,) = (tmp_path / "results").glob("*.json")
    tables = json.loads(record.read_text())["tables"]
    extractors = {row["ms from bytes to text"]: row for row in tables[0]["rows"]}
    assert extractors["learned"]["pages"] == 3
    assert extractors["learned"]["failed"] == 0
    assert extractors["learned"]["/ parse"] > 0
    assert "3 GENERATED pages" in done.stdout


def test_the_stages_of_the_profile_are_parts_of_the_whole() -> None:
    profile = Profile()
    ms = dict(zip(STAGES, profile.measure([PAGE], 5, is_cold=False)[:, 0], strict=True))
    parts = [ms[name] for name in ("parse", "walk", "features", "selection", "text")]
    assert min(parts) > 0
    assert sum(parts) < 1.5 * ms["bytes to text"]


@pytest.mark.skipif(sys.platform != "linux", reason="the counters are those of Linux")
def test_a_counter_counts_what_the_kernel_offers() -> None:
    counters = Counters({"page faults": 2, "unknown": 1 << 40}, SOFTWARE)
    if not counters.names:
        pytest.skip("the kernel has no counters for this user")
    assert counters.names == ("page faults",)
    (before,) = counters.read()
    with mmap(-1, 1 << 20) as fresh:  # the heap may have room that was used before
        fresh.write(bytes(1 << 20))
    assert counters.read()[0] > before


def test_a_missing_folder_of_labelled_pages_is_reported(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "peers", f"--data={tmp_path}"]
    done = subprocess.run(
        [*command, f"--results={tmp_path / 'results'}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "NOTHING MEASURED" in done.stdout
