"""The index pipeline in crawls of every kind, alone and with the add-on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import scrapy

from tests import crawling

from .indexing import PIPELINE, index_settings, sqlite_url, urls

SELECT = "twisted.internet.selectreactor.SelectReactor"
KINDS = [
    ("async", {}),
    ("sync", {"TWISTED_REACTOR": SELECT}),
    pytest.param(
        ("reactorless", {}),
        marks=pytest.mark.skipif(
            not crawling.has_reactorless(), reason="this Scrapy needs a reactor"
        ),
    ),
]


class ItemsSpider(scrapy.Spider):
    """*count* items of one response."""

    name = "items"

    def __init__(self, count: int):
        super().__init__()
        self.count = count

    async def start(self) -> Any:
        yield scrapy.Request("data:,page")

    def parse(self, response: scrapy.http.Response) -> Any:
        for number in range(self.count):
            url = f"https://example.com/{number}"
            yield {"url": url, "text": f"words {number}"}


def crawl(folder: Path, count: int, process: str = "async", **settings: Any) -> Any:
    settings = index_settings(
        folder, ADDONS={}, ITEM_PIPELINES={PIPELINE: 800}, **settings
    )
    spider = f"{__name__}.{ItemsSpider.__name__}"
    running = crawling.start(spider, folder, settings, process=process, count=count)
    return crawling.finish(running, folder)


@pytest.mark.parametrize("kind", KINDS, ids=["asyncio", "select", "reactorless"])
def test_every_item_is_indexed_by_the_end(
    tmp_path: Path, kind: tuple[str, dict[str, Any]]
) -> None:
    process, settings = kind
    names = [sqlite_url(tmp_path / name) for name in ("a.db", "b.db")]
    found = crawl(tmp_path, 80, process, MAINPAGE_INDEX=names, **settings)
    assert found.returncode == 0, found.log
    assert "Traceback" not in found.log
    assert found.stat("mainpage/index/put") == 160
    assert found.stat("item_scraped_count") == 80
    wanted = sorted(f"https://example.com/{number}" for number in range(80))
    assert [sorted(urls(name)) for name in names] == [wanted, wanted]
    assert not (tmp_path / ".scrapy").exists()
