"""A crawl that ends after few pages says why."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from scrapy import Spider
from scrapy.utils.test import get_crawler

from scrapy_mainpage.crawl.completeness import Completeness


def said(
    caplog: pytest.LogCaptureFixture, reason: str = "finished", **stats: Any
) -> str:
    """What is logged at the end of a crawl with the statistics."""
    crawler = get_crawler(Spider)
    assert crawler.stats is not None
    for name, value in stats.items():
        crawler.stats.set_value(name.replace("__", "/"), value)
    with caplog.at_level(logging.INFO):
        crawler.spider = Spider.from_crawler(crawler, "short")
        Completeness(crawler).spider_closed(crawler.spider, reason)
    return caplog.text


def test_links_that_nobody_followed_are_a_cause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = said(caplog, response_received_count=1)
    assert "ended after 1 responses: no callback has followed a link" in text


def test_filtered_requests_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    stats = {"request_depth_max": 1, "offsite__filtered": 7, "robotstxt__forbidden": 2}
    text = said(caplog, response_received_count=3, **stats)
    assert (
        "ended after 3 responses: 2 requests that robots.txt forbids; "
        "7 requests to hosts outside of allowed_domains"
    ) in text


@pytest.mark.parametrize(("count", "reason"), [(5, "finished"), (1, "shutdown")])
def test_other_crawls_need_no_explanation(
    caplog: pytest.LogCaptureFixture, count: int, reason: str
) -> None:
    assert said(caplog, reason, response_received_count=count) == ""
