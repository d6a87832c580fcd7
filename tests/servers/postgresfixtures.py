"""Fixtures with a PostgreSQL server, which runs for the session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

import pytest

from .postgres import PostgresServer, running_server

_numbers = count(1)


@pytest.fixture(scope="session")
def running_postgres() -> Iterator[PostgresServer]:
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_server(
    requirement: Callable[[str], str], request: pytest.FixtureRequest
) -> PostgresServer:
    """The server of the session; a test that kills it must start it again."""
    requirement("postgresql")
    server = request.getfixturevalue("running_postgres")
    assert isinstance(server, PostgresServer)
    return server


@pytest.fixture
def postgresql_url(postgres_server: PostgresServer) -> str:
    """The URL of an empty index: a new schema in a database of all tests."""
    return f"{postgres_server.database('indexes')}?schema=test{next(_numbers)}"
