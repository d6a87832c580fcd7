"""A Redis server, and the documentation site, for the tests of shared crawls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers.redis import RedisServer

from .docsite import DocSite


@pytest.fixture
def server(tmp_path: Path, requirement: Callable[[str], str]) -> Iterator[RedisServer]:
    folder = tmp_path / "redis"
    folder.mkdir()
    server = RedisServer(folder, requirement("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def site() -> DocSite:
    return DocSite(250)
