"""The most memory that each extractor takes for the same pages, one after the other.

``python -m benchmarks.speedmemory LABEL FOLDER`` is the process of one of them. It
imports nothing that the extractor does not need.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .childprocess import answer_of, peak_memory
from .contenders import contender, installed
from .quiet import quiet

if TYPE_CHECKING:
    from .tables import Table

#: Reads the pages and does nothing with them.
NOTHING = "nothing"
HEAD = ["MB", "before the first page", "most", "above one that does nothing"]


def memory_table(what: str, pages: Sequence[bytes]) -> Table:
    """Of each extractor in a process of its own, and of one that only reads pages."""
    from .tables import Table

    table = Table(f"{what}: memory in MB", HEAD, name="speed-memory")
    with tempfile.TemporaryDirectory() as folder:
        write_pages(Path(folder), pages)
        for label in (NOTHING, *(e.label for e in installed() if e.every == 1)):
            table.rows.append([label, *answer_of("speedmemory", label, folder)])
    least = table.rows[0][2]
    for row in table.rows:
        row.append(row[2] - least)
    return table


def write_pages(folder: Path, pages: Iterable[bytes]) -> None:
    """A file for each page, in their order, for other processes to read."""
    for k, page in enumerate(pages):
        (folder / f"{k:06}.html").write_bytes(page)


def main(label: str, folder: str) -> None:
    """Extract all pages, each read from its file when its turn comes."""
    call = len if label == NOTHING else contender(label).call
    before = peak_memory()
    with quiet():
        for file in sorted(Path(folder).iterdir()):
            try:
                call(file.read_bytes())
            except Exception:  # noqa: BLE001, PERF203 - it is counted where it is timed
                continue
    print(json.dumps([before, peak_memory()]))


if __name__ == "__main__":
    main(*sys.argv[1:])
