"""A Redis server, and the documentation site, for the tests of shared crawls."""

from __future__ import annotations

import pytest

from tests.servers.postgresfixtures import (
    postgres_server,
    postgresql_url,
    running_postgres,
)
from tests.servers.redis import RedisServer

from .docsite import DocSite

__all__ = ["postgres_server", "postgresql_url", "running_postgres"]


@pytest.fixture
def server(redis_server: RedisServer) -> RedisServer:
    return redis_server


@pytest.fixture(scope="session")
def site() -> DocSite:
    return DocSite(120)
