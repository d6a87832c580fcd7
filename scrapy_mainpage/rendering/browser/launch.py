"""Location and launch options of the browser.

``lab/tools/setup.sh`` runs this file before anything is installed: imports from outside
the standard library stand inside functions.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

EXTRA: Final = "pip install 'scrapy-mainpage[playwright]'"
INSTALL: Final = (
    "python -m playwright install chromium-headless-shell (on Debian also: "
    "apt-get install chromium-headless-shell)"
)

#: Names on the PATH, and paths on other systems. Headless shells come first: they are
#: made to run without a window.
PROGRAMS: Final = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)

_PLACES: Final = (
    "*/*headless*shell*",
    "*/chrome",
    "*/chrome.exe",
    "*/*.app/Contents/MacOS/*",
)

#: Containers have little shared memory; a tab that needs more would crash. So shall one
#: whose scripts take more memory than real pages need: it is then read as it was sent.
_ARGUMENTS: Final = (
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--js-flags=--max-old-space-size=512",
)


def find_problem(settings: BaseSettings) -> str | None:
    """Return in one line what rendering lacks; ``None`` if it can work."""
    from ...crawl.rendered_requests import find_loop_problem

    if not has_playwright():
        return f"needs scrapy-playwright and a browser: {EXTRA}; {INSTALL}"
    if wrong := find_loop_problem(settings):
        return wrong
    if not is_configured(settings) and executable(settings) is None:
        return f"needs a browser: {INSTALL}"
    return _find_proxy_problem(settings)


def _find_proxy_problem(settings: BaseSettings) -> str | None:
    from ..guard.upstream import find_upstream

    options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    try:
        find_upstream(None, None, options.get("proxy"))
    except ValueError as error:
        return f"cannot use PLAYWRIGHT_LAUNCH_OPTIONS: {error}"
    return None


def has_playwright() -> bool:
    """Whether the extra ``playwright`` is installed; nothing is imported."""
    return all(map(find_spec, ("scrapy_playwright", "python_socks")))


def is_configured(settings: BaseSettings) -> bool:
    """Whether the project configures which browser is used."""
    options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    other = settings.get("PLAYWRIGHT_BROWSER_TYPE") or "chromium"
    return (
        other != "chromium"
        or bool(settings.get("PLAYWRIGHT_BROWSER_PROVIDER"))
        or bool(options.get("executable_path") or options.get("channel"))
    )


def make_launch_options(
    settings: BaseSettings, arguments: tuple[str, ...]
) -> dict[str, Any]:
    """Return the options for Playwright's ``launch``; the project's own options win.

    *arguments* are for Chromium and are added to the project's. The project's proxy is
    left out: the guard, which is the browser's only proxy, connects to it.
    """
    options = dict(settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS"))
    options.pop("proxy", None)
    if not is_configured(settings) and (program := executable(settings)):
        options["executable_path"] = program
    # Ctrl-C reaches Playwright, too, but pages in progress are to be finished first.
    options.setdefault("handle_sigint", False)
    if (settings.get("PLAYWRIGHT_BROWSER_TYPE") or "chromium") == "chromium":
        options["args"] = [*_ARGUMENTS, *arguments, *options.get("args", ())]
        # Off by default in Playwright; it separates pages from this machine.
        options.setdefault("chromium_sandbox", _can_have_sandbox())
    return options


def _can_have_sandbox() -> bool:
    """Whether Chromium's sandbox can start: it needs user namespaces, and no root."""
    if sys.platform != "linux":
        return True
    if os.geteuid() == 0:
        return False
    try:
        limit = Path("/proc/sys/user/max_user_namespaces").read_text("ascii")
        restricted = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
        return int(limit) > 0 and not (
            restricted.exists() and int(restricted.read_text("ascii"))
        )
    except (OSError, ValueError):
        return False


def executable(settings: BaseSettings) -> str | None:
    """Return the path of the browser to start; ``None`` if none is found."""
    given = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS").get("executable_path")
    return str(given) if given else find_browser()


@cache
def find_browser() -> str | None:
    """Return the path of a Chromium: Playwright's own, or the system's."""
    return next(_iter_browsers(), None)


def _iter_browsers() -> Iterator[str]:
    found = map(str, _iter_playwright_browsers())
    yield from (program for program in found if can_run(program))
    named = (shutil.which(name) for name in PROGRAMS)
    yield from (program for program in named if program and can_run(program))


def can_run(program: str) -> bool:
    """Whether a program runs: some lack libraries, some are stubs of an installer."""
    if sys.platform == "win32":  # --version would open a window
        return True
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _iter_playwright_browsers() -> Iterator[Path]:
    """Yield the browsers that ``playwright install`` has downloaded, newest first."""
    folder = _get_cache()
    for name in ("chromium_headless_shell-*", "chromium-*"):
        for pattern in _PLACES:
            found = sorted(folder.glob(f"{name}/{pattern}"), reverse=True)
            yield from (path for path in found if _is_program(path))


def _is_program(path: Path) -> bool:
    program = path.suffix in {"", ".exe"} and "." not in path.stem
    return program and path.is_file() and os.access(path, os.X_OK)


def _get_cache() -> Path:
    """Return the folder of Playwright's browsers."""
    if given := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local or Path.home() / "AppData" / "Local") / "ms-playwright"
    cache_home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache_home) / "ms-playwright"
