"""The middlewares of second crawls: conditional requests, and what becomes of pages."""

from __future__ import annotations

import time
from hashlib import blake2b
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.utils.httpobj import urlparse_cached
from w3lib.url import safe_url_string

from ..crawl.crawl_ledger import GONE_STATUSES, NOT_DUE, CrawlLedger
from ..crawl.crawl_scope import STATE_KEY, dump_request, load_request, request_hash
from ..crawl.crawl_state import Component, CrawlState
from ..crawl.rendered_requests import get_state
from ..memory.tables import NOT_MODIFIED, SITEMAP
from ..pipelines.publisher import NOINDEX, directives_of
from ..settings import RESPECT
from .sitemaps import dates_in, kind_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.crawler import Crawler

    from ..crawl.ledger import Visit
    from ..memory import PageRow

_VALIDATORS: Final = {"If-None-Match": "etag", "If-Modified-Since": "last_modified"}


def _web_request(base: str, url: str | bytes) -> Request | None:
    """The request that Scrapy makes of what a site names: of the web, never a file."""
    try:
        request = Request(urljoin(base, safe_url_string(url)))
    except ValueError:
        return None
    return request if urlparse_cached(request).scheme in ("http", "https") else None


def ledger_of(crawler: Crawler) -> CrawlLedger:
    """Return the ledger of a crawl; raise :exc:`NotConfigured` if it has none.

    As of a crawler without a spider, which tests of projects make.
    """
    state = CrawlState.of(crawler)
    if not (state.settings.enabled and state.settings.state and crawler.spider):
        raise NotConfigured
    return state.keep(CrawlLedger)


