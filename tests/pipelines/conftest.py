"""Fixtures of the pipelines' tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.postgresfixtures import postgres_server, running_postgres

from .indexcrawls import Numbers, numbers

__all__ = ["postgres_server", "running_postgres"]


@pytest.fixture
def site() -> Iterator[Numbers]:
    """A site whose second half waits until the test says so."""
    with numbers() as site:
        yield site
