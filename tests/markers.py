"""Markers of tests, from the imports of their files and the fixtures they use.

``browser`` and ``service`` need a program beside Python, ``crawl`` starts processes,
``generated`` runs Hypothesis, ``slow`` trains models or replays large inputs.
``make test-fast`` leaves out all of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).parent
MARKERS = {
    "browser": "needs a browser",
    "service": "needs PostgreSQL, Redis, Java or another program",
    "crawl": "starts processes: crawls, commands, workers",
    "generated": "runs inputs that Hypothesis generates",
    "slow": "trains models, or reads large or very many inputs",
}
PROGRAM_MARKERS = ("browser", "service", "crawl")
BROWSER_FOLDERS = ("correct", "rendering", "searchpage")
SLOW_FOLDERS = ("hostile",)
SLOW_FILES = ("hostile", "limits", "warc")
"""Parts of the names of files whose tests read large inputs."""

PROGRAMS = {"requirement"}
"""Fixtures of tests that need a program beside Python."""

SERVERS = {"postgresql"}
"""Engines of parametrised tests that need a server."""

PROCESS_MODULES = {
    "subprocess",
    "multiprocessing",
    "scrapy_mainpage.batch.convert",
    "scrapy_mainpage.crawl.worker_pool",
    "scrapy_mainpage.processes",
}

IMPORT = re.compile(
    r"^[ \t]*(?:import[ ](?P<plain>.+)"
    r"|from[ ](?P<dots>\.*)(?P<module>[\w.]*)[ ]import[ ](?P<names>\([^)]*\)|.+))",
    re.MULTILINE,
)
"""Read by a pattern: a parser takes seconds for all files."""


def mark(item: pytest.Item) -> None:
    """Add the markers of one test."""
    markers = file_markers(item.path)
    if markers is None:
        return
    for marker in markers:
        item.add_marker(marker)
    if needs_program(item):
        browser = item.path.relative_to(TESTS).parts[0] in BROWSER_FOLDERS
        item.add_marker("browser" if browser else "service")
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        item.add_marker("generated")


def starts_programs(item: pytest.Item) -> bool:
    """Whether a marked test may wait for a process of its own."""
    return any(item.get_closest_marker(name) for name in PROGRAM_MARKERS)


@cache
def file_markers(path: Path) -> tuple[str, ...] | None:
    """The markers of all tests in a file of this folder; ``None`` for another."""
    if not path.is_relative_to(TESTS):
        return None
    slow = path.relative_to(TESTS).parts[0] in SLOW_FOLDERS
    slow = slow or any(part in path.name for part in SLOW_FILES)
    return ("crawl",) * starts_processes(path) + ("slow",) * slow


def needs_program(item: pytest.Item) -> bool:
    """Whether a test asks for a program, or for a server that the tests start."""
    if not PROGRAMS.isdisjoint(getattr(item, "fixturenames", ())):
        return True
    if imports_server(item.path):
        return True
    parameters = getattr(getattr(item, "callspec", None), "id", "").split("-")
    return not SERVERS.isdisjoint(parameters)


@cache
def imports_server(path: Path) -> bool:
    """Whether a file of the tests imports a server."""
    return any(name.startswith("tests.servers.") for name in imported_modules(path))


@cache
def starts_processes(path: Path) -> bool:
    """Whether a file of the tests, or one that it imports, can start processes."""
    modules = imported_modules(path)
    if modules & PROCESS_MODULES:
        return True
    root = TESTS.parent
    helpers = (
        root / (name.replace(".", "/") + ".py")
        for name in modules
        if name.startswith("tests.")
    )
    return any(
        starts_processes(helper)
        for helper in helpers
        if helper.is_file() and helper != path
    )


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """Absolute names of the modules that a file imports, in functions too."""
    if path.suffix != ".py":
        return frozenset()
    package = path.relative_to(TESTS.parent).with_suffix("").parts[:-1]
    names: set[str] = set()
    for found in IMPORT.finditer(path.read_text("utf-8")):
        if plain := found["plain"]:
            names.update(re.findall(r"[\w.]+", plain))
            continue
        level = len(found["dots"])
        parents = package[: len(package) - level + 1] if level else ()
        base = ".".join((*parents, *filter(None, [found["module"]])))
        names.add(base)
        names.update(f"{base}.{name}" for name in re.findall(r"\w+", found["names"]))
    return frozenset(names)
