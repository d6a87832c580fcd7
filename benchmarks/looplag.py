"""How long the event loop stands still for a page, extracted there or elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import numpy as np
from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse
from scrapy.statscollectors import StatsCollector

from scrapy_mainpage.downloadermiddlewares import ExtractionMiddleware

from .largepages import generated_page, repeated_page
from .speedpages import size_classes, speed_pages
from .tables import Table

SIZES = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
TICK = 0.001
"""Seconds between two looks at the clock; what the loop does on time is no lag."""

HEADER = [
    "page", "pages", "on the loop: longest, ms", "CPU, ms",
    "in a process: longest, ms", "CPU of the crawl, ms", "until it is there, ms",
]  # fmt: skip

Body = tuple[str, bytes]


@dataclass(frozen=True)
class Cost:
    """In ms: the longest lag, processor time of the crawl, time until the page came."""

    lag: float
    cpu: float
    wait: float


def run(options: argparse.Namespace) -> list[Table]:
    what, pages = speed_pages(options.data, options.pages)
    bodies = [(page.size, page.body) for page in pages]
    bodies += _made("generated", generated_page)
    bodies += _made("a real page, repeated", repeated_page(options.data))
    here, there = (asyncio.run(_costs(n, bodies, options.rounds)) for n in (0, 1))
    table = Table(f"{what}, and larger ones", HEADER, name="speed-looplag")
    found = {name for name, _ in bodies}
    sizes = [name for name in size_classes() if name in found]
    for name in dict.fromkeys([*sizes, *(name for name, _ in bodies)]):
        chosen = [k for k, (group, _) in enumerate(bodies) if group == name]
        row: list[Any] = [name, len(chosen)]
        for costs in (here, there):
            row.append(max(costs[k].lag for k in chosen))
            row.append(_mean(costs[k].cpu for k in chosen))
        table.rows.append([*row, _mean(there[k].wait for k in chosen)])
    return [table]


def _made(what: str, make: Callable[[int], bytes]) -> list[Body]:
    return [(f"{size / 1e6:g} MB, {what}", make(size)) for size in SIZES]


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


async def _costs(processes: int, pages: list[Body], rounds: int) -> list[Cost]:
    """What each page costs where it is cheapest, as this machine does other things."""
    crawler = Crawler(
        Spider, {"MAINPAGE_PROCESSES": processes, "MAINPAGE_PROCESSES_MIN_SIZE": 0}
    )
    crawler.stats = StatsCollector(crawler)
    crawler.spider = Spider("benchmark")
    middleware = ExtractionMiddleware.from_crawler(crawler)
    await _cost(middleware, generated_page(1_000))  # A worker starts, models load.
    found = []
    for _, body in pages:
        costs = [await _cost(middleware, body) for _ in range(rounds)]
        least = [min(cost[k] for cost in costs) for k in range(3)]
        found.append(Cost(*least))
    crawler.signals.send_catch_log(
        signals.spider_closed, spider=crawler.spider, reason="finished"
    )
    return found


async def _cost(
    middleware: ExtractionMiddleware, body: bytes
) -> tuple[float, float, float]:
    lags = [0.0]

    async def tick() -> None:
        last = perf_counter()
        while True:
            await asyncio.sleep(TICK)
            last, before = perf_counter(), last
            lags.append(last - before - TICK)

    request = Request("http://example.com/")
    response = HtmlResponse(
        request.url, body=body, headers={b"Content-Type": b"text/html"}
    )
    ticking = asyncio.create_task(tick())
    await asyncio.sleep(5 * TICK)
    lags.clear()
    started, cpu = perf_counter(), process_time()
    result = middleware.process_response(request, response)
    if inspect.isawaitable(result):
        await result
    wait, cpu = perf_counter() - started, process_time() - cpu
    await asyncio.sleep(2 * TICK)
    ticking.cancel()
    return 1e3 * max(lags), 1e3 * cpu, 1e3 * wait
