"""The pages of WARC files (or others) extracted by the processes of this machine.

    python local_job.py OUTPUT INPUT...

``scrapy mainpage-batch`` does the same and more; here it is in plain Python.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq

from scrapy_mainpage.batch import extract_batch, output_schema, read_batches


def extract_file(path: str, output: str) -> int:
    """Runs in each process: the pages of a file; their number."""
    target = Path(output, f"{Path(path).name}.parquet")
    with pq.ParquetWriter(target, output_schema()) as writer:
        rows = 0
        for batch in map(extract_batch, read_batches(path)):
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def main(output: str, *inputs: str) -> None:
    Path(output).mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor() as executor:
        rows = executor.map(partial(extract_file, output=output), inputs)
        print(f"{sum(rows):,} pages of {len(inputs):,} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
