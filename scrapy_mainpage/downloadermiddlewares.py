"""The rendering of pages that need it, and the extraction of every HTML response."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace
from functools import cached_property
from http import HTTPStatus
from mimetypes import MimeTypes
from time import perf_counter
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.http import TextResponse
from scrapy.http.request import NO_CALLBACK

from .addresses import site_of
from .crawl.completeness import Completeness
from .crawl.crawl_state import Component, count_loop_time, only_shows_pages
from .crawl.pages import (
    META_KEY,
    NO_LAYOUT,
    known_page,
    make_page,
    record_of,
    refusal,
    right_encoding,
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
from .extraction.parsing.encoding import binary_type
from .extraction.parsing.tree import REASONS
from .page import ADDED_SOURCES, Page
from .processes.worker import ProcessError, WorkerNotStarted
from .settings import NEVER

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse, Request, Response

    from .crawl.worker_pool import WorkerPool
    from .rendering.decider import RenderDecider

MAX_COUNTED_RULES: Final = 300
"""Files of rules, and selectors in them, with a statistic of their own."""

_TYPES: Final = MimeTypes()  # without those of the machine's own files

#: Kinds of files for programs, such as ``pdf``: the names of their types.
_FORMATS: Final = frozenset(
    name.removeprefix("application/").removeprefix("x-")
    for name in _TYPES.types_map[True].values()
    if name.startswith("application/") and name != "application/octet-stream"
)


class ExtractionMiddleware(Component):
    """Puts the :class:`~scrapy_mainpage.Page` of every HTML response into its meta.

    A response without a page passes through and is counted in
    ``mainpage/skipped/REASON``: ``disabled`` (``request.meta["mainpage"] = False``),
    ``not_html``, ``binary``, ``robotstxt``, ``head``, ``not_modified`` or ``empty``;
    what is not HTML also by its kind, such as ``pdf``, and in one line at the end. An
    empty body still has a page, without text. So has a response whose extraction
    failed, which is counted in ``mainpage/failed/REASON`` and logged; it goes on to the
    spider. A
    page whose algorithm needs a layout that the page does not have is extracted by the
    default algorithm and counted in ``mainpage/fallback/no_layout``.

    The page is extracted before the spider gets the response, from the tree that the
    spider's selectors read; large pages in other processes, with *worker_pool*. The
    time that the others hold the event loop is in ``mainpage/loop/longest``.
    """

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self.extractor = self.state.extractor
        self.worker_pool = self.state.worker_pool
        self.limit_reports = LimitReports(crawler)
        self._kinds: Counter[str] = Counter()
        crawler.signals.connect(self.report_kinds, signals.spider_closed)
        if not only_shows_pages(crawler):
            self.state.keep(Completeness)

    def report_kinds(self) -> None:
        """Log how many responses of which kinds had no page because they are not HTML.

        XML is for programs: feeds, sitemaps.
        """
        kinds = {kind: n for kind, n in self._kinds.most_common() if kind != "xml"}
        if kinds:
            named = ", ".join(f"{kind} {n}" for kind, n in kinds.items())
            line = "%d responses are not HTML and have no page (%s): to index the text "
            line += "of one, yield an item with url and text from its callback"
            self.log(logging.INFO, line, sum(kinds.values()), named)

    def process_request(self, request: Request) -> None:
        """Forget the page of an earlier response, which a copied request still has."""
        if isinstance(request.meta.get(META_KEY), Page):
            del request.meta[META_KEY]

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Note a request that has finally failed: retries are nearer to the network."""
        if (completeness := self.state.kept(Completeness)) is not None:
            completeness.failed(request, exception)

    def process_response(
        self, request: Request, response: Response
    ) -> Response | Awaitable[Response]:
        """Extract the response, or count why not, and let it pass.

        The result is awaitable where another process extracts the page.
        """
        if reason := reason_to_skip(request, response):
            self.count(f"skipped/{reason}")
            if reason == refusal(response):
                kind = kind_of(response)
                self.count(f"skipped/{kind}")
                self._kinds[kind] += 1
            record_of(response).extractor = self.extractor
            return response
        response = right_encoding(response, self.extractor)
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
        record_of(response).page = page
        request.meta[META_KEY] = page
        # The spider middleware takes it out again, unless no callback gets it.
        self.state.inline_responses[response.url] = response
        return response

    def _page(self, response: Response) -> Page:
        if record_of(response).is_blank:
            self.log(logging.DEBUG, "No content: %(url)s", {"url": response.url})
            self.count("skipped/empty")
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
        self.count("extracted")
        self.limit_reports.report(page)
        if NO_LAYOUT in page.warnings:
            self.count(f"fallback/{NO_LAYOUT}")
        for source in ADDED_SOURCES.intersection(page.sources):
            self.count(f"structured/{source}")
        self.count("words_kept", page.words)
        self.count("words_dropped", page.words_total - page.words)

    def _failed(self, response: Response, error: Exception) -> Page:
        reason = type(error).__name__
        if isinstance(error, ProcessError):
            reason = error.reason
        self.count(f"failed/{reason}")
        message, named = "Extraction of the main content failed: %(url)s", response.url
        self.log(logging.ERROR, message, {"url": named}, exc_info=error)
        return Page.empty(response.url, f"failed:{reason}")


