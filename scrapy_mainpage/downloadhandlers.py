"""Download handlers: a browser for rendered requests, else the project's handler."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar, Final

from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object

from .crawl.crawl_state import CrawlState
from .crawl.rendered_requests import is_rendered

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from .rendering.pool import BrowserPool

WRAPPED_HANDLERS: Final = "_MAINPAGE_WRAPPED_HANDLERS"
"""Setting in which the add-on keeps the project's own handlers, by scheme."""


class RenderDownloadHandler:
    """Passes rendered requests to a browser and all others to the wrapped handler.

    The first rendered request imports Playwright and starts the browser.
    """

    lazy: ClassVar[bool] = False
    scheme: ClassVar[str]

    def __init__(self, crawler: Crawler):
        path = crawler.settings[WRAPPED_HANDLERS][self.scheme]
        self._crawler = crawler
        self._wrapped: Any = build_from_crawler(load_object(path), crawler)
        self._pool: BrowserPool | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the handler and the one that it wraps."""
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        """Return the response.

        Raises :exc:`~.rendering.RenderError`.
        """
        if is_rendered(request):
            return await self._get_pool().render(request)
        download = self._wrapped.download_request
        if inspect.iscoroutinefunction(download):
            response: Response = await download(request)
            return response
        # The interface of handlers before Scrapy 2.14.
        return await maybe_deferred_to_future(download(request, self._crawler.spider))

    def _get_pool(self) -> BrowserPool:
        if self._pool is None:
            from .rendering.pool import BrowserPool

            self._pool = CrawlState.of(self._crawler).keep(BrowserPool)
        return self._pool

    async def close(self) -> None:
        """Close the wrapped handler, and the browser if one was started."""
        if self._pool is not None:
            await self._pool.close()
        closing = self._wrapped.close() if hasattr(self._wrapped, "close") else None
        if inspect.isawaitable(closing):
            await closing


class HttpRenderHandler(RenderDownloadHandler):
    """The handler of ``http://``."""

    scheme = "http"


class HttpsRenderHandler(RenderDownloadHandler):
    """The handler of ``https://``."""

    scheme = "https"
