"""The mixed site crawled without a browser, with one where needed, and with one always.

Every page's kind and main text are known. A page needs a browser if its main content,
or most of it, comes by script and is not in the page's data: shells and half-static
pages. The bars are those that rendering where needed has to hold.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import urljoin

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from lab import ROOT
from scrapy_mainpage.evaluation.scores import score_words, tokenize
from scrapy_mainpage.rendering.browser.launch import find_problem

from .mixedsite import Kind, MixedSite, Page, serve_mixed
from .tables import Table

MODES = ("never", "auto", "always")
PAGES = 100
NEEDED = (Kind.SHELL, Kind.HALF)
JUDGED = (Kind.STATIC, *NEEDED)
MIN_F1 = 0.95
MAX_UNNEEDED = 5  # of a hundred pages
MAX_TIME_SHARE = 0.45  # of that of "always"
QUALITY = [
    "", "kind", "pages", "reached", "rendered", "missed", "unneeded",
    "F1", "lowest F1",
]  # fmt: skip
CRAWLS = [
    "", "seconds", "of always", "ms/page", "requests", "rendered", "browsers", "errors",
]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """Outcome of a page in a crawl; ``f1`` is word F1 against the known text."""

    mode: str
    url: str
    kind: Kind
    reached: bool
    rendered: bool
    reason: str
    f1: float

    @property
    def missed(self) -> bool:
        """Whether the page needs a browser and had none."""
        return self.kind in NEEDED and not self.rendered

    @property
    def unneeded(self) -> bool:
        """Whether the page was rendered without need."""
        return self.kind not in NEEDED and self.rendered


def run(options: argparse.Namespace) -> list[Table]:
    if missing := find_problem(Settings()):
        return [Table(f"NOTHING MEASURED: rendering {missing}", [""])]
    crawls: dict[str, Crawled] = {}
    outcomes: dict[str, list[Outcome]] = {}
    requests: dict[str, int] = {}
    with serve_mixed(options.pages or PAGES) as site:
        for mode in MODES:
            site.server.log.clear()
            crawls[mode] = crawl(site.url, {"MAINPAGE_RENDER": mode})
            outcomes[mode] = [*judged(mode, site, crawls[mode])]
            requests[mode] = len(site.server.log)
    return [
        quality_table(outcomes),
        crawls_table(crawls, requests),
        bars_table(outcomes["auto"], crawls),
    ]


def judged(mode: str, site: MixedSite, crawled: Crawled) -> Iterable[Outcome]:
    """Compare what came of every page with what is known of it."""
    for url, page in site.pages.items():
        yield outcome(mode, url, page, crawled.items.get(url))


def outcome(mode: str, url: str, page: Page, item: dict[str, Any] | None) -> Outcome:
    """An unreached page counts as one without text."""
    found, gold = tokenize(item["text"] if item else ""), tokenize(page.text)
    return Outcome(
        mode,
        url,
        page.kind,
        item is not None,
        bool(item and item["rendered"]),
        str(item["reason"]) if item else "unreached",
        score_words(found, gold).f1,
    )


def quality_table(outcomes: dict[str, list[Outcome]]) -> Table:
    table = Table("the mixed site", QUALITY)
    for mode, found in outcomes.items():
        for kind in Kind:
            own = [each for each in found if each.kind is kind]
            table.rows.append([mode, kind.value, *quality(own, kind)])
    return table


def quality(own: list[Outcome], kind: Kind) -> list[object]:
    """Counts, and the scores of the kinds that have a main text."""
    scores = [each.f1 for each in own] if kind in JUDGED else []
    return [
        len(own),
        sum(each.reached for each in own),
        sum(each.rendered for each in own),
        sum(each.missed for each in own),
        sum(each.unneeded for each in own),
        fmean(scores) if scores else "-",
        min(scores) if scores else "-",
    ]


def crawls_table(crawls: dict[str, Crawled], requests: dict[str, int]) -> Table:
    table = Table("crawls", CRAWLS)
    for mode, crawled in crawls.items():
        stats, pages = crawled.stats, max(1, len(crawled.items))
        table.rows.append(
            [
                mode,
                crawled.seconds,
                crawled.seconds / crawls["always"].seconds,
                1000 * crawled.seconds / pages,
                requests[mode],
                stats.get("mainpage/render/rendered", 0),
                stats.get("mainpage/render/browsers", 0),
                crawled.errors,
            ]
        )
    return table


def bars_table(found: list[Outcome], crawls: dict[str, Crawled]) -> Table:
    """The bars of mode "auto", and whether they hold."""
    rows: list[list[object]] = []

    def bar(name: str, value: float, wanted: str, holds: bool) -> None:
        rows.append([name, value, wanted, "yes" if holds else "NO"])

    for kind in JUDGED:
        mean = fmean(each.f1 for each in found if each.kind is kind)
        bar(f"F1 of {kind.value} pages", mean, f">= {MIN_F1}", mean >= MIN_F1)
    missed = sum(each.missed for each in found)
    bar("needed but not rendered", missed, "0", missed == 0)
    unneeded = sum(each.unneeded for each in found)
    most = MAX_UNNEEDED * len(found) // PAGES
    bar("rendered without need", unneeded, f"<= {most}", unneeded <= most)
    share = crawls["auto"].seconds / crawls["always"].seconds
    bar("time, of always", share, f"< {MAX_TIME_SHARE:.3f}", share < MAX_TIME_SHARE)
    failed = sum(row[-1] == "NO" for row in rows)
    title = f"{failed} BARS MISSED" if failed else "all bars hold"
    header = ["auto", "value", "wanted", "holds"]
    return Table(f"{title}: {summary(rows)}", header, rows)


def summary(rows: list[list[object]]) -> str:
    """The values in a line."""
    return ", ".join(
        f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
        for name, value, *_ in rows
    )


TIMEOUT = 3600.0
#: Without caches and delays, on loopback.
SETTINGS: dict[str, Any] = {
    "ADDONS": {"scrapy_mainpage.Addon": 500},
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "HTTPCACHE_ENABLED": False,
    "LOG_LEVEL": "INFO",
    "MAINPAGE_RENDER_ALLOWED_HOSTS": ["127.0.0.0/24"],
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
}


@dataclass(frozen=True)
class Crawled:
    """Result of a crawl: items by URL, stats, seconds of the process, log."""

    items: dict[str, dict[str, Any]]
    stats: dict[str, Any]
    seconds: float
    log: str

    @property
    def errors(self) -> int:
        """Errors that were logged, and pages that could not be extracted."""
        failed = sum(n for k, n in self.stats.items() if k.startswith("mainpage/fail"))
        return int(self.stats.get("log_count/ERROR", 0)) + int(failed)


class MixedSpider(scrapy.Spider):
    """Follows every link of the pages as they are, rendered or not."""

    name = "mixed"

    def __init__(self, url: str):
        super().__init__()
        self.url = url

    async def start(self) -> Any:
        yield scrapy.Request(self.url)

    def parse(self, response: scrapy.http.Response) -> Iterator[Any]:
        page = response.meta["mainpage"]
        yield {
            "url": response.url,
            "text": page.text,
            "confidence": page.confidence,
            "rendered": page.rendered,
            "reason": page.render_reason,
        }
        for link in response.css("a::attr(href)").getall():
            url = urljoin(response.url, link)
            if url.startswith("http://127.0.0."):
                yield scrapy.Request(url)


def crawl(url: str, settings: Mapping[str, Any]) -> Crawled:
    """Crawl from *url* on, and wait for the end."""
    with tempfile.TemporaryDirectory() as folder:
        job = {"url": url, "folder": folder, "settings": {**SETTINGS, **settings}}
        command = [sys.executable, "-m", "lab.benchmarks.rendering", json.dumps(job)]
        started = time.perf_counter()
        done = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            timeout=TIMEOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        seconds = time.perf_counter() - started
        log = done.stderr.decode("utf-8", "replace")
        if done.returncode:
            raise RuntimeError(f"the crawl ended with {done.returncode}:\n{log}")
        items = _read_items(Path(folder, "items.jsonl"))
        stats = json.loads(Path(folder, "stats.json").read_text("utf-8"))
    return Crawled(items, stats, seconds, log)


def _read_items(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        return {item["url"]: item for item in map(json.loads, file)}


def main(job: dict[str, Any]) -> None:
    folder = Path(job["folder"])
    feed = {str(folder / "items.jsonl"): {"format": "jsonlines"}}
    process = AsyncCrawlerProcess({**job["settings"], "FEEDS": feed})
    crawler = process.create_crawler(MixedSpider)
    process.crawl(crawler, url=job["url"])
    process.start()
    assert crawler.stats is not None
    text = json.dumps(crawler.stats.get_stats(), default=str)
    Path(folder, "stats.json").write_text(text, encoding="utf-8")
    sys.exit(1 if process.bootstrap_failed else 0)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
