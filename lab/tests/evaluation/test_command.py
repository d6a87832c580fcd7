"""``python -m lab.evaluation measure``: tables and files."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lab.evaluation.__main__ import main
from lab.tests.evaluation.test_page_measures import BROKEN
from tests.evaluation.sets import article_label, write_set


@pytest.fixture
def data(tmp_path: Path) -> Path:
    labels = [article_label(n, content="//article") for n in ("owls", "cats")]
    return write_set(tmp_path / "data", labels)


def lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run(data: Path, folder: Path, *options: str) -> int:
    return main(["measure", str(data), "-j1", "-o", str(folder), *options])


def test_structure_is_printed_and_written(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert run(data, folder, "-a=semantic-markup") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "data: 2 headings, 2 paragraphs, 2 titles" in out
    assert "2 results, 0 failed" in out
    (summary,) = lines(folder / "summary.csv")
    assert (summary["headings"], summary["headings_kept"]) == ("2", "1")
    assert lines(folder / "faults.csv") == []


def test_faults_are_written(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert run(data, folder, f"-a={BROKEN}", "--limit=1") == 1
    (fault,) = lines(folder / "faults.csv")
    assert (fault["page"], fault["fault"]) == ("owls", "heading gone: On owls")


def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, tmp_path / "out") == 2
    assert "no pages.jsonl in" in capsys.readouterr().err
