"""The places of a ledger: a file, a schema in PostgreSQL, keys in Redis."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.servers.postgresfixtures import (
    postgres_server,
    postgresql_url,
    running_postgres,
)

__all__ = [
    "ledger_url",
    "path",
    "postgres_server",
    "postgresql_url",
    "running_postgres",
]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state.db")


@pytest.fixture(params=["sqlite", "postgresql", "redis"])
def ledger_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty ledger."""
    if request.param == "sqlite":
        return f"sqlite:///{request.getfixturevalue('path')}"
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql_url"))
    return f"{request.getfixturevalue('redis_server').url}?prefix=docs"
