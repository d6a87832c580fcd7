"""Pages by the batch, for Spark, Ray and the like: Arrow in, Arrow out.

:func:`extract_batch` is all that such an engine needs to know. :func:`read_batches`
gives it what is in files: WARC, Parquet, or a feed. The command ``scrapy
mainpage-batch`` does both over many files, on one machine or on a cluster.

What is needed is in the extra ``batch``; nothing else of the package imports this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import BatchError

if TYPE_CHECKING:
    from .extracting import extract_batch
    from .reading import read_batches
    from .schema import EXTRA, INPUT_SCHEMA, output_schema

__all__ = [
    "EXTRA",
    "INPUT_SCHEMA",
    "BatchError",
    "extract_batch",
    "output_schema",
    "read_batches",
]

_MODULES = {
    "EXTRA": "schema",
    "INPUT_SCHEMA": "schema",
    "extract_batch": "extracting",
    "output_schema": "schema",
    "read_batches": "reading",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    from .needs import need

    need("batch")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
