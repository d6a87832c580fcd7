"""A table of pages, with columns url and html, extracted by Ray Data, into Parquet.

python ray_table_job.py OUTPUT TABLE
"""

from __future__ import annotations

import sys

import pyarrow as pa
import ray.data

from scrapy_mainpage.batch import extract_batch


def extract(pages: pa.Table) -> pa.Table:
    """Runs on the workers: pages in, their extractions out."""
    return pa.Table.from_batches(map(extract_batch, pages.to_batches()))


def main(output: str, table: str) -> None:
    pages = ray.data.read_parquet(table, columns=["url", "html"])
    found = pages.map_batches(extract, batch_format="pyarrow", batch_size=100)
    found.write_parquet(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
