"""Crawls while the index, the disk or the crawl itself fails: no item is lost."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from .indexcrawls import PAGES, Crawling, Numbers, interrupt
from .indexing import sqlite_url, urls

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="signals and mounts are of POSIX"
)


@pytest.fixture
def crawl(site: Numbers, tmp_path: Path) -> Crawling:
    return Crawling(site, sqlite_url(tmp_path / "site.db"), tmp_path)


class TestStoppedCrawls:
    def test_interrupted_crawl_writes_what_it_has(self, crawl: Crawling) -> None:
        with crawl.running() as process:
            crawl.wait_for_items(PAGES // 2)
            interrupt(process)
            crawl.wait_for_log("Received SIGINT")
            found = crawl.finish(process)
        assert found.returncode == 0
        indexed = urls(crawl.index)
        assert set(indexed) == set(crawl.reached())
        assert len(indexed) == found.stat("mainpage/index/put")
        assert PAGES // 2 <= len(indexed) < PAGES
        assert crawl.left() == crawl.dead() == []

    @pytest.mark.parametrize("number", [1, 30, 77, 149])
    def test_killed_crawl_leaves_the_rest_in_its_journal(
        self, crawl: Crawling, number: int
    ) -> None:
        with crawl.running() as process:
            crawl.wait_for_items(number)
            process.kill()
            crawl.finish(process)
        assert process.returncode == -signal.SIGKILL
        reached, left = crawl.reached(), crawl.left()
        assert set(reached) <= {*urls(crawl.index), *left}
        found = crawl.again()
        assert found.stat("mainpage/index/restored") == len(left)
        assert found.stat("mainpage/index/put") == len(left)
        crawl.assert_nothing_lost(urls(crawl.index))
        assert crawl.left() == []

    def test_crawl_killed_again_and_again_loses_nothing(self, crawl: Crawling) -> None:
        for number in (40, 80, 120):
            with crawl.running() as process:
                crawl.wait_for_items(number)
                process.kill()
                process.communicate()
        crawl.again()
        crawl.assert_nothing_lost(urls(crawl.index))
