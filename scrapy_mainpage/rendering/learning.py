"""What a crawl learns of the rendering of sites, and keeps when it is paused."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.utils.job import job_dir

from ..redis_crawl.address import AddressRefused, part_of
from ..settings import AUTO, SettingsError, read_settings, refuse
from .detection import Need
from .gain import gain, is_gain, sketch
from .knowledge import SiteKnowledge
from .state import state_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from ..page import Page
    from .detection import Judgement
    from .knowledge import Advice
    from .sharing import SharedLearning
    from .state import State

logger = logging.getLogger(__name__)

_FILE: Final = "mainpage-rendering.json"

_STEP: Final = 0.05
_PATIENCE: Final = 5.0
"""Seconds that a place at the browser may be kept for a page that waits."""

_NOT_THE_BROWSER: Final = ("network", "not_html", "refused", "status", "too_large")
"""Reasons of failures that are the page's, or the site's."""

_WALLS: Final = ("network", "status")
"""Those by which a site keeps browsers out, if its static pages come fine."""


_learning: WeakKeyDictionary[Crawler, Learning] = WeakKeyDictionary()


def learning_of(crawler: Crawler) -> Learning:
    """Return what the crawl has learned, the same for all of its components."""
    if crawler not in _learning:
        _learning[crawler] = Learning(crawler)
    return _learning[crawler]


class Learning:
    """The knowledge of sites, with the crawl's own way to it.

    With ``JOBDIR`` it is kept there when the crawl is paused, and goes on from there.
    In a shared crawl it is exchanged with those of the other workers instead.
    """

    def __init__(self, crawler: Crawler):
        folder = job_dir(crawler.settings)
        self._path = Path(folder, _FILE) if folder else None
        self.knowledge = SiteKnowledge()
        self._shared = self._sharing(crawler)
        crawler.signals.connect(self._load, signals.spider_opened)
        crawler.signals.connect(self._save, signals.spider_closed)

    def _sharing(self, crawler: Crawler) -> SharedLearning | None:
        settings = read_settings(crawler)
        if settings.shared is None or settings.render != AUTO:
            return None
        from .sharing import SharedLearning

        url = part_of(settings.shared, "rendering")
        try:
            return SharedLearning(crawler, url, self.knowledge)
        except AddressRefused as refused:
            error = SettingsError("MAINPAGE_SHARED", refused.shown, str(refused))
            refuse(crawler, error)

    def _load(self) -> None:
        if self._path is not None and self._shared is None:
            self.knowledge = SiteKnowledge.load(self._path)

    def _save(self) -> None:
        if self._path is None or self._shared is not None:
            return
        try:
            self.knowledge.save(self._path)
        except OSError as error:
            logger.warning("Rendering: nothing kept: %(error)s", {"error": error})

    def advise(self, url: str, judgement: Judgement) -> Advice:
        """Return what experience says of a static page that may need a browser."""
        key = (judgement.reason, *judgement.places)
        sure = judgement.need is Need.YES
        return self.knowledge.advise(url, key, "yes" if sure else "maybe")

    def begin(
        self, url: str, page: Page, judgement: Judgement, advice: Advice
    ) -> State:
        """Return the state of a request that is to be rendered.

        It holds what the static page was, to tell later what was gained, and its
        address: the site may redirect the browser.
        """
        key = (judgement.reason, *judgement.places)
        self.knowledge.rendering(url, key)
        return {
            "rendered": True,
            "reason": judgement.reason,
            "url": url,
            "key": list(key),
            "advice": advice,
            "sketch": sketch(page),
            "words": page.words,
        }

    async def confirms(self, request: Request, patience: float) -> bool:
        """Return whether to render still, now that the browser is free.

        Pages wait for it, and what others of their kind brought is known by then; or
        soon: for that to come this waits up to *patience* seconds, and five at most.
        """
        state = state_of(request) or {}
        if "advice" not in state:
            return True
        url, key = _begun(request.url, state)
        waited, patience = 0.0, min(patience, _PATIENCE)
        while waited < patience and self.knowledge.pending(url, key):
            await asyncio.sleep(_STEP)
            waited += _STEP
        return self.knowledge.confirm(url, key, state["advice"])

    def unsettled(self, request: Request) -> None:
        """Have no page wait for the verdict on this one: it will not come soon.

        It may come yet: the request's answer is to be had again.
        """
        url, key = _begun(request.url, state_of(request) or {})
        if key:
            self.knowledge.unsettled(url, key)

    def end(self, url: str, page: Page, state: State) -> bool:
        """Learn what the rendered page brought; return whether it was worth it."""
        gained = is_gain(gain(state["sketch"], page), page)
        self.knowledge.rendered(*_begun(url, state), gained)
        return gained

    def succeed(self, url: str) -> None:
        """Take note of a page that was rendered at once."""
        self.knowledge.succeeded(url)

    def fail(self, url: str, state: State, reason: str = "") -> None:
        """Take note of a page that could not be rendered.

        *reason* is the code that statistics use. Sites that the browser itself fails
        on again and again, or that keep it out, are left alone after a while.
        """
        url, key = _begun(url, state)
        if reason not in _NOT_THE_BROWSER or (key and reason in _WALLS):
            self.knowledge.failed(url, key)
        elif key:
            self.knowledge.given_up(url, key)


def _begun(url: str, state: State) -> tuple[str, tuple[str, ...]]:
    """The address and the key that the knowledge was told at the page's begin."""
    return state.get("url", url), tuple(state.get("key", ()))
