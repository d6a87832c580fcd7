"""No output outgrows its page, in size or in time, whatever the page is made of."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from functools import partial
from itertools import count, cycle
from time import thread_time
from typing import Any

import pytest
import scrapy
from scrapy.http import Response

from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.parsing import budget
from scrapy_mainpage.settings import Settings
from tests.crawling import crawl
from tests.mockserver import Reply, serve

from .embedded import EMBEDDED, RECORDS
from .inputs import AMPLIFYING, HOSTILE
from .making import URL, faults, measure, normal
from .patterns import SLOTS, UNITS, page

SMALL, LARGE = 12_000, 48_000
"""Bytes of the pages that are compared; ``python -m lab.fuzz --table`` has more."""

MADE = AMPLIFYING | EMBEDDED | HOSTILE | RECORDS
STEPS = cycle(range(12))
FILLED = [(slot, unit) for slot in SLOTS for unit in UNITS[next(STEPS) :: 12]]


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    """One that has loaded all that any of the outputs takes."""
    made = Extractor()
    for make in (normal, *AMPLIFYING.values(), *RECORDS.values()):
        measure(make(2_000), made)
    return made


@pytest.mark.parametrize("name", MADE)
def test_no_output_outgrows_its_page(name: str, extractor: Extractor) -> None:
    assert not faults(MADE[name], SMALL, LARGE, extractor)


@pytest.mark.parametrize("name", ["blocks of code", "figures of two images"])
def test_what_is_short_for_each_element_is_seen_on_large_pages(
    name: str, extractor: Extractor
) -> None:
    assert not faults(MADE[name], 200_000, 800_000, extractor)


def filled(slot: str, unit: str, size: int) -> bytes:
    return page(slot, unit, size).encode("utf-8", "replace")


@pytest.mark.parametrize("slot", SLOTS)
def test_whatever_fills_a_place_is_read_in_proportion(
    slot: str, extractor: Extractor
) -> None:
    units = [unit for place, unit in FILLED if place == slot]
    found = {
        u: faults(partial(filled, slot, u), SMALL, LARGE, extractor) for u in units
    }
    assert not {unit: parts for unit, parts in found.items() if parts}


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("marked posts around a text", "posts"),
        ("headings below a long one", "sections"),
    ],
)
def test_what_is_left_out_is_said(name: str, part: str, extractor: Extractor) -> None:
    few = extractor.extract(RECORDS[name](2_000), url=URL)
    many = extractor.extract(RECORDS[name](200_000), url=URL)
    for made in (few, many):
        assert getattr(made, part)
    assert few.warnings == ()
    assert many.warnings == ("outputs_cut",)
    assert many.as_dict()["warnings"] == ["outputs_cut"]


def test_outputs_share_the_time_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, now = count(), 0.0
    monkeypatch.setattr(budget, "thread_time", lambda: now)
    page = Extractor().extract(
        RECORDS["marked posts of unread dates"](200_000), url=URL
    )
    # From now on each look at the clock takes a tenth of the time of a page.
    monkeypatch.setattr(budget, "thread_time", lambda: next(looks) * 1.0)
    assert len(page.posts) < 900
    assert (page.markdown, page.blocks, page.title) == ("", (), None)
    assert "outputs_cut" in page.warnings
    assert next(looks) < 40


COSTLY = (
    "cards", "facts", "headings below a long one", "a link around paragraphs",
    "copies apart from digits", "rows of a wide table", "posts of unread dates",
)  # fmt: skip
MAX_HELD = 1.25 * Settings().max_time
"""Seconds of processor time: a page's, and what one step takes on a busy machine."""


class Stopped(scrapy.Spider):
    """Is told to stop as its first page comes, and asks for all of it."""

    name = "stopped"
    url: str

    async def start(self) -> AsyncIterator[scrapy.Request]:
        for number in range(9):
            yield scrapy.Request(f"{self.url}/?{number}")

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        began = thread_time()
        os.kill(os.getpid(), signal.SIGINT)
        row = response.meta["mainpage"].as_dict(blocks=True)
        yield {"warnings": row["warnings"], "seconds": thread_time() - began}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT to send")
@pytest.mark.parametrize("kinds", [COSTLY, COSTLY[-1:]])
def test_a_crawl_is_stopped_at_its_most_expensive_page(kinds: tuple[str, ...]) -> None:
    body = b"".join(MADE[kind](6_000_000 // len(kinds)) for kind in kinds)
    page = Reply(body, headers={"Content-Type": "text/html; charset=utf-8"})
    with serve({f"/?{number}": page for number in range(9)}) as site:
        settings = {"CONCURRENT_REQUESTS": 1}
        done = crawl(f"{__name__}.Stopped", settings, url=site.url)
    assert done.stat("finish_reason") == "shutdown"
    (item,) = done.items
    assert ("outputs_cut" if kinds == COSTLY else "elements") in item["warnings"]
    assert item["seconds"] < MAX_HELD
