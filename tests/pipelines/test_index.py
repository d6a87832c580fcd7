"""The index pipeline by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import NotConfigured

from scrapy_mainpage import indexes
from scrapy_mainpage.indexes import open_index
from scrapy_mainpage.indexes.writer import Sender
from scrapy_mainpage.pipelines import index as pipeline_module
from scrapy_mainpage.pipelines.index import IndexPipeline
from scrapy_mainpage.settings import SettingsError
from tests.indexes.delivery.memory import Memory, failing, gone, page

from .duplicatespiders import KINDS
from .indexing import (
    make_crawler,
    rows_in,
    run,
    sqlite_url,
    stats,
    urls,
    words,
)

SERVER = "postgresql://host/pages"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Sender, "retries", 0)


class TestItems:
    @pytest.mark.parametrize("kind", KINDS.values())
    def test_item_of_any_type_is_indexed_and_passed_on(
        self, tmp_path: Path, kind: Any
    ) -> None:
        item = kind(url="https://example.com/", text="some words")
        crawler = make_crawler(tmp_path)
        (result,) = run(crawler, item)
        assert result is item
        assert stats(crawler) == {"put": 1}
        with open_index(sqlite_url(tmp_path / "site.db"), read_only=True) as index:
            (hit,) = index.search("some words")
        assert hit.url == "https://example.com/"

    @pytest.mark.parametrize(
        ("item", "reason"),
        [
            ({"text": "words"}, "no_url"),
            ({"url": "u", "text": " \n"}, "no_text"),
            ("not an item", "no_url"),
        ],
    )
    def test_item_that_cannot_be_indexed_is_passed_on_and_counted(
        self, tmp_path: Path, item: Any, reason: str
    ) -> None:
        crawler = make_crawler(tmp_path)
        assert run(crawler, item)[0] is item
        assert stats(crawler) == {f"skipped/{reason}": 1}

    def test_value_that_cannot_be_read_fails_its_item_only(
        self, tmp_path: Path
    ) -> None:
        class Odd:
            def __str__(self) -> str:
                raise RuntimeError("odd")

        crawler = make_crawler(tmp_path)
        item = {"url": "u", "text": "words", "title": Odd()}
        assert run(crawler, item, words(1)) == [item, words(1)]
        assert stats(crawler) == {"failed/RuntimeError": 1, "put": 1}

    def test_other_indexes_get_what_one_cannot_take(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        good, bad = (sqlite_url(tmp_path / name) for name in ("good.db", "bad.db"))
        connect = indexes.open_index

        def connect_one(url: str, **options: object) -> indexes.Index:
            if url == bad:
                raise indexes.IndexUnavailable(url, "gone")
            return connect(url)

        monkeypatch.setattr(indexes, "open_index", connect_one)
        crawler = make_crawler(tmp_path, MAINPAGE_INDEX=[bad, good])
        run(crawler, words(0))
        found = stats(crawler)
        assert (found["put"], found["dead"], found["dead/unavailable"]) == (1, 1, 1)
        assert urls(good) == [page(0)]
        (row,) = rows_in(tmp_path)
        assert row.index_url == bad

    def test_delete_takes_documents_out_of_the_index(self, tmp_path: Path) -> None:
        async def process() -> None:
            pipeline = IndexPipeline.from_crawler(crawler)
            pipeline.open_spider()
            await pipeline.process_item(words(0))
            await pipeline.process_item(words(1))
            await pipeline.delete(page(0))
            await pipeline.close_spider()

        crawler = make_crawler(tmp_path)
        asyncio.run(process())
        assert urls(sqlite_url(tmp_path / "site.db")) == [page(1)]
        assert stats(crawler) == {"put": 2, "deleted": 1}


class TestFailures:
    def test_what_can_be_written_nowhere_is_no_error_of_the_item(
        self, tmp_path: Path, memory: Memory
    ) -> None:
        memory.steps.append(failing(gone()))
        (tmp_path / ".scrapy").write_text("in the way")
        crawler = make_crawler(tmp_path)
        assert run(crawler, words(0), words(1)) == [words(0), words(1)]
        found = stats(crawler)
        assert (found["lost"], found["put"]) == (1, 1)


class TestSettings:
    @pytest.mark.parametrize(
        "settings",
        [{"MAINPAGE_INDEX": None}, {"MAINPAGE_INDEX": ""}, {"MAINPAGE_ENABLED": False}],
    )
    def test_without_an_index_the_pipeline_is_off(
        self, tmp_path: Path, settings: dict[str, Any]
    ) -> None:
        with pytest.raises(NotConfigured):
            IndexPipeline.from_crawler(make_crawler(tmp_path, **settings))

    def refused(self, crawler: Any) -> str:
        with pytest.raises(SettingsError) as caught:
            IndexPipeline.from_crawler(crawler)
        message = str(caught.value)
        assert "\n" not in message
        return message

    @pytest.mark.parametrize(
        "bad", ["sqlite:////missing/folder/site.db", "site.db", "nosuch://x"]
    )
    def test_unusable_index_is_an_error_in_one_line(
        self, tmp_path: Path, bad: str
    ) -> None:
        message = self.refused(make_crawler(tmp_path, MAINPAGE_INDEX=bad))
        assert "MAINPAGE_INDEX" in message
        assert repr(bad) in message
        assert "sqlite:///relative/path.db" in message

    def test_outbox_that_cannot_be_written_is_an_error_in_one_line(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pipeline_module, "check_indexes", lambda *_: None)
        (tmp_path / ".scrapy").write_text("in the way")
        url = SERVER.replace("host", "me:geheim@host")
        message = self.refused(make_crawler(tmp_path, MAINPAGE_INDEX=url))
        assert "MAINPAGE_INDEX='postgresql://me:***@host/pages': its outbox" in message
        assert str(tmp_path / ".scrapy") in message
