"""The package built a second time, with sanitisers and the fuzzer's counters."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from lab import ROOT

HOME = ROOT / "build" / "fuzz"
SOURCE = HOME / "source"
BUILT_FROM = ("setup.py", "pyproject.toml", "README.rst")
SANITISERS = "address,undefined"
FLAGS = (
    f"-fsanitize=fuzzer-no-link,{SANITISERS} -fno-sanitize-recover=undefined "
    "-fno-omit-frame-pointer -gline-tables-only -O1"
)
COMPILED = {".so", ".pyd", ".c", ".pyc"}


def build() -> Path:
    """Copy what has changed, compile it, and return the folder to import it from."""
    if not shutil.which("clang"):
        raise SystemExit("fuzz: clang with its sanitisers is missing (as root: "
                         "apt-get install clang libclang-rt-dev)")  # fmt: skip
    _copy()
    environment = {
        **os.environ,
        "CC": "clang",
        "LDSHARED": "clang -shared",
        "CFLAGS": FLAGS,
    }
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    done = subprocess.run(
        command,
        cwd=SOURCE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"fuzz: the build failed:\n{done.stderr[-4000:]}")
    return SOURCE


def _copy() -> None:
    package = ROOT / "scrapy_mainpage"
    wanted = {
        path.relative_to(ROOT)
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in COMPILED
    }
    for path in (*wanted, *map(Path, BUILT_FROM)):
        _copy_changed(ROOT / path, SOURCE / path)
    for path in (SOURCE / "scrapy_mainpage").rglob("*"):
        if path.suffix in COMPILED:
            # A deleted module could still be imported.
            gone = path.with_name(path.name.partition(".")[0] + ".pyx")
            shared = path.name.startswith("_cython.")  # Cython writes its source
            if path.suffix != ".pyc" and not gone.exists() and not shared:
                path.unlink()
        elif path.is_file() and path.relative_to(SOURCE) not in wanted:
            path.unlink()


def _copy_changed(source: Path, copy: Path) -> None:
    if copy.exists() and copy.read_bytes() == source.read_bytes():
        return
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, copy)
    # Newer than what was compiled from it, whenever it was written.
    copy.touch()
