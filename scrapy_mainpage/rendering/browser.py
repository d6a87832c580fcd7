"""The browser that renders: where it is, and how it is started.

``tools/setup.sh`` of the sources runs this file by itself, before anything is
installed: at its head it imports nothing but the standard library.
"""

from __future__ import annotations

import json
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

#: Names on the PATH, and where other systems keep applications. The first is made for
#: running without a window; the others can.
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

#: Containers give little shared memory; a tab that wants more would crash.
_ARGUMENTS: Final = ("--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio")


def problem(settings: BaseSettings) -> str | None:
    """Return in one line what is missing for rendering, ``None`` if nothing is."""
    if not has_playwright():
        return f"needs scrapy-playwright and a browser: {EXTRA}; {INSTALL}"
    if wrong := loop_problem(settings):
        return wrong
    if not is_own(settings) and executable(settings) is None:
        return f"needs a browser: {INSTALL}"
    return _proxy_problem(settings)


def _proxy_problem(settings: BaseSettings) -> str | None:
    from .upstream import upstream_of

    options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    try:
        upstream_of(None, None, options.get("proxy"))
    except ValueError as error:
        return f"cannot use PLAYWRIGHT_LAUNCH_OPTIONS: {error}"
    return None


def loop_problem(settings: BaseSettings) -> str | None:
    """Return what is wrong with how the crawl runs, ``None`` if nothing is."""
    if not settings.getbool("TWISTED_REACTOR_ENABLED", True):
        return "needs a Twisted reactor; TWISTED_REACTOR_ENABLED is False"
    reactor = settings.get("TWISTED_REACTOR") or ""
    if not str(reactor).endswith("AsyncioSelectorReactor"):
        return f"needs the asyncio reactor; TWISTED_REACTOR is {reactor!r}"
    return None


def has_playwright() -> bool:
    """Return whether scrapy-playwright is installed, without importing it."""
    return find_spec("scrapy_playwright") is not None


def is_remote(settings: BaseSettings) -> bool:
    """Return whether the project has a browser that runs elsewhere."""
    names = ("PLAYWRIGHT_CDP_URL", "PLAYWRIGHT_CONNECT_URL")
    return any(settings.get(name) for name in names)


def is_own(settings: BaseSettings) -> bool:
    """Return whether the project says itself which browser it wants."""
    options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
    other = settings.get("PLAYWRIGHT_BROWSER_TYPE") or "chromium"
    return (
        is_remote(settings)
        or other != "chromium"
        or bool(settings.get("PLAYWRIGHT_BROWSER_PROVIDER"))
        or bool(options.get("executable_path") or options.get("channel"))
    )


def launch_options(
    settings: BaseSettings, arguments: tuple[str, ...]
) -> dict[str, Any]:
    """Return how Playwright is to start the browser; the project's own options win.

    *arguments* are for Chromium and are added to the project's. A proxy of the
    project's is left out: it is behind the guard, which is the browser's only proxy.
    """
    options = dict(settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS"))
    options.pop("proxy", None)
    if is_remote(settings):
        return options
    if not is_own(settings) and (program := executable(settings)):
        options["executable_path"] = program
    # Ctrl-C reaches Playwright, too, but pages under way are to be finished first.
    options.setdefault("handle_sigint", False)
    if (settings.get("PLAYWRIGHT_BROWSER_TYPE") or "chromium") == "chromium":
        options["args"] = [*_ARGUMENTS, *arguments, *options.get("args", ())]
        # Playwright leaves it out; it is the wall between a page and this machine.
        options.setdefault("chromium_sandbox", _can_have_sandbox())
    return options


def _can_have_sandbox() -> bool:
    """The superuser cannot have one, nor can who may not make namespaces."""
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
    """Return the path of the browser that will be used, ``None`` if there is none."""
    given = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS").get("executable_path")
    return str(given) if given else find_browser()


@cache
def find_browser() -> str | None:
    """Return the path of a Chromium: Playwright's own, or one of the system."""
    return next(_browsers(), None)


def _browsers() -> Iterator[str]:
    found = map(str, _playwright_browsers())
    yield from (program for program in found if works(program))
    named = (shutil.which(name) for name in PROGRAMS)
    yield from (program for program in named if program and works(program))


def works(program: str) -> bool:
    """Return whether a program runs: some lack libraries, some are stand-ins."""
    if sys.platform == "win32":  # --version would open a window
        return True
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _playwright_browsers() -> Iterator[Path]:
    """What ``playwright install`` has put where this Playwright looks for it."""
    package = find_spec("playwright")
    if package is None or package.origin is None:
        return
    driver = Path(package.origin).parent / "driver" / "package"
    try:
        listed = json.loads((driver / "browsers.json").read_text("utf-8"))["browsers"]
        revisions = {entry["name"]: entry["revision"] for entry in listed}
    except (OSError, KeyError, TypeError, ValueError):
        return
    for name in ("chromium-headless-shell", "chromium"):
        folder = f"{name.replace('-', '_')}-{revisions.get(name)}"
        for pattern in _PLACES:
            found = sorted((_cache(driver) / folder).glob(pattern))
            yield from (path for path in found if _is_program(path))


def _is_program(path: Path) -> bool:
    program = path.suffix in {"", ".exe"} and "." not in path.stem
    return program and path.is_file() and os.access(path, os.X_OK)


def _cache(driver: Path) -> Path:
    given = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if given == "0":
        return driver / ".local-browsers"
    if given:
        return Path(given)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local or Path.home() / "AppData" / "Local") / "ms-playwright"
    cache_home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache_home) / "ms-playwright"
