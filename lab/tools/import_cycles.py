"""Import cycles of the package, imports inside functions and for types included.

``python -m lab.tools.import_cycles`` prints each cycle; exit code 1 if any.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from lab import ROOT

PACKAGE = "scrapy_mainpage"


def read_imports(root: Path) -> dict[str, set[str]]:
    """Modules of the package by name, each with the modules that it imports."""
    files = {module_name(path, root): path for path in (root / PACKAGE).rglob("*.py")}
    return {name: imported(path, name, files) for name, path in files.items()}


def module_name(path: Path, root: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, name: str, files: dict[str, Path]) -> set[str]:
    """The modules of the package that a file imports, itself left out."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join(
                [
                    *(parents if node.level else ()),
                    *([node.module] if node.module else ()),
                ]
            )
            names = {f"{base}.{alias.name}" for alias in node.names}
            # A name of a package may be a module of it, or stand in its __init__.
            found.update(n if n in files else base for n in names)
    return (found & files.keys()) - {name}


def find_cycles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Strongly connected components of more than one module (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    cycles: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(imports[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            component = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(component) > 1:
                cycles.append(sorted(component))

    for name in sorted(imports):
        if name not in index:
            visit(name)
    return cycles


def main() -> int:
    """Print the cycles; the exit code."""
    sys.setrecursionlimit(10_000)
    imports = read_imports(ROOT)
    cycles = find_cycles(imports)
    for cycle in cycles:
        print(f"cycle of {len(cycle)} modules: {', '.join(cycle)}")
    print(f"{len(imports)} modules, {len(cycles)} import cycles")
    return 1 if cycles else 0


if __name__ == "__main__":
    sys.exit(main())
