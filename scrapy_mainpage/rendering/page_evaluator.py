"""Pages made for rendering decisions: in this process, or large ones in a worker."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ..crawl.crawl_state import CrawlState, count_loop_time
from ..crawl.pages import keep_page, make_page, shared_tree
from ..processes.worker import Failure, ProcessError, WorkerNotStarted, attempt
from .detection.need import Judgement, Need, judge

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse

    from ..crawl.worker_pool import Examine
    from ..extraction.extractor import Extractor
    from ..page import Page

logger = logging.getLogger(__name__)


class PageEvaluator:
    """Makes the page of a response ahead of the extraction, which reuses it.

    Returns ``None`` for a response that cannot be extracted: the extraction will fail
    the same way, count and log it.
    """

    def __init__(self, crawler: Crawler, extractor: Extractor):
        self.crawler = crawler
        self._extractor = extractor
        self._workers = CrawlState.of(crawler).worker_pool

    async def make(self, response: HtmlResponse) -> Page | None:
        """Return the page of the response."""
        made = await self._extract(response)
        return made[0] if made else None

    async def judge(self, response: HtmlResponse) -> tuple[Page, Judgement] | None:
        """Return the page of a static response, and whether it needs a browser."""
        made = await self._extract(response, judge_response)
        return self._conclude(response, *made) if made else None

    async def _extract(
        self, response: HtmlResponse, examine: Examine | None = None
    ) -> tuple[Page, Any] | None:
        """Return the page, kept with its response, and the result of *examine*."""
        if self._workers is not None and self._workers.takes(response):
            try:
                page, examined = await self._workers.extract(response, examine)
            except WorkerNotStarted:
                return self._extract_here(response, examine)
            except ProcessError:
                return None
            keep_page(response, page)
            return page, examined
        return self._extract_here(response, examine)

    def _extract_here(
        self, response: HtmlResponse, examine: Examine | None
    ) -> tuple[Page, Any] | None:
        started = perf_counter()
        try:
            page = make_page(response, self._extractor)
        except Exception:  # noqa: BLE001 - see the class
            return None
        finally:
            count_loop_time(self.crawler.stats, started)
        keep_page(response, page)
        return page, attempt(examine, response, page) if examine else None

    def _conclude(
        self, response: HtmlResponse, page: Page, judged: Judgement | Failure | None
    ) -> tuple[Page, Judgement] | None:
        if isinstance(judged, Failure):
            self.crawler.stats.inc_value(f"mainpage/render/not_judged/{judged.name}")
            logger.error(
                "Not judged, the static page goes on: %(url)s\n%(details)s",
                {"url": response.url, "details": judged.details},
                extra={"spider": self.crawler.spider},
            )
            judged = Judgement(Need.NO, "not_judged")
        return None if judged is None else (page, judged)


def judge_response(response: HtmlResponse, page: Page) -> Judgement | None:
    """Judge a static page; ``None`` if its tree is not read."""
    root = shared_tree(response, page)
    return None if root is None else judge(root, page)
