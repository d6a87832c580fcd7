from __future__ import annotations

import logging

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_mainpage import downloadermiddlewares as stats
from scrapy_mainpage.crawl.pages import shared_tree
from scrapy_mainpage.downloadermiddlewares import ExtractionMiddleware
from scrapy_mainpage.extraction.parsing.tree import Limits
from scrapy_mainpage.page import Page
from tests.crawling import make_crawler
from tests.mockserver import article

BOMB = f"<div {' '.join(f'a{k}' for k in range(3_000))}></div>{article('mills')}"
DEEP = f"{'<div>' * 3_000}deep{'</div>' * 3_000}{article('mills')}"


class Unasked(HtmlResponse):
    """A response that fails the test if its selector is used."""

    @property
    def selector(self):
        raise AssertionError("the selector was asked")


def middleware(**settings: object) -> ExtractionMiddleware:
    return ExtractionMiddleware.from_crawler(make_crawler(**settings))


def extracted(
    ours: ExtractionMiddleware, response: HtmlResponse
) -> tuple[HtmlResponse, Page]:
    request = Request(response.url)
    passed = ours.process_response(request, response)
    page = request.meta["mainpage"]
    assert isinstance(page, Page)
    assert isinstance(passed, HtmlResponse)
    return passed, page


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "gb18030"])
def test_the_selector_of_a_page_over_a_limit_is_not_asked(encoding: str) -> None:
    ours = middleware()
    body = BOMB.encode(encoding)
    response = Unasked("http://a.example/", body=body, encoding=encoding)
    response, page = extracted(ours, response)
    assert page.warnings == ("attributes",)
    assert "All about mills" in page.text
    assert shared_tree(response, page) is None
    assert ours.crawler.stats.get_value("mainpage/limits/attributes") == 1


def test_the_selector_of_another_page_is_the_spider_s() -> None:
    response = HtmlResponse("http://a.example/", body=article("mills").encode())
    response, page = extracted(middleware(), response)
    assert shared_tree(response, page) is response.selector.root


def test_the_spider_s_tree_stays_cut_where_the_page_is_whole() -> None:
    ours = middleware()
    response = HtmlResponse("http://a.example/", body=DEEP.encode())
    response, page = extracted(ours, response)
    assert page.warnings == ("depth",)
    assert "All about mills" in page.text
    assert "mills" not in "".join(response.selector.root.itertext())


def test_limits_are_settings() -> None:
    ours = middleware(MAINPAGE_MAX_SIZE=500, MAINPAGE_MAX_TIME=7)
    assert ours.extractor.limits == Limits(max_size=500, max_time=7)
    _, page = extracted(ours, Unasked("http://a.example/", body=b"<p>" + b"a" * 1_000))
    assert page.warnings == ("too_large",)
    assert ours.crawler.stats.get_value("mainpage/limits/too_large") == 1


def test_an_encoding_that_is_none_fails_no_page() -> None:
    body = b"<meta charset=hex>" + article("mills").encode()
    _, page = extracted(middleware(), HtmlResponse("http://a.example/", body=body))
    assert "All about mills" in page.text


def pages(*urls: str | None, reason: str = "depth") -> list[Page]:
    return [Page(url, "text", "learned", warnings=(reason,)) for url in urls]


def test_one_line_is_logged_for_a_site_and_reason(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours = stats.LimitReports(make_crawler())
    first = pages("http://a.example/1", "http://a.example/2", "https://b.example/1")
    for page in [*first, *pages("http://a.example/3", reason="time")]:
        ours.report(page)
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 3
    assert "http://a.example/1" in caplog.text
    assert "http://a.example/2" not in caplog.text
    assert ours.crawler.stats.get_value("mainpage/limits/depth") == 3
    assert ours.crawler.stats.get_value("mainpage/limits/time") == 1


def test_other_warnings_are_no_limits(caplog: pytest.LogCaptureFixture) -> None:
    ours = stats.LimitReports(make_crawler())
    for reason in ("no_text", "no_main_content", "empty"):
        ours.report(*pages("http://a.example/", reason=reason))
    assert not caplog.records
    assert not ours.crawler.stats.get_stats()
