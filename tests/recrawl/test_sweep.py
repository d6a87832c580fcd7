"""Nothing is deleted without evidence, or by a crawl that failed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from scrapy_mainpage.indexes import open_index
from scrapy_mainpage.memory import open_memory
from tests import crawling
from tests.mockserver import Reply, html
from tests.waiting import wait

from .site import ArticleSpider, Crawls


class PartSpider(ArticleSpider):
    """Crawls a part of the site, as a scope of its own."""

    mainpage_scope = "part"


class SitemapArticles(ArticleSpider):
    name = "sitemap-articles"

    def __init__(self, url: str):
        super().__init__(url)
        self.start_urls = [f"{url}/sitemap.xml"]

    def parse(self, response: Any) -> Any:
        if not response.url.endswith(".xml"):
            yield {"url": response.url}
        for url in response.xpath("//*[local-name()='loc']/text()").getall():
            yield response.follow(url)


def refusals(found: crawling.Crawl) -> list[str]:
    prefix = "mainpage/sweep/refused/"
    return sorted(n.removeprefix(prefix) for n in found.stats if n.startswith(prefix))


@pytest.mark.parametrize(
    ("failing", "settings", "refused"),
    [
        ({}, {"MAINPAGE_SWEEP_SHARE": 0.1}, ["share"]),
        ({"/": 503}, {}, ["start_failed"]),
        ({"/robots.txt": 503}, {}, ["robotstxt_failed"]),
        (
            {},
            {"CLOSESPIDER_PAGECOUNT": 1, "CONCURRENT_REQUESTS": 1},
            ["not_finished"],
        ),
        ({}, {"MAINPAGE_SWEEP": "report"}, []),
        ({}, {"MAINPAGE_SWEEP": "off"}, []),
    ],
)
def test_nothing_goes_if_the_crawl_failed_or_too_much_would(
    crawls: Crawls, failing: dict[str, int], settings: dict[str, Any], refused: Any
) -> None:
    crawls.crawl(ROBOTSTXT_OBEY=True)
    gone = {f"/page{n}": 404 for n in range(4)}
    crawls.site.replies = {
        path: Reply(status=s) for path, s in (gone | failing).items()
    }
    found = crawls.crawl(ROBOTSTXT_OBEY=True, **settings)
    assert refusals(found) == refused, found.log
    assert ("Sweep refused, nothing is deleted" in found.log) == bool(refused)
    is_listed = "would_delete" in str(found.stats.keys())
    assert is_listed == (settings.get("MAINPAGE_SWEEP") == "report")
    assert len(crawls.indexed()) == 12
    crawls.site.replies = {path: Reply(status=404) for path in gone}
    crawls.crawl(ROBOTSTXT_OBEY=True)
    assert len(crawls.indexed()) == 8


def test_nothing_goes_if_a_sitemap_is_lost(crawls: Crawls) -> None:
    site = crawls.site
    locs = "".join(f"<url><loc>{site.url}{path}</loc></url>" for path in site.topics)
    sitemap = f"<urlset>{locs}</urlset>".encode()
    site.replies["/sitemap.xml"] = Reply(sitemap, 200, {"Content-Type": "text/xml"})
    crawls.crawl(SitemapArticles)
    assert len(crawls.indexed()) == 12
    site.replies["/sitemap.xml"] = Reply(status=404)
    crawls.crawl(SitemapArticles)
    assert len(crawls.indexed()) == 12


def test_another_scope_is_left_alone(crawls: Crawls) -> None:
    crawls.crawl()
    crawls.site.replies["/page1"] = Reply(status=404)
    crawls.site.replies["/"] = html("<main><a href='/page2'>two</a></main>")
    crawls.crawl(PartSpider)
    assert crawls.site.asked == [("/", 200), ("/page2", 200)]
    assert len(crawls.indexed()) == 12
    memory = open_memory(str(crawls.folder / "state.db"))
    assert sorted(map(memory.size, memory.scopes())) == [2, 13]
    memory.close()


def test_an_emptied_index_is_filled_also_after_a_crawl_that_failed(
    crawls: Crawls,
) -> None:
    crawls.crawl()
    for path in crawls.folder.glob("site.db*"):
        path.unlink()
    crawls.site.replies["/page1"] = Reply(status=503)
    crawls.crawl(CLOSESPIDER_PAGECOUNT=2, CONCURRENT_REQUESTS=1)
    assert len(crawls.indexed()) < 11
    crawls.crawl()
    assert len(crawls.indexed()) == 11
    del crawls.site.replies["/page1"]
    found = crawls.crawl()
    assert len(crawls.indexed()) == 12, found.log
    assert crawls.site.statuses("/page2") == [304]


def test_an_index_restored_from_an_older_copy_is_brought_up_to_date(
    crawls: Crawls,
) -> None:
    crawls.crawl()
    shutil.copy(crawls.folder / "site.db", crawls.folder / "copy.db")
    crawls.site.topics["/page3"] = "lighthouses"
    crawls.crawl()
    shutil.copy(crawls.folder / "copy.db", crawls.folder / "site.db")
    assert crawls.search("lighthouses") == []
    crawls.crawl()
    assert crawls.search("lighthouses") == ["/page3"]


def test_documents_of_a_lost_state_are_judged_all_the_same(crawls: Crawls) -> None:
    crawls.crawl()
    for path in crawls.folder.glob("state.db*"):
        path.unlink()
    crawls.site.unlinked |= {"/page1", "/page2"}
    crawls.site.replies["/page1"] = Reply(status=404)
    found = crawls.crawl()
    assert "/page1" not in crawls.indexed(), found.log
    assert "/page2" in crawls.indexed()


def test_documents_in_the_dead_letters_are_written_by_the_next_crawl(
    crawls: Crawls,
) -> None:
    crawls.crawl()
    site = crawls.site
    site.topics["/page3"] = "lighthouses"
    site.replies["/page1"] = Reply(status=404)
    broken = f"{__name__}.BrokenIndexSpider"
    running = crawling.start(broken, crawls.folder, crawls.all_settings(), url=site.url)
    found = crawling.finish(running, crawls.folder)
    assert found.stat("mainpage/index/dead") == 1, found.log
    assert refusals(found) == ["dead_letters"]
    assert "/page1" in crawls.indexed()
    crawls.crawl()
    assert crawls.search("lighthouses") == ["/page3"]
    assert "/page1" not in crawls.indexed()


class BrokenIndexSpider(ArticleSpider):
    """The same crawl; its index takes nothing."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        from scrapy_mainpage.indexes import IndexFailure
        from scrapy_mainpage.indexes.sqlite import SqliteIndex

        def put(self: Any, documents: Any) -> Any:
            raise IndexFailure("refused", "no more documents")

        SqliteIndex._put = put  # type: ignore[method-assign]
        return super().from_crawler(crawler, *args, **kwargs)


