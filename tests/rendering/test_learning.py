from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, signals
from scrapy.crawler import Crawler

from scrapy_mainpage.rendering.learning import Learning, learning_of
from scrapy_mainpage.rendering.state import STATE_KEY
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
