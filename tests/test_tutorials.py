"""The tutorials: their commands print what the pages show."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .tutorials import PAGES, is_same, run_page, served_site, trimmed

#: Requirements of each page.
NEEDS = {"javascript": ("playwright", "browser"), "archive": ("pyspark", "java")}


@pytest.mark.skipif(sys.platform == "win32", reason="the commands need a Unix shell")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_a_tutorial_shows_the_output_of_its_commands(
    path: Path, tmp_path: Path, requirement: Callable[[str], str]
) -> None:
    for name in NEEDS.get(path.stem, ()):
        requirement(name)
    with served_site() as url:
        outputs = run_page(path, tmp_path, url)
    assert len(outputs) >= 6
    differing = [each for each in outputs if not is_same(each[1], each[2])]
    for command, shown, output in differing:
        print(f"$ {command}\nSHOWN\n{shown}\nACTUAL\n{output}")
    assert not differing, "python -m tests.tutorials writes the outputs anew"


def test_an_output_may_differ_in_figures_that_vary_only() -> None:
    assert is_same("25 pages in 0.9 s: 28 pages/s", "25 pages in 1.2 s: 7 pages/s")
    assert is_same("Name\n[...]\nlast", "Name\nmore\nand more\nlast\n")
    assert trimmed("1 of 2 files (50%, 0:00:12 left)\nName  \n") == "Name\n"
    assert not is_same("25 pages in 0.9 s", "24 pages in 0.9 s")
    assert not is_same("Name\n[...]\nlast", "Name\nmore")
