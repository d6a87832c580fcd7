"""Crawls of the sites in ``sites``: each URL once, with its outcome."""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.http import Response

from tests.crawling import Crawl, finish, start

SETTINGS = {
    "MAINPAGE_RENDER": "auto",
    "MAINPAGE_RENDER_ALLOWED_HOSTS": ["127.0.0.1"],
    "MAINPAGE_RENDER_STABLE": 0.3,
    "MAINPAGE_RENDER_PAGES_PER_MINUTE": 0,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "RETRY_ENABLED": False,
}


class TourSpider(scrapy.Spider):
    """Visits URLs and, with ``follow``, the targets of all links; yields an item each.

    ``visits`` are URLs, or pairs of one and the meta of its request.
    """

    name = "tour"
    handle_httpstatus_list = (403,)

    def __init__(self, visits: list[Any], follow: bool = False):
        super().__init__()
        self.follow = follow
        self.visits = [one if isinstance(one, list) else [one, {}] for one in visits]

    async def start(self) -> Any:
        for url, meta in self.visits:
            yield self.request(url, meta)

    def request(self, url: str, meta: dict[str, Any]) -> scrapy.Request:
        return scrapy.Request(
            url,
            meta=meta,
            cb_kwargs={"asked": url},
            errback=self.failed,
            # Several may redirect to the same page.
            dont_filter=not self.follow,
        )

    def parse(self, response: scrapy.http.Response, asked: str) -> Any:
        page = response.meta.get("mainpage")
        yield {
            "asked": asked,
            "url": response.url,
            "text": page.text if page else "",
            "rendered": page.rendered if page else False,
            "reason": page.render_reason if page else None,
        }
        if self.follow:
            for link in response.css("a::attr(href)").getall():
                yield self.request(response.urljoin(link), {})

    def failed(self, failure: Any) -> Any:
        yield {
            "asked": failure.request.cb_kwargs["asked"],
            "error": type(failure.value).__name__,
        }


class SiteHandler(HTTP11DownloadHandler):
    """Downloads from the host and port of the setting ``TOUR_SITE``, nowhere else."""

    async def download_request(self, request: scrapy.Request) -> Any:
        if urlsplit(request.url).netloc != self._crawler.settings["TOUR_SITE"]:
            return Response(request.url, status=403, request=request)
        return await super().download_request(request)


@dataclass
class Tour:
    """The outcome of a crawl: ``items`` by requested URL.

    ``processes`` are the command lines of all its processes, on systems with /proc.
    """

    crawl: Crawl
    items: dict[str, dict[str, Any]]
    processes: list[str]

    def stats(self, prefix: str) -> dict[str, int]:
        """Rendering statistics with this prefix, by the rest of their names."""
        prefix = f"mainpage/render/{prefix}"
        found = self.crawl.stats.items()
        return {k.removeprefix(prefix): v for k, v in found if k.startswith(prefix)}


def tour(
    visits: list[Any], settings: Mapping[str, Any] | None = None, **arguments: Any
) -> Tour:
    """Crawl the URLs.

    The crawl has to end by itself and without a traceback, and with it all that it
    started.
    """
    options = {**SETTINGS, **(settings or {})}
    with tempfile.TemporaryDirectory() as folder:
        spider = f"{__name__}.TourSpider"
        running = start(spider, folder, options, visits=visits, **arguments)
        with watched(running.pid) as family:
            done = finish(running, folder)
    assert done.returncode == 0, done.log
    assert done.stat("finish_reason") == "finished", done.log
    assert "Traceback" not in done.log, done.log
    items = {item["asked"]: item for item in done.items}
    assert len(items) == len(done.items)
    assert not family.outliving()
    return Tour(done, items, list(family.members.values()))


# --- Processes ------------------------------------------------------------------------


@dataclass
class Family:
    """A process and all that descend from it, as they are seen in ``/proc``.

    The members are process ids with the times at which they were started, and their
    command lines.
    """

    members: dict[tuple[int, str], str] = field(default_factory=dict)

    def look(self, pid: int) -> None:
        """Add the current descendants."""
        children: dict[int, list[tuple[int, str]]] = {}
        for child, parent, started in _processes():
            children.setdefault(parent, []).append((child, started))
        waiting = [pid]
        while waiting:
            for member in children.get(waiting.pop(), []):
                waiting.append(member[0])
                self.members[member] = _command(member[0]) or self.members.get(
                    member, ""
                )

    def outliving(self, seconds: float = 10) -> list[str]:
        """Command lines of the members that still run after that time."""
        deadline = time.monotonic() + seconds
        while (left := self._alive()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return left

    def _alive(self) -> list[str]:
        alive = {(pid, started) for pid, _, started in _processes()}
        return [line for member, line in self.members.items() if member in alive]


@contextmanager
def watched(pid: int) -> Iterator[Family]:
    """Note the descendants of a process until the block ends."""
    family, over = Family(), Event()

    def watch() -> None:
        while not over.wait(0.1):
            family.look(pid)

    thread = Thread(target=watch)
    thread.start()
    try:
        yield family
    finally:
        over.set()
        thread.join()


def _processes() -> Iterator[tuple[int, int, str]]:
    """Running processes: id, parent's id, start time; empty without /proc."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended meanwhile.
        if after_name[0] not in "ZX":
            yield int(stat.parent.name), int(after_name[1]), after_name[19]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


# --- Texts ----------------------------------------------------------------------------


def f1(text: str, truth: str) -> float:
    """F1 of the words of two texts: 0 to 1."""
    found, wanted = (Counter(re.findall(r"\w+", it.lower())) for it in (text, truth))
    both = (found & wanted).total()
    return 2 * both / (found.total() + wanted.total()) if both else 0.0
