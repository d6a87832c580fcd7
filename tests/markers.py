"""Markers of tests, from the imports of their files and the fixtures they use.

``browser`` and ``service`` need a program beside Python, ``crawl`` starts processes,
``generated`` runs Hypothesis, ``slow`` trains models or replays large inputs.
``make test-fast`` leaves out all of them.
"""

from __future__ import annotations

import ast
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
BROWSER_FOLDERS = ("correct", "rendering")
SLOW_FOLDERS = ("hostile", "training")
SLOW_FILES = ("hostile", "limits", "warc")
"""Parts of the names of files whose tests read large inputs."""

PROGRAMS = {"requirement", "store_server"}
"""Fixtures of tests that need a program beside Python, or a server."""

SERVERS = {"postgresql", "opensearch", "elasticsearch"}
"""Engines of parametrised tests that need a server."""

PROCESS_MODULES = {
    "subprocess",
    "multiprocessing",
    "scrapy_mainpage.batch.local",
    "scrapy_mainpage.crawl.worker_pool",
    "scrapy_mainpage.processes",
}


def mark(item: pytest.Item) -> None:
    """Add the markers of one test."""
    path = item.path.relative_to(TESTS) if item.path.is_relative_to(TESTS) else None
    if path is None:
        return
    if needs_program(item):
        browser = path.parts[0] in BROWSER_FOLDERS
        item.add_marker("browser" if browser else "service")
    if starts_processes(item.path):
        item.add_marker("crawl")
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        item.add_marker("generated")
    if path.parts[0] in SLOW_FOLDERS or any(part in path.name for part in SLOW_FILES):
        item.add_marker("slow")


def needs_program(item: pytest.Item) -> bool:
    """Whether a test asks for a program, or for a server that the tests start."""
    if not PROGRAMS.isdisjoint(getattr(item, "fixturenames", ())):
        return True
    parameters = getattr(getattr(item, "callspec", None), "id", "").split("-")
    modules = imported_modules(item.path)
    return not SERVERS.isdisjoint(parameters) or any(
        name.startswith("tests.servers.") for name in modules
    )


@cache
def starts_processes(path: Path) -> bool:
    """Whether a file of the tests, or one that it imports, can start processes."""
    modules = imported_modules(path)
    if modules & PROCESS_MODULES:
        return True
    root = TESTS.parent
    helpers = (root / (name.replace(".", "/") + ".py") for name in modules)
    return any(
        starts_processes(helper)
        for helper in helpers
        if helper.is_relative_to(TESTS) and helper.is_file() and helper != path
    )


@cache
def imported_modules(path: Path) -> frozenset[str]:
    """Absolute names of the modules that a file imports, in functions too."""
    if path.suffix != ".py":
        return frozenset()
    package = path.relative_to(TESTS.parent).with_suffix("").parts[:-1]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join((*parents, *filter(None, [node.module])))
            names.add(base)
            names.update(f"{base}.{alias.name}" for alias in node.names)
    return frozenset(names)
