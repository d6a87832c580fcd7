"""Search indexes: one package per engine behind :class:`~.base.Index`."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from .base import Index, IndexFailure, IndexUnavailable, Rejection
from .blocking import BlockingIndex
from .documents import Hit, IndexDocument, Passage, Section

__all__ = [
    "BlockingIndex",
    "Hit",
    "Index",
    "IndexDocument",
    "IndexFailure",
    "IndexUnavailable",
    "Passage",
    "Rejection",
    "Section",
    "connect_index",
    "engine_of",
    "open_index",
]

#: URL scheme -> module and class. Modules are imported on first use: only users of an
#: engine need its libraries.
ENGINES: Final = {
    "sqlite": ("sqlite.engine", "SqliteIndex"),
    "tantivy": ("tantivy.engine", "TantivyIndex"),
    "postgresql": ("postgresql.engine", "PostgresqlIndex"),
    "opensearch": ("searchserver.opensearch", "OpensearchIndex"),
    "elasticsearch": ("searchserver.elasticsearch", "ElasticsearchIndex"),
}


def engine_of(url: str) -> type[Index]:
    """Return the engine class for the scheme of ``url``.

    Raises :exc:`IndexUnavailable` for an unknown scheme or a client not installed.
    """
    scheme, colon, _ = url.partition(":")
    name = scheme.partition("+")[0]
    if not colon or name not in ENGINES:
        raise IndexUnavailable(url, "no engine has such URLs")
    module, class_name = ENGINES[name]
    try:
        engine = getattr(import_module(f"{__name__}.{module}"), class_name)
    except ModuleNotFoundError as exc:  # extras are named after engines
        extra = f"pip install 'scrapy-mainpage[{name}]'"
        raise IndexUnavailable(url, f"{exc.name} is missing: {extra}") from exc
    return cast("type[Index]", engine)


async def connect_index(url: str, *, read_only: bool = False) -> Index:
    """Open the index of that URL for asynchronous code.

    See :meth:`Index.open <.base.Index.open>`. Raises :exc:`IndexUnavailable` with the
    URL and the allowed form.
    """
    return await engine_of(url).open(url, read_only=read_only)


def open_index(url: str, *, read_only: bool = False) -> BlockingIndex:
    """Open the index of that URL for synchronous code.

    See :meth:`Index.open <.base.Index.open>`. Raises :exc:`IndexUnavailable` with the
    URL and the allowed form.
    """
    return BlockingIndex(engine_of(url), url, read_only=read_only)
