"""The pipeline of duplicates, item by item."""

from __future__ import annotations

import asyncio
import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider, DropItem
from scrapy.http import HtmlResponse

from scrapy_mainpage import extract
from scrapy_mainpage.crawl.crawl_ledger import CrawlLedger
from scrapy_mainpage.crawl.crawl_state import CrawlState, ItemOrigin, ItemPages
from scrapy_mainpage.memory.copies import Entry
from scrapy_mainpage.memory.fingerprints import Fingerprint
from scrapy_mainpage.pipelines import duplicates
from scrapy_mainpage.pipelines.duplicates import (
    DuplicatesPipeline,
    ExactDuplicate,
    NearDuplicate,
)
from scrapy_mainpage.settings import SettingsError
from tests.crawling import has_reactorless, make_crawler
from tests.mockserver import article

from .copies import Writer
from .duplicatespiders import KINDS

WRITER = Writer(12)
TEXT = WRITER.prose(120)


def run(crawler: Crawler, *items: Any) -> list[Any]:
    """Process the items in turn; each result is the item or its DropItem."""

    async def process(ours: DuplicatesPipeline, item: Any) -> Any:
        try:
            passed = await ours.process_item(item)
        except DropItem as reason:
            return reason
        await ours.item_kept(passed)
        return passed

    async def process_all() -> list[Any]:
        ours = DuplicatesPipeline.from_crawler(crawler)
        ours.open_spider()
        try:
            return [await process(ours, item) for item in items]
        finally:
            ours.close_spider()

    return asyncio.run(process_all())


def item(name: str, text: str = TEXT, **more: Any) -> dict[str, Any]:
    return {"url": f"https://example.com/{name}", "text": text, **more}


def stat(crawler: Crawler, name: str) -> Any:
    assert crawler.stats is not None
    return crawler.stats.get_value(f"mainpage/duplicates/{name}", 0)


def test_a_dropped_item_says_of_what_it_is_a_copy_and_how_like_it() -> None:
    edited = WRITER.edited(TEXT)
    kept, exact, near = run(make_crawler(), item("a"), item("b"), item("c", edited))
    assert kept == item("a")
    assert type(exact) is ExactDuplicate
    assert str(exact) == "exact copy of https://example.com/a"
    assert type(near) is NearDuplicate
    assert near.url == "https://example.com/a"
    assert f"near copy ({near.similarity:.2f}) of {near.url}" == str(near)
    assert 0.82 <= near.similarity < 1
    assert exact.log_level == near.log_level == "DEBUG"


@pytest.mark.parametrize("has_page", [False, True])
def test_pages_of_one_template_with_other_titles_and_urls_are_kept(
    has_page: bool,
) -> None:
    text = "\n".join(f"NAME {WRITER.prose(20)}" for _ in range(6))
    crawler, items = make_crawler(), []
    for name in ("COMMIT PREPARED", "ROLLBACK PREPARED"):
        items.append(item(name.split()[0], text.replace("NAME", name)))
        if has_page:
            url = items[-1]["url"] = items[-1]["url"].lower()
            page = extract(f"<title>{name}</title><p>A page of words", url=url)
            response, sources = (
                HtmlResponse(url),
                CrawlState.of(crawler).keep(ItemPages),
            )
            sources.remember(items[-1], ItemOrigin(page), response)
        else:
            items[-1]["title"] = name
    assert run(crawler, *items) == items
    for each in items:
        each.update(url="https://example.com/page", title="")
    items[1]["url"] += "2"
    assert isinstance(run(make_crawler(), *items)[1], NearDuplicate)


