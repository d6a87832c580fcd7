"""Crawls while the index, the disk or the crawl itself fails: no item is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest

from scrapy_mainpage.indexes.delivery import DeadLetters, Journal
from scrapy_mainpage.indexes.delivery.journal import journal_folder
from tests.servers.postgres import PostgresServer
from tests.servers.searchserver import SearchServer
from tests.smalldisk import SmallDisk, small_disk

from .indexcrawls import PAGES, Crawling, Numbers, interrupt, numbers
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

    def test_second_interrupt_leaves_the_rest_in_the_journal(
        self, site: Numbers, tmp_path: Path
    ) -> None:
        """Scrapy waits for nothing then, not even for a server that does not answer."""
        answer = Event()
        with SearchServer("opensearch") as server:
            crawl = Crawling(site, server.url(), tmp_path)
            server.hold("/_bulk", answer)
            with crawl.running() as process:
                crawl.wait_for_items(PAGES // 2)
                interrupt(process)
                crawl.wait_for_log("Received SIGINT")
                interrupt(process)
                crawl.finish(process)
            answer.set()
            left = crawl.left()
            assert len(left) >= PAGES // 2 - 20
            crawl.again()
            crawl.assert_nothing_lost(urls(f"{server.url()}?refresh=true"))
        assert crawl.left() == crawl.dead() == []

    def test_killed_crawl_leaves_the_rest_in_its_journal(self, crawl: Crawling) -> None:
        with crawl.running() as process:
            crawl.wait_for_items(30)
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
        for number in (15, 30, 45):
            with crawl.running() as process:
                crawl.wait_for_items(number)
                process.kill()
                process.communicate()
        crawl.again()
        crawl.assert_nothing_lost(urls(crawl.index))


class TestServers:
    def test_killed_and_restarted_server_costs_no_document(
        self, site: Numbers, postgres_server: PostgresServer, tmp_path: Path
    ) -> None:
        url = postgres_server.database("faults")
        # Or a killed server may lose committed transactions.
        postgres_server.execute("ALTER DATABASE faults SET synchronous_commit = on")
        crawl = Crawling(site, f"{url}?schema=killed&connect_timeout=2", tmp_path)
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
            {"MAINPAGE_INDEX_RETRIES": 1, "MAINPAGE_INDEX_BATCH": 4},
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

    def test_where_the_disk_has_no_room_for_dead_letters_others_are_used(
        self,
        site: Numbers,
        disk: SmallDisk,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        (tmp_path / "temporary").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
        crawl = Crawling(
            site,
            sqlite_url(disk.folder / "site.db"),
            tmp_path,
            {"MAINPAGE_INDEX_RETRIES": 1, "MAINPAGE_INDEX_BATCH": 4},
        )
        crawl.dead_letters = disk.folder / "dead.jsonl"
        crawl.journal = disk.folder / "journal"
        with crawl.running() as process:
            found = crawl.finish(process)
        assert found.returncode == 0
        assert len(crawl.reached()) == PAGES
        assert found.stat("mainpage/index/lost") == 0
        assert found.stat("mainpage/index/journal_failed") > 0
        assert found.stat("mainpage/index/put") < PAGES
        kept = found.stat("mainpage/index/kept")
        (path,) = (tmp_path / "temporary").glob("*/dead.jsonl")
        assert str(path) in crawl.log.read_text()
        elsewhere = [letter.operation.url for letter in DeadLetters(path).read()]
        dead = [*elsewhere, *(letter.operation.url for letter in crawl.dead())]
        assert len(dead) == found.stat("mainpage/index/dead")
        assert kept + len(dead) + found.stat("mainpage/index/put") == PAGES

        disk.resize("100m")
        again = crawl.again()
        assert again.stat("mainpage/index/restored") >= kept
        places = [*urls(crawl.index), *dead]
        assert sorted(places) == sorted(site.urls)


DYING = """
import scrapy
from scrapy_mainpage.indexes.sqlite.engine import SqliteIndex

put, calls = SqliteIndex._put, []


async def die(self, documents):
    calls.append(documents)
    if len(calls) > 2:
        raise BaseException("of a client, which is no Exception")
    return await put(self, documents)


SqliteIndex._put = die


class Dying(scrapy.Spider):
    name = "dying"

    async def start(self):
        for number in range(200):
            yield scrapy.Request(f"data:text/html,<p>{number}", self.parse)

    def parse(self, response):
        number = response.url.rpartition(">")[2]
        yield {"url": f"https://example.com/{number}", "text": f"word{number} " * 9}
"""


def test_a_writer_that_dies_ends_the_crawl_with_its_reason_and_loses_nothing(
    tmp_path: Path,
) -> None:
    (tmp_path / "dying.py").write_text(DYING)
    settings = {
        "ADDONS": '{"scrapy_mainpage.Addon": 500}',
        "MAINPAGE_INDEX": f"sqlite:///{tmp_path}/site.db",
        "MAINPAGE_INDEX_JOURNAL": f"{tmp_path}/journal",
        "MAINPAGE_INDEX_BATCH": 5,
        "FEEDS": f'{{"{tmp_path}/items.jsonl": {{"format": "jsonlines"}}}}',
    }
    options = [f"-s{name}={value}" for name, value in settings.items()]
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "runspider", "dying.py", *options],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 1
    assert "BaseException: of a client, which is no Exception" in done.stderr
    assert "'finish_reason': 'index_writer_died'" in done.stderr
    lines = (tmp_path / "items.jsonl").read_text("utf-8").splitlines()
    accepted = [json.loads(line)["url"] for line in lines]
    url = settings["MAINPAGE_INDEX"]
    journal = Journal(journal_folder(tmp_path / "journal", str(url)))
    left = [each.url for part in journal.left_over() for each in part.read()]
    journal.close()
    assert 15 <= len(accepted) < 200
    assert sorted([*urls(str(url)), *left]) == sorted(accepted)
