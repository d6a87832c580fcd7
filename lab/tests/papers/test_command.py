"""``python -m lab.papers``: tables of labelled pages."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.evaluation import npm
from lab.papers.__main__ import main
from lab.papers.tables import NO_POST_PROCESS
from tests.evaluation.sets import article_label, write_set

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([*map(str, arguments), "-o", str(tmp_path / "out")])
        return code, *capsys.readouterr()

    return run


def results(folder: Path) -> list[dict[str, Any]]:
    with (folder / "pages.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_set(tmp_path / "data", [article_label(n) for n in ("owls", "cats")])


def test_the_tables_of_a_paper_are_printed_and_written(
    run: Run, data: Path, tmp_path: Path
) -> None:
    code, out, err = run("tables", "alarte", data, "-a=danag", "--limit=1", "-j1")
    assert (code, err) == (0, "")
    assert "Table 6: Text blocks" in out
    assert "CEHTD-DS" in out
    folder = tmp_path / "out"
    written = {path.name for path in folder.glob("alarte-*")}
    assert written == {f"alarte-table-{n}.csv" for n in (1, 2, 3, 5, 6)} | {
        "alarte-figure-2.csv",
    }
    rated = (folder / "alarte-figure-2.csv").read_text("utf-8").splitlines()
    assert rated[0] == "algorithm,rated nodes,seconds"
    assert [line.split(",")[1] for line in rated[1:]] == ["7"]
    assert {row["algorithm"] for row in results(folder)} >= {
        "danag",
        f"centroid:c=8:{NO_POST_PROCESS}",
    }


def test_all_tables_that_can_be_made_are_made_and_the_others_named(
    run: Run, site: Path, tmp_path: Path
) -> None:
    other = site.parent / "dates" / "pages.jsonl"
    other.parent.mkdir()
    other.write_text('{"id": "a", "published": "2026-05-02"}\n', "utf-8")
    code, out, err = run("all", site.parent, "--quick", "-j1")
    assert (code, err) == (0, "")
    assert "dates: left out" in out
    assert "rae: left out, no page has a layout" in out
    assert "Table 3: Main content class" in out
    for name in (
        "danag/danag-table-1",
        "kim/kim-figure-5a",
        "alarte-sites/alarte-table-4",
    ):
        assert (tmp_path / "out" / f"{name}.csv").exists()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Four pages of one site, and one of another."""
    names = ("owls", "cats", "mice", "dogs", "bees")
    labels = [article_label(name) for name in names]
    for each in labels[:4]:
        each["url"] = f"http://www.site.example/{each['id']}"
    return write_set(tmp_path / "data" / "texts", labels)


def test_the_pages_of_a_site_are_compared(run: Run, site: Path, tmp_path: Path) -> None:
    options = ("--by-site", "-j1", "-a")
    code, out, err = run("compare", site, *options, "temex,sst,rtdm-td,all-text")
    assert (code, err) == (0, "")
    assert "16 results, 0 failed" in out
    output = tmp_path / "out"
    rows = {(row["algorithm"], row["page"]): row for row in results(output)}
    # The words of the menu and the footer are gone, those that all articles share too.
    precision = {key: float(row["precision"]) for key, row in rows.items()}
    assert precision["temex", "owls"] == 1 > precision["all-text", "owls"]
    assert {page for _, page in rows} == {"owls", "cats", "mice", "dogs"}


def test_what_is_not_installed_is_left_out_of_a_paper(
    run: Run, data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(npm, "FOLDER", tmp_path)
    code, out, _ = run("tables", "gce", data, "-j1", "-a=danag")
    assert code == 0
    assert "readability-js: left out, it is not installed" in out
    assert run("compare", data, "-a=unfluff")[0] == 2
