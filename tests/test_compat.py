"""The names of other libraries that are not public, each with its purpose."""

from __future__ import annotations

import subprocess
import sys

import pytest
from scrapy.http import HtmlResponse, TextResponse

from scrapy_mainpage import compat
from tests.crawling import make_crawler

URL = "http://a.example/"


def test_explicit_encoding_is_not_guessed_from_the_body() -> None:
    """Without ``TextResponse._encoding``, large pages are decoded on the event loop."""
    body = "<p>Grüße".encode("latin-1")
    assert compat.explicit_encoding(HtmlResponse(URL, body=body)) is None
    told = TextResponse(URL, body=body, encoding="latin-1")
    assert compat.explicit_encoding(told) == "latin-1"


def test_a_parsed_response_is_recognised() -> None:
    """Without ``_cached_selector``, changes of other middlewares to a tree are lost."""
    response = HtmlResponse(URL, body=b"<p>x</p>")
    assert not compat.has_selector(response)
    assert response.selector
    assert compat.has_selector(response)


TWISTED = """
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure
from scrapy_mainpage.compat import stop_twisted_echo
stop_twisted_echo()
deferred = Deferred()
deferred.errback(Failure(ValueError("a bad setting")))
del deferred
"""


def test_the_report_of_an_unhandled_error_is_not_echoed() -> None:
    """Without ``globalLogBeginner._temporaryObserver``, a traceback is on stderr."""
    command = [sys.executable, "-c", TWISTED]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""


SPIDER = """
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy_mainpage.compat import requests_in_progress, wake_engine

class OneSpider(scrapy.Spider):
    name = "one"
    start_urls = ["data:text/html,<p>hello"]

    def parse(self, response):
        wake_engine(self.crawler)
        print(response.request in requests_in_progress(self.crawler))

crawler = AsyncCrawlerProcess({"LOG_ENABLED": False})
crawler.crawl(OneSpider)
crawler.start()
"""


def test_the_engine_knows_the_requests_that_it_has_not_ended() -> None:
    """Without ``ExecutionEngine._slot``, leases end too early or never."""
    command = [sys.executable, "-c", SPIDER]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_an_engine_without_a_slot_is_an_error_before_any_page_is_lost() -> None:
    crawler = make_crawler()
    crawler.engine = object()  # type: ignore[assignment]
    for function in (compat.requests_in_progress, compat.wake_engine):
        with pytest.raises(AttributeError, match="_slot"):
            function(crawler)
