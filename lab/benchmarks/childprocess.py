"""A module of the benchmarks in a process of its own, and the JSON that it prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from lab import ROOT

MEGABYTE = 2**20
STATUS = Path("/proc/self/status")


def run_child(
    module: str,
    *arguments: object,
) -> Any:
    """The JSON in the last line that ``lab.benchmarks.MODULE`` prints.

    Raises ``CalledProcessError`` if it fails.
    """
    command = [sys.executable, "-m", f"lab.benchmarks.{module}"]
    done = subprocess.run(
        [*command, *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def peak_memory() -> float:
    """Peak resident memory of this process, in MB.

    On Linux of this program alone: ``getrusage`` includes the process that started it.
    """
    if STATUS.exists():
        for line in STATUS.read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / MEGABYTE if sys.platform == "darwin" else peak / 1024
