from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http import Response

import tests.rendering.spiders  # noqa: F401 - bundled list of public suffixes only
from scrapy_mainpage.rendering.contexts import read_cookies
from tests.crawling import make_crawler

URL = "https://www.example.com/shop/item"


@pytest.fixture
def crawler(monkeypatch: pytest.MonkeyPatch) -> Crawler:
    crawler = make_crawler()
    middleware = CookiesMiddleware.from_crawler(crawler)
    monkeypatch.setattr(crawler, "get_downloader_middleware", lambda cls: middleware)
    return crawler


def sent(crawler: Crawler, *, setting: str = "", **options: Any) -> Request:
    """The middleware's request after a response with ``Set-Cookie``."""
    middleware = crawler.get_downloader_middleware(CookiesMiddleware)
    earlier = Request(URL, meta=options.get("meta"))
    if setting:
        response = Response(URL, headers={"Set-Cookie": setting})
        middleware.process_response(earlier, response)
    request = Request(URL, **options)
    middleware.process_request(request)
    return request


@pytest.mark.parametrize(
    ("setting", "domain", "path", "secure"),
    [
        ("sid=1", "www.example.com", "/shop", False),
        ("sid=1; Path=/", "www.example.com", "/", False),
        ("sid=1; Domain=example.com; Path=/; Secure", ".example.com", "/", True),
    ],
)
def test_a_cookie_keeps_the_scope_that_the_site_gave_it(
    crawler: Crawler, setting: str, domain: str, path: str, secure: bool
) -> None:
    [cookie] = read_cookies(sent(crawler, setting=setting), crawler)
    expected = {"name": "sid", "value": "1", "domain": domain, "path": path}
    assert cookie == {**expected, "secure": secure, "httpOnly": False}


@pytest.mark.parametrize("attribute", ["HttpOnly", "httponly", "HTTPONLY", "HttpOnly="])
def test_what_the_site_hides_from_its_scripts_stays_hidden(
    crawler: Crawler, attribute: str
) -> None:
    [cookie] = read_cookies(sent(crawler, setting=f"sid=1; {attribute}"), crawler)
    assert cookie["httpOnly"]


def test_cookies_of_the_request_itself_are_brought(crawler: Crawler) -> None:
    request = sent(crawler, cookies={"a": "1", "b": "x=y"})
    values = {
        cookie["name"]: cookie["value"] for cookie in read_cookies(request, crawler)
    }
    assert values == {"a": "1", "b": "x=y"}


def test_the_jar_is_that_of_the_request(crawler: Crawler) -> None:
    sent(crawler, setting="sid=1; Path=/", meta={"cookiejar": "one"})
    assert read_cookies(sent(crawler, meta={"cookiejar": "two"}), crawler) == []
    [cookie] = read_cookies(sent(crawler, meta={"cookiejar": "one"}), crawler)
    assert cookie["value"] == "1"


@pytest.mark.parametrize("has_middleware", [True, False])
def test_a_header_that_the_spider_has_written_is_the_hosts(
    crawler: Crawler, monkeypatch: pytest.MonkeyPatch, has_middleware: bool
) -> None:
    if not has_middleware:
        monkeypatch.setattr(crawler, "get_downloader_middleware", lambda cls: None)
    meta = {"dont_merge_cookies": has_middleware}
    request = Request(URL, headers={"Cookie": "a=1; nonsense; =2; b="}, meta=meta)
    site = {"domain": "www.example.com", "path": "/"}
    scope = {**site, "secure": True, "httpOnly": True}
    assert read_cookies(request, crawler) == [
        {"name": "a", "value": "1", **scope},
        {"name": "b", "value": "", **scope},
    ]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_host_without_a_domain_stays_as_it_is(crawler: Crawler, host: str) -> None:
    middleware = crawler.get_downloader_middleware(CookiesMiddleware)
    request = Request(f"http://{host}:8000/", cookies={"a": "1"})
    middleware.process_request(request)
    [cookie] = read_cookies(request, crawler)
    assert cookie["domain"] == host