class ConditionalRequestMiddleware(Component):
    """Asks for pages only if they have changed, and follows their links if not.

    A request has ``If-None-Match`` and ``If-Modified-Since`` if the page came whole
    under the same configuration, and the indexes have what the ledger says. Where
    nothing was sent again, or the very bytes of the last time, the spider gets a
    response of status 304 whose callback yields the requests that the page led to.
    With Scrapy's HTTP cache all responses are the spider's.

    Redirects and the robots.txt are seen here, too, before other middlewares act.
    """

    stats_prefix = "mainpage/state"

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self.ledger = ledger_of(crawler)
        self._has_cache = crawler.settings.getbool("HTTPCACHE_ENABLED")
        self._asked: WeakKeyDictionary[Request, dict[str, str]] = WeakKeyDictionary()

    def process_request(self, request: Request) -> Response | None:
        """Add conditions; answer in place of the site if the page is not due yet."""
        if not request.meta.get(STATE_KEY) or self._has_cache:
            return None
        row = self.ledger.row(request)
        if not self._may_ask(request, row):
            return None
        if self._is_early(row):
            self.count(NOT_DUE)
            answer = self._unmodified(request, Response(request.url))
            answer.flags.append(NOT_DUE)
            return answer
        named = {h: value for h, a in _VALIDATORS.items() if (value := getattr(row, a))}
        request.headers.update(named)
        self._asked[request] = named
        return None

    def _may_ask(self, request: Request, row: PageRow) -> bool:
        ledger = self.ledger
        config = ledger.config_of(request)
        is_same = config is not None and row.config_hash == config
        # What this run has seen was for another request, or changed since.
        is_seen = row.last_seen_run == ledger.run.id and not self._was_seen(row)
        is_same &= row.requests is not None and not is_seen
        own = any(name in request.headers for name in _VALIDATORS)
        rendering = get_state(request)
        is_rendered = rendering is not None and rendering["rendered"]
        return is_same and ledger.is_trusted and not own and not is_rendered

    def _was_seen(self, row: PageRow) -> bool:
        """Whether the run had the page before it was stopped."""
        is_of_run = row.last_seen_run == self.ledger.run.id
        return is_of_run and (row.last_ok or 0) < self.ledger.resumed

    def _is_early(self, row: PageRow) -> bool:
        """Whether an adaptive crawl leaves the page out this time."""
        if self._was_seen(row):
            return True
        revisit, now = self.ledger.settings.revisit, time.time()
        if revisit is None or row.last_ok is None or row.next_visit is None:
            return False
        if row.kind is not None:
            return False  # the pages that it lists may be new
        # A clock that was set back must not put a visit off for longer than allowed.
        age = now - row.last_ok
        return 0 <= age < revisit[1] and now < row.next_visit

    def process_response(
        self, request: Request, response: Response
    ) -> Response | Request:
        """Answer for a page that has not changed; note redirects."""
        status = response.status
        asked = self._end(request, status)
        if STATE_KEY not in request.meta:
            return response
        is_unsent = status == NOT_MODIFIED and asked
        if is_unsent and not self._may_ask(request, self.ledger.row(request)):
            return request.replace(dont_filter=True)  # the page has come meanwhile
        if is_unsent or self._is_same(request, response):
            return self._unmodified(request, response)
        location = response.headers.get(b"Location")
        if 300 <= status < 400 and location and self.ledger.is_tracked(request):
            self._note_redirect(request, status, location)
        return response

    def _is_same(self, request: Request, response: Response) -> bool:
        """Whether a page has come whole, and with the bytes of the last time."""
        if response.status != HTTPStatus.OK or self._has_cache:
            return False
        row = self.ledger.row(request)
        typed = (response.headers.get(b"Content-Type") or b"") + b"\0"
        digest = blake2b(typed + response.body, digest_size=12).digest()
        self.ledger.body_hashes[request] = digest
        is_wanted = request.meta[STATE_KEY] and self._may_ask(request, row)
        if row.body_hash != digest or not is_wanted:
            return False
        self.count("same_bytes")
        return True

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Note that no answer came."""
        self._end(request, HTTPStatus.SERVICE_UNAVAILABLE)

    def _end(self, request: Request, status: int) -> bool:
        """Remove the conditions, as it may be sent again; say if there were any."""
        asked = self._asked.pop(request, {})
        for name in asked:
            request.headers.pop(name, None)
        if request.callback is NO_CALLBACK and request.url.endswith("/robots.txt"):
            has_failed = status >= 500 or status == 429
            self.ledger.robots_failed[request.url] = has_failed
        return bool(asked)

    def _note_redirect(self, request: Request, status: int, location: bytes) -> None:
        row, target = self.ledger.row(request), _web_request(request.url, location)
        if target is None or not self.ledger.is_tracked(target):
            self.ledger.failed(row, "redirected_away", status)
            return
        other = self.ledger.row(target)
        self.ledger.redirected(row, status, other)
        is_other = request.meta[STATE_KEY] != request_hash(other.request)
        if request.dont_filter and is_other:
            self.ledger.unfiltered.add(other.id)

    def _unmodified(self, request: Request, response: Response) -> Response:
        meta = {**request.meta, "handle_httpstatus_list": [NOT_MODIFIED]}
        linked = self.ledger.store.requested_by(self.ledger.row(request))
        meant = {"callback": self._follow, "cb_kwargs": {"found": linked}, "meta": meta}
        follow = request.replace(errback=None, cls=None, **meant)
        answer = Response(
            request.url, NOT_MODIFIED, headers=response.headers, request=follow
        )
        answer.headers.pop("Content-Encoding", None)
        return answer

    def _follow(self, response: Response, found: list[PageRow]) -> Iterator[Request]:
        """Yield the requests that the unchanged page led to."""
        ledger = self.ledger
        for linked in found:
            # Of start pages the other workers of a crawl may have asked in another way.
            is_shared_start = ledger.crawl and linked.start_run == ledger.run.id
            is_passing = is_shared_start or linked.id in ledger.unfiltered
            is_passing |= ledger.resumed > 0
            if linked.requested_run == ledger.run.id and not is_passing:
                continue
            ledger.unfiltered.discard(linked.id)
            if (stored := load_request(linked, ledger.spider)) is not None:
                yield stored


class OutcomeMiddleware(BaseSpiderMiddleware):
    """Notes what becomes of each page: its status, its requests, its items."""

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self.ledger = ledger_of(crawler)

    def process_spider_input(self, response: Response) -> None:
        """Note a status that says that there is no page, or none now."""
        request, status = response.request, response.status
        if request is None or not self.ledger.is_tracked(request):
            return
        self.ledger.begin(response)
        # A callback that copies the meta must not mark what it downloads itself.
        request.meta.pop(STATE_KEY, None)
        if 200 <= status < 300 or status == NOT_MODIFIED:
            return
        row = self.ledger.row(request)
        if status in GONE_STATUSES:
            self.ledger.gone(row, status)
        elif not 300 <= status < 400:
            self.ledger.failed(row, str(status), status)

    def process_spider_output(  # type: ignore[override]
        self, response: Response | None, result: Iterable[Any]
    ) -> Iterator[Any]:
        """Pass everything on; the page is done when all of it was."""
        visit = self._begin(response)
        yield from super().process_spider_output(response, result)
        self._end(visit, response)

    async def process_spider_output_async(  # type: ignore[override]
        self, response: Response | None, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Pass everything on; the page is done when all of it was."""
        visit = self._begin(response)
        async for each in super().process_spider_output_async(response, result):
            yield each
        self._end(visit, response)

    def _begin(self, response: Response | None) -> Visit | None:
        if response is None or (visit := self.ledger.begin(response)) is None:
            return None
        if response.status == NOT_MODIFIED:
            visit.reason = self._unwanted(response)
        elif response.status < 300:
            visit.row.kind = kind_of(response)
            if visit.row.kind == SITEMAP and self.ledger.settings.revisit:
                self._note_dates(response)
        return visit

    def _note_dates(self, response: Response) -> None:
        """A page is due at once if its sitemap has another date for it."""
        for url, date in dates_in(response, self.ledger.settings.max_size):
            request = _web_request(response.url, url)
            if request is not None and self.ledger.is_tracked(request):
                self.ledger.note_date(self.ledger.row(request), date)

    def _unwanted(self, response: Response) -> str | None:
        """A header may leave out a page that has not changed."""
        if self.ledger.settings.robots_meta != RESPECT:
            return None
        return NOINDEX if NOINDEX in directives_of(response) else None

    def _end(self, visit: Visit | None, response: Response | None) -> None:
        if visit is not None and response is not None:
            visit.has_ended = True
            self.ledger.finish_if_done(visit, response)

    def get_processed_request(
        self, request: Request, response: Response | None
    ) -> Request | None:
        """Mark the request, and note it as one of its page's."""
        if not self.ledger.is_tracked(request):
            return request
        row = self.ledger.row(request)
        visit = self.ledger.visits.get(response) if response is not None else None
        if response is None:
            row.start_run = self.ledger.run.id
        # What an unchanged page leads to is in the ledger.
        if response is None or visit is None or response.status != NOT_MODIFIED:
            noted = self._note_request(row, request, visit)
        else:
            noted = request_hash(row.request)
        if request.meta.get(STATE_KEY) is not False:
            request.meta[STATE_KEY] = noted or True
        if row.requested_run != self.ledger.run.id:
            row.requested_run = self.ledger.run.id
            self.ledger.store.put(row)
        return request

    def _note_request(
        self, row: PageRow, request: Request, visit: Visit | None
    ) -> str | None:
        """Note how the page is requested; return the hash of that.

        The row has one request: the first of the run that Scrapy would filter if it
        came again, as others of the address are filtered then.
        """
        ledger, run = self.ledger, self.ledger.run.id
        if visit is not None:
            visit.found.append(row)
        try:
            text = dump_request(request, ledger.spider)
            noted: str | None = request_hash(text)
        except ValueError:
            text, noted = row.request, None
        if visit is not None and (noted is None or request.dont_filter):
            visit.repeats = False  # the page must come again to lead there
        is_passing = row.start_run == run or row.id in ledger.unfiltered
        if request.dont_filter:
            if row.requested_run is None:
                row.request = text
            if visit is not None or row.request != text:
                ledger.unfiltered.add(row.id)
        elif row.requested_run != run or is_passing:
            row.request = text
            ledger.unfiltered.discard(row.id)
        return noted

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        """Count an item that goes into the pipelines."""
        visit = self.ledger.visits.get(response) if response is not None else None
        if visit is not None:
            visit.items += 1
        return item
