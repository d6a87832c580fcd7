"""A module of the benchmarks in a process of its own, and the data that it prints."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MEGABYTE = 2**20
STATUS = Path("/proc/self/status")


def answer_of(
    module: str,
    *arguments: object,
    environment: Mapping[str, str] | None = None,
    before: tuple[str, ...] = (),
) -> Any:
    """What ``python -m benchmarks.MODULE ARGUMENTS`` prints as JSON in its last line.

    *before* is a program to run it in. Raises ``CalledProcessError`` if it fails; what
    it says of that is on the standard error.
    """
    command = [*before, sys.executable, "-m", f"benchmarks.{module}"]
    done = subprocess.run(
        [*command, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def peak_memory() -> float:
    """The most memory in MB that this process has had resident so far.

    Where Linux tells it, of this program alone: ``getrusage`` counts what the process
    had before that started it.
    """
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / MEGABYTE if sys.platform == "darwin" else most / 1024
