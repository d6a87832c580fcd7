"""What workers learn of the rendering of sites, together by way of Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from redis import Redis
from scrapy import signals

from scrapy_mainpage.rendering import sharing
from scrapy_mainpage.rendering.experience import Note
from scrapy_mainpage.rendering.knowledge import SiteKnowledge
from scrapy_mainpage.rendering.learning import Learning
from scrapy_mainpage.rendering.sharing import SharedLearning, SiteRecords
from tests.crawling import has_reactorless, make_crawler
from tests.servers.redis import RedisServer

KEY = ("scripted_container", "div#app")
SHOP = "https://a.example/shop/item-{}.html"


class Worker:
    """A worker's knowledge, exchanged when the test says so."""

    def __init__(self, server: RedisServer):
        self.crawler = make_crawler()
        self.knowledge = SiteKnowledge()
        url = f"{server.url}?prefix=rendering"
        self.sharing = SharedLearning(self.crawler, url, self.knowledge)
        self.knowledge.notes = self.sharing._notes

    async def exchange(self) -> None:
        await self.sharing.exchange()

    def render(self, number: int, *, gained: bool, need: Any = "maybe") -> str:
        """Judge a page, and render it if experience is not against it."""
        url = SHOP.format(number)
        advice = self.knowledge.advise(url, KEY, need)
        if advice != "skip":
            self.knowledge.rendering(url, KEY)
            self.knowledge.rendered(url, KEY, gained=gained)
        return advice


@pytest.fixture
def workers(
    server: RedisServer,
) -> Callable[[Callable[[Worker, Worker], Awaitable[None]]], None]:
    def run(scenario: Callable[[Worker, Worker], Awaitable[None]]) -> None:
        async def main() -> None:
            one, other = Worker(server), Worker(server)
            try:
                await scenario(one, other)
            finally:
                await one.sharing.close()
                await other.sharing.close()

        asyncio.run(main())

    return run


def test_one_worker_knows_what_another_has_learned(workers: Any) -> None:
    async def scenario(one: Worker, other: Worker) -> None:
        advices = [one.render(number, gained=False) for number in range(4)]
        assert advices == ["probe", "probe", "skip", "skip"]
        await one.exchange()
        other.knowledge.rendering(SHOP.format(9), KEY)  # the site comes up here, too
        await other.exchange()
        assert other.render(10, gained=False) == "skip"

    workers(scenario)


def test_a_part_that_always_needs_it_is_rendered_at_once_by_all(workers: Any) -> None:
    async def scenario(one: Worker, other: Worker) -> None:
        for number in range(3):
            one.render(number, gained=True, need="yes")
            other.render(100 + number, gained=True, need="yes")
        assert not one.knowledge.at_once(SHOP.format(50))
        await one.exchange()
        await other.exchange()
        assert other.knowledge.at_once(SHOP.format(50))
        one.knowledge.enough(SHOP.format(7))  # but one page does not
        await one.exchange()
        other.knowledge.enough("https://a.example/about/us/x.html")
        await other.exchange()
        assert not other.knowledge.at_once(SHOP.format(51))

    workers(scenario)


def test_what_workers_learn_at_the_same_time_adds_up(workers: Any) -> None:
    async def scenario(one: Worker, other: Worker) -> None:
        for number in range(40):
            for worker in (one, other):
                worker.knowledge.enough(f"https://b.example/{number}/x.html")
            await asyncio.gather(one.exchange(), other.exchange())
        for worker in (one, other):
            worker.knowledge.enough("https://b.example/last")
            await worker.exchange()
        assert other.knowledge.data_of("b.example")["counts"][0] == 82

    workers(scenario)


def test_what_is_noted_during_an_exchange_is_not_lost(workers: Any) -> None:
    async def scenario(one: Worker, other: Worker) -> None:
        one.knowledge.enough(SHOP.format(1))
        exchange = asyncio.ensure_future(one.exchange())
        await asyncio.sleep(0)  # it is sent by now, and not answered
        one.knowledge.enough(SHOP.format(2))
        await exchange
        assert one.knowledge.data_of("a.example")["counts"][0] == 2
        await one.exchange()
        assert one.knowledge.data_of("a.example")["counts"][0] == 2

    workers(scenario)


