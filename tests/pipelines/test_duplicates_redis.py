"""The shared store of texts, on a real Redis server."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage.duplicates import redis as redis_store
from scrapy_mainpage.duplicates.entry import Entry
from scrapy_mainpage.duplicates.fingerprint import Fingerprint
from scrapy_mainpage.duplicates.redis import RedisStore
from scrapy_mainpage.duplicates.store import LocalStore, Store, StoreFailure
from tests.crawling import crawl, finish, has_reactorless, start
from tests.servers.redis import RedisServer

from .copies import Writer, collection
from .duplicatespiders import OURS, SPIDERS
from .test_duplicates_crawls import dropped, item, names, wait_for

WRITER = Writer(13)
PROCESSES = ["async", "sync"] + ["reactorless"] * has_reactorless()


@pytest.fixture
def server(redis_server: RedisServer) -> RedisServer:
    return redis_server


def settings(server: RedisServer) -> dict[str, Any]:
    return {
        "ADDONS": {},
        "ITEM_PIPELINES": {OURS: 300, f"{SPIDERS}Troubled": 500},
        "MAINPAGE_DUPLICATES_STORE": f"{server.url}?prefix=shared",
    }


def entry(text: str, name: str = "a", canonical: str = "") -> Entry:
    made = Fingerprint.of(text)
    assert made is not None
    return Entry.of(made, f"https://example.com/{name}", canonical)


def keys_of(server: RedisServer) -> dict[str, int]:
    """The number of texts, and of fields of all hashes."""
    import redis

    with redis.Redis.from_url(server.url) as client:
        keys = [key for key in client.scan_iter() if not key.endswith(b":age")]
        keys = [key for key in keys if b":replaced" not in key]
        texts = [key for key in keys if b":text:" in key]
        fields = sum(client.hlen(key) for key in set(keys) - set(texts))
        return {"texts": len(texts), "fields": fields}


def test_it_decides_as_the_store_in_the_process(server: RedisServer) -> None:
    entries = [entry(s.text, str(k)) for k, s in enumerate(collection(4))]

    async def decide(store: Store) -> list[list[tuple[str, float]]]:
        verdicts = []
        for one in entries:
            found = (await store.find(one, 0.82)).matches
            verdicts.append([(m.entry.url, m.similarity) for m in found[:1]])
            if not found:
                await store.remember(one)
        await store.close()
        return verdicts

    shared = asyncio.run(decide(RedisStore(server.url, 100_000)))
    assert shared == asyncio.run(decide(LocalStore(100_000)))
    assert sum(map(bool, shared)) > 100


def test_the_oldest_are_forgotten_with_all_that_led_to_them(
    server: RedisServer,
) -> None:
    texts = [WRITER.prose(40) for _ in range(5)]

    async def scenario() -> list[int]:
        store = RedisStore(server.url, 2)
        forgotten = [
            await store.remember(entry(text, str(k))) for k, text in enumerate(texts)
        ]
        found = [
            len((await store.find(entry(text, "x"), 0.8)).matches) for text in texts
        ]
        assert found == [0, 0, 0, 1, 1]
        assert await store.open() == 2
        await store.remember(entry(texts[4], "4"))  # again: nothing more
        await store.close()
        return forgotten

    assert asyncio.run(scenario()) == [0, 0, 1, 1, 1]
    assert keys_of(server) == {"texts": 2, "fields": 2 * (20 + 1)}


def test_a_text_is_remembered_instead_of_others_and_found_by_its_address(
    server: RedisServer,
) -> None:
    text = WRITER.prose(100)
    half = f"{text[: len(text) * 65 // 100]} {WRITER.prose(35)}"

    async def scenario() -> None:
        store = RedisStore(server.url, 10)
        await store.remember(entry(text, "short"))
        (match,) = (await store.find(entry(text, "other"), 0.8)).matches
        await store.remember(entry(f"{text} more", "longer", "/main"), [match.key])
        (match,) = (await store.find(entry(text, "other"), 0.8)).matches
        assert match.entry.url == "https://example.com/longer"
        assert not (await store.find(entry(half, "half"), 0.8)).matches
        assert (await store.find(entry(half, "half", "/main"), 0.8)).matches
        await store.close()

    asyncio.run(scenario())
    assert keys_of(server)["texts"] == 1


def test_prefixes_keep_stores_apart(server: RedisServer) -> None:
    async def scenario() -> None:
        one = RedisStore(f"{server.url}?prefix=one", 10)
        two = RedisStore(f"{server.url}?prefix=two", 10)
        await one.remember(entry("the same words again and again, eight"))
        assert await one.open() == 1
        assert await two.open() == 0
        await one.close()
        await two.close()

    asyncio.run(scenario())


def test_a_failure_is_named_and_nothing_is_tried_for_a_while(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def reason(store: Store) -> str:
        with pytest.raises(StoreFailure) as caught:
            await store.find(entry("text"), 0.8)
        return caught.value.reason

    async def scenario() -> None:
        store = RedisStore(server.url, 10)
        await store.remember(entry("text"))
        server.kill()
        assert await reason(store) == "unreachable"
        server.start()
        assert await reason(store) == "paused"
        monkeypatch.setattr(redis_store, "monotonic", lambda: 1e12)
        await store.remember(entry("text"))
        assert (await store.find(entry("text", "b"), 0.8)).matches
        await store.close()

    asyncio.run(scenario())


def test_one_worker_knows_what_another_has_kept(server: RedisServer) -> None:
    text = WRITER.prose(80)
    first = crawl(
        f"{SPIDERS}ItemsSpider",
        settings(server),
        items=[item("lost", text, fate="drop"), item("a", text), item("b", text)],
    )
    assert names(first) == ["a"]
    second = crawl(
        f"{SPIDERS}ItemsSpider",
        settings(server),
        items=[item("c", text), item("a", text), item("d", WRITER.prose(80))],
    )
    assert names(second) == ["a", "d"]
    assert dropped(second) == {"ExactDuplicate": 1}


def test_of_copies_that_workers_see_at_once_one_is_kept(
    server: RedisServer, tmp_path: Path
) -> None:
    texts = [WRITER.prose(60) for _ in range(20)]
    folders = [tmp_path / name for name in "ab"]
    running: list[tuple[subprocess.Popen[str], Path]] = []
    for folder in folders:
        folder.mkdir()
        items = [item(f"{folder.name}{k}", text) for k, text in enumerate(texts)]
        spider = f"{SPIDERS}ItemsSpider"
        running.append((start(spider, folder, settings(server), items=items), folder))
    crawls = [finish(*one) for one in running]
    kept = [thing["text"] for found in crawls for thing in found.items]
    assert sorted(kept) == sorted(texts)
    lost = sum(dropped(found).get("ExactDuplicate", 0) for found in crawls)
    assert len(kept) + lost == 2 * len(texts)
    assert keys_of(server)["texts"] == len(kept)


def test_a_crawl_goes_on_when_the_server_is_gone(
    server: RedisServer, tmp_path: Path
) -> None:
    text, go_on = WRITER.prose(80), tmp_path / "go-on"
    running = start(
        f"{SPIDERS}ItemsSpider",
        tmp_path,
        settings(server),
        items=[item("a", text, until=str(go_on)), item("b", text)],
    )
    wait_for(running, "an item waits")
    server.kill()
    go_on.touch()
    found = finish(running, tmp_path)
    assert found.returncode == 0
    assert names(found) == ["a", "b"]
    assert found.stat("mainpage/duplicates/failed/unreachable") == 1
    assert found.stat("mainpage/duplicates/failed/paused") >= 1
    assert found.log.count("copies may pass") == 1
    assert "ERROR" in found.log
    assert "secret" not in found.log
