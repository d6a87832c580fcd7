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
    WRAPPED_FINGERPRINTER,
    RenderFingerprinter,
)
from tests.crawling import ADDON

URL = "http://example.com/a?x=1"
RENDERED = {"rendered": True, "reason": "empty_root"}
STATIC = {"rendered": False, "reason": "worse"}
LAYOUT = {**RENDERED, "layout": True}
RECORD = {"rendered": False, "reason": "record", "record": True}


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


def test_static_rendered_layout_and_decision_are_four_requests() -> None:
    ours = fingerprinter()
    states = (None, RENDERED, LAYOUT, RECORD)
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


def test_the_one_of_a_spiders_custom_settings_is_wrapped() -> None:
    class OwnSpider(scrapy.Spider):
        name = "own"
        custom_settings = {"REQUEST_FINGERPRINTER_CLASS": HostFingerprinter}

    assert fingerprinter(OwnSpider).fingerprint(request()) == b"host:example.com"


def test_a_crawler_made_with_the_settings_of_another_wraps_only_once() -> None:
    settings = Settings({**ADDON, "REQUEST_FINGERPRINTER_CLASS": HostFingerprinter})
    first = Crawler(scrapy.Spider, settings)
    made(first)
    ours = fingerprinter(settings=first.settings.copy())
    assert isinstance(ours.wrapped, HostFingerprinter)


def test_routes_are_pages_of_their_own_where_the_setting_says_so() -> None:
    ours = fingerprinter(MAINPAGE_RENDER_HASH_ROUTES=True)
    routes = ["#/a", "#!/a", "#/b"]
    found = {ours.fingerprint(request(url=URL + route)) for route in routes}
    plain = ours.fingerprint(request())
    assert len(found | {plain}) == 4
    for same in ("#top", "#/", "#!", ""):
        assert ours.fingerprint(request(url=URL + same)) == plain


def test_links_that_look_like_routes_are_one_page_and_the_log_names_the_setting(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, url = fingerprinter(), URL.replace("//", "//user:secret@")
    for page in range(5):  # a variant of each of five products
        ours.fingerprint(request(url=f"{URL}&page={page}#/{page}"))
    assert "MAINPAGE_RENDER_HASH_ROUTES" not in caplog.text
    found = {ours.fingerprint(request(url=f"{url}#/{n}")) for n in (1, 2, 2, 3, 4)}
    assert found == {ours.fingerprint(request(url=url))}
    [line] = [one for one in caplog.messages if "MAINPAGE_RENDER_HASH_ROUTES" in one]
    assert f"{URL}#/3".removeprefix("http://") in line
    assert "secret" not in caplog.text


@pytest.mark.parametrize("render", ["never", "auto"])
def test_routes_without_rendering_are_a_warning(
    render: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings = {"MAINPAGE_RENDER": render, WRAPPED_FINGERPRINTER: HostFingerprinter}
    crawler = Crawler(scrapy.Spider, {**settings, "MAINPAGE_RENDER_HASH_ROUTES": True})
    build_from_crawler(RenderFingerprinter, crawler)
    assert ("without MAINPAGE_RENDER" in caplog.text) is (render == "never")
