"""Pages made for rendering decisions: in this process, or large ones in a worker."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse

from ..crawl.crawl_state import CrawlState
from ..crawl.limit_reports import count_loop_time
from ..crawl.pages import keep_page, make_page, shared_tree
from ..processes.messages import Failure, ProcessError, WorkerNotStarted
from .detection.need import Judgement, Need, judge

if TYPE_CHECKING:
    from typing import TypeGuard

    from lxml import etree
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..extraction.extractor import Extractor
    from ..page import Page
    from ..settings import Settings

logger = logging.getLogger(__name__)


class PageEvaluator:
    """Makes the page of a response ahead of the extraction, which reuses it.

    Returns ``None`` for a response that cannot be extracted: the extraction will fail
    the same way, count and log it.
    """

    def __init__(self, crawler: Crawler, extractor: Extractor, settings: Settings):
        self.crawler = crawler
        self._extractor = extractor
        self._off_loop = CrawlState.of(crawler).worker_pool

    def is_offloaded(self, response: Response) -> TypeGuard[HtmlResponse]:
        """Whether a worker process is to make the page: use the coroutines then."""
        return self._off_loop is not None and self._off_loop.takes(response)

    def make(self, response: Response) -> Page | None:
        """Return the page of the response."""
        started = perf_counter()
        try:
            page = make_page(response, self._extractor)
        except Exception:  # noqa: BLE001 - see the class
            return None
        finally:
            count_loop_time(self.crawler.stats, started)
        keep_page(response, page)
        return page

    def judge(self, response: Response) -> tuple[Page, Judgement] | None:
        """Return the page of a static response, and whether it needs a browser."""
        page = self.make(response)
        root = None if page is None else _get_root(response, page)
        if page is None or root is None:
            return None
        try:
            return page, judge(root, page)
        except Exception as error:  # noqa: BLE001 - counted and logged
            return page, self._count_failure(response, type(error).__name__, error)

    async def make_in_worker(self, response: HtmlResponse) -> Page | None:
        """Return the page of the response, made by a worker process."""
        assert self._off_loop is not None
        try:
            page, _ = await self._off_loop.extract(response)
        except WorkerNotStarted:
            return self.make(response)
        except ProcessError:
            return None
        keep_page(response, page)
        return page

    async def judge_in_worker(
        self, response: HtmlResponse
    ) -> tuple[Page, Judgement] | None:
        """Return the page of a static response, judged by a worker process."""
        assert self._off_loop is not None
        try:
            page, judgement = await self._off_loop.extract(response, judge_response)
        except WorkerNotStarted:
            return self.judge(response)
        except ProcessError:
            return None
        keep_page(response, page)
        if isinstance(judgement, Failure):
            error = RuntimeError(judgement.details)
            return page, self._count_failure(response, judgement.name, error)
        return None if judgement is None else (page, judgement)

    def _count_failure(
        self, response: Response, name: str, error: Exception
    ) -> Judgement:
        self.crawler.stats.inc_value(f"mainpage/render/not_judged/{name}")
        logger.error(
            "Not judged, the static page goes on: %(url)s",
            {"url": response.url},
            exc_info=error,
            extra={"spider": self.crawler.spider},
        )
        return Judgement(Need.NO, "not_judged")


def judge_response(response: HtmlResponse, page: Page) -> Judgement | None:
    """Judge a static page; ``None`` if its tree is not read."""
    root = shared_tree(response, page)
    return None if root is None else judge(root, page)


def _get_root(response: Response, page: Page) -> etree._Element | None:
    assert isinstance(response, HtmlResponse)
    return shared_tree(response, page)
