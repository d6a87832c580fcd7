"""Crawl the bundled site, or one of yours, and show the content kept of each page.

Run by ``make demo``. Writes ``items.jsonl``, the index ``site.db``, the crawl's report
``crawl.html`` and the log ``demo.log`` into this folder, fresh each time.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from contextlib import nullcontext
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from example.spiders.site import SiteSpider, is_web_url
from localserver import SiteServer
from rendering import switch_on
from report import (
    Report,
    Row,
    dropped_pages,
    printable,
    render,
    rendered_pages,
    table,
)
from rich.console import Console
from rich.text import Text
from scrapy import signals
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.project import get_project_settings

from scrapy_mainpage.indexes import IndexUnavailable, open_index

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import Settings

HERE = Path(__file__).parent
OUTPUTS = ("items.jsonl", "site.db", "site.db-wal", "site.db-shm", "demo.log")
REPORT = "crawl.html"
#: The bundled site is on this machine: neither delays nor long waits are needed.
UNHURRIED = {
    "AUTOTHROTTLE_ENABLED": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
}
#: Marks of a match in a snippet while it is broken into lines.
MARKS = ("\ue000", "\ue001")


class Progress:
    """The progress of a crawl: on one line of a terminal, else now and then."""

    def __init__(self, crawler: Crawler):
        self.done = 0
        self._crawler = crawler
        self._status = Console().status("")
        self._status.start()
        self._left = 0
        crawler.signals.connect(self._leaves, signals.request_left_downloader)
        crawler.signals.connect(self._received, signals.response_received)

    @property
    def queued(self) -> int:
        """The number of requests that wait or are under way."""
        if self._crawler.stats is None:
            return 0
        count = self._crawler.stats.get_value
        answered = self._left + int(count("robotstxt/forbidden", 0))
        return max(0, int(count("scheduler/enqueued", 0)) - answered)

    def _leaves(self, request: Request) -> None:
        self._left += request.callback is not NO_CALLBACK  # robots.txt

    def _received(self, response: Response, request: Request) -> None:
        if request.callback is NO_CALLBACK:  # robots.txt
            return
        self.done += 1
        line = f"{self.done:,} pages done, {self.queued:,} queued"
        if sys.stdout.isatty():
            self._status.update(Text(f"{line}  {Row(response.url, '').path}"))
        elif self.done % (10 if self.done < 100 else 100) == 0:
            print(line, flush=True)

    def finish(self) -> None:
        """Remove the line."""
        self._status.stop()


def arguments() -> argparse.Namespace:
    """Return the command line's arguments."""
    parser = argparse.ArgumentParser(description="Crawl a site and show what was kept.")
    parser.add_argument("--url", help="start URL; without it, the bundled site")
    parser.add_argument(
        "--pages", type=int, default=200, help="stop after so many pages"
    )
    parser.add_argument("--search", help="what to search for afterwards")
    parser.add_argument(
        "--output", type=Path, default=HERE, help="folder to write into"
    )
    options = parser.parse_args()
    if options.url and not is_web_url(options.url):
        parser.error(f"--url {options.url}: not a URL like https://example.com/")
    if options.pages < 1:
        parser.error(f"--pages {options.pages}: must be at least 1")
    return options


def prepare(output: Path) -> None:
    """Make the folder the current one, and delete the files of an earlier run."""
    output.mkdir(parents=True, exist_ok=True)
    os.chdir(output)
    for name in (*OUTPUTS, REPORT):
        Path(name).unlink(missing_ok=True)


def crawl_settings(options: argparse.Namespace) -> Settings:
    """Return the project's settings, with the demo's own on top."""
    os.environ["SCRAPY_SETTINGS_MODULE"] = "example.settings"
    settings = get_project_settings()
    settings.set("LOG_FILE", "demo.log", priority="cmdline")
    settings.set("LOG_LEVEL", "INFO", priority="cmdline")
    settings.set("CLOSESPIDER_PAGECOUNT", options.pages, priority="cmdline")
    settings.set("MAINPAGE_REPORT", REPORT, priority="cmdline")
    if not options.url:
        settings.setdict(UNHURRIED, priority="cmdline")
    return settings


def crawl(url: str, settings: Settings) -> tuple[list[Row], dict[str, Any]]:
    """Crawl the site; return a row per page and Scrapy's statistics.

    Ctrl-C stops the crawl as in Scrapy: requests under way are finished first.
    """
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(SiteSpider)
    report, progress = Report(crawler), Progress(crawler)
    process.crawl(crawler, url=url)
    process.start()
    progress.finish()
    return report.sorted(), crawler.stats.get_stats() if crawler.stats else {}


