"""Decision on each request and response whether its page comes from a browser."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import TYPE_CHECKING, Final

from scrapy.http import HtmlResponse

from ..addresses import route_of
from ..crawl.pages import record_of, refusal, share_tree
from ..crawl.rendered_requests import (
    STATE_KEY,
    State,
    get_state,
    get_wish,
    is_renderable,
    replace_state,
)
from ..extraction.document.layout import LayoutError
from ..settings import ALWAYS, AUTO
from .browser import NO_GAIN, RenderError
from .browser.launch import find_problem
from .cached_pages import DecisionCache, strip_layout, unpack
from .detection.need import Need
from .history import get_history
from .page_evaluator import PageEvaluator

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..extraction.extractor import Extractor
    from ..settings import Settings

logger = logging.getLogger(__name__)

#: Not stored in the cache: another run may have a better browser.
_BROWSER_FAILURES: Final = ("failed:no_browser", "failed:browser_closed")


class RenderDecider:
    """The work of :class:`scrapy_mainpage.downloadermiddlewares.RenderMiddleware`.

    The decision on a request is in ``request.meta["mainpage_rendering"]`` and counted
    in ``mainpage/render/rendered/REASON`` or ``mainpage/render/static/REASON``, a
    failure in ``mainpage/render/failed/REASON``. A page whose rendering failed is
    downloaded as without the plugin.
    """

    def __init__(self, crawler: Crawler, extractor: Extractor, settings: Settings):
        self.crawler = crawler
        self.settings = settings
        self.decisions = DecisionCache(crawler)
        self.history = get_history(crawler)
        self._extractor = extractor
        self.pages = PageEvaluator(crawler, extractor)
        self._needs_layout = extractor.algorithm.needs_layout
        wanted = settings.render_layout
        self._records_layout = self._needs_layout if wanted is None else wanted

    # --- Before the download -----------------------------------------------

    def process_request(self, request: Request) -> None:
        """Mark the request if it is to be rendered, whatever its static page is."""
        state = get_state(request)
        if state is not None and not state.get("done"):
            return
        request.meta.pop(STATE_KEY, None)
        if not is_renderable(request):
            return
        if reason := self._find_reason(request):
            request.meta[STATE_KEY] = self._with_layout(
                {"rendered": True, "reason": reason}
            )

    def _find_reason(self, request: Request) -> str | None:
        """The reason to render without the static page, or ``None``."""
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
        if self._needs_layout:
            return "layout"
        if stored:
            return stored.reason if stored.rendered else None
        if self.settings.render_hash_routes and route_of(request.url):
            return "hash_route"
        if not self.history.is_rendered_upfront(request.url):
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
                extra=self._extra,
            )
        return False

    @cached_property
    def _problem(self) -> str | None:
        return find_problem(self.crawler.settings)

    def _with_layout(self, state: State) -> State:
        return {**state, "layout": True} if self._records_layout else state

    # --- After the download ------------------------------------------------

    def process_response(
        self, request: Request, response: Response
    ) -> Request | Response | Awaitable[Request | Response]:
        """Return a rendered page, a static one, or the request to render it."""
        state = get_state(request)
        if state is None:
            if self._is_candidate(request, response):
                shared = share_tree(response, self._extractor)
                return self._judge(request, shared)
            return response
        state = request.meta[STATE_KEY] = State(**{**state, "done": True})
        if state["rendered"]:
            return self._receive(request, response, state)
        self._count(f"mainpage/render/static/{state['reason']}")
        return response

    def _is_candidate(self, request: Request, response: Response) -> bool:
        return (
            self.settings.render == AUTO
            and get_wish(request) is None
            and 200 <= response.status < 300
            and not record_of(response).is_blank
            and not refusal(response)
            and is_renderable(request)
        )

    async def _judge(self, request: Request, response: Response) -> Request | Response:
        assert isinstance(response, HtmlResponse)
        cached = "cached" in response.flags
        stored = self.decisions.get(request) if cached else None
        if stored and not stored.rendered:
            return self._keep_static(request, response, stored.reason)
        judged = await self.pages.judge(response)
        if judged is None:
            return response
        page, judgement = judged
        if judgement.need is Need.NO:
            self.history.add_static(request.url)
            return self._keep_static(request, response, judgement.reason)
        # A replay: decisions by history are stored, the page alone made this one.
        state = self.history.begin(request.url, page, judgement, replayed=cached)
        if state is None:
            self.decisions.put(request, rendered=False, reason=NO_GAIN)
            return self._keep_static(request, response, NO_GAIN)
        logger.debug(
            "To be rendered (%(reason)s): %(url)s",
            {"reason": judgement.reason, "url": request.url},
            extra=self._extra,
        )
        return replace_state(request, self._with_layout(state))

    def _keep_static(
        self, request: Request, response: Response, reason: str
    ) -> Response:
        request.meta[STATE_KEY] = State(rendered=False, reason=reason, done=True)
        self._count(f"mainpage/render/static/{reason}")
        return response

    # --- A rendered page ---------------------------------------------------

    async def _receive(
        self, request: Request, response: Response, state: State
    ) -> Request | Response:
        response = self._unpack(response)
        if "sketch" not in state:
            self.history.add_success(request.url)
            return self._accept(request, response, state)
        if not 200 <= response.status < 300:
            # The static page was fine: the site answers browsers with an error.
            self.history.add_failure(request.url, state, "status")
            return self._fail(request, "status")
        page = None
        if not refusal(response):
            assert isinstance(response, HtmlResponse)
            page = await self.pages.make(response)
        if page is None:
            state.pop("static", None)
            self.history.add_failure(request.url, state, "not_html")
        else:
            gain = self.history.add_rendered(page, state)
            self._count(f"mainpage/render/gain/{gain}")
            if gain == "worse":
                return self._fall_back(request, "worse")
        return self._accept(request, response, state)

    def _accept(self, request: Request, response: Response, state: State) -> Response:
        for name in ("sketch", "title"):
            request.meta[STATE_KEY].pop(name, None)
        self._count("mainpage/render/rendered")
        self._count(f"mainpage/render/rendered/{state['reason']}")
        return response

    def _unpack(self, response: Response) -> Response:
        """Return the response with its original body; keep the layout beside it."""
        layout = None
        try:
            body, layout = unpack(response.body)
        except LayoutError as error:
            self._count("mainpage/render/bad_layout")
            details = {"url": response.url, "error": error}
            logger.warning("No layout: %(url)s: %(error)s", details, extra=self._extra)
            body = strip_layout(response.body)
        if body is not response.body:
            response = response.replace(body=body)
        response = share_tree(response)
        if layout is not None:
            record_of(response).layout = layout
        return response

    # --- Failures ----------------------------------------------------------

    def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | None:
        """Return the request of the static page if rendering failed."""
        if not isinstance(exception, RenderError):
            return None
        state = get_state(request) or {}
        if exception.reason == NO_GAIN:
            return self._fall_back(request, NO_GAIN)
        self.history.add_failure(request.url, state, exception.reason)
        logger.warning(
            "Not rendered, the static page goes on: %(url)s: %(error)s",
            {"url": request.url, "error": exception},
            extra=self._extra,
        )
        return self._fail(request, exception.reason)

    def _fail(self, request: Request, reason: str) -> Request:
        self._count(f"mainpage/render/failed/{reason}")
        return self._fall_back(request, f"failed:{reason}")

    def _fall_back(self, request: Request, reason: str) -> Request:
        if reason not in _BROWSER_FAILURES:
            self.decisions.put(request, rendered=False, reason=reason)
        return replace_state(request, State(rendered=False, reason=reason))

    # --- Helpers -----------------------------------------------------------

    def _count(self, name: str) -> None:
        self.crawler.stats.inc_value(name)

    @property
    def _extra(self) -> dict[str, object]:
        return {"spider": self.crawler.spider}
