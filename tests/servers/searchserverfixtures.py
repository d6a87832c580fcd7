"""Search servers for tests: the fake ones, and real ones by environment variable."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from scrapy_mainpage.indexes import BlockingIndex, IndexDocument, open_index

from .searchserver import SearchServer
from .searchserverhttp import Request

PRODUCTS = ("opensearch", "elasticsearch")

#: Product -> the variable with the URL of a real server, such as
#: ``http://localhost:9200`` or ``https://user:password@host:9200``.
VARIABLES = {"opensearch": "OPENSEARCH_URL", "elasticsearch": "ELASTICSEARCH_URL"}


def real_server_url(product: str) -> str:
    """Return the URL of a new index on a real server; skip the test without one."""
    server = os.environ.get(VARIABLES[product])
    if not server:
        pytest.skip(f"{VARIABLES[product]} is not set")
    name = f"mainpage-test-{uuid4().hex[:12]}"
    return f"{product}+{server.rstrip('/')}/{name}?refresh=true"


@pytest.fixture
def opensearch_url() -> str:
    return real_server_url("opensearch")


@pytest.fixture
def elasticsearch_url() -> str:
    return real_server_url("elasticsearch")


@pytest.fixture(name="server", params=PRODUCTS)
def any_search_server(request: pytest.FixtureRequest) -> Iterator[SearchServer]:
    """A fake server of each product, of this test alone."""
    with SearchServer(request.param) as server:
        yield server


@pytest.fixture(name="index")
def any_search_index(server: SearchServer) -> Iterator[BlockingIndex]:
    """An index on the server, refreshed by each write."""
    with open_index(server.url(options="refresh=true")) as opened:
        yield opened


def documents(count: int, words: str = "words") -> list[IndexDocument]:
    return [IndexDocument(f"https://e.example/{n}", words) for n in range(count)]


def requests_to(server: SearchServer, call: str) -> list[Request]:
    return [request for request in server.requests if request.path.endswith(call)]


def lines(request: Request) -> list[dict[str, Any]]:
    return [json.loads(line) for line in request.body.splitlines()]
