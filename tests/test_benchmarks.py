"""The benchmarks run and keep a record."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


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
