"""Lines and files of folders, against their budgets in ``pyproject.toml``.

``python -m lab.tools.line_budgets`` prints a row for each folder of
``[tool.line_budgets]``, and exits with 1 where one has more than its budget.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lab import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CODE = {".py", ".pyx", ".pxd", ".pxi", ".h"}


def count(folder: Path) -> tuple[int, int]:
    """Lines and files of code below *folder*; C that Cython makes does not count."""
    files = [path for path in folder.rglob("*") if path.suffix in CODE]
    return sum(path.read_bytes().count(b"\n") for path in files), len(files)


def main() -> int:
    """Print the rows; the exit code."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    failed = False
    for folder, budget in settings["tool"]["line_budgets"].items():
        sizes = count(ROOT / folder)
        over = any(size > most for size, most in zip(sizes, budget, strict=True))
        failed |= over
        row = "{:6} of {:6} lines {:4} of {:4} files".format(
            *(number for pair in zip(sizes, budget, strict=True) for number in pair)
        )
        print(f"{folder:36}{row}{'  OVER BUDGET' * over}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
