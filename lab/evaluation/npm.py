"""Extractors that are packages of npm, called through one Node process.

``python -m lab.papers install`` installs them, in the versions of :data:`PACKAGES`.
"""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from lab.zoo.tools import TOOLS, npm

PACKAGES: Final = {
    "@mozilla/readability": "0.6.0",
    "jsdom": "26.1.0",
    "unfluff": "3.2.0",
}
"""jsdom is the DOM that the documentation of Readability.js recommends in Node."""

FOLDER: Final = TOOLS / "extractors"
_SCRIPT: Final = Path(__file__).with_suffix(".mjs")


def install() -> None:
    """Install the packages; raises :exc:`lab.zoo.tools.ToolError` where npm fails."""
    npm(FOLDER, *(f"{name}@{version}" for name, version in PACKAGES.items()))


def installed_version(package: str) -> str | None:
    """The installed version of a *package*; ``None`` where it or Node is missing."""
    file = FOLDER / "node_modules" / package / "package.json"
    if not (shutil.which("node") and file.is_file()):
        return None
    return str(json.loads(file.read_text("utf-8"))["version"])


def run_extractor(name: str, html: str) -> str:
    """What the extractor *name* of the script finds; raises ``RuntimeError``."""
    process = _node()
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps([name, html]), file=process.stdin, flush=True)
    found, error = json.loads(process.stdout.readline() or '["", "Node has ended"]')
    if error:
        raise RuntimeError(f"{name}: {error}")
    return str(found)


@cache
def _node() -> subprocess.Popen[str]:
    """The Node process of this process."""
    command = ["node", str(shutil.copy(_SCRIPT, FOLDER))]
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    process = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=none, encoding="utf-8"
    )
    atexit.register(process.communicate)  # at the end of its input it ends
    return process
