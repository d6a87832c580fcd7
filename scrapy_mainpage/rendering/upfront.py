"""Decisions on a request before its download, and their storage in the HTTP cache."""

from __future__ import annotations

import json
import logging
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.http import TextResponse
from scrapy.http.request import NO_CALLBACK

from ..crawl.pages import META_KEY
from ..settings import ALWAYS, AUTO
from .browser.launch import find_problem
from .history.crawl_history import get_history
from .state import STATE_KEY, WISH_KEY, RenderFingerprinter, State

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from ..settings import Settings

logger = logging.getLogger(__name__)


class StoredDecision(NamedTuple):
    """Whether to render a page, and why."""

    rendered: bool
    reason: str

    @property
    def is_failure(self) -> bool:
        """Whether the page is static because rendering it was tried in vain."""
        return self.reason == "worse" or self.reason.startswith("failed:")


class DecisionCache:
    """Stores decisions that a replay cannot make again beside the cached responses.

    The signs in a page lead to the same decision every time. The site's history does
    not: a replay sees the pages in another order. So a decision by history, or after a
    failure, is kept in the storage of Scrapy's HTTP cache, where it lives and expires
    as the responses do. Does nothing without that cache.
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    def get(self, request: Request) -> StoredDecision | None:
        """Return the stored decision on the request's page, if any."""
        stored = self._retrieve(_decision_request(request))
        if stored is None:
            return None
        try:
            data = json.loads(stored.body)
            return StoredDecision(bool(data["rendered"]), str(data["reason"]))
        except (KeyError, TypeError, ValueError):
            return None

    def put(self, request: Request, *, rendered: bool, reason: str) -> None:
        """Store a decision, unless the request is not to be cached."""
        if self._storage is None or request.meta.get("dont_cache"):
            return
        body = json.dumps({"rendered": rendered, "reason": reason}).encode()
        response = TextResponse(request.url, body=body, encoding="utf-8")
        try:
            self._storage.store_response(
                self.crawler.spider, _decision_request(request), response
            )
        except Exception as error:  # noqa: BLE001 - any third-party storage
            self._log(error)

    def has_page(self, request: Request) -> bool:
        """Whether the cache holds the static page of the request."""
        return self._retrieve(request) is not None

    def _retrieve(self, request: Request) -> Any:
        if self._storage is None or request.meta.get("dont_cache"):
            return None
        try:
            return self._storage.retrieve_response(self.crawler.spider, request)
        except Exception as error:  # noqa: BLE001 - any third-party storage
            self._log(error)
            return None

    @cached_property
    def _storage(self) -> Any:
        middleware = self.crawler.get_downloader_middleware(HttpCacheMiddleware)
        if middleware is None:
            return None
        # With another fingerprinter a decision would replace the page itself.
        ours = isinstance(self.crawler.request_fingerprinter, RenderFingerprinter)
        return middleware.storage if ours else None

    def _log(self, error: Exception) -> None:
        logger.warning(
            "The HTTP cache failed: %(error)s",
            {"error": error},
            extra={"spider": self.crawler.spider},
        )


def _decision_request(request: Request) -> Request:
    state: State = {"rendered": False, "reason": "record", "record": True}
    return request.replace(meta={**request.meta, STATE_KEY: state})


class UpfrontDecider:
    """Decides which requests are rendered without a look at the static page.

    By setting, request, cache, and the site's history. *needs_layout*: the algorithm
    cannot work on a static page.
    """

    def __init__(
        self,
        crawler: Crawler,
        settings: Settings,
        decisions: DecisionCache,
        needs_layout: bool,
    ):
        self.crawler = crawler
        self.settings = settings
        self.decisions = decisions
        self.needs_layout = needs_layout
        self.history = get_history(crawler)

    def find_reason(self, request: Request) -> str | None:
        """Return the reason to render the page upfront; ``None`` if it is not."""
        wish, render = get_wish(request), self.settings.render
        if wish is False or (wish is None and render not in (AUTO, ALWAYS)):
            return None
        stored = self.decisions.get(request)
        if stored and not stored.rendered and stored.is_failure:
            return None
        if wish:
            return "asked" if self._can_render() else None
        if render == ALWAYS:
            return ALWAYS
        if self.needs_layout:
            return "layout"
        if stored:
            return stored.reason if stored.rendered else None
        return self._find_reason_of_site(request)

    def _find_reason_of_site(self, request: Request) -> str | None:
        if not self.history.sites.is_rendered_upfront(request.url):
            return None
        if self.decisions.has_page(request):
            return None
        self.decisions.put(request, rendered=True, reason="site")
        return "site"

    def _can_render(self) -> bool:
        """Whether rendering works: the start of the crawl checks the setting only."""
        if self._problem is None:
            return True
        stats = self.crawler.stats
        known = stats.get_value("mainpage/render/unavailable")
        stats.inc_value("mainpage/render/unavailable")
        if not known:
            logger.error(
                'request.meta["mainpage_render"] %(problem)s',
                {"problem": self._problem},
                extra={"spider": self.crawler.spider},
            )
        return False

    @cached_property
    def _problem(self) -> str | None:
        return find_problem(self.crawler.settings)


def get_wish(request: Request) -> bool | None:
    """Return the spider's wish; ``None`` if it leaves the decision to the plugin."""
    wish = request.meta.get(WISH_KEY)
    return None if wish is None else bool(wish)


def is_renderable(request: Request) -> bool:
    """Whether the request is for a page that the plugin may render.

    Not files that media pipelines fetch, nor requests that the spider renders itself.
    """
    if request.method != "GET" or not request.url.startswith(("http:", "https:")):
        return False
    if request.meta.get("playwright"):
        return False
    if get_wish(request) is not None:
        return True
    if request.callback is NO_CALLBACK or request.meta.get(META_KEY) is False:
        return False
    return urlsplit(request.url).path != "/robots.txt"
