"""Fixtures for all tests, and what tests need beside Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no failure of what is tested.
settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("untimed")

# Where each requirement is looked for: names on the PATH or absolute paths.
# tools/setup.sh installs them; a new one is added here and in its SERVICES.
REQUIREMENTS = {
    "browser": (
        "chromium-headless-shell",
        "chrome-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    ),
}

MISSING = pytest.StashKey[dict[str, list[str]]]()


def works(program: str) -> bool:
    """Whether the program runs: some systems ship stand-ins that only print advice."""
    if sys.platform == "win32":  # --version would open a window
        return True
    command = [program, "--version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def find(name: str) -> str | None:
    """The path of the program that meets the requirement."""
    found = (shutil.which(candidate) for candidate in REQUIREMENTS[name])
    return next((program for program in found if program and works(program)), None)


@pytest.fixture
def requirement(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """``requirement("browser")`` gives the program's path.

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


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> Iterator[None]:
    """Says in the last lines what was missing and how many tests it cost."""
    yield
    for name, tests in config.stash.get(MISSING, {}).items():
        terminalreporter.write_line(
            f"MISSING: {name}: {len(tests)} test(s) could not run; "
            "`tools/setup.sh services` says what to install.",
            yellow=True,
        )
