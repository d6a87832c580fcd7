"""A crawl by many workers equals the crawl by one, even if workers are killed."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from signal import SIGTERM
from typing import Any
from urllib.parse import urlsplit

from scrapy_mainpage.indexes import open_index
from tests.servers.redis import RedisServer
from tests.waiting import Gate, wait

from .docsite import CHAPTERS, DocSite, served
from .workers import AT_ONCE, Crawl, Outcome


def shared(server: RedisServer, **settings: Any) -> dict[str, Any]:
    return {
        "MAINPAGE_SHARED": f"{server.url}?prefix=docs",
        "SCHEDULER": "tests.redis_crawl.spiders.BusyScheduler",
        **settings,
    }


def crawled(
    site: DocSite, folder: Path, settings: dict[str, Any], workers: int
) -> Outcome:
    with served(site) as (url, _):
        crawl = Crawl(url, folder, settings)
        for _ in range(workers):
            crawl.start()
        return crawl.finish()


def test_workers_have_all_pages_together_and_each_page_once(
    site: DocSite, server: RedisServer, tmp_path: Path
) -> None:
    # On a busy machine no worker is taken for dead.
    settings = {"MAINPAGE_SHARED": f"{server.url}?prefix=docs"}
    gate = Gate()
    gate.close(1 + CHAPTERS)
    with served(site, gate) as (url, asked):
        crawl = Crawl(url, tmp_path, settings)
        for _ in range(4):
            crawl.start()
        most = 1 + CHAPTERS + AT_ONCE  # that one worker asks for alone
        wait(lambda: asked.total() > most, "second worker")
        gate.open()
        found = crawl.finish()
    assert found.codes == [0] * 4, found.logs
    assert found.paths == Counter(site.paths), found.report(site.paths)
    assert sum(map(bool, found.by_worker)) > 1
    assert found.stat("scheduler/dequeued/redis") == len(site.paths)
    for log in found.logs:
        assert "'finish_reason': 'finished'" in log
        assert "Traceback" not in log
        assert "Deprecat" not in log
        assert "secret" not in log
    assert left_in(server) == {"last", "seen"}


def left_in(server: RedisServer) -> set[str]:
    """Return the name suffixes of the keys that an ended crawl has left."""
    import redis

    with redis.Redis.from_url(server.url) as client:
        return {key.decode().rpartition(":")[2] for key in client.scan_iter()}


def test_a_worker_that_is_killed_loses_no_page(
    site: DocSite, server: RedisServer, tmp_path: Path
) -> None:
    seed = random.randrange(2**32)
    index = f"sqlite:///{tmp_path}/site.db"
    settings = shared(server, MAINPAGE_INDEX=index)
    gate = Gate()
    # No worker ends before the kill: a quarter of the pages is kept back until then.
    gate.close(len(site.paths) * 3 // 4)
    with served(site, gate) as (url, asked):
        crawl = Crawl(url, tmp_path, settings)
        for _ in range(4):
            crawl.start()
        after = crawl.kill(seed, most=len(site.paths) // 3)
        gate.open()
        found = crawl.finish()
    found.killed_after = after
    print(f"seed {seed}: {found.report(site.paths)}")
    assert sorted(found.codes) == [-9, 0, 0, 0], found.logs
    assert set(found.paths) == site.paths, f"seed {seed}"
    twice = [path for path, count in found.paths.items() if count > 1]
    assert all(found.paths[path] == 2 and asked[path] == 2 for path in twice)
    assert len(twice) <= found.stat("mainpage/shared/taken_back")
    assert left_in(server) == {"last", "seen"}
    assert indexed(index) == site.paths, f"seed {seed}"


def indexed(index: str) -> set[str]:
    """The pages in the index."""
    with open_index(index) as opened:
        return {urlsplit(url).path for url in opened.urls()}


def test_a_worker_that_was_alone_is_stopped_and_another_goes_on(
    server: RedisServer, tmp_path: Path
) -> None:
    site, gate = DocSite(60), Gate()
    gate.close(30)
    with served(site, gate) as (url, _):
        crawl = Crawl(url, tmp_path, shared(server))
        first = crawl.start()
        wait(lambda: crawl.count(0) >= 20, "pages", first)
        first.send_signal(SIGTERM)
        gate.open()
        first.communicate()
        crawl.start()
        found = crawl.finish()
    assert set(found.paths) == site.paths
    assert "Joins a crawl with" in found.logs[1]
    # The first worker has finished its leased requests.
    assert set(found.paths.values()) == {1}
    assert not found.stat("mainpage/shared/taken_back")


def test_workers_that_come_when_all_is_done_say_so(
    server: RedisServer, tmp_path: Path
) -> None:
    site = DocSite(20)
    settings = shared(server)
    with served(site) as (url, asked):
        for number in range(2):
            folder = tmp_path / str(number)
            folder.mkdir()
            crawl = Crawl(url, folder, settings)
            crawl.start()
            found = crawl.finish()
    assert set(asked.values()) == {1}
    assert not found.paths
    assert "that crawl has ended" in found.logs[0]


def kept(
    site: DocSite, server: RedisServer, state: str, folder: Path, keep: str
) -> set[str]:
    """The pages in the index after a crawl by several workers."""
    index = f"sqlite:///{folder}/site.db"
    settings = {
        "MAINPAGE_STATE": state,
        "MAINPAGE_DUPLICATES_ENABLED": True,
        "MAINPAGE_DUPLICATES_KEEP": keep,
        "MAINPAGE_INDEX": index,
    }
    # On a busy machine no worker is taken for dead, and no page comes twice.
    settings["MAINPAGE_SHARED"] = f"{server.url}?prefix=docs"
    found = crawled(site, folder, settings, 4)
    assert set(found.codes) == {0}, found.logs
    assert not any("Traceback" in log for log in found.logs), found.logs
    dropped = found.stat("item_dropped_reasons_count/NearDuplicate")
    dropped += found.stat("item_dropped_reasons_count/ExactDuplicate")
    replaced = found.stat("mainpage/duplicates/replaced")
    # A copy is asked for again if the page that it gave way to was replaced itself.
    again = found.stat("mainpage/state/asked_again")
    assert found.paths.total() + dropped == len(site.paths) + again
    paths = indexed(index)
    assert len(paths) == found.paths.total() - replaced
    return paths


def test_the_canonical_near_duplicates_are_kept_by_four_workers(
    server: RedisServer, postgresql_url: str, tmp_path: Path
) -> None:
    site = DocSite(70)
    copies = frozenset[str]().union(*site.groups)
    main = {min(group, key=lambda path: (len(path), path)) for group in site.groups}
    assert len(copies) == 3 * len(main) == 30
    found = kept(site, server, postgresql_url, tmp_path, "canonical")
    assert found == site.paths - copies | main


def test_of_every_group_of_copies_one_is_kept_whoever_was_first(
    server: RedisServer, postgresql_url: str, tmp_path: Path
) -> None:
    site = DocSite(70)
    found = kept(site, server, postgresql_url, tmp_path, "first")
    assert {len(found & group) for group in site.groups} == {1}
    assert found | frozenset[str]().union(*site.groups) == site.paths
