"""Empty indexes of all engines that can run here, for measuring."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from scrapy_mainpage.indexes import IndexUnavailable, engine_of

if TYPE_CHECKING:
    from tests.servers.postgres import PostgresServer

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


class Places:
    """Makes a new place of each engine whenever :meth:`all` is called."""

    def __init__(
        self, folder: Path, server: PostgresServer | None, urls: list[str]
    ) -> None:
        self._folder, self._server, self._urls = folder, server, urls
        self._numbers = count(1)

    def all(self) -> list[Place]:
        """A place of each engine; those of the URLs given are what they are."""
        number = next(self._numbers)
        found = []
        for engine in ("sqlite", "tantivy"):
            path = self._folder / f"{engine}-{number}"
            url = f"{engine}:///{path.as_posix()}"
            if not problem(url):
                found.append(Place(engine, url, lambda path=path: bytes_of(path)))
        if self._server is not None:
            found.append(self._database(self._server, f"pages{number}"))
        found += [Place(url.partition(":")[0], url, lambda: None) for url in self._urls]
        return found

    def _database(self, server: PostgresServer, name: str) -> Place:
        def size() -> int:
            server.execute("VACUUM", name)
            return int(server.execute(OF_ALL_TABLES, name)[0][0])

        return Place("postgresql", server.database(name), size)


def problem(url: str) -> str:
    """Why the engine of that URL cannot run here; empty if it can."""
    try:
        engine_of(url)
    except IndexUnavailable as exc:
        return exc.reason
    return ""


def bytes_of(path: Path) -> int:
    """The size of a folder, or of a file and those beside it that belong to it."""
    files = path.rglob("*") if path.is_dir() else path.parent.glob(f"{path.name}*")
    return sum(file.stat().st_size for file in files if file.is_file())


@contextmanager
def places(options: argparse.Namespace) -> Iterator[Places]:
    """Places on this disk and on servers; PostgreSQL is started if installed."""
    for engine in ("tantivy", "postgresql"):
        if missing := problem(f"{engine}://x"):
            print(f"no {engine}: {missing}")
    with TemporaryDirectory() as name:
        server = running_postgresql()
        if server is None:
            yield Places(Path(name), None, options.index)
            return
        with server as running:
            yield Places(Path(name), running, options.index)


def running_postgresql() -> AbstractContextManager[PostgresServer] | None:
    """A server, not started yet; ``None``, with a message, where none is installed."""
    if problem("postgresql://x"):
        return None
    from tests.servers import postgres

    if postgres.find_postgresql() is None:
        print("no postgresql: no server is installed")
        return None
    postgres.OPTIONS.update(SAFE)
    return postgres.running_server()