def test_failures_of_a_browser_and_pages_under_way_are_a_worker_s_own(
    workers: Any,
) -> None:
    async def scenario(one: Worker, other: Worker) -> None:
        for number in range(5):
            one.knowledge.advise(SHOP.format(number), KEY, "yes")
            one.knowledge.rendering(SHOP.format(number), KEY)
            one.knowledge.failed(SHOP.format(number), KEY)
        await one.exchange()
        assert one.knowledge.advise(SHOP.format(8), KEY, "yes") == "skip"
        other.knowledge.enough("https://a.example/")
        await other.exchange()
        assert other.knowledge.advise(SHOP.format(8), KEY, "yes") == "render"

    workers(scenario)


def test_what_is_no_site_in_redis_is_begun_anew(
    workers: Any, server: RedisServer
) -> None:
    async def scenario(one: Worker, other: Worker) -> None:
        with Redis.from_url(server.url) as client:
            for text in ("{", "[]", '{"counts": [-1, 0, 0]}', b"\xff"):
                client.set("rendering:site:a.example", text)
                one.knowledge.enough(SHOP.format(1))
                await one.exchange()
                assert b'"counts":[1,0,0]' in (
                    client.get("rendering:site:a.example") or b""
                )

    workers(scenario)


def test_a_site_takes_few_bytes_and_not_for_ever(server: RedisServer) -> None:
    with Redis.from_url(server.url) as client:
        records = SiteRecords(client, "rendering")
        notes = [Note("page"), Note("maybe", "k" * 80), Note("vain", "k" * 80)]
        parts = [Note("never", f"/{number}/*.html") for number in range(2000)]
        records.exchange({"a.example": notes, "b.example": parts})
        assert client.memory_usage("rendering:site:a.example") < 400
        assert client.memory_usage("rendering:site:b.example") < 20_000
        assert 0 < client.ttl("rendering:site:a.example") <= sharing.KEPT


def test_without_redis_each_learns_alone_and_says_so_once(
    server: RedisServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        one = Worker(server)
        one.knowledge.enough(SHOP.format(0))
        await one.exchange()
        server.kill()
        monkeypatch.setattr(sharing, "MOST_NOTES", 10)
        for number in range(20):
            one.knowledge.enough(SHOP.format(number))
            await one.exchange()
        assert one.knowledge.data_of("a.example")["counts"][0] == 21
        server.start()
        await one.exchange()
        with Redis.from_url(server.url) as client:  # it has kept the last ones
            text = client.get("rendering:site:a.example") or b""
        assert b'"counts":[5,0,0]' in text
        stats = one.crawler.stats
        assert stats is not None
        assert stats.get_value("mainpage/render/sharing_failed/unreachable") == 20
        await one.sharing.close()

    asyncio.run(scenario())
    assert caplog.text.count("What is learned of sites is not shared") == 1


def test_a_crawl_that_is_not_shared_notes_nothing() -> None:
    async def scenario() -> None:
        crawler = make_crawler(MAINPAGE_RENDER="auto")
        learning = Learning(crawler)
        crawler.signals.send_catch_log(signals.spider_opened, spider=crawler.spider)
        learning.knowledge.enough(SHOP.format(0))
        assert learning.knowledge.notes is None

    asyncio.run(scenario())


@pytest.mark.skipif(
    not has_reactorless(), reason="this Scrapy waits with a reactor only"
)
def test_a_shared_crawl_exchanges_by_itself_and_at_its_end(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "INTERVAL", 0.01)

    async def scenario() -> None:
        url = f"{server.url}?prefix=crawl"
        crawler = make_crawler(MAINPAGE_RENDER="auto", MAINPAGE_SHARED=url)
        learning = Learning(crawler)
        send = crawler.signals.send_catch_log_async
        await send(signals.spider_opened, spider=crawler.spider)
        with Redis.from_url(server.url) as client:
            learning.knowledge.enough(SHOP.format(0))
            while not client.exists("crawl:rendering:site:a.example"):
                await asyncio.sleep(0.01)
            learning.knowledge.enough("https://b.example/")
            await send(signals.spider_closed, spider=crawler.spider, reason="finished")
            assert client.exists("crawl:rendering:site:b.example")

    asyncio.run(scenario())
