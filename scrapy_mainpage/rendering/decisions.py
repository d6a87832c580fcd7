"""Decisions that a replay from the cache cannot make again are kept in the cache."""

from __future__ import annotations

import json
import logging
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.http import TextResponse

from .fingerprint import RenderFingerprinter
from .state import STATE_KEY, State

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class Decision(NamedTuple):
    """Whether to render a page, and why."""

    rendered: bool
    reason: str

    @property
    def is_failure(self) -> bool:
        """Whether the page is not rendered because that has been tried."""
        return self.reason == "worse" or self.reason.startswith("failed:")


class DecisionCache:
    """Keeps what was decided by experience, or by accident, beside the responses.

    What a page says of itself leads to the same decision every time. What was learned
    of its site does not: a replay sees the pages in another order. So a decision that
    the page alone would not have led to is stored in the storage of Scrapy's HTTP
    cache, where it lives and expires as the responses do. Without the cache nothing is
    kept, and nothing found.
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    def get(self, request: Request) -> Decision | None:
        """Return what was stored of the request's page, if anything was."""
        stored = self._retrieve(_decision_request(request))
        if stored is None:
            return None
        try:
            data = json.loads(stored.body)
            return Decision(bool(data["rendered"]), str(data["reason"]))
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
        except Exception as error:  # noqa: BLE001 - a cache may be anybody's
            self._failed(error)

    def has_page(self, request: Request) -> bool:
        """Return whether the cache holds the static page of the request."""
        return self._retrieve(request) is not None

    def _retrieve(self, request: Request) -> Any:
        if self._storage is None or request.meta.get("dont_cache"):
            return None
        try:
            return self._storage.retrieve_response(self.crawler.spider, request)
        except Exception as error:  # noqa: BLE001 - a cache may be anybody's
            self._failed(error)
            return None

    @cached_property
    def _storage(self) -> Any:
        middleware = self.crawler.get_downloader_middleware(HttpCacheMiddleware)
        if middleware is None:
            return None
        # With any other fingerprinter a decision would take the page's own place.
        ours = isinstance(self.crawler.request_fingerprinter, RenderFingerprinter)
        return middleware.storage if ours else None

    def _failed(self, error: Exception) -> None:
        logger.warning(
            "The HTTP cache failed: %(error)s",
            {"error": error},
            extra={"spider": self.crawler.spider},
        )


def _decision_request(request: Request) -> Request:
    state: State = {"rendered": False, "reason": "record", "record": True}
    return request.replace(meta={**request.meta, STATE_KEY: state})
