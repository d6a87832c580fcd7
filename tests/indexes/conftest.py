"""An empty index of each engine, for the tests that every engine must pass."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrapy_mainpage.indexes import Index, open_index

from ..servers.postgresfixtures import (
    postgres_server,
    postgresql_url,
    running_postgres,
)
from .engines import ENGINES, sqlite_url

__all__ = [
    "postgres_server",
    "postgresql_url",
    "running_postgres",
    "sqlite_url",
]


@pytest.fixture(params=list(ENGINES))
def engine(request: pytest.FixtureRequest) -> str:
    """The name of the engine."""
    name = request.param
    assert isinstance(name, str)
    return name


@pytest.fixture
def url(engine: str, request: pytest.FixtureRequest) -> str:
    """The URL of an empty index, which nothing has opened yet."""
    value = request.getfixturevalue(ENGINES[engine])
    assert isinstance(value, str)
    return value


@pytest.fixture
def index(url: str) -> Iterator[Index]:
    with open_index(url) as opened:
        yield opened
