"""Import cycles of the package, imports inside functions and for types included.

``python -m lab.tools.import_cycles`` prints one if there is any; exit code 1 then.
"""

from __future__ import annotations

import sys
from graphlib import CycleError, TopologicalSorter

import grimp

PACKAGE = "scrapy_mainpage"


def read_imports() -> dict[str, set[str]]:
    """Modules of the package by name, each with the modules that it imports."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    return {
        name: graph.find_modules_directly_imported_by(name) for name in graph.modules
    }


def main() -> int:
    """Print the first cycle; the exit code."""
    imports = read_imports()
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        print("cycle of modules:", " <- ".join(error.args[1]))
        return 1
    print(f"{len(imports)} modules, no import cycles")
    return 0


if __name__ == "__main__":
    sys.exit(main())
