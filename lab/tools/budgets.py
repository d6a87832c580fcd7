"""Sizes of folders, against their budgets in ``pyproject.toml``.

``python -m lab.tools.budgets`` prints a row for each folder of ``[tool.budgets]``, and
exits with 1 where one has more than its budget. ``--write`` lowers the budgets to what
the folders have; it raises none.

Counted are lines and files of code and, in the package, the knowledge that sits in it:
named thresholds (a constant that is a minimum, maximum, share and the like, or that is
a float), numbers in conditions (a literal beside a comparison, but for -1 to 2) and
regular expressions. Of what ``apart`` names, such as the parameters of the papers, only
lines and files count.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from lab import ROOT
from scrapy_mainpage.settings import Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CODE = {".py", ".pyx", ".pxd", ".pxi", ".h"}
LIMITS = r"MIN|MAX|LEAST|MOST|LIMIT|SHARE|RATIO|FEW|FEWEST|MANY|THRESHOLD|BOUND"
CONSTANT = re.compile(
    r"^\s*(?:(?:cdef|DEF|const|double|float|int|Py_ssize_t|size_t)\s+)*"
    r"(?P<name>_?[A-Z][A-Z0-9_]*)(?:\s*:[^=]+)?\s*=\s*(?P<value>[-+(]*[0-9][\w.*+-]*)"
)
LIMIT = re.compile(rf"(?:^|_)(?:{LIMITS})(?:_|$)")
FLOAT = re.compile(r"[-+(]*\d+(?:\.\d|e-)")
COMPARED = re.compile(
    r"(?:[<>]=?|[=!]=)\s*(-?\d[\d_.e-]*)\b|(?<![\w.\]])(-?\d[\d_.e-]*)\s*(?:[<>]=?(?![<>])|[=!]=)"
)
PATTERN = re.compile(
    r"\bre\.(?:compile|search|match|fullmatch|sub|subn|split|findall|finditer)\("
)
COMMENT_OR_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#[^\n]*',
    re.DOTALL,
)
PLAIN_NUMBERS = {"-1", "0", "1", "2"}
KINDS = "lines", "files", "thresholds", "numbers", "patterns"


def count(text: str) -> Counter[str]:
    """Count what is counted in the text of one file."""
    code = COMMENT_OR_STRING.sub(lambda match: '""' * (match[0][0] != "#"), text)
    lines = code.splitlines()
    return Counter(
        lines=text.count("\n"),
        files=1,
        thresholds=sum(map(_is_threshold, lines)),
        numbers=sum(1 for line in lines for _ in _numbers(line)),
        patterns=len(PATTERN.findall(code)),
    )


def _is_threshold(line: str) -> bool:
    constant = CONSTANT.match(line)
    if constant is None:
        return False
    return bool(LIMIT.search(constant["name"]) or FLOAT.match(constant["value"]))


def _numbers(line: str) -> Iterator[str]:
    for match in COMPARED.finditer(line):
        number = match[1] or match[2]
        if number not in PLAIN_NUMBERS:
            yield number


def count_folder(folder: Path, apart: list[str]) -> Counter[str]:
    """Count a folder; of files *apart* only lines and files. C of Cython is none."""
    counted: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.suffix in CODE:
            sizes = count(path.read_text("utf-8"))
            name = path.relative_to(ROOT).as_posix()
            is_apart = name.startswith(tuple(apart))
            counted.update({k: sizes[k] for k in KINDS[: 2 if is_apart else None]})
    return counted


def count_settings() -> int:
    """The number of the plugin's settings."""
    return len(fields(Settings))


def main(*arguments: str) -> int:
    """Print the rows; the exit code."""
    path = ROOT / "pyproject.toml"
    text = path.read_text("utf-8")
    budgets = tomllib.loads(text)["tool"]["budgets"]
    apart, settings = budgets.pop("apart"), budgets.pop("settings")
    failed = _over("settings", count_settings(), settings)
    print(f"{'':36}" + "".join(f"{kind:>16}" for kind in KINDS))
    for folder, budget in budgets.items():
        sizes = count_folder(ROOT / folder, apart)
        cells = (f"{sizes[kind]} of {most}" for kind, most in budget.items())
        print(f"{folder:36}" + "".join(f"{cell:>16}" for cell in cells))
        failed |= any(
            _over(f"{folder}: {kind}", sizes[kind], most)
            for kind, most in budget.items()
        )
        if "--write" in arguments:
            text = _lowered(text, folder, budget, sizes)
    if "--write" in arguments:
        path.write_text(text, "utf-8")
    return 1 if failed else 0


def _over(name: str, size: int, most: int) -> bool:
    if size > most:
        print(f"OVER BUDGET: {name}: {size}, {most} are allowed")
    return size > most


def _lowered(
    text: str, folder: str, budget: dict[str, int], sizes: Counter[str]
) -> str:
    least = {kind: min(most, sizes[kind]) for kind, most in budget.items()}
    row = ", ".join(f"{kind} = {size}" for kind, size in least.items())
    start = rf'^"?{re.escape(folder)}"? = \{{.*$'
    name = f'"{folder}"' if "/" in folder else folder
    return re.sub(start, f"{name} = {{ {row} }}", text, count=1, flags=re.MULTILINE)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
