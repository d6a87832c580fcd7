"""Definition of a site to record."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Site:
    """How to get a site, and which of its pages are recorded.

    ``build`` gets an empty folder and returns the one to serve. Without a ``content``
    selector the Markdown source of the same name is the truth.
    """

    name: str
    made_by: dict[str, str]
    build: Callable[[Path], Path]
    pages: dict[str, str]
    content: str = ""
    without: str = ""
    licence: str = "the same as this project's"


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """Run a command and return its standard output; errors go to the terminal."""
    arguments = [str(part) for part in command]
    done = subprocess.run(
        arguments, check=True, stdout=subprocess.PIPE, text=True, cwd=cwd
    )
    return done.stdout
