"""The extension that writes the report of a crawl; the add-on enables it by setting."""

from __future__ import annotations

import logging
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http.request import NO_CALLBACK

from .addresses import site_of
from .crawl.completeness import Completeness
from .crawl.crawl_state import Component
from .crawl.pages import META_KEY, known_page, refusal
from .downloadermiddlewares import kind_of, reason_to_skip
from .page import Page
from .report import crawl_report as summary
from .report.crawl_report import CrawlFacts, render_crawl_report
from .report.page_report import ReportUnavailable, make_environment
from .settings import NEVER, SettingsError, refuse

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

FAILED_PREFIX: Final = "failed:"
"""Prefix of the warning on a page whose extraction failed."""


class CrawlReport(Component):
    """Writes the report of the crawl into the file ``MAINPAGE_REPORT`` when it ends.

    A page is kept if one of its items was scraped, and dropped if all were dropped.
    """

    writes = True

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        if not self.settings.report:
            raise NotConfigured
        self.path = self.settings.report
        try:
            make_environment()
        except ReportUnavailable as error:
            refuse(crawler, SettingsError("MAINPAGE_REPORT", self.path, str(error)))
        self.summary = summary.CrawlSummary()
        self._completeness = self.state.keep(Completeness)
        #: Outcomes that an item may still change.
        self._open: WeakKeyDictionary[Response, summary.Outcome] = WeakKeyDictionary()
        connect = crawler.signals.connect
        connect(self.receive, signals.response_received)
        connect(self.count_kept, signals.item_scraped)
        connect(self.count_dropped, signals.item_dropped)
        connect(self.write, signals.spider_closed)

    def receive(self, response: Response, request: Request) -> None:
        """Count a response and its page."""
        if request.callback is NO_CALLBACK:  # robots.txt, files of media pipelines
            return
        found = known_page(response) or request.meta.get(META_KEY)
        page = found if isinstance(found, Page) else None
        site, outcome = site_of(response.url), _find_outcome(request, response, page)
        self.summary.count(outcome, response.url, site)
        if outcome[0] in _NO_ITEMS:
            self._open[response] = outcome
        if page is not None:
            self.summary.add_page(page, site, is_error=response.status >= 400)

    def count_kept(self, response: Response | None) -> None:
        """Count the page of an item that was scraped."""
        self._move(response, (summary.KEPT, ""))

    def count_dropped(self, response: Response | None, exception: Exception) -> None:
        """Count the page of an item that was dropped, unless another one was kept."""
        outcome = (summary.DROPPED, type(exception).__name__)
        if response is not None and self._open.get(response, ("",))[0] in _NO_ITEMS:
            self._move(response, outcome, " ".join(str(exception).split()))

    def _move(
        self, response: Response | None, outcome: summary.Outcome, note: str = ""
    ) -> None:
        before = self._open.get(response) if response is not None else None
        if response is None or before is None or before == outcome:
            return
        site = site_of(response.url)
        self.summary.uncount(before, site)
        self.summary.count(outcome, response.url, site, note)
        self._open[response] = outcome

    def write(self, spider: Spider, reason: str) -> None:
        """Write the report."""
        now = datetime.now(timezone.utc)
        names = {"name": spider.name, "time": now.strftime("%Y-%m-%dT%H-%M-%S")}
        path = Path(self.path % names)
        stats: dict[str, Any] = self.crawler.stats.get_stats()
        renders = self.settings.render != NEVER
        missing = self._completeness.summary
        facts = CrawlFacts(spider.name, reason, now, stats, renders, missing)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = render_crawl_report(self.summary, facts)
            path.write_text(text, "utf-8", errors="replace")
        except OSError as error:
            details = {"path": path, "error": error.strerror or error}
            line = "No report of the crawl: %(path)s: %(error)s"
            self.log(logging.ERROR, line, details)
        else:
            self.log(logging.INFO, "Report of the crawl: %(path)s", {"path": path})


_NO_ITEMS: Final = (summary.NO_ITEM, summary.HTTP_ERROR)


def _find_outcome(
    request: Request, response: Response, page: Page | None
) -> summary.Outcome:
    """The outcome of a response before it has an item."""
    for warning in page.warnings if page else ():
        if warning.startswith(FAILED_PREFIX):
            return summary.FAILED, warning.removeprefix(FAILED_PREFIX)
    if response.status >= 400:
        return summary.HTTP_ERROR, str(response.status)
    if page is None:
        reason = reason_to_skip(request, response) or ""
        if reason == refusal(response):
            reason = f"not HTML: {kind_of(response)}"
        return summary.SKIPPED, reason
    return summary.NO_ITEM, ""
