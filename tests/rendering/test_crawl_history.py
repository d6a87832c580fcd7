from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any
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
        history.sites.begin(URL.format(n), KEY)
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


def confirms(history: CrawlHistory, state: dict[str, Any], patience: float = 0) -> bool:
    request = Request(URL.format(1), meta={STATE_KEY: state})
    return asyncio.run(history.confirm(request, patience))


@pytest.mark.parametrize("said", [True, False])
def test_a_verdict_that_is_awaited_decides(
    monkeypatch: pytest.MonkeyPatch, said: bool
) -> None:
    history = get_history(make_crawler())
    pending = [True, True, False]
    monkeypatch.setattr(history.sites, "is_pending", lambda url, key: pending.pop(0))
    monkeypatch.setattr(history.sites, "confirm", lambda url, key, decision: said)
    state = {"rendered": True, "reason": "x", "key": list(KEY), "advice": "render"}
    assert confirms(history, state, patience=30) is said
    assert pending == []


def test_no_page_keeps_a_place_at_the_browser_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history = get_history(make_crawler())
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(history.sites, "is_pending", lambda url, key: True)
    monkeypatch.setattr(
        "scrapy_mainpage.rendering.history.crawl_history.asyncio.sleep", sleep
    )
    state = {"rendered": True, "reason": "x", "key": list(KEY), "advice": "probe"}
    history.sites.decide(URL.format(1), KEY, "yes")
    assert confirms(history, state, patience=120)
    assert 4.9 < sum(slept) < 5.1


def begun(history: CrawlHistory, url: str) -> State:
    """The state of a page that the browser has begun."""
    judgement = Judgement(Need.MAYBE, KEY[0], KEY[1:])
    page = Page(url, "A few words.", "some", words=3)
    advice = history.decide(url, judgement)
    return history.begin(url, page, judgement, advice)


def under_way(history: CrawlHistory) -> tuple[int, int]:
    """Number of pages sent to the browser, and of those it has begun."""
    rules = [
        rule for site in history.sites._sites.values() for rule in site.rules.values()
    ]
    return sum(len(k.queued) for k in rules), sum(len(k.running) for k in rules)


def sent(history: CrawlHistory) -> tuple[State, Request]:
    """A page that the browser has begun and that redirects to another site."""
    state = begun(history, URL.format(1))
    request = Request("http://other.example/", meta={STATE_KEY: state})
    assert asyncio.run(history.confirm(request, 0))
    assert under_way(history) == (1, 1)
    return state, request


@pytest.mark.parametrize("reason", ["", "timeout", "not_html", "refused", "status"])
def test_a_failure_ends_a_page_wherever_it_was_redirected(reason: str) -> None:
    history = get_history(make_crawler())
    state, request = sent(history)
    history.add_failure(request.url, state, reason)
    assert under_way(history) == (0, 0)
    assert len(history.sites) == 1


def test_a_verdict_is_on_the_page_that_was_judged() -> None:
    history = get_history(make_crawler())
    state, request = sent(history)
    history.add_rendered(request.url, Page(None, "", "some"), state)
    assert under_way(history) == (0, 0)
    assert len(history.sites) == 1


def test_an_answer_without_a_verdict_is_not_waited_for() -> None:
    history = get_history(make_crawler())
    _, request = sent(history)
    history.stop_waiting(request)
    assert under_way(history) == (1, 0)


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
