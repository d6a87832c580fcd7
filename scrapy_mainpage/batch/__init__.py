"""Extraction in batches, for Spark, Ray and the like: Arrow in, Arrow out.

:func:`extract_batch` is the one function that such an engine needs.
:func:`read_batches` reads its input from files: WARC, Parquet, or feeds. The command
``scrapy mainpage-batch`` does both for many files, on one machine or on a cluster.
The packages that are needed are in the extra ``batch``.
"""

try:
    from .extract import EXTRA, INPUT_SCHEMA, extract_batch, output_schema
    from .locations import BatchError
    from .sources import read_batches
except ModuleNotFoundError as error:
    package = str(error.name).partition(".")[0]
    hint = "pip install 'scrapy-mainpage[batch]'"
    problem = f"{package} is not installed: {hint}"
    raise ModuleNotFoundError(problem, name=error.name) from error

__all__ = [
    "EXTRA",
    "INPUT_SCHEMA",
    "BatchError",
    "extract_batch",
    "output_schema",
    "read_batches",
]
