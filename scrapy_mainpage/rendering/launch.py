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

CHROMIUM: Final = "chromium"

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
)

_PLACES: Final = (
    "*/*headless*shell*",
    "*/chrome",
    "*/chrome.exe",
    "*/*.app/Contents/MacOS/*",
)
_CACHES: Final = {"darwin": "Library/Caches", "win32": "AppData/Local"}

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
    from ..crawl.rendered_requests import find_loop_problem

    if not has_playwright():
        return f"needs Playwright and a browser: {EXTRA}; {INSTALL}"
    if wrong := find_loop_problem(settings):
        return wrong
    kind = settings.get("PLAYWRIGHT_BROWSER_TYPE") or CHROMIUM
    if kind != CHROMIUM:
        return f"needs Chromium; PLAYWRIGHT_BROWSER_TYPE is {kind!r}"
    if not is_configured(settings) and find_browser() is None:
        return f"needs a browser: {INSTALL}"
    from .upstream import find_upstream

    options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    try:
        find_upstream(None, None, options.get("proxy"))
    except ValueError as error:
        return f"cannot use PLAYWRIGHT_LAUNCH_OPTIONS: {error}"
    return None


def has_playwright() -> bool:
    """Whether the extra ``playwright`` is installed; nothing is imported."""
    return all(map(find_spec, ("playwright", "python_socks")))


def is_configured(settings: BaseSettings) -> bool:
    """Whether the project configures which browser is used."""
    options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    return bool(options.get("executable_path") or options.get("channel"))


def make_launch_options(
    settings: BaseSettings, arguments: tuple[str, ...]
) -> dict[str, Any]:
    """Return the options for Playwright's ``launch``; the project's own options win.

    *arguments* are for Chromium and are added to the project's. The project's proxy is
    left out: the guard, which is the browser's only proxy, connects to it.
    """
    options = dict(settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS"))
    options.pop("proxy", None)
    if not is_configured(settings) and (program := find_browser()):
        options["executable_path"] = program
    # Ctrl-C reaches Playwright, too, but pages in progress are to be finished first.
    options.setdefault("handle_sigint", False)
    options["args"] = [*_ARGUMENTS, *arguments, *options.get("args", ())]
    # Off by default in Playwright; it separates pages from this machine. The renderer
    # starts without it where it cannot work: for the superuser, or in a container.
    options.setdefault("chromium_sandbox", True)
    return options


@cache
def find_browser() -> str | None:
    """Return the path of a Chromium: Playwright's own, or the system's."""
    named = (shutil.which(name) for name in PROGRAMS)
    found = [*map(str, _iter_playwright_browsers()), *filter(None, named)]
    return next(filter(_can_run, found), None)


def _can_run(program: str) -> bool:
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
    caches = _CACHES.get(sys.platform, ".cache")
    given = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folder = Path(given) if given else Path.home() / caches / "ms-playwright"
    for name in ("chromium_headless_shell-*", "chromium-*"):
        for pattern in _PLACES:
            found = sorted(folder.glob(f"{name}/{pattern}"), reverse=True)
            own = (path for path in found if path.suffix in {"", ".exe"})
            yield from (p for p in own if p.is_file() and os.access(p, os.X_OK))
