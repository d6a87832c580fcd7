"""Fixtures for all tests, and the programs tests need beside Python."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

# When it is imported it looks through all modules: early there are few.
import scrapy.core.downloader.handlers.http11  # noqa: F401
from hypothesis import HealthCheck, settings

from scrapy_mainpage.rendering.launch import EXTRA, find_browser, has_playwright

from .markers import MARKERS, mark, starts_programs
from .servers.java import find_java
from .servers.postgres import find_postgresql
from .servers.redis import RedisServer, find_redis
from .smalldisk import find_small_disk

# A busy machine must not fail a test: no deadline per example. Examples are the same in
# each run, so that a change fails for what it changed; "thorough" looks for new ones.
settings.register_profile(
    "usual",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough",
    settings.get_profile("usual"),
    derandomize=False,
    max_examples=1_000,
)
settings.load_profile("usual")


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        mark(item)
    # A slow file that comes last keeps one worker busy while the others are idle.
    slow = {item.path for item in items if starts_programs(item)}
    for item in items:
        if starts_programs(item):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=TIMEOUTS))
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Let the collector look at what tests make, not at the tests."""
    gc.collect()
    gc.freeze()


@dataclass(frozen=True)
class Requirement:
    """A program or package that tests need: how to find it and how to install it."""

    find: Callable[[], str | None]
    remedy: str


def find_playwright() -> str | None:
    """The name of the package that drives browsers, if it is installed."""
    return "playwright" if has_playwright() else None


def find_package(name: str) -> Callable[[], str | None]:
    """Return a function that gives the package's name if it is installed."""
    return lambda: name if find_spec(name) else None


SETUP = "`lab/tools/setup.sh services` says what to install"

# lab/tools/setup.sh installs those that are not Python packages: its SERVICES.
REQUIREMENTS = {
    "browser": Requirement(find_browser, SETUP),
    "java": Requirement(find_java, SETUP),
    "playwright": Requirement(find_playwright, EXTRA),
    "postgresql": Requirement(find_postgresql, SETUP),
    "pyspark": Requirement(find_package("pyspark"), "pip install -e '.[spark]'"),
    "ray": Requirement(find_package("ray"), "pip install -e '.[ray]'"),
    "redis": Requirement(find_redis, SETUP),
    "small disk": Requirement(
        find_small_disk, "they run on Linux as root, or where sudo asks nothing"
    ),
}

TIMEOUTS = ["TimeoutError", "TimeoutExpired"]
"""What ends a test that waits for a program: on a busy machine it is run once more."""

MISSING = pytest.StashKey[dict[str, list[str]]]()


def find(name: str) -> str | None:
    """The path or name of the program or package that meets the requirement."""
    return REQUIREMENTS[name].find()


@pytest.fixture
def requirement(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """``requirement("browser")`` gives the program's path; see ``REQUIREMENTS``.

    Where it is missing the test is skipped and the end of the run says so; with
    ``CI=true`` the test fails.
    """

    def get(name: str) -> str:
        program = find(name)
        if program is not None:
            return program
        missing = request.config.stash.setdefault(MISSING, {})
        missing.setdefault(name, []).append(request.node.nodeid)
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} is missing, and CI=true", pytrace=False)
        pytest.skip(f"{name} is missing")

    return get


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium for Playwright's synchronous interface."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=options
        )
        yield browser
        browser.close()


@pytest.fixture
def redis_server(
    tmp_path: Path, requirement: Callable[[str], str]
) -> Iterator[RedisServer]:
    """A running Redis server, empty."""
    folder = tmp_path / "redis"
    folder.mkdir()
    server = RedisServer(folder, requirement("redis"))
    server.start()
    yield server
    server.stop()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> Iterator[None]:
    """Print at the end which requirements were missing and how many tests they cost."""
    yield
    for name, tests in config.stash.get(MISSING, {}).items():
        terminalreporter.write_line(
            f"MISSING: {name}: {len(tests)} test(s) could not run; "
            f"{REQUIREMENTS[name].remedy}.",
            yellow=True,
        )
