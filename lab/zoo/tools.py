"""Programs and packages that the zoo runs, kept in one folder between runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

TOOLS: Final = Path(
    os.environ.get("ZOO_TOOLS", Path.home() / ".cache" / "scrapy-mainpage-zoo")
)
TIMEOUT_S: Final = 900


class ToolError(RuntimeError):
    """A program is missing or failed; the message ends with its last words."""


def run(
    *command: str | Path, cwd: Path | None = None, text: str = "", **env: str
) -> str:
    """What *command* prints, given *text*; raises :exc:`ToolError` if it fails."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            input=text,
            env=os.environ | env,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"{command[0]}: {error}") from error
    if done.returncode:
        last = (done.stdout + done.stderr).strip()[-1500:]
        raise ToolError(f"{' '.join(map(str, command))}: {done.returncode}\n{last}")
    return done.stdout


def need(program: str, package: str) -> str:
    """The path of *program*, which the Debian package *package* installs."""
    path = shutil.which(program)
    if path is None:
        raise ToolError(f"{program} is missing: apt-get install {package}")
    return path


def python(name: str, *packages: str) -> Path:
    """The ``bin`` of the virtual environment *name*, with *packages* of PyPI."""
    folder = TOOLS / "python" / name
    done = folder / "done"
    wanted = " ".join(packages)
    if not done.is_file() or done.read_text() != wanted:
        run(sys.executable, "-m", "venv", folder)
        run(folder / "bin" / "python", "-m", "pip", "install", "-q", *packages)
        done.write_text(wanted)
    return folder / "bin"


def npm(folder: Path, *packages: str) -> Path:
    """Install *packages* of npm below *folder*; the folder of their programs."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "npm-done"
    wanted = " ".join(packages)
    if not done.is_file() or done.read_text() != wanted:
        if not (folder / "package.json").is_file():
            (folder / "package.json").write_text('{"private": true}')
        flags = ("--no-audit", "--no-fund", "--prefer-offline")
        run("npm", "install", *flags, *packages, cwd=folder)
        done.write_text(wanted)
    return folder / "node_modules" / ".bin"


def write(path: Path, text: str) -> None:
    """Write *text* to *path*, and make its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def fresh(folder: Path) -> Path:
    """*folder*, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@cache
def _pandoc() -> Path:
    code = "import pypandoc; print(pypandoc.get_pandoc_path())"
    bin_folder = python("pandoc", "pypandoc_binary==1.17")
    return Path(run(bin_folder / "python", "-c", code).strip())


@cache
def pandoc(text: str, to: str, *options: str) -> str:
    """Pandoc's Markdown *text* in the markup *to*."""
    return run(_pandoc(), "-f", "markdown", "-t", to, *options, text=text)
