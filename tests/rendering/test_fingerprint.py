from __future__ import annotations

from typing import Any

import pytest
import scrapy
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.request import RequestFingerprinter

from scrapy_mainpage.crawl.rendered_requests import (
    STATE_KEY,
    RenderFingerprinter,
)
from tests.crawling import ADDON

URL = "http://example.com/a?x=1"
RENDERED = {"rendered": True, "reason": "empty_root"}
STATIC = {"rendered": False, "reason": "worse"}
LAYOUT = {**RENDERED, "layout": True}


class HostFingerprinter:
    """A project's own fingerprinter: the same for all pages of a host."""

    def fingerprint(self, request: Request) -> bytes:
        return b"host:" + request.url.split("/")[2].encode()


class CrawlerFingerprinter(HostFingerprinter):
    """A fingerprinter made with ``from_crawler``."""

    def __init__(self, salt: bytes):
        self.salt = salt

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CrawlerFingerprinter:
        return cls(crawler.settings["SALT"].encode())

    def fingerprint(self, request: Request) -> bytes:
        return self.salt + super().fingerprint(request)


def request(state: dict[str, Any] | None = None, url: str = URL) -> Request:
    return Request(url, meta={STATE_KEY: state} if state else {})


def fingerprinter(
    spider: type[scrapy.Spider] = scrapy.Spider,
    settings: Settings | None = None,
    **values: Any,
) -> RenderFingerprinter:
    """Return the fingerprinter of a crawl with the plugin."""
    return made(Crawler(spider, settings or Settings({**ADDON, **values})))


def made(crawler: Crawler) -> RenderFingerprinter:
    crawler.addons.load_settings(crawler.settings)
    cls = load_object(crawler.settings["REQUEST_FINGERPRINTER_CLASS"])
    ours = build_from_crawler(cls, crawler)
    assert isinstance(ours, RenderFingerprinter)
    return ours


def test_static_requests_have_the_fingerprint_of_a_crawl_without_the_plugin() -> None:
    theirs = RequestFingerprinter().fingerprint(request())
    for state in (None, STATIC, {**STATIC, "done": True}):
        assert fingerprinter().fingerprint(request(state)) == theirs


def test_static_rendered_and_layout_are_three_requests() -> None:
    ours = fingerprinter()
    states = (None, RENDERED, LAYOUT)
    prints = [ours.fingerprint(request(state)) for state in states]
    assert len(set(prints)) == len(states)
    assert {len(one) for one in prints} == {20}


@pytest.mark.parametrize("own", [HostFingerprinter, "{}.HostFingerprinter"])
def test_the_projects_own_is_wrapped(own: Any) -> None:
    if isinstance(own, str):
        own = own.format(HostFingerprinter.__module__)
    ours = fingerprinter(REQUEST_FINGERPRINTER_CLASS=own)
    assert ours.fingerprint(request()) == b"host:example.com"
    first, second = request(RENDERED), request(RENDERED, "http://example.com/b")
    assert ours.fingerprint(first) == ours.fingerprint(second) != b"host:example.com"


def test_a_crawler_made_with_the_settings_of_another_wraps_only_once() -> None:
    settings = Settings({**ADDON, "REQUEST_FINGERPRINTER_CLASS": HostFingerprinter})
    first = Crawler(scrapy.Spider, settings)
    made(first)
    ours = fingerprinter(settings=first.settings.copy())
    assert isinstance(ours.wrapped, HostFingerprinter)


@pytest.mark.parametrize("render", ["never", "auto"])
def test_routes_are_pages_of_their_own_where_a_browser_may_show_them(
    render: str,
) -> None:
    ours = fingerprinter(MAINPAGE_RENDER=render)
    url = "http://example.com/shop/"
    found = {
        ours.fingerprint(request(url=url + r)) for r in ("#/a", "#!/a", "#!a", "#/b")
    }
    plain = ours.fingerprint(request(url=url))
    assert len(found | {plain}) == (1 if render == "never" else 5)
    for same in (url + "#top", url + "#/", url + "#!"):
        assert ours.fingerprint(request(url=same)) == plain
    product = "http://example.com/lamp.html"
    variants = {ours.fingerprint(request(url=product + r)) for r in ("", "#/1-red")}
    assert len(variants) == 1
