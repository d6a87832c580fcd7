from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.test_mainpage import refused, scrapy, show, text
from tests.layouts import load
from tests.mockserver import article


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A folder with a page as it was rendered, and its layout."""
    page = load("furo")[0]
    (tmp_path / "page.html").write_text(page.html, "utf-8")
    (tmp_path / "page.json").write_text(page.layout_json, "utf-8")
    (tmp_path / "other.html").write_text(article("trains"))
    return tmp_path


def test_the_report_is_written_and_nothing_printed(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article("trains"))
    assert text(show("page.html", "--report", "out.html", cwd=tmp_path)) == ""
    report = (tmp_path / "out.html").read_text("utf-8")
    assert report.startswith("<!DOCTYPE html>")
    assert "All about trains" in report


def test_a_layout_lets_the_algorithms_that_need_one_work(recorded: Path) -> None:
    options = ("-a", "layout-analysis", "--layout", "page.json")
    said = text(show("page.html", *options, cwd=recorded))
    assert len(said) > 200
    report_to = ("--report", "out.html")
    assert text(show("page.html", *options, *report_to, cwd=recorded)) == ""
    report = (recorded / "out.html").read_text("utf-8")
    assert "algorithm <strong>layout-analysis</strong>" in report


def test_without_a_layout_they_are_refused(recorded: Path) -> None:
    said = refused(show("page.html", "-a", "first-impression", cwd=recorded))
    assert "'first-impression' needs the layout" in said
    assert "--layout FILE" in said


@pytest.mark.parametrize(
    ("page", "layout", "reason"),
    [
        ("page.html", "none.json", "none.json: No such file"),
        ("page.html", "page.html", "page.html: not a layout snapshot"),
        ("other.html", "page.json", "page.json: a layout snapshot for a page without"),
    ],
)
def test_a_layout_that_does_not_fit_is_refused(
    recorded: Path, page: str, layout: str, reason: str
) -> None:
    assert reason in refused(show(page, "--layout", layout, cwd=recorded))


def test_a_layout_goes_with_a_file_only(tmp_path: Path) -> None:
    done = scrapy("mainpage", "http://127.0.0.1/", "--layout", "x.json", cwd=tmp_path)
    assert done.returncode == 2
    assert b"--layout goes with the file" in done.stdout + done.stderr


def test_a_report_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(article("trains"))
    said = refused(show("page.html", "--report", "no/such/out.html", cwd=tmp_path))
    assert "no/such/out.html" in said
