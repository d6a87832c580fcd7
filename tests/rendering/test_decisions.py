from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.utils.request import RequestFingerprinter

from scrapy_mainpage.crawl.rendered_requests import STATE_KEY
from scrapy_mainpage.rendering.cached_pages import DecisionCache, StoredDecision
from tests.crawling import make_crawler
from tests.rendering.caching import STORAGES, cached_crawler

URL = "http://example.com/a"
FOUND = StoredDecision(rendered=True, reason="site")


def request(url: str = URL, **meta: Any) -> Request:
    return Request(url, meta=meta)


def store_page(crawler: Any, middleware: Any, page: Request) -> None:
    response = HtmlResponse(page.url, body=b"<p>page", encoding="utf-8")
    middleware.storage.store_response(crawler.spider, page, response)


@pytest.mark.parametrize("storage", STORAGES)
def test_a_decision_is_found_by_the_next_crawl(tmp_path: Path, storage: str) -> None:
    with cached_crawler(tmp_path, storage) as (crawler, _):
        cache = DecisionCache(crawler)
        assert cache.get(request()) is None
        cache.put(request(), rendered=False, reason="no_gain")
        cache.put(request(), rendered=True, reason="site")
    with cached_crawler(tmp_path, storage) as (crawler, _):
        cache = DecisionCache(crawler)
        assert cache.get(request()) == FOUND
        assert cache.get(request(URL + "b")) is None


@pytest.mark.parametrize("storage", STORAGES)
def test_a_decision_takes_no_pages_place(tmp_path: Path, storage: str) -> None:
    state = {"rendered": True, "reason": "asked"}
    with cached_crawler(tmp_path, storage) as (crawler, middleware):
        cache = DecisionCache(crawler)
        cache.put(request(), rendered=True, reason="site")
        assert not cache.has_page(request())
        assert not cache.has_page(request(**{STATE_KEY: state}))
        store_page(crawler, middleware, request())
        assert cache.has_page(request())
        assert cache.get(request()) == FOUND
        found = middleware.storage.retrieve_response(crawler.spider, request())
        assert found.body == b"<p>page"


def test_without_the_cache_nothing_is_kept_nor_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crawler = make_crawler()
    monkeypatch.setattr(crawler, "get_downloader_middleware", lambda cls: None)
    cache = DecisionCache(crawler)
    cache.put(request(), rendered=True, reason="site")
    assert cache.get(request()) is None
    assert not cache.has_page(request())


def test_a_request_that_is_not_to_be_cached_leaves_nothing(tmp_path: Path) -> None:
    with cached_crawler(tmp_path) as (crawler, _):
        cache = DecisionCache(crawler)
        cache.put(request(dont_cache=True), rendered=True, reason="site")
        assert cache.get(request()) is None
        cache.put(request(), rendered=True, reason="site")
        assert cache.get(request(dont_cache=True)) is None


def test_with_another_fingerprinter_pages_are_not_overwritten(tmp_path: Path) -> None:
    with cached_crawler(tmp_path) as (crawler, middleware):
        crawler.request_fingerprinter = RequestFingerprinter()
        store_page(crawler, middleware, request())
        cache = DecisionCache(crawler)
        cache.put(request(), rendered=True, reason="site")
        assert cache.get(request()) is None
        found = middleware.storage.retrieve_response(crawler.spider, request())
        assert found.body == b"<p>page"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"3", b'{"rendered": true}', b"\xff", b"<p>page"]
)
def test_what_is_no_decision_is_none(tmp_path: Path, body: bytes) -> None:
    with cached_crawler(tmp_path) as (crawler, middleware):
        record = {"rendered": False, "reason": "record", "record": True}
        response = HtmlResponse(URL, body=body)
        place = request(**{STATE_KEY: record})
        middleware.storage.store_response(crawler.spider, place, response)
        assert DecisionCache(crawler).get(request()) is None


def fail(*args: object) -> None:
    raise OSError("the disk is full")


@pytest.mark.parametrize(
    "ask",
    [
        lambda cache: cache.get(request()),
        lambda cache: cache.has_page(request()) or None,
        lambda cache: cache.put(request(), rendered=True, reason="site"),
    ],
)
def test_a_cache_that_fails_is_logged_and_no_more(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[[DecisionCache], object],
) -> None:
    with cached_crawler(tmp_path) as (crawler, middleware):
        monkeypatch.setattr(middleware.storage, "store_response", fail)
        monkeypatch.setattr(middleware.storage, "retrieve_response", fail)
        assert ask(DecisionCache(crawler)) is None
    assert "The HTTP cache failed: the disk is full" in caplog.text
