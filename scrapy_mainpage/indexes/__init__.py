"""Search indexes: one file per engine behind :class:`~.base.Index`."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from .base import Hit, Index, IndexDocument, IndexFailure, IndexUnavailable

__all__ = [
    "Hit",
    "Index",
    "IndexDocument",
    "IndexFailure",
    "IndexUnavailable",
    "open_index",
]

#: URL scheme -> module and class. Modules are imported when first used: the libraries
#: of an engine are needed by its users only.
ENGINES: Final = {"sqlite": ("scrapy_mainpage.indexes.sqlite", "SqliteIndex")}


def open_index(url: str, *, read_only: bool = False) -> Index:
    """Open the index that ``url`` names; see :meth:`Index.open <.base.Index.open>`.

    Raises :exc:`IndexUnavailable` with the URL and what is allowed.
    """
    scheme, colon, _ = url.partition(":")
    if not colon or scheme not in ENGINES:
        raise IndexUnavailable(url, "no engine has such URLs")
    module, name = ENGINES[scheme]
    engine = cast("type[Index]", getattr(import_module(module), name))
    return engine.open(url, read_only=read_only)
