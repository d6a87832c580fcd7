"""What a shared crawl takes: bytes in Redis, time per page, and what a kill costs.

The memory is the difference of ``used_memory`` of a server that has nothing else in it.
The site is one of documentation, made up, with small pages: what a page costs besides
its extraction is what is asked. Server and workers are on this machine, and the pages
are served by the process that measures, so that with more workers than free processors
the rates only show what they cost each other: time of the processor is what counts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

from scrapy_mainpage.duplicates.entries import Entry
from scrapy_mainpage.duplicates.redisstore import RedisStore
from scrapy_mainpage.duplicates.signatures import Fingerprint
from scrapy_mainpage.rendering.state import replace_state
from tests.pipelines.copies import Writer
from tests.servers.redis import RedisServer, find_redis
from tests.shared_crawls.docsite import DocSite, served
from tests.shared_crawls.workers import Crawl, Outcome

from .tables import Table

if TYPE_CHECKING:
    from redis import Redis

PAGES = 2000
CRAWLS = [(0, False), (0, True), (1, False), (1, True), (2, True), (4, True)]
"""How many workers, and whether near-duplicates are dropped."""

COUNTS = (1000, 10_000)
WORDS = 400
"""Of a text: more of them take no more memory."""

LEASE = 3

HELD = ["kept in Redis", *(f"bytes each, of {count}" for count in COUNTS)]
RATES = [
    "workers", "duplicates", "pages", "pages/s", "pages/s of a worker",
    "processor ms/page", "MB of a worker", "Redis ms/page", "Redis calls/page",
]  # fmt: skip
KILLS = ["seed", "pages of the killed", "lost", "taken back", "twice", "seconds"]


def run(options: argparse.Namespace) -> list[Table]:
    if find_redis() is None:
        return [Table("NOTHING MEASURED: there is no redis-server", [""])]
    site = DocSite(options.pages or PAGES)
    return [memory(), rates(site), kills(site, options.kills)]


@contextmanager
def redis_server(folder: Path) -> Iterator[RedisServer]:
    folder.mkdir(exist_ok=True)
    server = RedisServer(folder, find_redis() or "")
    server.start()
    try:
        yield server
    finally:
        server.stop()


# --- Memory ----------------------------------------------------------------


def memory() -> Table:
    """Bytes for each of what a crawl keeps in Redis."""
    kinds: dict[str, Callable[[Redis, str, int], None]] = {
        "a request": requests,
        "a request to be rendered": renderings,
        "a request that was seen": fingerprints,
        f"a text of {WORDS} words": texts,
    }
    table = Table("What is kept in Redis", HELD, name="shared-memory")
    for name, fill in kinds.items():
        table.rows.append([name, *(bytes_each(fill, count) for count in COUNTS)])
    return table


def bytes_each(fill: Callable[[Redis, str, int], None], count: int) -> float:
    import redis

    with (
        tempfile.TemporaryDirectory() as folder,
        redis_server(Path(folder)) as server,
        redis.Redis.from_url(server.url) as client,
    ):
        fill(client, server.url, 1)  # scripts are loaded once
        before = client.info("memory")["used_memory"]
        fill(client, server.url, count)
        return (client.info("memory")["used_memory"] - before) / count


def page_url(number: int) -> str:
    """A URL of 80 characters, which is a usual length."""
    start = f"https://www.example.com/documentation/chapter-{number % 97:02}/"
    return f"{start}{number:07}-a-page".ljust(75, "x") + ".html"


def requests(client: Redis, url: str, count: int) -> None:
    put(client, (as_found(number) for number in range(count)))


def renderings(client: Redis, url: str, count: int) -> None:
    chance = random.Random(1)

    def to_be_rendered(number: int) -> Request:
        sketch = sorted(chance.randrange(2**32) for _ in range(256))
        request = as_found(number)
        return replace_state(
            request,
            {
                "rendered": True,
                "reason": "scripted_container",
                "url": request.url,
                "key": ["scripted_container", "div#app"],
                "advice": "render",
                "sketch": sketch,
                "words": 300,
            },
        )

    put(client, map(to_be_rendered, range(count)))


def as_found(number: int) -> Request:
    """The request of a link that a page has, as Scrapy's middlewares leave it."""
    return Request(
        page_url(number),
        meta={"depth": 3, "link_text": ""},
        headers={"Referer": page_url(number + 1)},
        cb_kwargs={"site": "www.example.com/documentation/"},
    )


def put(client: Redis, made: Iterator[Request]) -> None:
    from scrapy_mainpage.redis_crawl.queue import LeasedQueue

    queue = LeasedQueue(client, Spider("docs"), "crawl:%(spider)s:requests")
    for request in made:
        queue.push(request)


