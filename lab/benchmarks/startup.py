"""Cost of imports: time and modules, of the package and of its commands.

Each import runs in a process of its own, alone and after Scrapy, which a crawl has
imported anyway. ``python -m lab.benchmarks.startup NAME BEFORE`` is such a process.
"""

from __future__ import annotations

import argparse
import compileall
import json
import pkgutil
import sys
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import TYPE_CHECKING

from lab import ROOT

from .childprocess import run_child

if TYPE_CHECKING:
    from .tables import Table

#: Imported by ``scrapy crawl`` before any add-on.
SCRAPY = (
    "scrapy.cmdline",
    "scrapy.crawler",
    "scrapy.core.engine",
    "scrapy.core.downloader",
    "scrapy.core.scraper",
    "scrapy.http",
    "scrapy.selector",
    "scrapy.spiders",
)
ALONE, AFTER = "alone", "after Scrapy"
PACKAGE = "scrapy_mainpage"
#: Not so short that embedded data is sought, as it is for few pages.
TEXT = b"<p>A paragraph with a few words." * 40
HEAD = [
    "import", f"ms {ALONE}", f"modules {ALONE}", f"ms {AFTER}", f"modules {AFTER}",
    "ours",
]  # fmt: skip


def run(options: argparse.Namespace) -> list[Table]:
    from .tables import Table

    # As an installer does; the import of a source file takes far longer.
    compileall.compile_dir(ROOT / PACKAGE, quiet=1)
    title = f"least of {options.runs} processes: start-up, processor time"
    table = Table(title, HEAD, name="speed-startup")
    for name in names():
        alone = best(name, ALONE, options.runs)
        after = best(name, AFTER, options.runs)
        cells = [1e3 * alone["seconds"], alone["modules"]]
        cells += [1e3 * after["seconds"], after["modules"], after["ours"]]
        table.rows.append([name, *cells])
    return [table]


def names() -> list[str]:
    """Scrapy for comparison, the package, its main functions and its commands."""
    from scrapy_mainpage import commands

    modules = pkgutil.iter_modules(commands.__path__, f"{commands.__name__}.")
    own = [each.name for each in modules if ".commands.mainpage" in each.name]
    return ["scrapy", *PLACES, *own]


def best(name: str, before: str, runs: int) -> dict[str, float]:
    """The quickest of *runs* processes."""
    found = [run_child("startup", name, before) for _ in range(runs)]
    return min(found, key=lambda each: float(each["seconds"]))


def import_scrapy() -> None:
    for name in SCRAPY:
        import_module(name)


def import_addon() -> object:
    import scrapy_mainpage

    return scrapy_mainpage.Addon


def first_page() -> object:
    """The first page loads the model."""
    import scrapy_mainpage

    return scrapy_mainpage.extract(b"<h1>One page</h1>" + TEXT).text


#: Imports by a call.
PLACES: dict[str, Callable[[], object]] = {
    PACKAGE: lambda: import_module(PACKAGE),
    "scrapy_mainpage.Addon": import_addon,
    "scrapy_mainpage.extract, one page": first_page,
}


def main(name: str, before: str) -> None:
    """Import it and print the cost."""
    if before == AFTER:
        import_scrapy()
    load = PLACES.get(name, lambda: import_module(name))
    load = import_scrapy if name == "scrapy" else load
    known = set(sys.modules)
    started = process_time()
    load()
    seconds = process_time() - started
    new = set(sys.modules) - known
    ours = sum(each.partition(".")[0] == PACKAGE for each in new)
    print(json.dumps({"seconds": seconds, "modules": len(new), "ours": ours}))


if __name__ == "__main__":
    main(*sys.argv[1:])
