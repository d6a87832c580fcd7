"""The pages of WARC files (or others) extracted by Spark, into Parquet.

    spark-submit spark_job.py OUTPUT INPUT...

The package with its extra ``batch`` must be installed where Spark runs Python.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from scrapy_mainpage.batch import extract_batch, output_schema, read_batches


def extract_files(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs on the executors: names of files in, pages out."""
    for batch in batches:
        for path in batch.column("path").to_pylist():
            yield from map(extract_batch, read_batches(path))


def main(output: str, *inputs: str) -> None:
    spark = SparkSession.builder.appName("main content").getOrCreate()
    files = spark.createDataFrame([(path,) for path in inputs], "path string")
    pages = files.repartition(len(inputs)).mapInArrow(
        extract_files, from_arrow_schema(output_schema())
    )
    pages.write.parquet(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
