"""Which requests go to the browser without a look at the static page."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.http.request import NO_CALLBACK

from ..crawl.pages import META_KEY
from ..settings import ALWAYS, AUTO
from .browser import problem
from .learning import learning_of
from .state import WISH_KEY

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from ..settings import Settings
    from .decisions import DecisionCache

logger = logging.getLogger(__name__)


class AtOnce:
    """Decides by the setting, the request, the cache, and what is known of sites.

    *needs_layout*: the algorithm can do nothing with a static page.
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
        self.learning = learning_of(crawler)

    def reason(self, request: Request) -> str | None:
        """Return the code of why to render the page unseen; ``None``: not so."""
        wish, render = wish_of(request), self.settings.render
        if wish is False or (wish is None and render not in (AUTO, ALWAYS)):
            return None
        decided = self.decisions.get(request)
        if decided and not decided.rendered and decided.is_failure:
            return None
        if wish:
            return "asked" if self._is_able() else None
        if render == ALWAYS:
            return ALWAYS
        if self.needs_layout:
            return "layout"
        if decided:
            return decided.reason if decided.rendered else None
        return self._reason_of_site(request)

    def _reason_of_site(self, request: Request) -> str | None:
        if not self.learning.knowledge.at_once(request.url):
            return None
        if self.decisions.has_page(request):
            return None
        self.decisions.put(request, rendered=True, reason="site")
        return "site"

    def _is_able(self) -> bool:
        """Whether pages can be rendered: nothing has checked it for single requests."""
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
        return problem(self.crawler.settings)


def wish_of(request: Request) -> bool | None:
    """Return what the spider wants; ``None`` if it leaves that to the plugin."""
    wish = request.meta.get(WISH_KEY)
    return None if wish is None else bool(wish)


def can_be_rendered(request: Request) -> bool:
    """Pages can; not files that pipelines fetch, nor what a spider renders itself."""
    if request.method != "GET" or not request.url.startswith(("http:", "https:")):
        return False
    if request.meta.get("playwright"):
        return False
    if wish_of(request) is not None:
        return True
    if request.callback is NO_CALLBACK or request.meta.get(META_KEY) is False:
        return False
    return urlsplit(request.url).path != "/robots.txt"
