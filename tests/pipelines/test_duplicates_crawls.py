"""Whole crawls with the pipeline of duplicates."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainpage.indexes import open_index
from tests.crawling import PROCESSES, Crawl, Running, abandon, crawl, start
from tests.waiting import wait

from .copies import Writer
from .duplicatespiders import OURS, SPIDERS
from .indexing import index_settings

ALONE = {"ADDONS": {}, "ITEM_PIPELINES": {OURS: 300}}
WRITER = Writer(11)
TEXT = WRITER.prose(120)
LONGER = f"{TEXT} {WRITER.prose(25)}"


def item(name: str, text: str = TEXT, **more: Any) -> dict[str, Any]:
    return {"url": f"https://example.com/{name}", "text": text, **more}


def crawled(items: list[dict[str, Any]], settings: Any = ALONE, **more: Any) -> Crawl:
    return crawl(f"{SPIDERS}ItemsSpider", settings, items=items, **more)


def names(found: Crawl) -> list[str]:
    return sorted(item["url"].rpartition("/")[2] for item in found.items)


def dropped(found: Crawl) -> dict[str, int]:
    prefix = "item_dropped_reasons_count/"
    return {k.removeprefix(prefix): n for k, n in found.stats.items() if prefix in k}


def test_copies_in_one_response_are_dropped_with_their_reasons() -> None:
    items = [
        item("first"),
        item("exact", TEXT.upper()),
        item("near", WRITER.edited(TEXT)),
        item("other", WRITER.prose(120)),
        item("without", ""),
        {"url": "https://example.com/none"},
    ]
    found = crawled(items)
    assert names(found) == ["first", "none", "other", "without"]
    assert dropped(found) == {"ExactDuplicate": 1, "NearDuplicate": 1}
    assert found.stat("mainpage/duplicates/unknown") == 2


@pytest.mark.parametrize(
    ("fate", "process"), [("drop", "async"), *(("fail", each) for each in PROCESSES)]
)
def test_the_copy_of_what_a_later_pipeline_loses_is_kept(
    fate: str, process: str
) -> None:
    pipelines = {f"{SPIDERS}Renewed": 100, OURS: 300, f"{SPIDERS}Troubled": 500}
    settings = {**ALONE, "ITEM_PIPELINES": pipelines}
    items = [item("lost", fate=fate), item("second"), item("third")]
    found = crawled(items, settings, process=process)
    assert names(found) == ["second"]
    assert dropped(found)["ExactDuplicate"] == 1
    assert found.stat("mainpage/duplicates/unsettled") == 0


def test_of_copies_that_waited_in_vain_one_is_kept() -> None:
    pipelines = {f"{SPIDERS}Impatient": 300, f"{SPIDERS}Troubled": 500}
    copies = [item(f"copy-{number}", pause=0) for number in range(5)]
    settings = {**ALONE, "ITEM_PIPELINES": pipelines}
    found = crawled([item("slow", until_dropped=4), *copies], settings)
    assert len(names(found)) == 2
    assert dropped(found) == {"ExactDuplicate": 4}
    assert found.stat("mainpage/duplicates/unsettled") >= 1


class TestLongest:
    def test_a_clearly_longer_copy_takes_the_place_of_the_shorter_one(
        self, tmp_path: Path
    ) -> None:
        settings = {
            **index_settings(tmp_path),
            "MAINPAGE_DUPLICATES_ENABLED": True,
            "MAINPAGE_DUPLICATES_KEEP": "longest",
        }
        items = [item("short"), item("long", LONGER), item("again"), item("as", LONGER)]
        found = crawled(items, settings)
        assert names(found) == ["long", "short"]
        assert found.stat("mainpage/duplicates/replaced") == 1
        assert sum(dropped(found).values()) == 2
        with open_index(settings["MAINPAGE_INDEX"], read_only=True) as index:
            assert list(index.urls()) == ["https://example.com/long"]

    def test_the_shorter_one_stays_if_the_longer_one_is_lost(self) -> None:
        settings = {
            **ALONE,
            "ITEM_PIPELINES": {OURS: 300, f"{SPIDERS}Troubled": 500},
            "MAINPAGE_DUPLICATES_KEEP": "longest",
        }
        items = [item("short"), item("long", LONGER, fate="drop"), item("copy")]
        found = crawled(items, settings, together=False)
        assert names(found) == ["short"]
        assert found.stat("mainpage/duplicates/replaced") == 0


class TestStates:
    def test_a_killed_crawl_remembers_what_came_through_and_nothing_else(
        self, tmp_path: Path
    ) -> None:
        stuck = WRITER.prose(90)
        settings = {
            **index_settings(tmp_path),
            "MAINPAGE_DUPLICATES_ENABLED": True,
            "MAINPAGE_STATE": str(tmp_path / "state.db"),
        }
        running = start(
            f"{SPIDERS}ScopedSpider",
            tmp_path,
            {**settings, "ITEM_PIPELINES": {f"{SPIDERS}Troubled": 500}},
            items=[item("through"), item("stuck", stuck, fate="stick")],
            together=False,
        )
        wait_for(running, "an item is stuck")
        wait(lambda: count_settled(tmp_path / "state.db") == 1, "text that is settled")
        running.send_signal(signal.SIGKILL)
        abandon(running)
        items = [item("copy"), item("through"), item("other", stuck), item("stuck")]
        found = crawl(f"{SPIDERS}ScopedSpider", settings, items=items, together=False)
        assert names(found) == ["other", "through"]
        assert dropped(found) == {"ExactDuplicate": 2}
        assert "2 texts are remembered from before" in found.log


def count_settled(path: Path) -> int:
    """The number of texts that a crawl has remembered for good."""
    with closing(sqlite3.connect(path, timeout=60)) as state:
        settled = "SELECT count(*) FROM texts WHERE claimed_until IS NULL"
        return int(state.execute(settled).fetchone()[0])


def wait_for(running: Running, line: str) -> None:
    assert running.stderr is not None
    seen = []
    for text in running.stderr:
        seen.append(text)
        if line in text:
            return
    raise AssertionError("".join(seen))