class LimitReports(Component):
    """Counts pages over a limit in ``mainpage/limits/REASON``.

    Pages that rules of their site decided are in ``mainpage/rules/applied``, those
    where the rules miss in ``mainpage/rules/missed``, those of a file with an error in
    ``mainpage/rules/bad``. ``mainpage/rules/pages/FILE`` are the pages that a file is
    for, ``mainpage/rules/pages/RULE`` those on which one of its selectors matches. The
    first page of each site and reason is logged.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._logged: set[tuple[str, str]] = set()
        self._rules: set[str] = set()

    def report(self, page: Page) -> None:
        """Count the limits and rules of *page*, and log those new for its site."""
        if decide(page.rules) and RULE_MISSED not in page.warnings:
            self.count("rules/applied")
        for name in dict.fromkeys((*map(file_of, page.rules), *page.rules)):
            if len(self._rules) < MAX_COUNTED_RULES or name in self._rules:
                self._rules.add(name)
                self.crawler.stats.inc_value(f"{RULE_PAGES}{name}")
        for reason in page.warnings:
            if reason in REASONS:
                self.count(f"limits/{reason}")
                self._log(page, reason, f"Over a limit ({reason})")
            elif reason == RULE_MISSED:
                self.count("rules/missed")
                named = ", ".join(rule for rule in page.rules if is_missed(rule))
                self._log(page, reason, f"Rules of the site have missed ({named})")
            elif reason == BAD_RULES:
                self.count("rules/bad")

    def _log(self, page: Page, reason: str, message: str) -> None:
        known = (site_of(page.url), reason)
        if known not in self._logged:
            self._logged.add(known)
            line = "%(message)s, the first page of this site: %(url)s"
            self.log(logging.WARNING, line, {"message": message, "url": page.url})


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


def kind_of(response: Response) -> str:
    """Return the kind of a response that is not HTML, such as ``pdf``; or ``other``.

    By its content type; where that says nothing, by its body, then the name in its URL.
    """
    declared = (response.headers.get(b"Content-Type") or b"").decode("latin-1").lower()
    named = _TYPES.guess_type(urlsplit(response.url).path)[0] or ""
    types = (declared.partition(";")[0].strip(), binary_type(response.body), named)
    for main, _, name in (each.partition("/") for each in types):
        if main in ("audio", "font", "image", "video"):
            return main
        if (kind := name.rpartition("+")[2].removeprefix("x-")) in _FORMATS:
            return kind
        if main == "text" and name != "html":
            return main
    return "text" if isinstance(response, TextResponse) else "other"


class RenderMiddleware(Component):
    """Renders the pages that need it, or whose requests ask for it.

    With ``MAINPAGE_RENDER = "never"`` nothing of :mod:`scrapy_mainpage.rendering` is
    imported until a request asks for it with ``mainpage_render``.
    """

    @cached_property
    def decider(self) -> RenderDecider:
        """The decisions on requests and responses."""
        from .rendering.decider import RenderDecider

        return RenderDecider(self.crawler)

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
        if self.settings.render != NEVER:
            return True
        if {WISH_KEY, STATE_KEY}.isdisjoint(request.meta):
            return False
        return bool(get_wish(request)) or get_state(request) is not None
