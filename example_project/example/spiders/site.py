"""A spider that reads a whole site, or one folder of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag, urlsplit

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spidermiddlewares.httperror import HttpError

from example.items import PageItem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from twisted.python.failure import Failure

#: Sent with ``request`` and ``reason`` for every page that could not be fetched.
page_missed = object()


class SiteSpider(Spider):
    """Follows the links of a site and yields an item per HTML page.

    ``scrapy crawl site -a url=https://example.com/`` crawls the host;
    ``-a url=https://example.com/docs/`` stays in that folder. The text, the title and
    the other fields of the items are the plugin's work, not the spider's.
    """

    name = "site"

    def __init__(self, url: str | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.url = url or ""

    async def start(self) -> AsyncIterator[Request]:
        """Yield the request of the start URL, or log why it cannot be crawled."""
        if is_web_url(self.url):
            yield self.request(self.url)
        else:
            self.logger.error(
                "No start URL to crawl in url=%r: run"
                " scrapy crawl site -a url=https://example.com/",
                self.url,
            )

    def request(self, url: str, **kwargs: Any) -> Request:
        """Return the request of a page of the site."""
        return Request(url, callback=self.parse, errback=self.missed, **kwargs)

    def parse(
        self, response: Response, site: str | None = None
    ) -> Iterator[PageItem | Request]:
        """Yield the page's item and the requests of the pages that it links to.

        The site is where the start URL leads to in the end, as ``example.com`` is often
        sent on to ``www.example.com``. It travels with the requests, so that a crawl
        with ``JOBDIR`` still knows it when it is resumed.
        """
        site = site or site_of(response.url)
        if not isinstance(response, HtmlResponse) or not is_inside(site, response.url):
            return
        yield PageItem(url=response.url)
        for link in link_extractor(site).extract_links(response):
            # A fragment is not a page of its own.
            yield self.request(urldefrag(link.url).url, cb_kwargs={"site": site})

    def missed(self, failure: Failure) -> None:
        """Count and report a page that robots.txt or an error kept from us."""
        # Scrapy adds the request to the failure.
        request: Request = failure.request  # type: ignore[attr-defined]
        reason = reason_of(failure.value)
        self.logger.info("Missed %s: %s", request.url, reason)
        if self.crawler.stats:
            self.crawler.stats.inc_value(f"site/missed/{reason}")
        self.crawler.signals.send_catch_log(page_missed, request=request, reason=reason)


def is_web_url(url: str) -> bool:
    """Return whether it is an absolute HTTP URL.

    >>> is_web_url("https://example.com"), is_web_url("example.com"), is_web_url("")
    (True, False, False)
    """
    parts = urlsplit(url)
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def site_of(url: str) -> str:
    """Return the host and folder that a crawl starting at ``url`` stays in.

    A path names a folder if it ends with a slash or an index page; from any other page
    the crawl takes in the whole host.

    >>> site_of("https://Example.com/docs/"), site_of("https://example.com/docs/index.html")
    ('example.com/docs/', 'example.com/docs/')
    >>> site_of("https://example.com"), site_of("https://example.com/news/2026.html?p=2")
    ('example.com/', 'example.com/')
    """
    parts = urlsplit(url)
    folder, _, page = parts.path.rpartition("/")
    if page and not page.startswith("index."):
        folder = ""
    return f"{parts.netloc.lower()}{folder}/"


def is_inside(site: str, url: str) -> bool:
    """Return whether the URL belongs to the site, by either of the two schemes.

    >>> is_inside("example.com/docs/", "http://example.com/docs/a.html")
    True
    >>> is_inside("example.com/docs/", "http://example.com/blog/")
    False
    """
    parts = urlsplit(url)
    path = parts.path or "/"
    return parts.scheme in {"http", "https"} and (
        parts.netloc.lower() + path
    ).startswith(site)


@lru_cache(maxsize=8)
def link_extractor(site: str) -> LinkExtractor:
    """Return an extractor for the links that stay in the site."""
    host, _, folder = site.partition("/")
    return LinkExtractor(allow=rf"^https?://(?i:{re.escape(host)})/{re.escape(folder)}")


def reason_of(error: BaseException | None) -> str:
    """Return the reason for a missing page, in a word."""
    if isinstance(error, HttpError):
        return f"http-{error.response.status}"
    if isinstance(error, IgnoreRequest):
        return "robots.txt" if "robots.txt" in str(error) else "ignored"
    return name_of(error)


def name_of(error: BaseException | None) -> str:
    """Return the name of an exception, as words with hyphens.

    >>> class DownloadConnectionRefusedError(Exception): pass
    >>> name_of(TimeoutError()), name_of(DownloadConnectionRefusedError())
    ('timeout', 'connection-refused')
    """
    name = type(error).__name__.removeprefix("Download").removesuffix("Error")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()
