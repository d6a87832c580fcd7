"""A crawl with JOBDIR that is killed at any moment loses no page of the site."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request

from scrapy_mainpage.crawl.crawl_scope import STATE_KEY
from scrapy_mainpage.recrawl.middlewares import (
    ConditionalRequestMiddleware,
    ledger_of,
)
from scrapy_mainpage.recrawl.run import RunExtension
from tests import crawling
from tests.crawling import make_crawler
from tests.mockserver import Reply
from tests.waiting import wait

from .site import Crawls


def kill_and_resume(crawls: Crawls, after: int, **more: Any) -> crawling.Crawl:
    settings = {"JOBDIR": str(crawls.folder / f"job{after}"), **more}
    crawls.site.gate.close(after)
    running = crawls.start(**settings)
    wait(lambda: len(crawls.site.asked) >= after, "requests", running)
    crawling.abandon(running)
    crawls.site.gate.open()
    return crawls.crawl(**settings)


@pytest.mark.parametrize("settings", [{}, {"MAINPAGE_STATE": None}])
def test_after_a_kill_every_page_is_indexed_once(
    crawls: Crawls, settings: dict[str, Any]
) -> None:
    pages = {f"/page{n}": f"subject number {n}" for n in range(60)}
    crawls.site.topics = pages
    found = kill_and_resume(crawls, 20, **settings)
    assert crawls.indexed() == sorted(pages), found.log
    assert found.stat("mainpage/state/queue_broken") == 1
    assert "the requests that it had are restored" in found.log
    assert not Path(crawls.folder, "job20", "mainpage").exists()


def test_a_broken_queue_deletes_nothing(crawls: Crawls) -> None:
    crawls.crawl()
    crawls.site.replies["/page1"] = Reply(status=404)
    found = kill_and_resume(crawls, 5)
    assert found.stat("mainpage/sweep/refused/queue_broken") == 1, found.log
    assert "/page1" in crawls.indexed()


@pytest.mark.parametrize(
    ("until", "reason", "run"),
    [(90, None, 1), (10, "shutdown", 1), (160, None, 2), (10, "finished", 2)],
)
def test_without_a_job_a_stopped_run_goes_on_as_long_as_it_has_taken(
    tmp_path: Path, until: float, reason: str | None, run: int
) -> None:
    crawler = make_crawler(MAINPAGE_STATE=str(tmp_path / "state.db"))
    ledger = ledger_of(crawler)
    store, request = ledger.store, Request("https://example.com/")
    last = store.begin_run(ledger.scope)
    store.write("UPDATE runs SET started = :now - 300", now=time.time())
    last.reason = reason
    store.put_run(last)
    row = ledger.row(request)
    row.last_seen_run, row.last_ok = last.id, time.time() - until
    row.requests, request.meta[STATE_KEY] = b"", "noted"
    row.config_hash = ledger.config_of(request)
    store.put(row)
    extension = RunExtension.from_crawler(crawler)
    assert extension.ledger.run.id == run
    answer = ConditionalRequestMiddleware.from_crawler(crawler).process_request(request)
    assert (answer is not None) == (run == last.id)  # the page is not asked for again
    store.close()