class FullDiskSpider(ArticleSpider):
    """The same crawl; its state cannot be written any more."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        from scrapy_mainpage.memory import SqliteConnection

        write = SqliteConnection.write

        def fail(self: SqliteConnection, changes: Any) -> None:
            if any("INTO pages" in each.statement for each in changes):
                raise sqlite3.OperationalError("database or disk is full")
            write(self, changes)

        SqliteConnection.write = fail  # type: ignore[method-assign]
        return super().from_crawler(crawler, *args, **kwargs)


def test_a_state_that_cannot_be_written_does_not_end_the_crawl(
    crawls: Crawls,
) -> None:
    crawls.crawl()
    crawls.site.topics["/page3"] = "lighthouses"
    crawls.site.replies["/page1"] = Reply(status=404)
    running = crawling.start(
        f"{__name__}.FullDiskSpider",
        crawls.folder,
        crawls.all_settings(),
        url=crawls.site.url,
    )
    found = crawling.finish(running, crawls.folder)
    assert "fails, this run is lost: database or disk is full" in found.log
    assert "/page1" in crawls.indexed()
    assert crawls.search("lighthouses") == ["/page3"]
    crawls.crawl()
    assert "/page1" not in crawls.indexed()


def test_copies_leave_and_come_back(crawls: Crawls, requirement: Any) -> None:
    settings = {"MAINPAGE_DUPLICATES_ENABLED": True}
    crawls.site.topics = {f"/page{n}": f"subject number {n}" for n in (1, 2)}
    crawls.site.topics["/page2"] = crawls.site.topics["/page1"]
    crawls.crawl(CONCURRENT_REQUESTS=1, **settings)
    (kept,) = crawls.indexed()
    found = crawls.crawl(CONCURRENT_REQUESTS=1, **settings)
    assert crawls.indexed() == [kept], found.log
    crawls.site.replies[kept] = Reply(status=404)
    found = crawls.crawl(CONCURRENT_REQUESTS=1, **settings)
    assert len(crawls.indexed()) == 1, found.log
    assert crawls.indexed() != [kept]


def test_a_part_in_the_scope_of_the_whole_knows_its_texts(
    crawls: Crawls, requirement: Any
) -> None:
    settings = {"MAINPAGE_DUPLICATES_ENABLED": True}
    crawls.site.topics = {f"/page{n}": f"topic {name}" for n, name in NAMES.items()}
    crawls.crawl(PartSpider, **settings)
    known = crawls.indexed()
    crawls.site.topics["/page9"] = crawls.site.topics["/page1"]
    crawls.site.replies["/"] = html("<main><a href='/page9'>nine</a></main>")
    found = crawls.crawl(PartSpider, MAINPAGE_SWEEP="off", **settings)
    assert crawls.site.asked == [("/", 200), ("/page9", 200)]
    assert crawls.indexed() == known, found.log


def test_a_new_page_that_copies_an_unchanged_one_is_no_document(
    crawls: Crawls, requirement: Any
) -> None:
    settings = {"MAINPAGE_DUPLICATES_ENABLED": True}
    crawls.site.topics = {f"/page{n}": f"topic {name}" for n, name in NAMES.items()}
    crawls.crawl(**settings)
    known = crawls.indexed()
    crawls.site.topics["/page9"] = crawls.site.topics["/page1"]
    crawls.crawl(**settings)
    assert crawls.site.statuses("/page1") == [304]
    assert crawls.indexed() == known
    # A moved page is no copy of its former address.
    del crawls.site.topics["/page1"]
    found = crawls.crawl(**settings)
    assert "/page9" in crawls.indexed(), found.log
    assert "/page1" not in crawls.indexed()


#: Words that make texts of their own.
NAMES = {1: "of whales and harbours", 2: "of glue", 3: "of lighthouses at night"}


def test_two_indexes_at_once_are_kept_true(crawls: Crawls) -> None:
    other = f"sqlite:///{crawls.folder / 'other.db'}"
    both = [crawls.index, other]
    crawls.crawl(MAINPAGE_INDEX=both)
    crawls.site.replies["/page1"] = Reply(status=404)
    crawls.crawl(MAINPAGE_INDEX=both)
    with open_index(other, read_only=True) as index:
        assert len(list(index.urls())) == 11
    assert len(crawls.indexed()) == 11


def test_two_crawls_of_a_scope_do_not_run_at_once(crawls: Crawls) -> None:
    crawls.site.gate.close(0)
    running = crawls.start()
    wait(lambda: crawls.site.asked, "request", running)
    second = crawling.finish(crawls.start(), crawls.folder)
    assert second.returncode != 0
    assert "is running" in second.log
    assert json.dumps("Traceback") not in second.log
    crawling.abandon(running)
    crawls.site.gate.open()


@pytest.mark.parametrize("process", crawling.PROCESSES)
def test_every_kind_of_crawler_process_sweeps(crawls: Crawls, process: str) -> None:
    crawls.process = process
    crawls.crawl()
    crawls.site.unlinked.add("/page1")
    crawls.site.replies["/page1"] = Reply(status=404)
    found = crawls.crawl()
    assert found.stat("mainpage/state/unchanged") == 11, found.log
    assert len(crawls.indexed()) == 11


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            {"MAINPAGE_SHARED": "redis://127.0.0.1:1/0"},
            "of a shared crawl; allowed: ",
        ),
        ({"MAINPAGE_STATE": "redis://:secret@h/0"}, "no such state; allowed"),
    ],
)
def test_a_state_of_the_wrong_kind_stops_the_crawl(
    crawls: Crawls, settings: dict[str, str], line: str
) -> None:
    found = crawling.finish(crawls.start(**settings), crawls.folder)
    assert found.returncode != 0
    assert line in found.log
    assert "secret" not in found.log


@pytest.mark.parametrize(
    ("table", "starts"),
    [
        ("facts", False),
        ("runs", False),
        ("texts", True),
        ("sqlite_autoindex_places_1", True),
    ],
)
def test_a_damaged_state_is_said_on_lines_that_name_it(
    crawls: Crawls, table: str, *, starts: bool, requirement: Any
) -> None:
    crawls.settings["MAINPAGE_DUPLICATES_ENABLED"] = True
    crawls.crawl()
    path = crawls.folder / "state.db"
    with closing(sqlite3.connect(path)) as state:
        state.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = state.execute(query, (table,)).fetchone()
        (size,) = state.execute("PRAGMA page_size").fetchone()
    with open(path, "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    crawls.site.topics = dict.fromkeys(crawls.site.topics, "another subject")
    found = crawling.finish(crawls.start(), crawls.folder)
    assert "Traceback" not in found.log
    errors = [line for line in found.log.splitlines() if "] ERROR: " in line]
    assert errors
    assert all("malformed" in line and str(path) in line for line in errors)
    assert (found.returncode == 0, len(crawls.site.asked)) == (starts, 13 * starts)
    assert starts or len(errors) == 1 == found.log.count("MAINPAGE_STATE=")


def test_an_address_that_cannot_be_read_fails_no_sweep(crawls: Crawls) -> None:
    crawls.crawl()
    with closing(sqlite3.connect(crawls.folder / "state.db")) as state, state:
        state.execute("UPDATE pages SET url = x'00ff' WHERE url LIKE '%/page3'")
        state.execute("DELETE FROM facts WHERE name <> 'id'")  # of the index
    done = crawls.crawl()  # which has no traceback
    assert done.stat("finish_reason") == "finished"
    assert {path for path, _ in crawls.site.asked} >= {"/", "/page2", "/page4"}
    assert len(crawls.indexed()) == 12
