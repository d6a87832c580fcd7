"""Decision on each request and response whether its page comes from a browser."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse

from ..addresses import route_of
from ..crawl.crawl_state import Component, count_loop_time
from ..crawl.pages import (
    make_page,
    record_of,
    refusal,
    right_encoding,
    shared_tree,
)
from ..crawl.rendered_requests import (
    LAYOUT_KEY,
    STATE_KEY,
    State,
    get_state,
    get_wish,
    is_renderable,
    replace_state,
)
from ..extraction.document.layout import LayoutError
from ..processes.worker import ProcessError, TaskFailed, WorkerNotStarted, attempt
from ..settings import ALWAYS, AUTO
from . import NO_GAIN, RenderError, unpack
from .launch import find_problem
from .need import Judgement, Need, judge
from .site_memory import get_memory

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..crawl.worker_pool import Examine
    from ..page import Page


class RenderDecider(Component):
    """The work of :class:`scrapy_mainpage.downloadermiddlewares.RenderMiddleware`.

    The decision on a request is in ``request.meta["mainpage_rendering"]`` and counted
    in ``mainpage/render/rendered/REASON`` or ``mainpage/render/static/REASON``, a
    failure in ``mainpage/render/failed/REASON``. A page whose rendering failed is
    downloaded as without the plugin.
    """

    stats_prefix = "mainpage/render"

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self.memory = get_memory(crawler)
        self._extractor = self.state.extractor
        self._workers = self.state.worker_pool
        self._needs_layout = self._extractor.algorithm.needs_layout

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
            state = State(rendered=True, reason=reason)
            request.meta[STATE_KEY] = self._with_layout(request, state)

    def _find_reason(self, request: Request) -> str | None:
        """The reason to render without the static page, or ``None``."""
        wish, render = get_wish(request), self.settings.render
        if wish is False or (wish is None and render not in (AUTO, ALWAYS)):
            return None
        if wish and not self._can_render:
            self.count("unavailable")
            return None
        if wish:
            return "asked"
        if render == ALWAYS:
            return ALWAYS
        if self._needs_layout:
            return "layout"
        is_route = self.settings.render_hash_routes and route_of(request.url)
        return "hash_route" if is_route else None

    @cached_property
    def _can_render(self) -> bool:
        """Whether rendering works: the start of the crawl checks the setting only."""
        problem = find_problem(self.crawler.settings)
        if problem:
            line = 'request.meta["mainpage_render"] %(problem)s'
            self.log(logging.ERROR, line, {"problem": problem})
        return problem is None

    def _with_layout(self, request: Request, state: State) -> State:
        wanted = self._needs_layout or request.meta.get(LAYOUT_KEY)
        return {**state, "layout": True} if wanted else state

    # --- After the download ------------------------------------------------

    def process_response(
        self, request: Request, response: Response
    ) -> Request | Response | Awaitable[Request | Response]:
        """Return a rendered page, a static one, or the request to render it."""
        state = get_state(request)
        if state is None:
            if self._is_candidate(request, response):
                response = right_encoding(response, self._extractor)
                return self._judge(request, response)
            return response
        state = request.meta[STATE_KEY] = State(**{**state, "done": True})
        if state["rendered"]:
            return self._receive(request, response, state)
        self.count(f"static/{state['reason']}")
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
        page, judgement = await self._extract(response, _judge_response)
        if page is None or judgement is None:
            return response
        if isinstance(judgement, TaskFailed):
            self.count(f"not_judged/{judgement.reason}")
            details = {"url": response.url, "details": judgement}
            message = "Not judged, the static page goes on: %(url)s\n%(details)s"
            self.log(logging.ERROR, message, details)
            judgement = Judgement(Need.NO, "not_judged")
        if judgement.need is Need.NO:
            return self._keep_static(request, response, judgement.reason)
        state = self.memory.begin(request.url, page, judgement)
        if state is None:
            return self._keep_static(request, response, NO_GAIN)
        return replace_state(request, self._with_layout(request, state))

    def _keep_static(
        self, request: Request, response: Response, reason: str
    ) -> Response:
        request.meta[STATE_KEY] = State(rendered=False, reason=reason, done=True)
        self.count(f"static/{reason}")
        return response

    # --- A rendered page ---------------------------------------------------

    async def _receive(
        self, request: Request, response: Response, state: State
    ) -> Request | Response:
        response = self._unpack(response)
        if "words" not in state:
            return self._accept(request, response, state)
        if not 200 <= response.status < 300:
            # The static page was fine: the site answers browsers with an error.
            self.memory.add_failure(state, "status")
            return self._fail(request, "status")
        page = None
        if not refusal(response):
            assert isinstance(response, HtmlResponse)
            page, _ = await self._extract(response)
        if page is None:
            state.pop("static", None)
            self.memory.add_failure(state, "not_html")
        else:
            gain = self.memory.add_rendered(page, state)
            self.count(f"gain/{gain}")
            if gain == "worse":
                return self._fall_back(request, "worse")
        return self._accept(request, response, state)

    def _accept(self, request: Request, response: Response, state: State) -> Response:
        for name in ("words", "title"):
            state.pop(name, None)  # type: ignore[misc]
        self.count("rendered")
        self.count(f"rendered/{state['reason']}")
        return response

    def _unpack(self, response: Response) -> Response:
        """Return the response with its original body; keep the layout beside it."""
        body, layout = unpack(response.body)
        if body is not response.body:
            response = response.replace(body=body)
        if isinstance(layout, LayoutError):
            self.count("bad_layout")
            details = {"url": response.url, "error": layout}
            self.log(logging.WARNING, "No layout: %(url)s: %(error)s", details)
        elif layout is not None:
            record_of(response).layout = layout
        return response

    # --- Extraction --------------------------------------------------------

    async def _extract(
        self, response: HtmlResponse, examine: Examine | None = None
    ) -> tuple[Page | None, Any]:
        """Return the page, kept with its response, and the result of *examine*.

        ``None`` for a response that cannot be extracted: the extraction will fail the
        same way, count and log it.
        """
        with suppress(ProcessError):
            if self._workers is not None and self._workers.takes(response):
                with suppress(WorkerNotStarted):
                    page, examined = await self._workers.extract(response, examine)
                    record_of(response).page = page
                    return page, examined
            return self._extract_here(response, examine)
        return None, None

    def _extract_here(
        self, response: HtmlResponse, examine: Examine | None
    ) -> tuple[Page | None, Any]:
        started = perf_counter()
        try:
            page = make_page(response, self._extractor)
        except Exception:  # noqa: BLE001 - see above
            return None, None
        finally:
            count_loop_time(self.crawler.stats, started)
        record_of(response).page = page
        return page, attempt(examine, response, page) if examine else None

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
        self.memory.add_failure(state, exception.reason)
        line = "Not rendered, the static page goes on: %(url)s: %(error)s"
        details = {"url": request.url, "error": exception}
        self.log(logging.WARNING, line, details)
        return self._fail(request, exception.reason)

    def _fail(self, request: Request, reason: str) -> Request:
        self.count(f"failed/{reason}")
        return self._fall_back(request, f"failed:{reason}")

    def _fall_back(self, request: Request, reason: str) -> Request:
        return replace_state(request, State(rendered=False, reason=reason))


def _judge_response(response: HtmlResponse, page: Page) -> Judgement | None:
    """Judge a static page; ``None`` if its tree is not read."""
    root = shared_tree(response, page)
    return None if root is None else judge(root, page)
