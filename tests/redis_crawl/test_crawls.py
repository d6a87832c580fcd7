"""A crawl by many workers equals the crawl by one, even if workers are killed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from scrapy_mainpage.indexes import open_index
from tests.servers.redis import RedisServer

from .docsite import DocSite, served
from .workers import Crawl, Outcome

LEASE = 2


def shared(server: RedisServer, **settings: Any) -> dict[str, Any]:
    return {
        "MAINPAGE_SHARED": f"{server.url}?prefix=docs",
        "MAINPAGE_SHARED_LEASE": LEASE,
        **settings,
    }


def crawled(
    site: DocSite, folder: Path, settings: dict[str, Any], workers: int
) -> Outcome:
    """Crawl the site; with ``workers=0`` in one process without Redis."""
    with served(site) as (url, _):
        crawl = Crawl(url, folder, settings)
        for _ in range(workers or 1):
            crawl.start("shared" if workers else "site")
        return crawl.finish()


@pytest.fixture(scope="session")
def single(site: DocSite, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The crawl in one process, without Redis."""
    return crawled(site, tmp_path_factory.mktemp("single"), {}, 0)


def test_the_site_is_large_and_one_process_has_all_of_it(
    site: DocSite, single: Outcome
) -> None:
    assert len(site.paths) > 1000
    assert set(single.paths) == site.paths
    assert set(single.paths.values()) == {1}


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_have_the_same_pages_together_and_each_page_once(
    site: DocSite, single: Outcome, server: RedisServer, tmp_path: Path, workers: int
) -> None:
    found = crawled(site, tmp_path, shared(server), workers)
    assert found.codes == [0] * workers, found.logs
    assert found.paths == single.paths, found.report(set(single.paths))
    assert all(found.by_worker)
    assert found.stat("scheduler/dequeued/redis") == len(single.paths)
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
    site: DocSite, single: Outcome, server: RedisServer, tmp_path: Path
) -> None:
    seed = random.randrange(2**32)
    index = f"sqlite:///{tmp_path}/site.db"
    settings = shared(
        server, MAINPAGE_INDEX=index, MAINPAGE_INDEX_JOURNAL=tmp_path / "journal"
    )
    with served(site) as (url, asked):
        crawl = Crawl(url, tmp_path, settings)
        for _ in range(4):
            crawl.start()
        after = crawl.kill(seed, most=len(site.paths) // 6)
        found = crawl.finish()
    found.killed_after = after
    print(f"seed {seed}: {found.report(set(single.paths))}")
    assert sorted(found.codes) == [-9, 0, 0, 0], found.logs
    assert set(found.paths) == set(single.paths), f"seed {seed}"
    twice = [path for path, count in found.paths.items() if count > 1]
    assert all(found.paths[path] == 2 and asked[path] == 2 for path in twice)
    assert len(twice) <= found.stat("mainpage/shared/taken_back")
    assert left_in(server) == {"last", "seen"}
    assert indexed(index) == site.paths, f"seed {seed}"


def indexed(index: str) -> set[str]:
    """The pages in the index."""
    with open_index(index) as opened:
        return {urlsplit(url).path for url in opened.urls()}


@pytest.mark.parametrize("end", ["kill", "terminate"])
def test_a_worker_that_was_alone_ends_early_and_another_goes_on(
    server: RedisServer, tmp_path: Path, end: str
) -> None:
    site = DocSite(120)
    with served(site) as (url, _):
        crawl = Crawl(url, tmp_path, shared(server))
        first = crawl.start()
        crawl.wait_for(0, 20)
        getattr(first, end)()
        first.wait()
        crawl.start()
        found = crawl.finish()
    assert set(found.paths) == site.paths
    assert "Joins a crawl with" in found.logs[1]
    if end == "terminate":  # it has finished its leased requests
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
    site: DocSite, server: RedisServer, folder: Path, workers: int, keep: str
) -> set[str]:
    """The pages in the index after a crawl by several workers."""
    folder.mkdir()
    index = f"sqlite:///{folder}/site.db"
    settings = {
        "MAINPAGE_DUPLICATES_ENABLED": True,
        "MAINPAGE_DUPLICATES_KEEP": keep,
        "MAINPAGE_INDEX": index,
        "MAINPAGE_INDEX_JOURNAL": folder / "journal",
    }
    if workers:
        prefix = f"{keep}-{workers}"
        settings |= shared(server, MAINPAGE_SHARED=f"{server.url}?prefix={prefix}")
    found = crawled(site, folder, settings, workers)
    assert set(found.codes) == {0}, found.logs
    assert not any("Traceback" in log for log in found.logs), found.logs
    dropped = found.stat("item_dropped_reasons_count/NearDuplicate")
    dropped += found.stat("item_dropped_reasons_count/ExactDuplicate")
    replaced = found.stat("mainpage/duplicates/replaced")
    assert found.paths.total() + dropped == len(site.paths)
    paths = indexed(index)
    assert len(paths) == found.paths.total() - replaced
    return paths


def test_near_duplicates_are_the_same_with_one_worker_and_with_four(
    server: RedisServer, tmp_path: Path
) -> None:
    site = DocSite(280)
    copies = frozenset[str]().union(*site.groups)
    main = {min(group, key=lambda path: (len(path), path)) for group in site.groups}
    assert len(copies) == 3 * len(main) == 120
    for workers in (0, 1, 4):
        folder = tmp_path / f"canonical-{workers}"
        found = kept(site, server, folder, workers, "canonical")
        assert found == site.paths - copies | main, workers


def test_of_every_group_of_copies_one_is_kept_whoever_was_first(
    server: RedisServer, tmp_path: Path
) -> None:
    site = DocSite(210)
    found = kept(site, server, tmp_path / "first-4", 4, "first")
    assert {len(found & group) for group in site.groups} == {1}
    assert found | frozenset[str]().union(*site.groups) == site.paths
