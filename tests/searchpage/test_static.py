"""The search for sites without a server: Pagefind's files, in a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage.commands.mainpage_search import Command
from scrapy_mainpage.indexes import IndexDocument, Section, open_index
from scrapy_mainpage.searchpage.static import StaticError, _parts, write_static
from tests.commands.helpers import CommandRunner
from tests.mockserver import folder_served
from tests.searchpage.helpers import HOSTILE, PAGES


@pytest.fixture
def site(tmp_path: Path) -> Path:
    with open_index(f"sqlite:///{(tmp_path / 'site.db').as_posix()}") as index:
        index.put_many(PAGES)
    return tmp_path / "site.db"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a plain file server."""
    with folder_served(tmp_path / "static") as url:
        yield url


def test_an_index_without_texts_is_refused(tmp_path: Path) -> None:
    with (
        open_index(f"sqlite:///{(tmp_path / 'none.db').as_posix()}") as index,
        pytest.raises(StaticError, match="an empty index"),
    ):
        write_static(index, "none", tmp_path / "static")


def test_a_static_search_finds_sections_and_keeps_texts_inert(
    site: Path,
    served: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    requirement: Callable[[str], str],
    request: pytest.FixtureRequest,
) -> None:
    folder = tmp_path / "static"
    code, out, err = CommandRunner(Command, capsys)("--static", folder, site)
    assert (code, out, err) == (0, f"29 pages in {folder / 'index.html'}\n", "")
    requirement("browser")
    context = request.getfixturevalue("chromium").new_context()
    tab: Any = context.new_page()
    tab.set_default_timeout(30_000)
    problems: list[str] = []
    tab.on("pageerror", lambda error: problems.append(str(error)))
    tab.on("dialog", lambda dialog: problems.append(dialog.message))
    tab.goto(f"{served}?q=drying")
    tab.wait_for_function("() => document.getElementById('status').textContent")
    assert tab.inner_text("#status") == "1 result for “drying”"
    hit = tab.locator("#hits li >> nth=0")
    assert hit.locator("h2").inner_text() == "Hide glue"
    link = hit.locator(".sections a").get_attribute("href")
    assert link == "https://docs.example.com/glue/hide.html#dry"
    assert hit.locator("mark").first.inner_text() == "Drying."
    tab.fill("#query", "hostile")
    tab.wait_for_function(
        "() => document.getElementById('status').textContent.includes('hostile')"
    )
    assert HOSTILE in tab.locator("#hits h2").all_inner_texts()
    assert tab.locator("#hits img, #hits script").count() == 0
    tab.fill("#query", "holds")
    tab.get_by_role("button", name="version: 2 1").click()
    tab.wait_for_function("() => document.querySelectorAll('#hits > li').length == 1")
    assert problems == []
    context.close()


def test_what_cannot_be_written_is_said(
    site: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = CommandRunner(Command, capsys)
    (tmp_path / "file").touch()
    code, _, err = run("--static", tmp_path / "file" / "x", site)
    assert (code, f"{tmp_path / 'file' / 'x'}: " in err) == (2, True)
    code, _, err = run("--static", tmp_path / "x", tmp_path / "none.db")
    assert (code, "there is no such file" in err) == (2, True)
    monkeypatch.setitem(__import__("sys").modules, "pagefind.index", None)
    code, _, err = run("--static", tmp_path / "x", site)
    assert (code, "pip install 'scrapy-mainpage[pagefind]'" in err) == (2, True)


def test_headings_are_found_in_the_text_that_is_kept() -> None:
    came = "Soft\xadhyphens\xad in\xad a\xad line.\n\nSetup\n\nInstall it with care."
    setup = Section("Setup", 2, "setup", came.index("Setup"))
    gone, kept = Section("Gone", 2, "", 0), came.replace("\xad", "")
    page = IndexDocument("https://e.com/", kept, "T", sections=(setup, gone))
    made = "".join(_parts(page))
    assert "<p>Softhyphens in a line.</p>" in made
    assert "<p>Install it with care.</p>" in made
