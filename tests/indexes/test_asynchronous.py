"""Indexes in asynchronous code: concurrent calls, and a loop that never blocks."""

from __future__ import annotations

import asyncio

import pytest

from scrapy_mainpage.indexes import IndexDocument, IndexFailure, connect_index


class TestConnectIndex:
    def test_several_calls_at_once_do_all_that_was_asked(self, url: str) -> None:
        async def use() -> None:
            async with await connect_index(url) as index:
                batches = [
                    [IndexDocument(f"u/{batch}/{n}", "shared words") for n in range(5)]
                    for batch in range(10)
                ]
                done = await asyncio.gather(*map(index.put_many, batches))
                assert not any(done)
                hits, *deleted = await asyncio.gather(
                    index.search("shared", limit=100),
                    index.delete(["u/0/0"]),
                    index.delete(["u/0/1", "u/0/2"]),
                )
                assert deleted == [1, 2]
                assert 47 <= len(hits) <= 50
                assert len([found async for found in index.urls()]) == 47

        asyncio.run(use())

    def test_loop_goes_on_while_the_index_writes(self, url: str) -> None:
        async def use() -> None:
            text = " ".join(f"word{number}" for number in range(30_000))
            documents = [IndexDocument(f"u/{number}", text) for number in range(3)]
            async with await connect_index(url) as index:
                task = asyncio.ensure_future(index.put_many(documents))
                turns = 0
                while not task.done():
                    await asyncio.sleep(0)
                    turns += 1
                assert not task.result()
                assert turns > 10

        asyncio.run(use())

    def test_call_after_close_fails(self, url: str) -> None:
        async def use() -> None:
            index = await connect_index(url)
            await index.close()
            await index.close()
            with pytest.raises(IndexFailure) as caught:
                await index.search("words")
            assert caught.value.reason == "closed"
            with pytest.raises(IndexFailure):
                await index.put_many([IndexDocument("u", "words")])
            with pytest.raises(IndexFailure):
                assert [found async for found in index.urls()]

        asyncio.run(use())

    @pytest.mark.parametrize("turns", [0, 2, 10])
    def test_put_that_close_overtakes_is_done_or_fails_as_closed(
        self, url: str, turns: int
    ) -> None:
        async def use() -> None:
            index = await connect_index(url)
            put = asyncio.ensure_future(index.put_many([IndexDocument("u", "words")]))
            for _ in range(turns):
                await asyncio.sleep(0)
            await index.close()
            (outcome,) = await asyncio.gather(put, return_exceptions=True)
            async with await connect_index(url) as reopened:
                urls = [found async for found in reopened.urls()]
            if isinstance(outcome, IndexFailure):
                assert outcome.reason == "closed"
            else:
                assert not outcome
                assert urls == ["u"]

        asyncio.run(use())
