"""Search servers for the tests of a session, and an empty index on them for each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from .searchserver import SearchServer

_numbers = count()


@pytest.fixture(scope="session")
def opensearch_server() -> Iterator[SearchServer]:
    with SearchServer("opensearch") as server:
        yield server


@pytest.fixture(scope="session")
def elasticsearch_server() -> Iterator[SearchServer]:
    with SearchServer("elasticsearch") as server:
        yield server


@pytest.fixture
def opensearch_url(opensearch_server: SearchServer) -> str:
    return opensearch_server.url(f"pages-{next(_numbers)}", "refresh=true")


@pytest.fixture
def elasticsearch_url(elasticsearch_server: SearchServer) -> str:
    return elasticsearch_server.url(f"pages-{next(_numbers)}", "refresh=true")
