"""Crawls while the index, the disk or the crawl itself fails: no item is lost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest

from tests.servers.postgres import PostgresServer
from tests.servers.searchserver import SearchServer
from tests.smalldisk import SmallDisk, small_disk

from .indexcrawls import PAGES, Crawling, Numbers, interrupt, numbers
from .indexing import sqlite_url, urls

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="signals and mounts are of POSIX"
)


ENDS = ("put", "dead", "kept", "lost")


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

    @pytest.mark.parametrize("is_killed", [True, False])
    def test_killed_crawl_leaves_the_rest_in_the_outbox(
        self, site: Numbers, tmp_path: Path, is_killed: bool
    ) -> None:
        """At the second Ctrl-C Scrapy waits for nothing, such as a silent server."""
        answer = Event()
        with SearchServer("opensearch") as server:
            crawl = Crawling(site, server.url(), tmp_path)
            server.hold("/_bulk", answer)
            with crawl.running() as process:
                crawl.wait_for_items(PAGES // 2)
                if is_killed:
                    process.kill()
                else:
                    interrupt(process)
                    crawl.wait_for_log("Received SIGINT")
                    interrupt(process)
                crawl.finish(process)
            answer.set()
            left = crawl.left()
            assert len(left) >= PAGES // 2
            found = crawl.again()
            assert found.stat("mainpage/index/restored") == len(left)
            crawl.assert_nothing_lost(urls(server.url()))
        assert crawl.left() == crawl.dead() == []

    def test_crawl_killed_again_and_again_loses_nothing(self, crawl: Crawling) -> None:
        for number in (15, 30, 45):
            with crawl.running() as process:
                crawl.wait_for_items(number)
                process.kill()
                process.communicate()
            assert set(crawl.reached()) <= set(urls(crawl.index))
        crawl.assert_nothing_lost(urls(crawl.index))
        assert crawl.left() == []


class TestServers:
    def test_killed_and_restarted_server_costs_no_document(
        self, site: Numbers, postgres_server: PostgresServer, tmp_path: Path
    ) -> None:
        url = postgres_server.database("faults")
        # Or a killed server may lose committed transactions.
        postgres_server.execute("ALTER DATABASE faults SET synchronous_commit = on")
        crawl = Crawling(site, f"{url}?schema=killed&connect_timeout=30", tmp_path)
        with crawl.running() as process:
            crawl.wait_for_items(PAGES // 2)
            postgres_server.kill()
            try:
                site.open.set()
                crawl.wait_for_log("Not yet in")
            finally:
                postgres_server.start()
            found = crawl.finish(process)
        assert len(crawl.reached()) == PAGES
        assert sorted(urls(crawl.index)) == sorted(site.urls)
        assert found.stat("mainpage/index/put") == PAGES
        assert found.stat("mainpage/index/retried") > 0
        assert crawl.dead() == crawl.left() == []


class TestFullDisks:
    """The disk has room for a part of the site, which has six megabytes of text."""

    @pytest.fixture
    def site(self) -> Iterator[Numbers]:
        with numbers(words=7_500) as site:
            site.open.set()
            yield site

    @pytest.fixture
    def disk(
        self, requirement: Callable[[str], str], tmp_path: Path
    ) -> Iterator[SmallDisk]:
        requirement("small disk")
        with small_disk(tmp_path / "disk", "3m") as disk:
            yield disk

    def test_what_has_no_room_in_the_index_is_among_the_dead_letters(
        self, site: Numbers, disk: SmallDisk, tmp_path: Path
    ) -> None:
        crawl = Crawling(
            site,
            sqlite_url(disk.folder / "site.db"),
            tmp_path,
            {"RETRIES": 1},
        )
        with crawl.running() as process:
            found = crawl.finish(process)
        assert found.returncode == 0
        assert len(crawl.reached()) == PAGES
        indexed = urls(crawl.index)
        crawl.assert_nothing_lost(indexed)
        assert 0 < len(indexed) == found.stat("mainpage/index/put") < PAGES
        assert found.stat("mainpage/index/dead/disk_full") == len(crawl.dead())
        assert crawl.left() == []

        disk.resize("100m")
        assert crawl.retry().returncode == 0
        assert sorted(urls(crawl.index)) == sorted(site.urls)
        assert crawl.dead() == []

    def test_where_the_disk_has_no_room_for_dead_letters_the_crawl_goes_on(
        self, site: Numbers, disk: SmallDisk, tmp_path: Path
    ) -> None:
        (disk.folder / "data").mkdir()
        (tmp_path / ".scrapy").symlink_to(disk.folder / "data")
        index = sqlite_url(disk.folder / "site.db")
        crawl = Crawling(site, index, tmp_path, {"RETRIES": 0})
        with crawl.running() as process:
            found = crawl.finish(process)
        assert found.returncode == 0
        assert len(crawl.reached()) == PAGES
        ends = {name: found.stat(f"mainpage/index/{name}") for name in ENDS}
        assert ends["lost"] > 0
        assert ends["kept"] == 0
        assert sum(ends.values()) == PAGES
        indexed = urls(crawl.index)
        assert ends["put"] == len(indexed)
        log = crawl.log.read_text("utf-8")
        named = [url for url in site.urls if f"kept nowhere: {url!r}" in log]
        assert len(named) == ends["lost"]
        disk.resize("100m")
        assert sorted([*indexed, *crawl.dead(), *named]) == sorted(site.urls)
