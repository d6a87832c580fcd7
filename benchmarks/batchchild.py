"""``python -m benchmarks.batchchild MODE FILE ...``: one measured run of a batch."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from scrapy.settings import Settings as ScrapySettings

from scrapy_mainpage.batch import extract_batch, output_schema, read_batches
from scrapy_mainpage.batch.converting import Conversion
from scrapy_mainpage.batch.extracting import BatchExtractor, Extraction
from scrapy_mainpage.batch.outputs import ParquetOutput
from scrapy_mainpage.batch.sources import Opening
from scrapy_mainpage.batch.worker import Setup
from scrapy_mainpage.commands.batching.run import BatchRun
from scrapy_mainpage.commands.batching.writing import Work
from scrapy_mainpage.pipelines.index_documents import DocumentMaker
from scrapy_mainpage.settings import Settings

#: Sets of columns, the sizes of whose files are measured.
EXTRA = {
    "Parquet": (),
    "Parquet, with Markdown": ("markdown",),
    "Parquet, with blocks": ("blocks",),
}


def share(file: str, processes: str) -> dict[str, Any]:
    """The command's run, from the start of its processes to the end of its file."""
    with TemporaryDirectory() as name:
        setup = Setup(Extraction(), Opening(), 60.0)
        work = Work(Conversion(setup, Path(name), {}), Path(name))
        work = Work(**{**vars(work), "processes": int(processes)})
        run = BatchRun(Settings.from_settings(ScrapySettings()), work)
        run.run([Path(file)])
    totals = run.outcome.totals
    return {
        "pages": totals.pages,
        "seconds": run.outcome.seconds,
        "busy": totals.seconds,
        "busiest": max(run.outcome.busy.values()),
    }


def steps(file: str, folder: str) -> dict[str, Any]:
    """The time of each step, and what comes out of it."""
    first = next(read_batches(file, rows=1))
    extract_batch(first)  # with it come the model and all modules
    times = {"read": 0.0, "extract": 0.0, "write Parquet": 0.0}
    sizes = {}
    begun = process_time()
    for _ in read_batches(file):
        pass
    times["read"] = process_time() - begun
    for what, extra in EXTRA.items():
        path = Path(folder, f"{what}.parquet")
        with ParquetOutput(path, output_schema(extra), {}) as output:
            for batch in read_batches(file):
                begun = process_time()
                found = extract_batch(batch, extra=extra)
                extracted = process_time()
                output.write(found)
                if not extra:
                    times["extract"] += extracted - begun
                    times["write Parquet"] += process_time() - extracted
            begun = process_time()
            output.finish()
            if not extra:
                times["write Parquet"] += process_time() - begun
        sizes[what] = path.stat().st_size
    return {
        "steps": times,
        "sizes": sizes,
        "documents": write_documents(file, Path(folder, "documents.jsonl")),
    }


def write_documents(file: str, path: Path) -> str:
    """The pages as indexes take them, one a line."""
    extractor = BatchExtractor(Extraction(documents=DocumentMaker()))
    with path.open("w", encoding="utf-8") as lines:
        for batch in read_batches(file):
            documents = extractor.extract(batch).column("document").drop_null()
            lines.writelines(f"{text}\n" for text in documents.to_pylist())
    return str(path)


MODES = {"share": share, "steps": steps}

if __name__ == "__main__":
    mode, *arguments = sys.argv[1:]
    print(json.dumps(MODES[mode](*arguments)))
