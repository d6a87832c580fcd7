"""A crawl with JOBDIR that is killed at any moment loses no page of the site."""

from __future__ import annotations

import time

from tests import crawling
from tests.mockserver import Reply

from .site import Crawls


def kill_and_resume(crawls: Crawls, after: int) -> crawling.Crawl:
    settings = {"JOBDIR": str(crawls.folder / f"job{after}"), "DOWNLOAD_DELAY": 0.01}
    running = crawls.start(**settings)
    deadline = time.monotonic() + 50
    while len(crawls.site.asked) < after and time.monotonic() < deadline:
        time.sleep(0.001)
    crawling.abandon(running)
    return crawls.crawl(**settings)


def test_after_a_kill_every_page_is_indexed_once(crawls: Crawls) -> None:
    pages = {f"/page{n}": f"subject number {n}" for n in range(60)}
    crawls.site.topics = pages
    found = kill_and_resume(crawls, 20)
    assert crawls.indexed() == sorted(pages), found.log
    assert found.stat("mainpage/state/queue_broken") == 1
    assert "the requests that it had are restored" in found.log


def test_a_broken_queue_deletes_nothing(crawls: Crawls) -> None:
    crawls.crawl()
    crawls.site.replies["/page1"] = Reply(status=404)
    found = kill_and_resume(crawls, 5)
    assert found.stat("mainpage/sweep/refused/queue_broken") == 1, found.log
    assert "/page1" in crawls.indexed()
