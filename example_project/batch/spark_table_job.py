"""A table of pages, with columns url and html, extracted by Spark, into Parquet.

spark-submit spark_table_job.py OUTPUT TABLE
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from scrapy_mainpage.batch import extract_batch, output_schema


def extract(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs on the executors: pages in, their extractions out."""
    return map(extract_batch, batches)


def main(output: str, table: str) -> None:
    spark = SparkSession.builder.appName("main content").getOrCreate()
    # The default batch of 10,000 pages would take a gigabyte.
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 100)
    pages = spark.read.parquet(table).select("url", "html")
    schema = from_arrow_schema(output_schema())
    pages.mapInArrow(extract, schema).write.parquet(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
