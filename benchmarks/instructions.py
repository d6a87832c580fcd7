"""How many instructions of the processor each step takes, counted by callgrind.

Times are never the same twice; these counts nearly are, so that records of two states
of the code can be compared on a busy machine. ``python -m benchmarks.instructions
FOLDER LIBRARY`` is the process that Valgrind runs. It knows where it is in the work by
a small library, which is compiled for it.
"""

from __future__ import annotations

import ctypes
import gc
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .childprocess import answer_of
from .contenders import OURS, RESILIPARSE, TRAFILATURA, contender
from .interleaved import ADDED, ALONE, DEMAND, PARSE, STEP
from .quiet import quiet
from .speedmemory import write_pages
from .speedpages import SpeedPage
from .steps import (
    BEFORE,
    NEEDED,
    ON_DEMAND,
    STEPS,
    WITHOUT_RESPONSE,
    Step,
    Work,
    begin,
    extract,
    untouched,
)
from .tables import Table

#: By which a program tells callgrind where a count begins and ends.
SOURCE = """\
#include <valgrind/callgrind.h>

void begin(void)
{
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

void end(const char *name)
{
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
}
"""
NAME = "speed-instructions"
#: Pages beyond this say little about code that they do not run more often, slowly.
LARGEST = 400_000
WHOLE = "bytes to text: "
SUMMARY = re.compile(r"^(?:summary|totals): (\d+)", re.MULTILINE)
TRIGGER = re.compile(r"^desc: Trigger: Client Request: (.+)$", re.MULTILINE)


def instruction_table(what: str, pages: Sequence[SpeedPage]) -> Table:
    """Millions of instructions a page, of so many pages in a process of its own."""
    if missing := [each for each in ("valgrind", "cc") if not shutil.which(each)]:
        said = " and ".join(missing)
        return Table(f"NOTHING COUNTED: {said} not installed", [""])
    with tempfile.TemporaryDirectory() as name:
        try:
            counts = counted(Path(name), [page.body for page in pages])
        except subprocess.CalledProcessError as error:
            return Table(f"NOTHING COUNTED: {error}", [""])
    head = ["instructions", "millions a page", f"/ {PARSE}"]
    table = Table(f"{len(pages)} of {what}: instructions", head, name=NAME)
    for part, count in counts.items():
        relative = count / counts[PARSE]
        table.rows.append([part, count / 1e6 / len(pages), relative])
    return table


def few_pages(pages: Sequence[SpeedPage], most: int) -> list[SpeedPage]:
    """So many of the pages that are not very large, the same ones each time."""
    small = [page for page in pages if len(page.body) <= LARGEST]
    count = min(most, len(small))
    return [small[k * len(small) // count] for k in range(count)]


def counted(folder: Path, pages: Sequence[bytes]) -> dict[str, int]:
    """Instructions of each part, over all pages."""
    (folder / "pages").mkdir()
    (folder / "counts").mkdir()
    write_pages(folder / "pages", pages)
    source, library = folder / "callgrind.c", folder / "callgrind.so"
    source.write_text(SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    valgrind = ("valgrind", "-q", "--tool=callgrind", "--instr-atstart=no")
    order = answer_of(
        "instructions",
        folder / "pages",
        library,
        environment={"PYTHONHASHSEED": "0"},
        before=(*valgrind, f"--callgrind-out-file={folder}/counts/out"),
    )
    files = (folder / "counts").iterdir()
    found = dict(filter(None, (read_counts(file.read_text()) for file in files)))
    return {part: found[part] - found[""] for part in order}


def read_counts(text: str) -> tuple[str, int] | None:
    """What a file of callgrind counted, and its instructions; none if it has no name.

    What is named by a lone dot was nothing at all: the price of asking.
    """
    name, summary = TRIGGER.search(text), SUMMARY.search(text)
    if name is None or summary is None:
        return None
    return name[1].removesuffix("."), int(summary[1])


class Counter:
    """Counts what it calls, if the process runs in callgrind."""

    def __init__(self, library: str):
        self._library = ctypes.CDLL(library)
        self.counted: list[str] = []

    def __call__(self, name: str, call: Callable[[], object]) -> None:
        if name:
            self.counted.append(name)
        gc.collect()
        self._library.begin()
        call()
        self._library.end(f"{name}.".encode())


def main(folder: str, library: str) -> None:
    """Do each part to all pages, one part after the other."""
    files = sorted(Path(folder).iterdir())
    pages = [SpeedPage("http://example.com/", "", f.read_bytes()) for f in files]
    gc.disable()
    with quiet():
        _all_parts(pages[:1], lambda name, call: call())  # loads models and modules
        count = Counter(library)
        count("", lambda: None)
        _all_parts(pages, count)
    print(json.dumps(count.counted))


def _all_parts(pages: list[SpeedPage], count: Any) -> None:
    for label in (OURS, RESILIPARSE, TRAFILATURA):
        if contender(label).version is not None:
            call = contender(label).call
            count(WHOLE + label, lambda c=call: [c(page.body) for page in pages])
    works = [begin(page) for page in pages]
    count(PARSE, lambda: _each(works, *BEFORE.values()))
    count(ADDED, lambda: _each(works, extract))
    works = [begin(page) for page in pages]
    _all_steps(works, WITHOUT_RESPONSE, ALONE, count)
    _all_steps(works, BEFORE | STEPS, STEP, count)
    for name, make in ON_DEMAND.items():
        fresh = [untouched(work) for work in works]
        count(DEMAND + name, lambda m=make, f=fresh: [m(page) for page in f])


def _all_steps(
    works: list[Work], steps: dict[str, Step], prefix: str, count: Any
) -> None:
    for name, step in steps.items():
        if name in NEEDED:
            _each(works, NEEDED[name])
        count(prefix + name, lambda s=step: _each(works, s))


def _each(works: list[Work], *steps: Step) -> None:
    for work in works:
        for step in steps:
            step(work)


if __name__ == "__main__":
    main(*sys.argv[1:])
