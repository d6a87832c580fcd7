"""Fake search servers for tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from scrapy_mainpage.indexes import Index, IndexDocument, open_index

from .searchserver import SearchServer
from .searchserverhttp import Request

PRODUCTS = ("opensearch", "elasticsearch")


@pytest.fixture(name="server", params=PRODUCTS)
def any_search_server(request: pytest.FixtureRequest) -> Iterator[SearchServer]:
    """A fake server of each product, of this test alone."""
    with SearchServer(request.param) as server:
        yield server


@pytest.fixture(name="index")
def any_search_index(server: SearchServer) -> Iterator[Index]:
    """An index on the server."""
    with open_index(server.url()) as opened:
        yield opened


def documents(count: int, words: str = "words") -> list[IndexDocument]:
    return [IndexDocument(f"https://e.example/{n}", words) for n in range(count)]


def requests_to(server: SearchServer, call: str) -> list[Request]:
    return [request for request in server.requests if request.path.endswith(call)]


def lines(request: Request) -> list[dict[str, Any]]:
    return [json.loads(line) for line in request.body.splitlines()]
