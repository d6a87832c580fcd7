"""What benchmarks run in a process of its own; it imports nothing of the package."""

from __future__ import annotations

import resource
import signal
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import perf_counter, thread_time
from traceback import walk_stack
from types import FrameType
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

INTERVAL = 0.001  # seconds of processor time between two samples
PACKAGES = ("scrapy_mainpage", "parsel", "scrapy", "twisted", "lab")
STATUS = Path("/proc/self/status")
#: The ways to the text of a page.
WITHOUT, PLUGIN = "without", "plugin"
INDEXED = "plugin, SQLite index"
WHOLE = "plugin, SQLite index, filter, duplicates"
#: The ways of the plugin.
OWN = (PLUGIN, INDEXED, WHOLE)


def peak_memory() -> float:
    """Peak resident memory of this process, in MB.

    On Linux of this program alone: ``getrusage`` includes the process that started it.
    """
    if STATUS.exists():
        _, _, peak = STATUS.read_text().partition("VmHWM:")
        return int(peak.split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class PagesSpider(Spider):
    """Reads links, title and text of all pages, the text in a *way*."""

    name = "pages"
    way: str

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "links": response.css("a::attr(href)").getall(),
            "text": response.meta["mainpage"].text if self.way in OWN else None,
        }


class Meter:
    """An extension: wall and processor seconds since the spider opened, and memory."""

    def __init__(self, crawler: Crawler):
        self.crawler = crawler
        crawler.signals.connect(self.begin, signals.spider_opened)
        crawler.signals.connect(self.end, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Meter:
        return cls(crawler)

    def begin(self) -> None:
        self.started, self.used = perf_counter(), processor_time()

    def end(self) -> None:
        assert self.crawler.stats is not None
        seconds, cpu = perf_counter() - self.started, processor_time() - self.used
        found = {"seconds": seconds, "cpu": cpu, "memory": peak_memory()}
        self.crawler.stats.set_value("meter", found)


class Sampler(Meter):
    """Also the shares of the processor time by the folder of the code that runs."""

    def begin(self) -> None:
        super().begin()
        self.counts: Counter[str] = Counter()
        self.main, self.all = thread_time(), processor_time()
        signal.signal(signal.SIGPROF, self.note)
        signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)

    def note(self, _: int, frame: FrameType | None) -> None:
        """Count where the main thread is."""
        folders = (folder_of(each.f_code.co_filename) for each, _ in walk_stack(frame))
        self.counts[next(filter(None, folders), "others")] += 1

    def end(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        main = (thread_time() - self.main) / (processor_time() - self.all)
        super().end()
        assert self.crawler.stats is not None
        total = self.counts.total()
        shares = {folder: main * n / total for folder, n in self.counts.items()}
        shares["thread of the index"] = 1 - main
        self.crawler.stats.get_value("meter")["shares"] = shares


@cache
def folder_of(file: str) -> str:
    """The folder of a file of the plugin, the package of some others; or nothing."""
    parts = Path(file).parts[:-1]
    name = next((each for each in PACKAGES if each in parts), None)
    inside = parts[parts.index(name) :] if name else ()
    return "/".join(inside[:3] if name == PACKAGES[0] else inside[:1])


def processor_time() -> float:
    """Of this process and its finished children."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(each) for each in whose]
    return sum(each.ru_utime + each.ru_stime for each in used)
