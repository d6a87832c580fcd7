"""Scrapy's own HTTP caches for crawlers without an engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.utils.request import RequestFingerprinter

from scrapy_mainpage.crawl.rendered_requests import RenderFingerprinter
from tests.crawling import make_crawler

STORAGES = ("FilesystemCacheStorage", "DbmCacheStorage")


@contextmanager
def cached_crawler(
    folder: Path, storage: str = STORAGES[0], **settings: Any
) -> Iterator[tuple[Crawler, HttpCacheMiddleware]]:
    """A crawler with an open cache in the folder, and the cache's middleware."""
    crawler = make_crawler(
        HTTPCACHE_ENABLED=True,
        HTTPCACHE_DIR=str(folder),
        HTTPCACHE_STORAGE=f"scrapy.extensions.httpcache.{storage}",
        **settings,
    )
    crawler.request_fingerprinter = RenderFingerprinter(RequestFingerprinter())
    middleware = HttpCacheMiddleware.from_crawler(crawler)
    found = {HttpCacheMiddleware: middleware}
    crawler.get_downloader_middleware = found.get  # type: ignore[method-assign,assignment]
    assert crawler.spider is not None
    middleware.storage.open_spider(crawler.spider)
    try:
        yield crawler, middleware
    finally:
        middleware.storage.close_spider(crawler.spider)
