"""Which requests have conditions, and which answers count as unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from scrapy_mainpage.recrawl.middlewares import ConditionalRequestMiddleware
from tests.crawling import make_crawler

URL = "https://example.com/page"
COMPRESSED = {"Content-Encoding": "gzip", "ETag": '"b"'}
Make = Callable[..., ConditionalRequestMiddleware]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A middleware whose ledger knows a page of the bytes "same", with two links."""
    made = []

    def call(settings: dict[str, Any], **values: Any) -> ConditionalRequestMiddleware:
        crawler = make_crawler(MAINPAGE_STATE=str(tmp_path / "state.db"), **settings)
        middleware = ConditionalRequestMiddleware.from_crawler(crawler)
        made.append(crawler)
        ledger = middleware.ledger
        ledger.run = ledger.store.begin_run(ledger.scope)
        row, linked = (ledger.row(Request(f"{URL}{n}")) for n in ("", "/2"))
        row.body_hash, row.etag = blake2b(b"same", digest_size=12).digest(), '"a"'
        row.config_hash = ledger.config
        row.requests = ledger.store.pack(ledger.scope, [row, linked])
        for name, value in values.items():
            setattr(row, name, value)
        return middleware

    yield call
    for crawler in made:
        ConditionalRequestMiddleware.from_crawler(crawler).ledger.store.close()


def test_a_page_with_the_same_bytes_is_unchanged(make: Make) -> None:
    middleware = make({})
    request = Request(URL, meta={"mainpage_state": True})
    assert middleware.process_request(request) is None
    assert request.headers["If-None-Match"] == b'"a"'
    sent = Response(URL, body=b"same", headers=COMPRESSED)
    answer = middleware.process_response(request, sent)
    assert (answer.status, answer.body) == (304, b"")
    assert list(answer.headers) == [b"Etag"]  # there is nothing to decompress
    assert "If-None-Match" not in request.headers
    assert answer.request is not None
    assert answer.request.callback is not None
    followed = answer.request.callback(answer)
    assert {each.url for each in followed} == {URL, f"{URL}/2"}
    visit = middleware.ledger.begin(answer)
    assert visit is not None
    visit.has_ended = True
    middleware.ledger.finish_if_done(visit)
    assert (visit.row.outcome, visit.row.etag) == ("unchanged", '"b"')


@pytest.mark.parametrize(
    ("settings", "row", "request_values", "response"),
    [
        ({}, {}, {}, {"body": b"other"}),
        ({}, {}, {}, {"status": 203}),
        ({}, {}, {"meta": {"mainpage_state": False}}, {}),
        ({}, {}, {"headers": {"If-None-Match": '"own"'}}, {}),
        ({}, {"config_hash": b"other"}, {}, {}),
        ({}, {"requests": None}, {}, {}),
        ({"HTTPCACHE_ENABLED": True}, {}, {}, {}),
    ],
)
def test_any_other_page_is_the_spiders(
    make: Make,
    settings: dict[str, Any],
    row: dict[str, Any],
    request_values: dict[str, Any],
    response: dict[str, Any],
) -> None:
    middleware = make(settings, **row)
    request = Request(URL, **{"meta": {"mainpage_state": True}, **request_values})
    before = dict(request.headers)
    has_conditions = middleware.process_request(request) or request.headers != before
    assert has_conditions == bool(response)
    sent = Response(URL, **{"body": b"same", **response})
    assert middleware.process_response(request, sent) is sent


def test_a_robots_txt_fails_until_it_comes(make: Make) -> None:
    middleware = make({})
    request = Request("https://example.com/robots.txt", callback=NO_CALLBACK)
    for status, has_failed in ((503, True), (404, False), (429, True), (200, False)):
        middleware.process_response(request, Response(request.url, status))
        assert middleware.ledger.robots_failed is has_failed
    middleware.process_exception(request, TimeoutError())
    assert middleware.ledger.robots_failed
