"""Extraction in batches, for Spark, Ray and the like: Arrow in, Arrow out.

:func:`extract_batch` is the one function that such an engine needs.
:func:`read_batches` reads its input from files: WARC, Parquet, or feeds. The command
``scrapy mainpage-batch`` does both for many files, on one machine or on a cluster.

The packages that are needed are in the extra ``batch``; they are imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .extract import extract_batch
    from .locations import BatchError
    from .schema import EXTRA, INPUT_SCHEMA, output_schema
    from .sources import read_batches

__all__ = [
    "EXTRA",
    "INPUT_SCHEMA",
    "BatchError",
    "extract_batch",
    "output_schema",
    "read_batches",
]

_MODULES: Final = {
    "EXTRA": "schema",
    "INPUT_SCHEMA": "schema",
    "BatchError": "locations",
    "extract_batch": "extract",
    "output_schema": "schema",
    "read_batches": "sources",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f".{_MODULES[name]}", __name__)
    except ModuleNotFoundError as error:
        hint = "pip install 'scrapy-mainpage[batch]'"
        package = str(error.name).partition(".")[0]
        raise ImportError(f"{package} is not installed: {hint}") from error
    return getattr(module, name)
