"""The benchmarks run and keep a record; what they measure is no matter of a test."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(tmp_path: Path, *names: str) -> tuple[str, dict]:
    command = [sys.executable, "-m", "benchmarks", *names, "--rounds=1", "--pages=3"]
    folders = [f"--data={tmp_path / 'data'}", f"--results={tmp_path / 'results'}"]
    done = subprocess.run(
        [*command, *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (record,) = (tmp_path / "results").glob("*.json")
    return done.stdout, json.loads(record.read_text())


def test_generated_pages_stand_in_for_missing_ones(tmp_path: Path) -> None:
    output, record = run(tmp_path, "document", "algorithms")
    assert "document pass, 3 GENERATED pages" in output
    (ratio,) = (row for row in record["tables"][0]["rows"] if row[""] == "pass / parse")
    assert ratio["mean"] > 0
    assert any(table["title"].startswith("danag, 3 GEN") for table in record["tables"])


def test_quality_has_a_line_per_set_and_type(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "one"
    (folder / "html").mkdir(parents=True)
    row = {"id": "a", "text": "owl owl 你 stone", "type": "article"}
    (folder / "pages.jsonl").write_text(json.dumps(row))
    page = "<article><p>owl 你好</p></article><p>other</p>".encode()
    (folder / "html" / "a.html.gz").write_bytes(gzip.compress(page))
    _, record = run(tmp_path, "quality")
    lines = record["tables"][0]["rows"]
    assert [(line["type"], line["pages"]) for line in lines] == [
        ("all", 1),
        ("article", 1),
    ]
    assert lines[0] == lines[1] | {"type": "all"}
    # "owl" and "你" are common: half of the four true words, two of three found.
    assert lines[0]["semantic-markup"] == pytest.approx(2 * 2 / (4 + 3))


def test_crawls_that_are_stopped_end_as_one_that_is_not(tmp_path: Path) -> None:
    _, record = run(tmp_path, "crawl", "--kills=1")
    (whole,) = record["tables"][0]["rows"]
    assert whole["extracted"] == whole["served"] == 4
    assert whole["indexed"] + whole["no text"] == 4
    resumed, killed = record["tables"][1]["rows"]
    for row in (resumed, killed):
        assert row["sound"] is True
        assert row["lost"] == row["missing"] == row["doubles"] == row["errors"] == 0
    assert resumed["asked twice"] == 0


def test_nothing_to_measure_is_said(tmp_path: Path) -> None:
    output, _ = run(tmp_path, "quality")
    assert "NOTHING MEASURED" in output
