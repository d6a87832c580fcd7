"""The rendering of pages that need it, and the extraction of every HTML response."""

from __future__ import annotations

import logging
from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from http import HTTPStatus
from time import perf_counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.http.request import NO_CALLBACK

from .addresses import site_of
from .crawl.crawl_state import CrawlState, count_loop_time
from .crawl.pages import (
    META_KEY,
    NO_LAYOUT,
    keep_page,
    known_page,
    make_page,
    record_of,
    refusal,
    share_tree,
)
from .crawl.rendered_requests import (
    RENDER_INCOMPLETE,
    STATE_KEY,
    WISH_KEY,
    get_state,
    get_wish,
)
from .extraction.page_rules import (
    BAD_RULES,
    RULE_MISSED,
    RULE_PAGES,
    decide,
    file_of,
    is_missed,
)
from .extraction.parsing.tree import REASONS
from .page import ADDED_SOURCES, Page
from .processes.worker import ProcessError, WorkerNotStarted
from .settings import NEVER

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse, Request, Response
    from typing_extensions import Self

    from .crawl.worker_pool import WorkerPool
    from .extraction.extractor import Extractor
    from .rendering.decider import RenderDecider

logger = logging.getLogger(__name__)

MAX_COUNTED_SITES: Final = 100
"""Sites with a statistic of their own."""

MAX_COUNTED_RULES: Final = 300
"""Files of rules, and selectors in them, with a statistic of their own."""

MAX_KNOWN_SITES: Final = 10_000
"""Sites and reasons that are remembered; of more of them nothing is logged."""


class ExtractionMiddleware:
    """Puts the :class:`~scrapy_mainpage.Page` of every HTML response into its meta.

    A response without a page passes through and is counted in
    ``mainpage/skipped/REASON``: ``disabled`` (``request.meta["mainpage"] = False``),
    ``not_html``, ``binary``, ``robotstxt``, ``head``, ``not_modified`` or ``empty``. An
    empty body still has a page, without text. So has a response whose extraction
    failed, which is counted in ``mainpage/failed/REASON`` and logged; it goes on to the
    spider. A
    page whose algorithm needs a layout that the page does not have is extracted by the
    default algorithm and counted in ``mainpage/fallback/no_layout``.

    The page is extracted before the spider gets the response, from the tree that the
    spider's selectors read; large pages in other processes, with *worker_pool*. The
    time that the others hold the event loop is in ``mainpage/loop/longest``.
    """

    def __init__(
        self,
        crawler: Crawler,
        extractor: Extractor,
        worker_pool: WorkerPool | None = None,
    ):
        self.crawler = crawler
        self.extractor = extractor
        self.worker_pool = worker_pool
        self.limit_reports = LimitReports(crawler)
        self._inline_responses = CrawlState.of(crawler).inline_responses

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware with the algorithm that the settings name."""
        state = CrawlState.of(crawler)
        if not state.settings.enabled:
            raise NotConfigured
        return cls(crawler, state.extractor, state.worker_pool)

    def process_request(self, request: Request) -> None:
        """Forget the page of an earlier response, which a copied request still has."""
        if isinstance(request.meta.get(META_KEY), Page):
            del request.meta[META_KEY]

    def process_response(
        self, request: Request, response: Response
    ) -> Response | Awaitable[Response]:
        """Extract the response, or count why not, and let it pass.

        The result is awaitable where another process extracts the page.
        """
        if reason := reason_to_skip(request, response):
            self._count(f"mainpage/skipped/{reason}")
            record_of(response).extractor = self.extractor
            return response
        response = share_tree(response, self.extractor)
        pool = self.worker_pool
        if pool and pool.takes(response) and not known_page(response):
            return self._extract_elsewhere(request, response, pool)
        return self._with_page(request, response, self._page(response))

    async def _extract_elsewhere(
        self, request: Request, response: HtmlResponse, pool: WorkerPool
    ) -> Response:
        try:
            page, _ = await pool.extract(response)
        except WorkerNotStarted:
            page = self._page(response)
        except Exception as error:  # noqa: BLE001 - one page must not stop the crawl
            page = self._failed(response, error)
        else:
            self._count_page(page)
        return self._with_page(request, response, page)

    def _with_page(self, request: Request, response: Response, page: Page) -> Response:
        page = _with_rendering(page, request)
        keep_page(response, page)
        request.meta[META_KEY] = page
        # The spider middleware takes it out again, unless no callback gets it.
        self._inline_responses[response.url] = response
        return response

    def _page(self, response: Response) -> Page:
        if record_of(response).is_blank:
            logger.debug(
                "No content: %(url)s", {"url": response.url}, extra=self._extra
            )
            self._count("mainpage/skipped/empty")
            return Page.empty(response.url, "empty")
        started = perf_counter()
        try:
            # Rendering may have made it to judge the page.
            page = known_page(response) or make_page(response, self.extractor)
        except Exception as error:  # noqa: BLE001 - one page must not stop the crawl
            return self._failed(response, error)
        finally:
            count_loop_time(self.crawler.stats, started)
        self._count_page(page)
        return page

    def _count_page(self, page: Page) -> None:
        self._count("mainpage/extracted")
        self.limit_reports.report(page)
        if NO_LAYOUT in page.warnings:
            self._count(f"mainpage/fallback/{NO_LAYOUT}")
        for source in ADDED_SOURCES.intersection(page.sources):
            self._count(f"mainpage/structured/{source}")
        self._count("mainpage/words_kept", page.words)
        self._count("mainpage/words_dropped", page.words_total - page.words)

    def _failed(self, response: Response, error: Exception) -> Page:
        reason = type(error).__name__
        if isinstance(error, ProcessError):
            reason = error.reason
        self._count(f"mainpage/failed/{reason}")
        message = "Extraction of the main content failed: %(url)s"
        logger.error(message, {"url": response.url}, exc_info=error, extra=self._extra)
        return Page.empty(response.url, f"failed:{reason}")

    def _count(self, name: str, count: float = 1) -> None:
        # Scrapy's collectors add whatever number they get; they declare integers.
        self.crawler.stats.inc_value(name, count)  # type: ignore[arg-type]

    @property
    def _extra(self) -> dict[str, object]:
        return {"spider": self.crawler.spider}


class LimitReports:
    """Counts pages over a limit in ``mainpage/limits/REASON``.

    Pages that rules of their site decided are in ``mainpage/rules/applied``, those
    where the rules miss in ``mainpage/rules/missed`` and, for the first sites, in
    ``mainpage/rules/missed/HOST``; those of a file with an error are in
    ``mainpage/rules/bad``. ``mainpage/rules/pages/FILE`` are the pages that a file is
    for, ``mainpage/rules/pages/RULE`` those on which one of its selectors matches. The
    first page of each site and reason is logged.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._known: set[tuple[str, str]] = set()
        self._counted: dict[int, set[str]] = defaultdict(set)

    def report(self, page: Page) -> None:
        """Count the limits and rules of *page*, and log those new for its site."""
        if decide(page.rules) and RULE_MISSED not in page.warnings:
            self._count("mainpage/rules/applied")
        for name in dict.fromkeys((*map(file_of, page.rules), *page.rules)):
            self._count_first(f"{RULE_PAGES}{name}", MAX_COUNTED_RULES)
        for reason in page.warnings:
            if reason in REASONS:
                self._count(f"mainpage/limits/{reason}")
                self._log(page, reason, f"Over a limit ({reason})")
            elif reason == RULE_MISSED:
                self._count("mainpage/rules/missed")
                site = site_of(page.url)
                self._count_first(f"mainpage/rules/missed/{site}", MAX_COUNTED_SITES)
                named = ", ".join(rule for rule in page.rules if is_missed(rule))
                self._log(page, reason, f"Rules of the site have missed ({named})")
            elif reason == BAD_RULES:
                self._count("mainpage/rules/bad")

    def _count(self, name: str) -> None:
        self.crawler.stats.inc_value(name)

    def _count_first(self, name: str, most: int) -> None:
        """Count in one of the first *most* statistics of a kind."""
        known = self._counted[most]
        if len(known) < most or name in known:
            known.add(name)
            self._count(name)

    def _log(self, page: Page, reason: str, message: str) -> None:
        known = (site_of(page.url), reason)
        if known not in self._known and len(self._known) < MAX_KNOWN_SITES:
            self._known.add(known)
            logger.warning(
                "%(message)s, the first page of this site: %(url)s",
                {"message": message, "url": page.url},
                extra={"spider": self.crawler.spider},
            )


