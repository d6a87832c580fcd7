"""Index engines: documents a second, milliseconds of a query, bytes on disk."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from scrapy_mainpage.indexes import (
    IndexDocument,
    IndexUnavailable,
    connect_index,
    engine_of,
)

from .indextexts import KINDS, Question, documents_of, generated_documents, questions
from .tables import Table

if TYPE_CHECKING:
    from tests.servers.postgres import PostgresServer

DOCUMENTS = 20_000
QUERIES = 500
BATCH = 100
MEGABYTE = 1e6

INGEST = [
    "", "documents", "text MB", "docs/s", "MB/s", "disk MB", "again docs/s",
    "then disk MB",
]  # fmt: skip
QUERY = [
    "",
    "queries",
    "found",
    "median ms",
    "p95 ms",
    *(f"{kind} ms" for kind in KINDS),
]


def run(options: argparse.Namespace) -> list[Table]:
    count = options.pages or DOCUMENTS
    documents = documents_of(options.data, count)
    what = f"{len(documents):,} pieces of real main texts"
    if not documents:
        documents = generated_documents(count)
        what = f"{count:,} GENERATED documents: no pages in {options.data}"
    asked = questions(documents, QUERIES)
    title = f"{what}, in batches of {BATCH}; then the same once more"
    ingested = Table(title, INGEST)
    queries = Table(f"queries among {what}: 10 hits with snippets", QUERY)
    with places(options) as available:
        for place in available:
            rows = asyncio.run(measure(place, documents, asked))
            ingested.rows.append(rows[0])
            queries.rows.append(rows[1])
    return [ingested, queries]


async def measure(
    place: Place, documents: list[IndexDocument], asked: Sequence[Question]
) -> tuple[list[object], list[object]]:
    """The rows of an engine: of the documents, and of the queries."""
    first = await ingest(place.url, documents)
    size = place.size()
    times, found = await answer(place.url, asked)
    second = await ingest(place.url, documents)
    count = len(documents)
    megabytes = sum(len(item.text.encode()) for item in documents) / MEGABYTE
    row: list[object] = [place.engine, count, megabytes]
    row += [round(count / first), megabytes / first, in_megabytes(size)]
    row += [round(count / second), in_megabytes(place.size())]
    return row, [place.engine, len(asked), found, *milliseconds(times, asked)]


async def ingest(url: str, documents: list[IndexDocument]) -> float:
    """Put the documents, each in its place; return how many seconds it took."""
    began = perf_counter()
    async with await connect_index(url) as index:
        for start in range(0, len(documents), BATCH):
            rejected = await index.put_many(documents[start : start + BATCH])
            if rejected:
                raise RuntimeError(f"{url}: {rejected[0]}")
    return perf_counter() - began


async def answer(url: str, asked: Sequence[Question]) -> tuple[list[float], int]:
    """The seconds of each question, and how many had an answer."""
    times, found = [], 0
    async with await connect_index(url, read_only=True) as index:
        for question in asked:
            began = perf_counter()
            hits = await index.search(question.query, **question.filters)
            times.append(perf_counter() - began)
            found += bool(hits)
    return times, found


def milliseconds(times: list[float], asked: Sequence[Question]) -> list[float]:
    """Median and 95th percentile, and the median of each kind of query."""
    if not times:
        return []
    kinds = [
        [seconds for seconds, one in zip(times, asked, strict=True) if one.kind == kind]
        for kind in KINDS
    ]
    figures = [*np.percentile(times, [50, 95]), *map(np.median, kinds)]
    return [round(1000 * float(figure), 2) for figure in figures]


def in_megabytes(size: int | None) -> object:
    return "-" if size is None else size / MEGABYTE


#: As a server is run whose data is dear to its owner, which tests do not need.
SAFE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
OF_ALL_TABLES = (
    "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN "
    "pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'm') AND "
    "n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'"
)


@dataclass
class Place:
    """Where an engine can put an index; ``size`` gives its bytes, if that is known."""

    engine: str
    url: str
    size: Callable[[], int | None]


@contextmanager
def places(options: argparse.Namespace) -> Iterator[list[Place]]:
    """A place of each engine on this disk, and those of ``--index``.

    PostgreSQL is started if installed.
    """
    if missing := problem("postgresql://x"):
        print(f"no postgresql: {missing}")
    with TemporaryDirectory() as name, running_postgresql() as server:
        path = Path(name) / "sqlite"
        url = f"sqlite:///{path.as_posix()}"
        found = [Place("sqlite", url, partial(bytes_of, path))]
        if server is not None:
            url = server.database("pages")
            found.append(Place("postgresql", url, partial(database_size, server)))
        urls = [(url.partition(":")[0], url) for url in options.index]
        found += [Place(engine, url, lambda: None) for engine, url in urls]
        yield found


def running_postgresql() -> AbstractContextManager[PostgresServer | None]:
    """A server; nothing, with a message, where none is installed."""
    if problem("postgresql://x"):
        return nullcontext()
    from tests.servers import postgres

    if postgres.find_postgresql() is None:
        print("no postgresql: no server is installed")
        return nullcontext()
    postgres.OPTIONS.update(SAFE)
    return postgres.running_server()


def database_size(server: PostgresServer) -> int:
    server.execute("VACUUM", "pages")
    return int(server.execute(OF_ALL_TABLES, "pages")[0][0])


def problem(url: str) -> str:
    """Why the engine of that URL cannot run here; empty if it can."""
    try:
        engine_of(url)
    except IndexUnavailable as exc:
        return exc.reason
    return ""


def bytes_of(path: Path) -> int:
    """The size of a file and of those beside it that belong to it."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
