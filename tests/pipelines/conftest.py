"""Fixtures of the pipelines' tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrapy_mainpage import indexes
from tests.indexes.delivery.memory import Memory
from tests.servers.postgresfixtures import postgres_server, running_postgres

from .indexcrawls import Numbers, numbers

__all__ = ["postgres_server", "running_postgres"]


@pytest.fixture
def site() -> Iterator[Numbers]:
    """A site that holds back its second half until the test opens it."""
    with numbers() as site:
        yield site


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    """The index that everything is written into."""
    memory = Memory()

    def connect(url: str, **options: object) -> indexes.Index:
        return memory.connect()

    monkeypatch.setattr(indexes, "open_index", connect)
    return memory
