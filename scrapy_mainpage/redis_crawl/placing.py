"""From one setting to all those of scrapy-redis, and what else a shared crawl needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode, urlsplit, urlunsplit

from scrapy.settings import get_settings_priority

from ..settings import SettingsError, refuse
from .address import AddressRefused, connect, split

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from ..settings import Settings

EXTRA: Final = "pip install 'scrapy-mainpage[shared]'"
PREFIX: Final = "mainpage"

_ADDON: Final = get_settings_priority("addon")
_HERE: Final = "scrapy_mainpage.redis_crawl"
_FEEDS: Final = f"{_HERE}.feeds.UnbufferedFile"


def place_shared(crawler: Crawler, settings: BaseSettings, ours: Settings) -> None:
    """Set what scrapy-redis needs, where the project has not set it itself.

    A server that cannot be used stops the crawl here.
    """
    assert ours.shared is not None
    try:
        _check(ours.shared)
        prefix, address = split(ours.shared, PREFIX)
    except AddressRefused as refused:
        error = SettingsError("MAINPAGE_SHARED", refused.shown, str(refused))
        refuse(crawler, error)
    values: dict[str, Any] = {
        "REDIS_URL": address,
        "SCHEDULER": f"{_HERE}.scheduler.SharedScheduler",
        "SCHEDULER_PERSIST": True,
        "SCHEDULER_QUEUE_CLASS": f"{_HERE}.queue.LeasedQueue",
        "SCHEDULER_QUEUE_KEY": f"{prefix}:%(spider)s:requests",
        "SCHEDULER_DUPEFILTER_KEY": f"{prefix}:%(spider)s:seen",
        "DUPEFILTER_CLASS": f"{_HERE}.dupefilter.SharedDupeFilter",
    }
    for name, value in values.items():
        settings.set(name, value, "addon")
    storages = {"": _FEEDS, "file": _FEEDS} | settings.getdict("FEED_STORAGES")
    priority = max(settings.getpriority("FEED_STORAGES") or 0, _ADDON)
    settings.set("FEED_STORAGES", storages, priority)


def part_of(url: str, part: str) -> str:
    """Return the URL for one part of what the crawl shares, under a prefix of its own.

    >>> part_of("redis://localhost/1?prefix=docs", "rendering")
    'redis://localhost/1?prefix=docs%3Arendering'
    """
    prefix, address = split(url, PREFIX)
    parts = urlsplit(address)
    ours = urlencode({"prefix": f"{prefix}:{part}"})
    query = f"{parts.query}&{ours}" if parts.query else ours
    return urlunsplit(parts._replace(query=query))


def _check(url: str) -> None:
    try:
        import redis  # noqa: F401 - whether it is there, before it is needed
        import scrapy_redis  # noqa: F401
    except ImportError as error:
        problem = f"needs {error.name}: {EXTRA}"
        raise AddressRefused(url, problem) from None
    client, _ = connect(url, PREFIX)
    client.close()