def summary(rows: list[Row], stats: dict[str, Any]) -> str:
    """Return the line below the table."""
    kept = [row for row in rows if row.status == "kept"]
    words = sum(row.words or 0 for row in kept)
    dropped = sum(row.dropped or 0 for row in kept)
    extracted = stats.get("mainpage/extracted", 0)
    line = (
        f"{len(kept)} of {len(rows)} addresses kept: {words:,} words of main content, "
        f"{dropped:,} of boilerplate left out"
    )
    if extracted:
        line += (
            f"; {stats['mainpage/time'] / extracted * 1000:.1f} ms per page to extract"
        )
    return line


def notes(rows: list[Row], stats: dict[str, Any], missing: str | None) -> list[str]:
    """Return the notes below the table; *missing*: why nothing was rendered."""
    lines = []
    if any(row.status.endswith("javascript") for row in rows):
        lines.append(
            "javascript: the page needs JavaScript; its HTML holds only a notice."
        )
    if missing:
        lines.append(missing)
    if stats.get("finish_reason") not in {"finished", None}:
        reason = str(stats["finish_reason"]).removeprefix("closespider_")
        lines.append(f"The crawl was stopped early: {reason}.")
    if problems := stats.get("log_count/ERROR", 0):
        lines.append(f"{problems} errors in demo.log.")
    return lines


def usual_word(rows: list[Row]) -> str:
    """Return the long word that is in the most titles, as a query."""
    titles = [set(re.findall(r"\w{5,}", row.title.lower())) for row in rows]
    words = Counter(word for title in titles for word in sorted(title))
    return words.most_common(1)[0][0] if words else ""


def show_search(query: str, width: int) -> None:
    """Search the index and print the hits, with the matches highlighted."""
    bold = ("\x1b[1m", "\x1b[0m") if sys.stdout.isatty() else ("**", "**")
    try:
        with open_index("sqlite:///site.db", read_only=True) as index:
            hits = index.search(query, limit=3, highlight=MARKS)
    except IndexUnavailable as error:
        print(f"No search: {error}")
        return
    print(f"\nSearch for {query!r}: {len(hits)} hits")
    for number, hit in enumerate(hits, 1):
        print(f"\n{number}. {printable(hit.title or hit.url)}\n   {hit.url}")
        for line in render(Text(printable(hit.snippet)), width - 3):
            print("   " + line.replace(MARKS[0], bold[0]).replace(MARKS[1], bold[1]))


def exit_code(rows: list[Row], stats: dict[str, Any]) -> int:
    """Return 1 if no page was crawled or an extraction failed, else 0."""
    failed = any(name.startswith("mainpage/failed/") for name in stats)
    return int(failed or not any_page(rows))


def any_page(rows: list[Row]) -> bool:
    """Return whether any page was crawled."""
    return any(row.words is not None for row in rows)


def show(
    options: argparse.Namespace,
    rows: list[Row],
    stats: dict[str, Any],
    missing: str | None,
) -> None:
    """Print the table, the summary and the search."""
    width = max(80, min(110, get_terminal_size((100, 24)).columns))
    if rows:
        below = render(Text(summary(rows, stats)), width)
        print("\n".join([*table(rows, width), "", *below]))
    parts = (
        dropped_pages(rows, width),
        rendered_pages(rows, stats, width),
        notes(rows, stats, missing),
    )
    for line in chain.from_iterable(parts):
        print(line)
    if not any_page(rows):
        print(f"No page was crawled: see {Path.cwd() / 'demo.log'}")
        return
    query = options.search or ("hide glue" if not options.url else usual_word(rows))
    if query:
        show_search(query, width)
    print(f"\nWritten to {Path.cwd()}: items.jsonl, site.db, demo.log")
    print("Search on with: scrapy mainpage-search site.db QUERY")
    print(f"Report of the crawl, for a browser: {Path.cwd() / REPORT}")


def main() -> int:
    """Run the demo; return the exit code."""
    options = arguments()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # titles may be in any script
    prepare(options.output)
    server: AbstractContextManager[Any] = nullcontext() if options.url else SiteServer()
    with server:
        url = options.url or server.url  # type: ignore[attr-defined]
        print(f"Crawling {url}", flush=True)
        settings = crawl_settings(options)
        missing = switch_on(settings, url)
        rows, stats = crawl(url, settings)
    show(options, rows, stats, missing)
    return exit_code(rows, stats)


if __name__ == "__main__":
    sys.exit(main())