def test_the_end_of_the_crawl_says_how_many_copies_were_dropped(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    run(make_crawler(), {"no": "text"})
    assert "duplicates:" not in caplog.text
    run(make_crawler(), item("a"))
    assert "duplicates: 0 of 1 items dropped\n" in caplog.text
    copies = item("b"), item("c"), item("d", WRITER.edited(TEXT))
    run(make_crawler(), item("a"), *copies)
    assert "duplicates: 3 of 4 items dropped: exact 2, near 1\n" in caplog.text


def test_of_several_urls_the_first_is_the_items() -> None:
    urls = [item("a")["url"], item("b")["url"]]
    first, again, copy = run(make_crawler(), item("a"), item("", url=urls), item("b"))
    assert (first, again["url"]) == (item("a"), urls)
    assert str(copy) == "exact copy of https://example.com/a"


@pytest.mark.parametrize("kind", KINDS.values())
def test_items_of_every_type_are_compared(kind: Any) -> None:
    first, copy = run(make_crawler(), kind(**item("a")), kind(**item("b")))
    assert first == kind(**item("a"))
    assert type(copy) is ExactDuplicate


def test_the_same_page_again_is_no_copy_of_itself() -> None:
    longer = f"{TEXT} {WRITER.prose(25)}"
    same = [item("a"), item("a#top"), item("a", longer)]
    *passed, other, again = run(make_crawler(), *same, item("b"), item("a"))
    assert [*passed, again] == [*same, item("a")]
    assert isinstance(other, DropItem)


def test_the_threshold_is_a_setting() -> None:
    items = item("a"), item("b", WRITER.edited(TEXT))
    strict = make_crawler(MAINPAGE_DUPLICATES_THRESHOLD="0.98")
    assert run(strict, *items) == list(items)
    assert isinstance(run(make_crawler(), *items)[1], NearDuplicate)


@pytest.mark.parametrize("thing", ["not an item", {}, {"text": None}, {"text": "..."}])
def test_what_has_no_text_passes_and_is_counted(thing: Any) -> None:
    crawler = make_crawler()
    assert run(crawler, thing, thing) == [thing, thing]
    assert stat(crawler, "unknown") == 2


def test_the_fields_are_those_that_are_filled_with_text_and_url() -> None:
    fields = {"body": "text", "link": "url", "main": "metadata.canonical_url"}
    crawler = make_crawler(MAINPAGE_ITEM_FIELDS=fields)
    first = {"link": "https://example.com/a", "body": [TEXT[:300], TEXT[300:]]}
    again = {"link": "https://example.com/a#x", "body": TEXT}
    half = TEXT[: len(TEXT) * 65 // 100] + WRITER.prose(40)
    shared = {"link": "https://example.com/c", "body": half, "main": "/a"}
    other = {**shared, "main": "/d"}
    assert run(crawler, first, again, other) == [first, again, other]
    assert isinstance(run(crawler, first, shared)[1], NearDuplicate)


def test_items_without_url_are_compared_by_their_text() -> None:
    first, second = run(make_crawler(), {"text": TEXT}, {"text": TEXT})
    assert first == {"text": TEXT}
    assert str(second) == "exact copy of an item without URL"


def test_the_text_of_the_page_counts_where_the_item_is_about_the_page() -> None:
    crawler = make_crawler()
    page = extract(article("trains"), url="https://example.com/a")
    response, sources = (
        HtmlResponse("https://example.com/a"),
        CrawlState.of(crawler).keep(ItemPages),
    )
    ours = DuplicatesPipeline.from_crawler(crawler)
    ours.open_spider()

    async def process(thing: Any) -> Any:
        sources.remember(thing, ItemOrigin(page), response)
        passed = await ours.process_item(thing)
        await ours.item_kept(passed)
        return passed

    async def scenario() -> None:
        await process({"url": "https://example.com/a", "title": "A"})
        await process({"price": 1})  # of the same page, so no copy
        await process({"url": "https://example.com/product"})
        with pytest.raises(ExactDuplicate, match=r"of https://example\.com/a"):
            await process({"url": "https://example.com/copy", "text": page.text})

    asyncio.run(scenario())
    ours.close_spider()
    assert stat(crawler, "unknown") == 1


def test_a_missing_library_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rensa", None)
    with pytest.raises(SettingsError, match=r"needs rensa: .*\[duplicates\]"):
        DuplicatesPipeline.from_crawler(make_crawler())


def with_state(folder: Path) -> Crawler:
    """Return a crawler whose texts are in the state of the folder."""
    crawler = make_crawler(MAINPAGE_STATE=str(folder / "state.db"))
    ledger = CrawlState.of(crawler).keep(CrawlLedger)
    ledger.run = ledger.store.begin_run(ledger.scope)
    return crawler


def closed(crawler: Crawler) -> None:
    CrawlState.of(crawler).keep(CrawlLedger).close()


@pytest.mark.parametrize(
    ("again", "kept", "deleted"),
    [("ba", "b", ["https://example.com/a"]), ("ab", "a", [])],
)
def test_of_a_page_and_its_copy_one_is_indexed_though_a_kill_came_before_its_memory(
    again: str,
    kept: str,
    deleted: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[str] = []

    async def delete(self: DuplicatesPipeline, url: str) -> None:
        found.append(url)

    async def killed_behind_the_index(crawler: Crawler) -> None:
        ours = DuplicatesPipeline.from_crawler(crawler)
        ours.open_spider()
        await ours.process_item(item("a"))
        closed(crawler)

    monkeypatch.setattr(DuplicatesPipeline, "_delete", delete)
    asyncio.run(killed_behind_the_index(with_state(tmp_path)))
    crawler = with_state(tmp_path)
    results = run(crawler, *map(item, again))
    closed(crawler)
    passed = [each for each in results if not isinstance(each, ExactDuplicate)]
    assert passed == [item(kept)]
    assert found == deleted
    # And once more: what is settled stays so.
    crawler = with_state(tmp_path)
    again_results = run(crawler, *map(item, "ba"))
    closed(crawler)
    assert len([r for r in again_results if isinstance(r, ExactDuplicate)]) == 1
    assert found == deleted


def test_a_memory_that_fails_lets_copies_pass(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = with_state(tmp_path)
    ledger = CrawlState.of(crawler).keep(CrawlLedger)
    ledger.store.write("DROP TABLE places")
    assert run(crawler, item("a"), item("b")) == [item("a"), item("b")]
    assert stat(crawler, "failed") >= 2
    assert sum(r.levelno == logging.ERROR for r in caplog.records) == 1
    closed(crawler)


class Index:
    """An index that notes its calls."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def take_over(self) -> None: ...

    async def delete(self, url: str) -> None:
        self.done.append(url)


@pytest.mark.skipif(
    not has_reactorless(), reason="this Scrapy waits with a reactor only"
)
def test_documents_that_were_replaced_are_deleted_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[Crawler] = []
    monkeypatch.setattr(duplicates, "wake_engine", woken.append)
    crawler: Any = with_state(tmp_path)
    crawler.settings.set("MAINPAGE_DUPLICATES_KEEP", "canonical")
    index = Index()

    async def scenario() -> None:
        ours = DuplicatesPipeline.from_crawler(crawler)
        ours.settings = replace(ours.settings, duplicates_keep="canonical")
        ours.open_spider()
        # Killed before it deleted the document: another process finds it at its end.
        crawler.get_item_pipeline = lambda cls: None
        for name in ("long/address", "a"):
            await ours.process_item(thing := item(name))
            await ours.item_kept(thing)
        crawler.get_item_pipeline = lambda cls: index
        with pytest.raises(DontCloseSpider):
            ours.spider_idle()
        while not woken:
            await asyncio.sleep(0.01)
        ours.spider_idle()  # nothing more to do: it may end

    asyncio.run(scenario())
    assert index.done == ["https://example.com/long/address"]
    closed(crawler)


def test_a_page_that_names_another_as_canonical_comes_after_longer_addresses() -> None:
    def entry(name: str, canonical: str = "") -> Entry:
        made = Fingerprint.of(TEXT)
        assert made is not None
        return Entry.of(made, f"https://example.com/{name}", canonical)

    main, print_version = entry("long/address"), entry("p", "/long/address")
    assert main.is_more_canonical(print_version)
    assert not print_version.is_more_canonical(main)
    assert print_version.is_more_canonical(Entry.of(print_version.fingerprint))
    assert not main.is_more_canonical(main)
