"""States on a server: of two workers the last one sweeps; state and index in one."""

from __future__ import annotations

from scrapy_mainpage.indexes import open_index
from tests import crawling
from tests.mockserver import Reply
from tests.servers.redis import RedisServer

from .site import Crawls


def crawl(
    crawls: Crawls, server: RedisServer, state: str, number: int
) -> list[crawling.Crawl]:
    settings = {
        "MAINPAGE_SHARED": f"{server.url}?prefix=crawl{number}",
        "MAINPAGE_STATE": state,
        "DOWNLOAD_DELAY": 0.05,
    }
    workers = [crawls.folder / f"worker{n}" for n in range(2)]
    running = []
    for folder in workers:
        folder.mkdir(exist_ok=True)
        running.append(crawls.start(folder=folder, **settings))
    return [crawling.finish(*each) for each in zip(running, workers, strict=True)]


def test_the_last_worker_sweeps(
    crawls: Crawls, redis_server: RedisServer, postgresql_url: str
) -> None:
    crawl(crawls, redis_server, postgresql_url, 1)
    site = crawls.site
    assert len(crawls.indexed()) == 12
    site.topics["/page3"] = "lighthouses"
    site.replies["/page1"] = Reply(status=404)
    site.unlinked.add("/page2")
    found = crawl(crawls, redis_server, postgresql_url, 2)
    logs = "\n".join(each.log for each in found)
    assert "Traceback" not in logs, logs
    assert "secret" not in logs
    assert sum(each.stat("mainpage/sweep/deleted") for each in found) == 1, logs
    assert sum(each.stat("mainpage/state/unchanged") for each in found) == 10, logs
    assert sum(each.stat("mainpage/index/put") for each in found) == 1, logs
    assert site.statuses("/page2") == [304]
    assert "/page1" not in crawls.indexed()
    assert crawls.search("lighthouses") == ["/page3"]


def test_state_and_index_may_have_one_url(crawls: Crawls, postgresql_url: str) -> None:
    settings = {"MAINPAGE_STATE": postgresql_url, "MAINPAGE_INDEX": postgresql_url}
    crawls.crawl(**settings)
    crawls.site.replies["/page1"] = Reply(status=404)
    found = crawls.crawl(**settings)
    assert found.stat("mainpage/state/unchanged") == 12, found.log
    assert found.stat("mainpage/sweep/deleted") == 1
    with open_index(postgresql_url, read_only=True) as index:
        assert len(list(index.urls())) == 11
