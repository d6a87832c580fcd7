"""Decides which responses come from a browser, and takes them in when they do."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from scrapy.exceptions import NotConfigured

from ..crawl.crawl_state import CrawlState
from ..crawl.pages import is_blank, keep_layout, refusal, share_tree
from ..extraction.document.layout import LayoutError
from ..settings import AUTO
from .atonce import AtOnce, can_be_rendered, wish_of
from .decisions import DecisionCache
from .detection import Judgement, Need
from .envelope import unpack, without_layout
from .learning import learning_of
from .looks import Looks
from .pool import NO_GAIN, RenderError
from .state import STATE_KEY, State, changed, state_of

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import HtmlResponse, Response

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from ..extraction.extractor import Extractor
    from ..page import Page
    from ..settings import Settings

logger = logging.getLogger(__name__)

#: Rendering lost content if less than this share of the words of a static page with
#: some main content is left.
_LOST: Final = 0.5
_SOME_WORDS: Final = 50


#: Another run may have a better browser: nothing to keep in the cache.
_NOT_THE_PAGE: Final = ("failed:no_browser", "failed:browser_closed")

#: What a state needs no more when the rendered page is there.
_ONCE: Final = ("sketch", "advice")


class RenderMiddleware:
    """Has those pages rendered by a browser that need it.

    What is decided about a request is in ``request.meta["mainpage_rendering"]`` and
    counted in ``mainpage/render/rendered/REASON`` or ``mainpage/render/static/REASON``;
    why rendering failed in ``mainpage/render/failed/REASON``. A page whose rendering
    failed is downloaded as without the plugin.
    """

    def __init__(self, crawler: Crawler, extractor: Extractor, settings: Settings):
        self.crawler = crawler
        self.settings = settings
        self.decisions = DecisionCache(crawler)
        self.learning = learning_of(crawler)
        self.looks = Looks(crawler, extractor, settings)
        needs_layout = extractor.algorithm.needs_layout
        wanted = settings.render_layout
        self._takes_layout = needs_layout if wanted is None else wanted
        self.at_once = AtOnce(crawler, settings, self.decisions, needs_layout)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the middleware with the algorithm that the settings name."""
        state = CrawlState.of(crawler)
        if not state.settings.enabled:
            raise NotConfigured
        return cls(crawler, state.extractor, state.settings)

    # --- Before the download -----------------------------------------------

    def process_request(self, request: Request) -> None:
        """Mark the request if it is to be rendered, whatever its static page is."""
        state = state_of(request)
        if state is not None and not state.get("done"):
            return
        request.meta.pop(STATE_KEY, None)
        if not can_be_rendered(request):
            return
        if reason := self.at_once.reason(request):
            request.meta[STATE_KEY] = self._with_layout(
                {"rendered": True, "reason": reason}
            )

    def _with_layout(self, state: State) -> State:
        return {**state, "layout": True} if self._takes_layout else state

    # --- After the download ------------------------------------------------

    def process_response(
        self, request: Request, response: Response
    ) -> Request | Response | Awaitable[Request | Response]:
        """Take in a rendered page, or return the request to render a static one.

        What is returned is awaitable where another process extracts the page.
        """
        state = state_of(request)
        if state is None:
            if self._is_to_judge(request, response):
                return self._judged(request, share_tree(response))
            return response
        state = request.meta[STATE_KEY] = State(**{**state, "done": True})
        if state["rendered"]:
            return self._taken_in(request, response, state)
        self._count(f"mainpage/render/static/{state['reason']}")
        return response

    def _is_to_judge(self, request: Request, response: Response) -> bool:
        return (
            self.settings.render == AUTO
            and wish_of(request) is None
            and 200 <= response.status < 300
            and not is_blank(response.body)
            and not refusal(response)
            and can_be_rendered(request)
        )

    def _judged(
        self, request: Request, response: Response
    ) -> Request | Response | Awaitable[Request | Response]:
        cached = "cached" in response.flags
        decided = self.decisions.get(request) if cached else None
        if decided and not decided.rendered:
            return self._static(request, response, decided.reason)
        if self.looks.are_elsewhere(response):
            return self._judged_elsewhere(request, response)
        return self._followed(request, response, self.looks.judged(response))

    async def _judged_elsewhere(
        self, request: Request, response: HtmlResponse
    ) -> Request | Response:
        judged = await self.looks.judged_elsewhere(response)
        return self._followed(request, response, judged)

    def _followed(
        self,
        request: Request,
        response: Response,
        judged: tuple[Page, Judgement] | None,
    ) -> Request | Response:
        if judged is None:
            return response
        page, judgement = judged
        if judgement.need is Need.NO:
            self.learning.knowledge.enough(request.url)
            return self._static(request, response, judgement.reason)
        rendering = self._advised(request, response, page, judgement)
        if rendering is None:
            return self._static(request, response, NO_GAIN)
        logger.debug(
            "To be rendered (%(reason)s): %(url)s",
            {"reason": judgement.reason, "url": request.url},
            extra=self._extra,
        )
        return rendering

    def _advised(
        self, request: Request, response: Response, page: Page, judgement: Judgement
    ) -> Request | None:
        """Return the request that renders the page, unless experience is against it."""
        advice = self.learning.advise(request.url, judgement)
        if "cached" in response.flags:
            # A replay: what is not stored was decided by the page alone.
            advice = "render"
        elif advice == "skip":
            self.decisions.put(request, rendered=False, reason=NO_GAIN)
        if advice == "skip":
            return None
        state = self.learning.begin(request.url, page, judgement, advice)
        return changed(request, self._with_layout(state))

    def _static(self, request: Request, response: Response, reason: str) -> Response:
        request.meta[STATE_KEY] = State(rendered=False, reason=reason, done=True)
        self._count(f"mainpage/render/static/{reason}")
        return response

    # --- A rendered page ---------------------------------------------------

    def _taken_in(
        self, request: Request, response: Response, state: State
    ) -> Request | Response | Awaitable[Request | Response]:
        response = self._unpacked(response)
        if "sketch" not in state:
            self.learning.succeed(request.url)
            return self._accepted(request, response, state)
        if not 200 <= response.status < 300:
            # The static page was a page: this is the answer to a browser.
            self.learning.fail(request.url, state, "status")
            return self._failed(request, "status")
        if refusal(response):
            return self._compared(request, response, state, None)
        if self.looks.are_elsewhere(response):
            return self._compared_elsewhere(request, response, state)
        return self._compared(request, response, state, self.looks.page(response))

    async def _compared_elsewhere(
        self, request: Request, response: HtmlResponse, state: State
    ) -> Request | Response:
        page = await self.looks.page_elsewhere(response)
        return self._compared(request, response, state, page)

    def _compared(
        self, request: Request, response: Response, state: State, page: Page | None
    ) -> Request | Response:
        if page is None:
            self.learning.fail(request.url, state, "not_html")
        elif self._has_lost(request, state, page):
            return self._fallen_back(request, "worse")
        return self._accepted(request, response, state)

    def _accepted(self, request: Request, response: Response, state: State) -> Response:
        for name in _ONCE:
            request.meta[STATE_KEY].pop(name, None)
        self._count("mainpage/render/rendered")
        self._count(f"mainpage/render/rendered/{state['reason']}")
        return response

    def _has_lost(self, request: Request, state: State, page: Page) -> bool:
        """Learn what rendering gained; return whether it was a loss."""
        gained = self.learning.end(request.url, page, state)
        self._count(f"mainpage/render/gain/{'yes' if gained else 'no'}")
        return not gained and _is_lost(state, page)

    def _unpacked(self, response: Response) -> Response:
        """Return the response as the page is, its layout kept beside it."""
        layout = None
        try:
            body, layout = unpack(response.body)
        except LayoutError as error:
            self._count("mainpage/render/bad_layout")
            details = {"url": response.url, "error": error}
            logger.warning("No layout: %(url)s: %(error)s", details, extra=self._extra)
            body = without_layout(response.body)
        if body is not response.body:
            response = response.replace(body=body)
        response = share_tree(response)
        if layout is not None:
            keep_layout(response, layout)
        return response

    # --- Failures ----------------------------------------------------------

    def process_exception(
        self, request: Request, exception: Exception
    ) -> Request | None:
        """Return the request of the static page if rendering failed."""
        if not isinstance(exception, RenderError):
            return None
        state = state_of(request) or {}
        if exception.reason == NO_GAIN:
            return self._fallen_back(request, NO_GAIN)
        self.learning.fail(request.url, state, exception.reason)
        logger.warning(
            "Not rendered, the static page goes on: %(url)s: %(error)s",
            {"url": request.url, "error": exception},
            extra=self._extra,
        )
        return self._failed(request, exception.reason)

    def _failed(self, request: Request, reason: str) -> Request:
        self._count(f"mainpage/render/failed/{reason}")
        return self._fallen_back(request, f"failed:{reason}")

    def _fallen_back(self, request: Request, reason: str) -> Request:
        if reason not in _NOT_THE_PAGE:
            self.decisions.put(request, rendered=False, reason=reason)
        return changed(request, State(rendered=False, reason=reason))

    # --- Helpers -----------------------------------------------------------

    def _count(self, name: str, count: float = 1) -> None:
        # Scrapy's collectors add whatever number they get; they declare integers.
        self.crawler.stats.inc_value(name, count)  # type: ignore[arg-type]

    @property
    def _extra(self) -> dict[str, object]:
        return {"spider": self.crawler.spider}


def _is_lost(state: State, page: Page) -> bool:
    """Whether the static page had more to say: the browser got an error, a wall."""
    words = state.get("words", 0)
    return words >= _SOME_WORDS and page.words < words * _LOST
