"""``python -m benchmarks.batchmemory FILE``: the memory of a worker that reads a file.

It imports and does what a worker of ``scrapy mainpage-batch`` does, and nothing else.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from scrapy_mainpage.batch.extracting import Extraction
from scrapy_mainpage.batch.reading import ROWS
from scrapy_mainpage.batch.sources import Opening
from scrapy_mainpage.batch.worker import Answer, Reader, Setup, Task

from .childprocess import peak_memory


def main(name: str) -> None:
    """Read the file to its end as one part; tell the memory in MB."""
    reader = Reader(Setup(Extraction(), Opening(), 60.0))
    file, start, started = Path(name), 0, 0.0
    while True:
        rows = ROWS if start else 1  # with the first come the model and all modules
        task = Task(file, start, file.stat().st_size, exact=True, rows=rows)
        answer = reader.do(task)
        if not isinstance(answer, Answer):
            raise RuntimeError(answer.details)
        if answer.is_done:
            break
        started = started or peak_memory()
        start = answer.next
    print(json.dumps({"started": started, "most": peak_memory()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
