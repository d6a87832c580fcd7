"""An index with hostile and ordinary pages, its server, and plain requests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from scrapy_mainpage.indexes import IndexDocument, Section, open_index
from scrapy_mainpage.searchpage.server import SearchServer
from tests.mockserver import running

HOSTILE = "<img src=x onerror=alert(1)>&amp;<script>alert(2)</script>"
PAGES = [
    IndexDocument(
        "https://docs.example.com/glue/hide.html",
        "Hide glue holds. Warm it slowly. Drying takes a day.",
        title="Hide glue",
        headings="Warming\nDrying",
        language="en",
        page_type="documentation",
        fields={"version": "2", "price": 5},
        sections=(
            Section("Hide glue", 1, "top", 0),
            Section("Warming", 2, "warm", 17),
            Section("Drying", 2, "dry", 33),
        ),
    ),
    IndexDocument(
        "https://docs.example.com/epoxy",
        "Epoxy holds for ever.",
        "Epoxy",
        fields={"version": "1"},
    ),
    IndexDocument("javascript:alert(3)", "An evil glue.", "Evil glue"),
    IndexDocument(f"https://e.example/{HOSTILE}", f"{HOSTILE} hostile", HOSTILE),
    IndexDocument(
        "https://ar.example/", "الغراء يمسك hostile", "الغراء", language="ar"
    ),
    *(
        IndexDocument(f"https://many.example/{n}", f"Varnish {n}", f"Tin {n}")
        for n in range(25)
    ),
]


@contextmanager
def serve(
    folder: Path, pages: Sequence[IndexDocument] = PAGES, **options: Any
) -> Iterator[SearchServer]:
    """A server of an index of the pages, until the block ends."""
    url = f"sqlite:///{(folder / 'site.db').as_posix()}"
    with open_index(url) as index:
        index.put_many(pages)
    options = {"address": ("127.0.0.1", 0), **options}
    with open_index(url, read_only=True) as index:
        server = SearchServer(index, url, "<b>site.db", **options)
        with running(server):
            yield server


def ask(
    server: SearchServer,
    path: str = "/search.json",
    headers: Sequence[tuple[str, str]] = (),
    method: str = "GET",
    **parameters: object,
) -> tuple[HTTPResponse, str]:
    """The answer and its text."""
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    query = f"?{urlencode(parameters)}" if parameters else ""
    connection.putrequest(method, path + query, skip_host=True)
    if "Host" not in dict(headers):
        connection.putheader("Host", f"127.0.0.1:{server.server_port}")
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def search(server: SearchServer, **parameters: object) -> Any:
    """The data of ``/search.json``."""
    return json.loads(ask(server, **parameters)[1])
