"""Cost of a crawl shared through Redis: time and Redis calls a page, by workers.

The site is made-up documentation with small pages, so that the cost beside extraction
shows. Server, site and workers run on this machine: with more workers than processors,
processor time is the figure that counts.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.redis_crawl.docsite import DocSite, served
from tests.redis_crawl.workers import Crawl
from tests.servers.redis import RedisServer, find_redis

from .tables import Table

PAGES = 2000
#: Number of workers (0: without Redis), and whether near-duplicates are dropped.
CRAWLS = [(0, False), (0, True), (1, False), (1, True), (2, True), (4, True)]
LEASE_SECONDS = 3
HEAD = [
    "workers", "duplicates", "pages", "pages/s", "processor ms/page", "MB of a worker",
    "Redis ms/page", "Redis calls/page",
]  # fmt: skip


def run(options: argparse.Namespace) -> list[Table]:
    if find_redis() is None:
        return [Table("redis_crawl: NOTHING MEASURED, redis-server is missing", [""])]
    site = DocSite(options.pages or PAGES)
    title = f"a site of {len(site.paths)} small pages, {os.cpu_count()} processors"
    table = Table(title, HEAD)
    for workers, duplicates in CRAWLS:
        table.rows.append(measure(site, workers, duplicates))
    return [table]


@contextmanager
def redis_server(folder: Path) -> Iterator[RedisServer]:
    folder.mkdir(exist_ok=True)
    server = RedisServer(folder, find_redis() or "")
    server.start()
    try:
        yield server
    finally:
        server.stop()


def measure(site: DocSite, workers: int, duplicates: bool) -> list[Any]:
    """The row of one crawl."""
    import redis

    with tempfile.TemporaryDirectory() as name, served(site) as (url, _):
        folder = Path(name)
        with redis_server(folder / "redis") as server:
            settings: dict[str, Any] = {"MAINPAGE_DUPLICATES_ENABLED": duplicates}
            if workers:
                settings["MAINPAGE_SHARED"] = f"{server.url}?prefix=crawl"
                settings["MAINPAGE_SHARED_LEASE"] = LEASE_SECONDS
            crawl = Crawl(url, folder, settings)
            for _ in range(workers or 1):
                crawl.start("shared" if workers else "site")
            usages = [os.wait4(process.pid, 0) for process in crawl.running]
            for process, (_, status, _) in zip(crawl.running, usages, strict=True):
                process.returncode = os.waitstatus_to_exitcode(status)
            with redis.Redis.from_url(server.url) as client:
                info = client.info("all")
        found = crawl.finish()
    pages = len(site.paths)
    seconds = max(elapsed_seconds(log) for log in found.logs)
    busy = sum(usage.ru_utime + usage.ru_stime for _, _, usage in usages)
    resident = max(usage.ru_maxrss for _, _, usage in usages) / 1024
    redis_busy = info["used_cpu_user"] + info["used_cpu_sys"]
    row = [workers, duplicates, pages, pages / seconds, 1000 * busy / pages, resident]
    if not workers:
        return [*row, 0.0, 0.0]
    calls = info["cmdstat_evalsha"]["calls"]
    return [*row, 1000 * redis_busy / pages, calls / pages]


def elapsed_seconds(log: str) -> float:
    """The time a worker crawled, without its start."""
    found = re.search(r"'elapsed_time_seconds': ([\d.]+)", log)
    assert found is not None, log
    return float(found[1])
