from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_mainpage.rendering import launch as browser
from tests.crawling import crawl, has_reactorless
from tests.test_addon import updated
from tests.test_settings import only_line

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="programs are shell scripts")
AUTO = {"MAINPAGE_RENDER": "auto", "LOG_LEVEL": "WARNING"}


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only folder in the PATH, without a browser of Playwright's own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    names = [name for name in browser.PROGRAMS if not name.startswith(("/", "C:"))]
    monkeypatch.setattr(browser, "PROGRAMS", tuple(names))
    browser.find_browser.cache_clear()
    yield folder
    browser.find_browser.cache_clear()


def program(path: Path, exit_code: int = 0) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\nexit {exit_code}\n")
    path.chmod(0o755)
    return str(path)


def playwrights(tmp_path: Path, name: str, place: str) -> str:
    """A browser where this Playwright would have installed it."""
    folder = f"{name.replace('-', '_')}-1200"
    return program(tmp_path / "browsers" / folder / place)


def problem(**values: Any) -> str | None:
    return browser.find_problem(Settings(values))


def options(**values: Any) -> dict[str, Any]:
    return browser.make_launch_options(Settings(values), ("--ours",))


# --- Finding a browser ----------------------------------------------------------


@POSIX
def test_a_browser_on_the_path_is_found_headless_ones_first(path: Path) -> None:
    program(path / "google-chrome")
    chromium = program(path / "chromium")
    assert browser.find_browser() == chromium
    browser.find_browser.cache_clear()
    shell = program(path / "chromium-headless-shell")
    assert browser.find_browser() == shell
    assert problem() is None


@POSIX
def test_a_stand_in_that_does_not_run_is_passed_over(path: Path) -> None:
    program(path / "chromium", exit_code=1)
    (path / "chromium-browser").write_text("no program at all")
    (path / "chromium-browser").chmod(0o755)
    chrome = program(path / "google-chrome-stable")
    assert browser.find_browser() == chrome


@POSIX
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("chromium-headless-shell", "chrome-headless-shell-linux64/headless_shell"),
        ("chromium-headless-shell", "chrome-linux/chrome-headless-shell"),
        ("chromium", "chrome-linux/chrome"),
        ("chromium", "chrome-mac/Chromium.app/Contents/MacOS/Chromium"),
    ],
)
def test_playwrights_own_comes_before_the_systems(
    tmp_path: Path, path: Path, name: str, place: str
) -> None:
    program(path / "chromium-headless-shell")
    own = playwrights(tmp_path, name, place)
    assert browser.find_browser() == own


# --- Starting it ------------------------------------------------------------------


def test_the_browser_starts_with_its_sandbox_unless_the_project_has_none() -> None:
    assert options()["chromium_sandbox"] is True
    own = {"chromium_sandbox": False}
    assert not options(PLAYWRIGHT_LAUNCH_OPTIONS=own)["chromium_sandbox"]


def test_options_of_the_project_win() -> None:
    own = {
        "executable_path": "/opt/chrome",
        "args": ["--theirs"],
        "chromium_sandbox": True,
        "handle_sigint": True,
        "timeout": 5,
    }
    launch = options(PLAYWRIGHT_LAUNCH_OPTIONS=own)
    assert launch["args"][-2:] == ["--ours", "--theirs"]
    assert {**launch, "args": ["--theirs"]} == own
    assert own["args"] == ["--theirs"]
    assert problem(PLAYWRIGHT_LAUNCH_OPTIONS=own) is None


def test_the_proxy_of_the_project_is_not_the_browsers() -> None:
    own = {"proxy": {"server": "http://proxy.example"}, "timeout": 5}
    launch = options(PLAYWRIGHT_LAUNCH_OPTIONS=own)
    assert "proxy" not in launch
    assert launch["timeout"] == 5
    assert own["proxy"] == {"server": "http://proxy.example"}


@pytest.mark.parametrize(
    "values",
    [
        {"PLAYWRIGHT_LAUNCH_OPTIONS": {"channel": "chrome"}},
        {"PLAYWRIGHT_LAUNCH_OPTIONS": '{"channel": "chrome"}'},
    ],
)
@POSIX
def test_a_project_that_names_its_browser_gets_no_other(
    path: Path, values: dict[str, Any]
) -> None:
    program(path / "chromium")
    assert "executable_path" not in options(**values)
    assert problem(**values) is None


# --- Missing parts ------------------------------------------------------------------


@POSIX
def test_without_the_extra_the_problem_names_it_and_a_browser(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(path / "chromium")
    assert problem() is None
    monkeypatch.setitem(sys.modules, "playwright", None)
    said = problem()
    assert said is not None
    assert "pip install 'scrapy-mainpage[playwright]'" in said
    assert "playwright install chromium-headless-shell" in said
    assert "\n" not in said


@POSIX
@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"TWISTED_REACTOR": None}, "asyncio reactor"),
        (
            {"TWISTED_REACTOR": "twisted.internet.selectreactor.SelectReactor"},
            "SelectReactor",
        ),
        ({"TWISTED_REACTOR_ENABLED": False}, "TWISTED_REACTOR_ENABLED"),
        ({"PLAYWRIGHT_BROWSER_TYPE": "firefox"}, "needs Chromium"),
    ],
)
def test_the_wrong_event_loop_or_browser_is_a_problem(
    path: Path, values: dict[str, Any], said: str
) -> None:
    program(path / "chromium")
    found = problem(**values)
    assert found is not None
    assert said in found
    assert "\n" not in found


def test_never_needs_neither_the_extra_nor_a_browser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handlers = updated()["DOWNLOAD_HANDLERS"]
    assert set(handlers) == {"http", "https"}
    monkeypatch.setitem(sys.modules, "playwright", None)
    settings = updated()
    assert not settings["DOWNLOAD_HANDLERS"]
    assert settings["REQUEST_FINGERPRINTER_CLASS"].startswith("scrapy.")


@POSIX
@pytest.mark.skipif(not has_reactorless(), reason="this Scrapy needs a reactor")
def test_a_crawl_without_a_reactor_stops_with_one_line(path: Path) -> None:
    program(path / "chromium")
    done = crawl("page", AUTO, process="reactorless", urls=["data:,"])
    assert done.returncode == 1
    line = only_line(done.log)
    assert "MAINPAGE_RENDER='auto': needs a Twisted reactor" in line


def test_the_module_runs_without_anything_installed() -> None:
    script = "import runpy, sys; runpy.run_path(sys.argv[1])['find_browser']()"
    command = [sys.executable, "-I", "-S", "-c", script, browser.__file__]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_proxy_of_the_launch_options_that_is_none_is_told_at_the_start() -> None:
    proxy = {"server": "ftp://proxy.example"}
    options = {"executable_path": sys.executable, "proxy": proxy}
    said = browser.find_problem(Settings({"PLAYWRIGHT_LAUNCH_OPTIONS": options}))
    assert said is not None
    assert "PLAYWRIGHT_LAUNCH_OPTIONS" in said
    assert "\n" not in said
