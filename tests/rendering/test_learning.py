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
from scrapy_mainpage.rendering.detection import Judgement, Need
from scrapy_mainpage.rendering.learning import Learning, learning_of
from scrapy_mainpage.rendering.state import STATE_KEY, State
from tests.crawling import make_crawler

KEY = ("empty_root", "div#root")
URL = "http://example.com/shop/{}.html"


def run(crawler: Crawler, pages: int = 0) -> Learning:
    """A crawl from its begin to its end in which rendering gains something."""
    learning = learning_of(crawler)
    crawler.signals.send_catch_log(signals.spider_opened, spider=crawler.spider)
    for n in range(pages):
        learning.knowledge.advise(URL.format(n), KEY, "yes")
        learning.knowledge.rendering(URL.format(n), KEY)
        learning.knowledge.rendered(URL.format(n), KEY, gained=True)
    crawler.signals.send_catch_log(
        signals.spider_closed, spider=crawler.spider, reason="finished"
    )
    return learning


def test_all_components_of_a_crawl_learn_together() -> None:
    crawler = make_crawler()
    assert learning_of(crawler) is learning_of(crawler)
    assert learning_of(crawler) is not learning_of(make_crawler())


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
    assert later.knowledge.at_once(URL.format(99))
    assert not run(make_crawler()).knowledge.at_once(URL.format(99))


@pytest.mark.parametrize("stored", ["", "{", "[]", '{"version": 99}'])
def test_broken_knowledge_is_left_out(tmp_path: Path, stored: str) -> None:
    (tmp_path / "mainpage-rendering.json").write_text(stored)
    assert len(run(make_crawler(JOBDIR=str(tmp_path))).knowledge) == 0


def test_knowledge_that_cannot_be_kept_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "mainpage-rendering.json.part").mkdir()
    run(make_crawler(JOBDIR=str(tmp_path)), pages=1)
    assert "Rendering: nothing kept" in caplog.text
    assert "Traceback" not in caplog.text


def confirms(learning: Learning, state: dict[str, Any], patience: float = 0) -> bool:
    request = Request(URL.format(1), meta={STATE_KEY: state})
    return asyncio.run(learning.confirms(request, patience))


def test_a_page_that_was_not_judged_needs_no_confirmation() -> None:
    learning = learning_of(make_crawler())
    assert confirms(learning, {"rendered": True, "reason": "always"})


@pytest.mark.parametrize("said", [True, False])
def test_a_verdict_that_is_awaited_decides(
    monkeypatch: pytest.MonkeyPatch, said: bool
) -> None:
    learning = learning_of(make_crawler())
    pending = [True, True, False]
    monkeypatch.setattr(learning.knowledge, "pending", lambda url, key: pending.pop(0))
    monkeypatch.setattr(learning.knowledge, "confirm", lambda url, key, advice: said)
    state = {"rendered": True, "reason": "x", "key": list(KEY), "advice": "render"}
    assert confirms(learning, state, patience=30) is said
    assert pending == []


def test_a_verdict_that_never_comes_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learning = learning_of(make_crawler())
    monkeypatch.setattr(learning.knowledge, "pending", lambda url, key: True)
    state = {"rendered": True, "reason": "x", "key": list(KEY), "advice": "probe"}
    learning.knowledge.advise(URL.format(1), KEY, "yes")
    assert confirms(learning, state, patience=0.1)


def test_no_page_keeps_a_place_at_the_browser_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learning = learning_of(make_crawler())
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(learning.knowledge, "pending", lambda url, key: True)
    monkeypatch.setattr("scrapy_mainpage.rendering.learning.asyncio.sleep", sleep)
    state = {"rendered": True, "reason": "x", "key": list(KEY), "advice": "probe"}
    learning.knowledge.advise(URL.format(1), KEY, "yes")
    assert confirms(learning, state, patience=120)
    assert 4.9 < sum(slept) < 5.1


def begun(learning: Learning, url: str) -> State:
    """The state of a page at the browser."""
    judgement = Judgement(Need.MAYBE, KEY[0], KEY[1:])
    page = Page(url, "A few words.", "some", words=3)
    advice = learning.advise(url, judgement)
    return learning.begin(url, page, judgement, advice)


def under_way(learning: Learning) -> tuple[int, int]:
    """How many pages were sent to the browser, and how many of them it has begun."""
    kinds = [
        kind
        for host in learning.knowledge._hosts.values()
        for kind in host.kinds.values()
    ]
    return sum(len(k.under_way) for k in kinds), sum(len(k.running) for k in kinds)


def sent(learning: Learning) -> tuple[State, Request]:
    """A page that the browser has begun, which is redirected to another site."""
    state = begun(learning, URL.format(1))
    request = Request("http://other.example/", meta={STATE_KEY: state})
    assert asyncio.run(learning.confirms(request, 0))
    assert under_way(learning) == (1, 1)
    return state, request


@pytest.mark.parametrize("reason", ["", "timeout", "not_html", "refused", "status"])
def test_a_failure_ends_a_page_wherever_it_was_redirected(reason: str) -> None:
    learning = learning_of(make_crawler())
    state, request = sent(learning)
    learning.fail(request.url, state, reason)
    assert under_way(learning) == (0, 0)
    assert len(learning.knowledge) == 1


def test_a_verdict_is_on_the_page_that_was_judged() -> None:
    learning = learning_of(make_crawler())
    state, request = sent(learning)
    learning.end(request.url, Page(None, "", "some"), state)
    assert under_way(learning) == (0, 0)
    assert len(learning.knowledge) == 1


def test_an_answer_without_a_verdict_is_not_waited_for() -> None:
    learning = learning_of(make_crawler())
    _, request = sent(learning)
    learning.unsettled(request)
    assert under_way(learning) == (1, 0)


def test_a_page_rendered_at_once_has_no_verdict_to_wait_for() -> None:
    learning = learning_of(make_crawler())
    meta = {STATE_KEY: {"rendered": True, "reason": "site"}}
    learning.unsettled(Request(URL.format(1), meta=meta))
    assert len(learning.knowledge) == 0


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
    learning = run(make_crawler(), pages=5)
    for _ in range(5):
        learning.fail(URL.format(7), {"rendered": True, "reason": "site"}, reason)
    assert learning.knowledge.at_once(URL.format(8)) is not left_alone


def test_a_page_that_came_shows_that_the_browser_works() -> None:
    learning = run(make_crawler(), pages=5)
    state: State = {"rendered": True, "reason": "site"}
    for n in range(9):
        learning.fail(URL.format(n), state, "timeout")
        learning.succeed(URL.format(n))
    assert learning.knowledge.at_once(URL.format(10))
