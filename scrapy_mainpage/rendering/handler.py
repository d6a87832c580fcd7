"""Download handler: the browser for rendered requests, else the project's handler."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakKeyDictionary, ref

from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object

from .browser.browser_pool import BrowserPool
from .state import is_rendered

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    # typing.Self requires Python 3.11
    from typing_extensions import Self

WRAPPED_SETTING: Final = "_MAINPAGE_WRAPPED_HANDLERS"
"""Setting in which the add-on keeps the project's own handlers, by scheme."""

# One browser serves both schemes. The handlers own the pool: owned from here, it would
# keep its crawler alive, which is the key.
_pools: WeakKeyDictionary[Crawler, ref[BrowserPool]] = WeakKeyDictionary()


def _get_pool(crawler: Crawler) -> BrowserPool:
    known = _pools.get(crawler)
    pool = known() if known else None
    if pool is None:
        pool = BrowserPool(crawler)
        _pools[crawler] = ref(pool)
    return pool


class RenderDownloadHandler:
    """Passes rendered requests to a browser and all others to the wrapped handler.

    The first rendered request imports Playwright and starts the browser.
    """

    lazy: ClassVar[bool] = False
    scheme: ClassVar[str]

    def __init__(self, crawler: Crawler):
        path = crawler.settings[WRAPPED_SETTING][self.scheme]
        self._crawler = crawler
        self._wrapped: Any = build_from_crawler(load_object(path), crawler)
        self._pool = _get_pool(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the handler and the one that it wraps."""
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        """Return the response. Raises :exc:`.render_errors.RenderError`."""
        if is_rendered(request):
            return await self._pool.render(request)
        download = self._wrapped.download_request
        if inspect.iscoroutinefunction(download):
            response: Response = await download(request)
            return response
        # The interface of handlers before Scrapy 2.14.
        return await maybe_deferred_to_future(download(request, self._crawler.spider))

    async def close(self) -> None:
        """Close the wrapped handler, and the browser if one was started."""
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
