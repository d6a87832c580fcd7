"""The places of a memory: a file, a schema in PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.postgresfixtures import (
    postgres_server,
    postgresql_url,
    running_postgres,
)

__all__ = [
    "memory_url",
    "path",
    "postgres_server",
    "postgresql_url",
    "running_postgres",
]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def memory_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty memory."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('path')}"
    return str(request.getfixturevalue("postgresql_url"))