def fingerprints(client: Redis, url: str, count: int) -> None:
    for number in range(count):
        client.sadd("crawl:docs:seen", number.to_bytes(20, "big"))


def texts(client: Redis, url: str, count: int) -> None:
    writer = Writer(1)

    async def remember() -> None:
        store = RedisStore.connect(f"{url}?prefix=crawl:duplicates", 10**6)
        for number in range(count):
            made = Fingerprint.of(writer.prose(WORDS))
            assert made is not None
            await store.remember(Entry.of(made, page_url(number)))
        await store.close()

    asyncio.run(remember())


# --- Time ------------------------------------------------------------------


def rates(site: DocSite) -> Table:
    """The same crawl without Redis (0 workers), and by 1 to 4 of them."""
    title = f"A site of {len(site.paths)} small pages, {os.cpu_count()} processors"
    table = Table(title, RATES, name="shared-rates")
    for workers, duplicates in CRAWLS:
        table.rows.append(rate(site, workers, duplicates=duplicates))
    return table


def rate(site: DocSite, workers: int, *, duplicates: bool = True) -> list[Any]:
    import redis

    with tempfile.TemporaryDirectory() as name, served(site) as (url, _):
        folder = Path(name)
        with redis_server(folder / "redis") as server:
            crawl = begun(url, folder, server, workers, duplicates)
            usages = [os.wait4(process.pid, 0) for process in crawl.running]
            for process, (_, status, _) in zip(crawl.running, usages, strict=True):
                process.returncode = os.waitstatus_to_exitcode(status)
            with redis.Redis.from_url(server.url) as client:
                info = client.info("all")
        found = crawl.finish()
    pages = len(site.paths)
    seconds = max(elapsed(log) for log in found.logs)
    busy = sum(usage.ru_utime + usage.ru_stime for _, _, usage in usages)
    resident = max(usage.ru_maxrss for _, _, usage in usages) / 1024
    redis_busy = info["used_cpu_user"] + info["used_cpu_sys"]
    return [
        workers, duplicates, pages, pages / seconds, pages / seconds / (workers or 1),
        1000 * busy / pages, resident, 1000 * redis_busy / pages if workers else 0.0,
        info["cmdstat_evalsha"]["calls"] / pages if workers else 0.0,
    ]  # fmt: skip


def begun(
    url: str, folder: Path, server: RedisServer, workers: int, duplicates: bool
) -> Crawl:
    settings: dict[str, Any] = {"MAINPAGE_DUPLICATES_ENABLED": duplicates}
    if workers:
        settings["MAINPAGE_SHARED"] = f"{server.url}?prefix=crawl"
        settings["MAINPAGE_SHARED_LEASE"] = LEASE
    crawl = Crawl(url, folder, settings)
    for _ in range(workers or 1):
        crawl.start("shared" if workers else "site")
    return crawl


def elapsed(log: str) -> float:
    """How long a worker crawled, without its start."""
    found = re.search(r"'elapsed_time_seconds': ([\d.]+)", log)
    assert found is not None, log
    return float(found[1])


# --- Kills -----------------------------------------------------------------


def kills(site: DocSite, count: int) -> Table:
    """Crawls by four workers, one of which is killed at a random moment."""
    table = Table("", KILLS, name="shared-kills")
    first = random.randrange(2**31)
    for seed in range(first, first + count):
        table.rows.append(kill(site, seed))
    lost = sum(row[2] for row in table.rows)
    table.title = (
        f"{count} crawls of {len(site.paths)} pages, one of four workers is killed: "
        f"{lost} pages lost"
    )
    return table


def kill(site: DocSite, seed: int) -> list[Any]:
    with tempfile.TemporaryDirectory() as name, served(site) as (url, _):
        folder = Path(name)
        with redis_server(folder / "redis") as server:
            settings = {
                "MAINPAGE_SHARED": f"{server.url}?prefix=crawl",
                "MAINPAGE_SHARED_LEASE": LEASE,
            }
            crawl = Crawl(url, folder, settings)
            for _ in range(4):
                crawl.start()
            after = crawl.kill(seed, most=len(site.paths) // 6)
            found = crawl.finish()
    return [seed, after, *cost(site, found)]


def cost(site: DocSite, found: Outcome) -> list[Any]:
    """What was lost, taken back and crawled twice, and how long it took."""
    lost = len(site.paths - set(found.paths))
    twice = sum(Counter(found.paths.values())[n] for n in range(2, 5))
    seconds = max(elapsed(log) for log in found.logs if "'elapsed_time" in log)
    return [lost, found.stat("mainpage/shared/taken_back"), twice, seconds]
