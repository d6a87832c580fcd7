"""One run of the crawl, in a process of its own: ``python -m lab.soak.crawl JOB``.

The job, in JSON, has the proxy's port, the folder, the run's number, the first URL.
Every event of a request is written at once, as a line of a kind and a page:
a killed process has written all that it has done.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response, TextResponse
from twisted.python.failure import Failure

#: Seconds between two looks at the process, and between two at its event loop.
LOOKS = 1.0
TURNS = 0.05

REACHED = "reached"
ACCEPTED, NO_TEXT, DROPPED = "accepted", "no_text", "dropped"
ENDED, FAILED = "ended", "failed"
#: After one of these nothing more is to come of a page.
OUTCOMES = {ACCEPTED, NO_TEXT, DROPPED, ENDED, FAILED}


def key_of(url: str) -> str:
    """The page of a URL, redirects resolved."""
    return "/".join(urlsplit(url).path.split("/")[1:3])


class SoakSpider(scrapy.Spider):
    """Follows every link; an item for every page."""

    name = "soak"

    def __init__(self, first: str, bare: bool = False) -> None:
        super().__init__()
        self.first, self.bare = first, bare

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Request the first page, unless an earlier run has done so."""
        yield scrapy.Request(self.first, errback=self.failed)

    def parse(self, response: Response) -> Iterator[Any]:
        """Yield an item of the page, and requests for its links."""
        recorder: Recorder = self.crawler.recorder  # type: ignore[attr-defined]
        is_page = self.bare or "mainpage" in response.meta
        if not isinstance(response, TextResponse) or not is_page:
            recorder.note(ENDED, response.url, "no page")
            return
        yield {"url": response.url, **({"text": ""} if self.bare else {})}
        for link in response.xpath("//a/@href").getall():
            if link.startswith("http://site"):
                yield scrapy.Request(link, errback=self.failed)

    def failed(self, failure: Failure) -> None:
        """Note a request without a response."""
        request = failure.request  # type: ignore[attr-defined]
        recorder: Recorder = self.crawler.recorder  # type: ignore[attr-defined]
        recorder.note(ENDED, request.url, type(failure.value).__name__)


class Recorder:
    """Writes events of pages, and the state of the process."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.recorder = self  # type: ignore[attr-defined]
        name = crawler.settings["SOAK_RECORD"]
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._events = os.open(f"{name}.events", flags, 0o644)
        self._looks = os.open(f"{name}.looks", flags, 0o644)
        self._lags: list[float] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.ended = 0
        for signal, method in (
            (signals.request_dropped, self.filtered),
            (signals.item_scraped, self.accepted),
            (signals.item_dropped, self.dropped),
            (signals.item_error, self.item_failed),
            (signals.spider_error, self.callback_failed),
            (signals.spider_opened, self.opened),
            (signals.spider_closed, self.closed),
        ):
            crawler.signals.connect(method, signal)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Recorder:
        """Make the extension."""
        return cls(crawler)

    # --- Pages

    def note(self, kind: str, url: str, why: str = "") -> None:
        """Write a line, which stays even if the process is killed."""
        self.ended += kind in OUTCOMES
        line = f"{kind}\t{key_of(url)}\t{url}\t{why}\n"
        os.write(self._events, line.encode())

    def filtered(self, request: scrapy.Request) -> None:
        """A request was a duplicate, such as a redirect that leads back."""
        if "redirect_times" in request.meta:
            self.note(ENDED, request.url, "redirected in a circle")

    def accepted(self, item: dict[str, Any]) -> None:
        """An item has passed all pipelines."""
        self.note(ACCEPTED if item["text"] else NO_TEXT, item["url"])

    def dropped(self, item: dict[str, Any], exception: BaseException) -> None:
        """A pipeline has dropped an item, with a reason."""
        why = f"{type(exception).__name__}: {exception}"
        self.note(DROPPED, item["url"], " ".join(why.split()))

    def item_failed(self, item: dict[str, Any], failure: Failure) -> None:
        """A pipeline has failed."""
        self.note(FAILED, item["url"], type(failure.value).__name__)

    def callback_failed(self, failure: Failure, response: Response) -> None:
        """The spider has failed."""
        self.note(FAILED, response.url, type(failure.value).__name__)

    # --- The process

    def opened(self) -> None:
        """Start to sample the process and its event loop."""
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._turn()), loop.create_task(self._look())]

    def closed(self) -> None:
        """Stop sampling."""
        for task in self._tasks:
            task.cancel()

    async def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(TURNS)
            self._lags.append(loop.time() - before - TURNS)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOKS)
            lags, self._lags = sorted(self._lags) or [0.0], []
            look = {
                "time": time.time(),
                "pages": self.ended,
                "memory": memory(),
                "descriptors": len(os.listdir("/proc/self/fd")),
                "lag_most": lags[-1],
                "lag_median": lags[len(lags) // 2],
            }
            os.write(self._looks, json.dumps(look).encode() + b"\n")


def memory() -> int:
    """The resident memory of the process, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Gate:
    """Notes the responses that come out of the extraction."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Gate:
        """Make the middleware."""
        gate = cls()
        gate.crawler = crawler
        return gate

    crawler: Crawler

    def process_response(self, request: scrapy.Request, response: Response) -> Response:
        """Note it and let it pass, as what has not changed."""
        if response.status != HTTPStatus.NOT_MODIFIED:
            self.crawler.recorder.note(REACHED, response.url)  # type: ignore[attr-defined]
        return response


def settings(job: dict[str, Any]) -> dict[str, Any]:
    """The settings of the crawl, with the plugin unless bare."""
    folder = Path(job["folder"])
    return {
        **({} if job.get("bare") else plugin(folder)),
        "JOBDIR": str(folder / f"job-{job['edition']}"),
        "EXTENSIONS": {Recorder: 0},
        "SOAK_RECORD": str(folder / f"run-{job['run']:03}"),
        "LOG_FILE": str(folder / f"run-{job['run']:03}.log"),
        "LOG_LEVEL": "INFO",
        "CONCURRENT_REQUESTS": 16,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "REDIRECT_MAX_TIMES": 6,
        "RETRY_TIMES": 1,
        "DOWNLOAD_TIMEOUT": 20,
        "TELNETCONSOLE_ENABLED": False,
    }


def plugin(folder: Path) -> dict[str, Any]:
    """All components of the plugin but rendering."""
    return {
        "ADDONS": {"scrapy_mainpage.Addon": 500},
        "MAINPAGE_ITEM_FIELDS": {"text": "text", "title": "title"},
        "MAINPAGE_FILTER_ENABLED": True,
        "MAINPAGE_DUPLICATES_ENABLED": True,
        "MAINPAGE_INDEX": f"sqlite:///{folder}/site.db",
        "MAINPAGE_STATE": f"sqlite:///{folder}/state.db",
        "MAINPAGE_SWEEP": "delete",
        "DOWNLOADER_MIDDLEWARES": {Gate: 540},
    }


def main() -> None:
    """Run until nothing is left to do, or a signal comes."""
    job = json.loads(sys.argv[1])
    os.environ["http_proxy"] = f"http://127.0.0.1:{job['port']}"
    os.environ["no_proxy"] = ""
    process = AsyncCrawlerProcess(settings(job))
    os.chdir(job["folder"])
    crawler = process.create_crawler(SoakSpider)
    process.crawl(crawler, first=job["first"], bare=job.get("bare", False))
    process.start()


if __name__ == "__main__":
    main()
