"""The download handler: a browser for what is to be rendered, else the usual one."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar, Final
from weakref import WeakKeyDictionary, ref

from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.misc import build_from_crawler, load_object

from .pool import BrowserPool
from .state import is_to_render

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    # typing.Self requires Python 3.11
    from typing_extensions import Self

WRAPPED_SETTING: Final = "_MAINPAGE_WRAPPED_HANDLERS"
"""Where the add-on keeps the handlers that the project uses, by scheme."""

# One browser serves both schemes. Their handlers keep it: a pool that is kept here
# would keep its crawler, and that the entry.
_pools: WeakKeyDictionary[Crawler, ref[BrowserPool]] = WeakKeyDictionary()


def _pool_of(crawler: Crawler) -> BrowserPool:
    known = _pools.get(crawler)
    pool = known() if known else None
    if pool is None:
        pool = BrowserPool(crawler)
        _pools[crawler] = ref(pool)
    return pool


class RenderDownloadHandler:
    """Hands requests that are to be rendered to a browser, and passes on all others.

    No browser is started before the first of them, and nothing of Playwright is
    imported.
    """

    lazy: ClassVar[bool] = False
    scheme: ClassVar[str]

    def __init__(self, crawler: Crawler):
        path = crawler.settings[WRAPPED_SETTING][self.scheme]
        self._crawler = crawler
        self._plain: Any = build_from_crawler(load_object(path), crawler)
        self._pool = _pool_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the handler, and the one that it wraps."""
        return cls(crawler)

    async def download_request(self, request: Request) -> Response:
        """Return the response; :exc:`.pool.RenderError` if rendering failed."""
        if is_to_render(request):
            return await self._pool.render(request)
        download = self._plain.download_request
        if inspect.iscoroutinefunction(download):
            response: Response = await download(request)
            return response
        # The interface that handlers had before Scrapy 2.14.
        return await maybe_deferred_to_future(download(request, self._crawler.spider))

    async def close(self) -> None:
        """Close the wrapped handler, and the browser if one was started."""
        await self._pool.close()
        closing = self._plain.close() if hasattr(self._plain, "close") else None
        if inspect.isawaitable(closing):
            await closing


class HttpRenderHandler(RenderDownloadHandler):
    """The handler of ``http://``."""

    scheme = "http"


class HttpsRenderHandler(RenderDownloadHandler):
    """The handler of ``https://``."""

    scheme = "https"