def _with_rendering(page: Page, request: Request) -> Page:
    if STATE_KEY not in request.meta or (state := get_state(request)) is None:
        return page
    warnings = (*page.warnings, *(RENDER_INCOMPLETE,) * state.get("incomplete", False))
    result = replace(
        page,
        rendered=state["rendered"],
        render_reason=state["reason"],
        static=state.get("static") or None,
        warnings=warnings,
    )
    # Attributes that another process has made are kept.
    vars(result).update({k: v for k, v in vars(page).items() if k not in vars(result)})
    return result


def reason_to_skip(request: Request, response: Response) -> str | None:
    """Return the code of why a response is not extracted; ``None`` if it is."""
    if request.meta.get(META_KEY) is False:
        return "disabled"
    if response.status == HTTPStatus.NOT_MODIFIED:
        return "not_modified"
    if request.callback is NO_CALLBACK:
        is_robots = urlsplit(request.url).path == "/robots.txt"
        return "robotstxt" if is_robots else "no_callback"
    if request.method == "HEAD":
        return "head"
    return refusal(response)


class RenderMiddleware:
    """Renders the pages that need it, or whose requests ask for it.

    With ``MAINPAGE_RENDER = "never"`` nothing of :mod:`scrapy_mainpage.rendering` is
    imported until a request asks for it with ``mainpage_render``.
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler
        self._state = CrawlState.of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware of a crawl."""
        if not CrawlState.of(crawler).settings.enabled:
            raise NotConfigured
        return cls(crawler)

    @cached_property
    def decider(self) -> RenderDecider:
        """The decisions on requests and responses."""
        from .rendering.decider import RenderDecider

        return RenderDecider(self.crawler, self._state.extractor, self._state.settings)

    def process_request(self, request: Request) -> None:
        """Mark the request if it is to be rendered, whatever its static page is."""
        if self._may_render(request):
            self.decider.process_request(request)

    def process_response(
        self, request: Request, response: Response
    ) -> Request | Response | Awaitable[Request | Response]:
        """Return a rendered page, a static one, or the request to render it."""
        if self._may_render(request):
            return self.decider.process_response(request, response)
        return response

    def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | None:
        """Return the request of the static page if rendering failed."""
        if self._may_render(request):
            return self.decider.process_exception(request, exception)
        return None

    def _may_render(self, request: Request) -> bool:
        if self._state.settings.render != NEVER:
            return True
        if {WISH_KEY, STATE_KEY}.isdisjoint(request.meta):
            return False
        return bool(get_wish(request)) or get_state(request) is not None
