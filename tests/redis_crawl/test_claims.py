"""Workers keep one copy among them: they claim a text before its item goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider

from scrapy_mainpage.duplicates.entry import Entry
from scrapy_mainpage.duplicates.fingerprint import Fingerprint
from scrapy_mainpage.duplicates.redis import RedisStore
from scrapy_mainpage.pipelines.duplicates import DuplicateDropItem, DuplicatesPipeline
from tests.crawling import has_reactorless, make_crawler
from tests.pipelines.copies import Writer
from tests.servers.redis import RedisServer

WRITER = Writer(5)
TEXT = WRITER.prose(100)


def entry(text: str, name: str, canonical: str = "") -> Entry:
    made = Fingerprint.of(text)
    assert made is not None
    return Entry.of(made, f"https://example.com/{name}", canonical)


def edited(text: str, step: int = 25) -> str:
    return " ".join("kelp" if n % step == 3 else w for n, w in enumerate(text.split()))


@contextmanager
def stores(server: RedisServer, count: int = 2) -> Iterator[list[RedisStore]]:
    made = [RedisStore(f"{server.url}?prefix=p", 100) for _ in range(count)]
    yield made
    for store in made:
        asyncio.run(store.close())


def test_a_claimed_text_is_seen_by_others_and_not_by_its_worker(
    server: RedisServer,
) -> None:
    async def scenario(one: RedisStore, other: RedisStore) -> None:
        mine = entry(TEXT, "a")
        assert await one.claim(mine, await one.find(mine, 0.8))
        copy = entry(edited(TEXT), "b")
        assert await one.find(copy, 0.8) == ([], [], 1)
        found = await other.find(copy, 0.8)
        assert [match.entry.url for match in found.claimed] == [mine.url]
        assert found.matches == []
        await one.remember(mine)
        found = await other.find(copy, 0.8)
        assert [match.entry.url for match in found.matches] == [mine.url]
        assert found.claimed == []

    with stores(server) as made:
        asyncio.run(scenario(*made))


def test_nobody_may_claim_what_has_a_copy_that_came_since_the_look(
    server: RedisServer,
) -> None:
    async def scenario(one: RedisStore, other: RedisStore) -> None:
        mine, theirs = entry(TEXT, "a"), entry(edited(TEXT), "b")
        looks = await one.find(mine, 0.8), await other.find(theirs, 0.8)
        assert await one.claim(mine, looks[0])
        assert not await other.claim(theirs, looks[1])
        unlike = entry(WRITER.prose(100), "c")
        assert await other.claim(unlike, looks[1])
        await one.release(mine)
        assert await other.claim(theirs, await other.find(theirs, 0.8))

    with stores(server) as made:
        asyncio.run(scenario(*made))


def test_what_was_remembered_is_not_let_go_by_a_claim_of_the_same_page(
    server: RedisServer,
) -> None:
    async def scenario(one: RedisStore, other: RedisStore) -> None:
        mine = entry(TEXT, "a")
        await one.remember(mine)
        assert await other.claim(mine, await other.find(mine, 0.8))
        await other.release(mine)
        assert len((await one.find(entry(TEXT, "b"), 0.8)).matches) == 1

    with stores(server) as made:
        asyncio.run(scenario(*made))


def test_the_claim_of_a_worker_that_was_killed_ends(server: RedisServer) -> None:
    async def scenario(dead: RedisStore, other: RedisStore) -> None:
        dead.claim_time = 0.02  # seconds
        mine = entry(TEXT, "a")
        assert await dead.claim(mine, await dead.find(mine, 0.8))
        await asyncio.sleep(0.05)
        assert (await other.find(entry(TEXT, "b"), 0.8))[:2] == ([], [])
        with Redis.from_url(server.url) as client:
            assert not [key for key in client.scan_iter() if b":text:" in key]

    with stores(server) as made:
        asyncio.run(scenario(*made))


def pipeline(server: RedisServer, **settings: Any) -> DuplicatesPipeline:
    url = f"{server.url}?prefix=p"
    crawler: Crawler = make_crawler(MAINPAGE_SHARED=url, **settings)
    crawler.get_item_pipeline = lambda cls: None  # type: ignore[method-assign]
    return DuplicatesPipeline.from_crawler(crawler)


class Index:
    """An index that notes its calls."""

    def __init__(self, *restored: str) -> None:
        self.restored, self.done = list(restored), list[str]()

    async def take_over(self) -> list[str]:
        return self.restored

    async def delete(self, url: str) -> None:
        self.done.append(url)


async def passes(ours: DuplicatesPipeline, item: dict[str, str]) -> bool:
    """Whether the item passes this pipeline and all later ones."""
    try:
        await ours.process_item(item)
    except DuplicateDropItem:
        return False
    await ours.item_kept(item)
    return True


@pytest.mark.skipif(
    not has_reactorless(), reason="this Scrapy waits with a reactor only"
)
def test_an_item_waits_for_what_becomes_of_another_worker_s(
    server: RedisServer,
) -> None:
    async def scenario() -> None:
        one, other = pipeline(server), pipeline(server)
        first = {"url": "https://example.com/a", "text": TEXT}
        await one.process_item(first)
        copies = [{"url": f"https://example.com/{n}", "text": TEXT} for n in range(2)]
        waiting = [asyncio.ensure_future(passes(other, copy)) for copy in copies]
        await asyncio.sleep(0.3)
        assert not any(each.done() for each in waiting)
        await one.item_lost(first)  # dropped by another pipeline: one copy goes on
        assert sorted([await each for each in waiting]) == [False, True]
        assert not await passes(one, {**first})
        await one.close_spider()
        await other.close_spider()

    asyncio.run(scenario())


def test_the_canonical_copy_is_the_same_in_every_order(server: RedisServer) -> None:
    names = ["a/b/page", "page", "zage", "a/b/page?print"]

    async def scenario(order: list[str], prefix: str) -> list[str]:
        keep = {"MAINPAGE_DUPLICATES_KEEP": "canonical"}
        keep["MAINPAGE_DUPLICATES_STORE"] = f"{server.url}?prefix={prefix}"
        workers = [pipeline(server, **keep) for _ in range(2)]
        for number, name in enumerate(order):
            url = f"https://example.com/{name}"
            await passes(workers[number % 2], {"url": url, "text": TEXT})
        matches = (await workers[0]._store.find(entry(TEXT, "other"), 0.8)).matches
        for worker in workers:
            await worker.close_spider()
        return [match.entry.url for match in matches]

    for turn in range(len(names)):
        order = names[turn:] + names[:turn]
        kept = asyncio.run(scenario(order, str(turn)))
        assert kept == ["https://example.com/page"]


def test_a_page_that_names_another_as_canonical_comes_after_longer_addresses() -> None:
    main, print_version = entry(TEXT, "long/address"), entry(TEXT, "p", "/long/address")
    assert main.is_more_canonical(print_version)
    assert not print_version.is_more_canonical(main)
    assert print_version.is_more_canonical(Entry.of(print_version.fingerprint))
    assert not main.is_more_canonical(main)


@pytest.mark.skipif(
    not has_reactorless(), reason="this Scrapy waits with a reactor only"
)
def test_the_worker_that_has_an_item_in_its_index_deletes_it_before_it_ends(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[Crawler] = []
    monkeypatch.setattr(
        "scrapy_mainpage.pipelines.duplicates.wake_engine", woken.append, raising=True
    )

    def urls(*names: str) -> list[str]:
        return [f"https://example.com/{name}" for name in names]

    async def settled(worker: DuplicatesPipeline, index: Index) -> list[str]:
        """Calls of a worker's index before it ends."""
        crawler: Any = worker.crawler
        crawler.get_item_pipeline = lambda cls: index
        count = len(woken)
        with pytest.raises(DontCloseSpider):
            worker.spider_idle()
        while len(woken) == count:
            await asyncio.sleep(0.01)
        worker.spider_idle()
        return index.done

    async def scenario() -> None:
        keep = {"MAINPAGE_DUPLICATES_KEEP": "canonical"}
        one, killed, other, last = [pipeline(server, **keep) for _ in range(4)]
        one.spider_idle()  # nothing to do: it may end
        texts = [TEXT, WRITER.prose(80)]
        first, second = urls("long/address", "longer/address")
        assert await passes(one, {"url": first, "text": texts[0]})
        assert await passes(killed, {"url": second, "text": texts[1]})
        for url, text in zip(urls("a", "b"), texts, strict=True):
            assert await passes(other, {"url": url, "text": text})
        assert await passes(last, {"url": urls("c")[0], "text": WRITER.prose(90)})
        # Every worker does the work left by others: they may have been killed.
        assert await settled(one, Index()) == [first, second]
        # Documents left in its journal are deleted after they are written.
        restored = Index(second, *urls("b", "c"))
        assert await settled(other, restored) == [second, second]
        assert await settled(last, Index()) == [second]
        for each in (one, killed, other, last):
            await each.close_spider()

    asyncio.run(scenario())
