"""The rendering history of one crawl, shared by its components and kept in JOBDIR."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.utils.job import job_dir

from ..detection.need import Need
from ..state import get_state
from .gain import estimate_gain, is_gain, make_sketch
from .site_history import SiteHistory

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from ...page import Page
    from ..detection.need import Judgement
    from ..state import State
    from .site_stats import Decision

logger = logging.getLogger(__name__)

_FILE: Final = "mainpage-rendering.json"

_SITE_REASONS: Final = ("network", "not_html", "refused", "status", "too_large")
"""Failures caused by the page or its site, not by the browser."""

_WALL_REASONS: Final = ("network", "status")
"""Failures by which a site keeps browsers out if its static pages load."""

_histories: WeakKeyDictionary[Crawler, CrawlHistory] = WeakKeyDictionary()


def get_history(crawler: Crawler) -> CrawlHistory:
    """Return the history of a crawl, one for all of its components."""
    if crawler not in _histories:
        _histories[crawler] = CrawlHistory(crawler)
    return _histories[crawler]


class CrawlHistory:
    """A :class:`SiteHistory` that is saved to JOBDIR when the crawl is paused.

    Each worker of a shared crawl learns for itself.
    """

    def __init__(self, crawler: Crawler):
        folder = job_dir(crawler.settings)
        self._path = Path(folder, _FILE) if folder else None
        self.sites = SiteHistory()
        crawler.signals.connect(self._load, signals.spider_opened)
        crawler.signals.connect(self._save, signals.spider_closed)

    def _load(self) -> None:
        if self._path is not None:
            self.sites = SiteHistory.load(self._path)

    def _save(self) -> None:
        if self._path is None:
            return
        try:
            self.sites.save(self._path)
        except OSError as error:
            logger.warning("Rendering history not saved: %(error)s", {"error": error})

    def decide(self, url: str, judgement: Judgement) -> Decision:
        """Decide by history on a static page that may need a browser."""
        is_certain = judgement.need is Need.YES
        return self.sites.decide(url, _key(judgement), "yes" if is_certain else "maybe")

    def begin(
        self, url: str, page: Page, judgement: Judgement, decision: Decision
    ) -> State:
        """Return the state of a request to be rendered.

        It holds a sketch of the static page, to measure the gain later, and the URL,
        as the site may redirect the browser.
        """
        return {
            "rendered": True,
            "reason": judgement.reason,
            "url": url,
            "key": list(_key(judgement)),
            "advice": decision,
            "sketch": make_sketch(page),
            "words": page.words,
        }

    def confirm(self, request: Request) -> bool:
        """Whether to render the page still, now that the browser is free."""
        state = get_state(request) or {}
        if state.get("advice") != "render":
            return True
        return self.sites.confirm(*_origin(request.url, state))

    def add_rendered(self, url: str, page: Page, state: State) -> bool:
        """Record the rendered page; return whether rendering it was worth it."""
        gained = is_gain(estimate_gain(state["sketch"], page), page)
        self.sites.add_rendered(*_origin(url, state), gained)
        return gained

    def add_failure(self, url: str, state: State, reason: str) -> None:
        """Record a page that could not be rendered; *reason* is the code in the stats.

        Sites that the browser fails on again and again, or that keep it out, are left
        alone after a while.
        """
        url, key = _origin(url, state)
        if reason not in _SITE_REASONS or (key and reason in _WALL_REASONS):
            self.sites.add_failure(url)


def _key(judgement: Judgement) -> tuple[str, ...]:
    return (judgement.reason, *judgement.places)


def _origin(url: str, state: State) -> tuple[str, tuple[str, ...]]:
    """Return the URL and the key that the page began with."""
    return state.get("url", url), tuple(state.get("key", ()))
