"""The pages of WARC files (or others) extracted by Ray Data, into Parquet.

    python ray_job.py OUTPUT INPUT...

The package with its extra ``batch`` must be installed where Ray runs Python.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pyarrow as pa
import ray.data

from scrapy_mainpage.batch import extract_batch, read_batches


def extract_files(files: pa.Table) -> Iterator[pa.Table]:
    """Runs on the workers: names of files in, pages out."""
    for path in files.column("path").to_pylist():
        for batch in read_batches(path):
            yield pa.Table.from_batches([extract_batch(batch)])


def main(output: str, *inputs: str) -> None:
    rows = [{"path": path} for path in inputs]
    files = ray.data.from_items(rows, override_num_blocks=len(rows))
    pages = files.map_batches(extract_files, batch_format="pyarrow", batch_size=1)
    pages.write_parquet(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
