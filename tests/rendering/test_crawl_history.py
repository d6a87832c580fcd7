from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

import pytest
from scrapy import Request, signals
from scrapy.crawler import Crawler

from scrapy_mainpage.page import Page
from scrapy_mainpage.rendering.detection.need import Judgement, Need
from scrapy_mainpage.rendering.history.crawl_history import CrawlHistory, get_history
from scrapy_mainpage.rendering.state import STATE_KEY, State
from tests.crawling import make_crawler

KEY = ("empty_root", "div#root")
URL = "http://example.com/shop/{}.html"


def run(crawler: Crawler, pages: int = 0) -> CrawlHistory:
    """Run a crawl from start to end in which rendering gains content."""
    history = get_history(crawler)
    crawler.signals.send_catch_log(signals.spider_opened, spider=crawler.spider)
    for n in range(pages):
        history.sites.decide(URL.format(n), KEY, "yes")
        history.sites.add_rendered(URL.format(n), KEY, gained=True)
    crawler.signals.send_catch_log(
        signals.spider_closed, spider=crawler.spider, reason="finished"
    )
    return history


def test_all_components_of_a_crawl_learn_together() -> None:
    crawler = make_crawler()
    assert get_history(crawler) is get_history(crawler)
    assert get_history(crawler) is not get_history(make_crawler())


def test_a_crawler_is_freed_when_its_crawl_is_over() -> None:
    crawler = make_crawler()
    known = ref(run(crawler, pages=1)), ref(crawler)
    del crawler
    gc.collect()
    assert [one() for one in known] == [None, None]


def test_a_crawl_that_goes_on_knows_what_was_learned(tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path)}
    run(make_crawler(**settings), pages=5)
    later = run(make_crawler(**settings))
    assert later.sites.is_rendered_upfront(URL.format(99))
    assert not run(make_crawler()).sites.is_rendered_upfront(URL.format(99))


def test_knowledge_that_cannot_be_kept_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "mainpage-rendering.json.part").mkdir()
    run(make_crawler(JOBDIR=str(tmp_path)), pages=1)
    assert "Rendering history not saved" in caplog.text
    assert "Traceback" not in caplog.text


def begun(history: CrawlHistory, url: str) -> State:
    """The state of a page that is sent to the browser."""
    judgement = Judgement(Need.MAYBE, KEY[0], KEY[1:])
    page = Page(url, "A few words.", "some", words=3)
    return history.begin(url, page, judgement, history.decide(url, judgement))


def test_verdicts_are_on_the_page_that_was_judged_wherever_it_was_redirected() -> None:
    history = get_history(make_crawler())
    states = [begun(history, URL.format(n)) for n in range(4)]
    requests = [
        Request("http://other.example/", meta={STATE_KEY: state}) for state in states
    ]
    assert all(map(history.confirm, requests))
    for request, state in zip(requests[:3], states, strict=False):
        history.add_rendered(request.url, Page(None, "", "some"), state)
    assert not history.confirm(requests[3])
    assert len(history.sites) == 1
    assert history.confirm(Request("http://other.example/"))


@pytest.mark.parametrize(
    ("reason", "left_alone"),
    [
        ("timeout", True),
        ("crash", True),
        ("no_browser", True),
        ("not_html", False),
        ("refused", False),
        ("too_large", False),
        ("status", False),
        ("network", False),
    ],
)
def test_only_failures_of_the_browser_are_a_reason_to_leave_a_site_alone(
    reason: str, left_alone: bool
) -> None:
    history = run(make_crawler(), pages=5)
    for _ in range(5):
        history.add_failure(URL.format(7), {"rendered": True, "reason": "site"}, reason)
    assert history.sites.is_rendered_upfront(URL.format(8)) is not left_alone
