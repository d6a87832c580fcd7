"""The settings of scrapy-redis that ``MAINPAGE_SHARED`` stands for, and its feeds."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from scrapy.extensions.feedexport import FileFeedStorage
from scrapy.settings import get_settings_priority

from ..crawl.crawl_state import CrawlState
from ..redis_server import PREFIX, AddressRefused, connect, split
from ..settings import SettingsError, refuse

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from ..settings import Settings

EXTRA: Final = "pip install 'scrapy-mainpage[shared]'"

_ADDON: Final = get_settings_priority("addon")
_HERE: Final = "scrapy_mainpage.redis_crawl"
_FEEDS: Final = f"{_HERE}.placing.UnbufferedFile"


def place_shared(crawler: Crawler, settings: BaseSettings, ours: Settings) -> None:
    """Set the settings of scrapy-redis that the project has not set itself.

    An extension connects to the server when the crawl starts.
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
        "DUPEFILTER_CLASS": f"{_HERE}.queue.SharedDupeFilter",
    }
    for name, value in values.items():
        settings.set(name, value, "addon")
    settings.setdefault_in_component_priority_dict("EXTENSIONS", ServerCheck, 0)
    storages = {"": _FEEDS, "file": _FEEDS} | settings.getdict("FEED_STORAGES")
    priority = max(settings.getpriority("FEED_STORAGES") or 0, _ADDON)
    settings.set("FEED_STORAGES", storages, priority)


def _check(url: str) -> None:
    try:
        import redis  # noqa: F401 - checked before it is needed
        import scrapy_redis  # noqa: F401
    except ImportError as error:
        problem = f"needs {error.name}: {EXTRA}"
        raise AddressRefused(url, problem) from None


class ServerCheck:
    """Extension: stops the start of a shared crawl whose server does not answer.

    The scheduler is made too late: Scrapy then closes an engine that was not open, and
    logs the traceback of that.
    """

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Connect once."""
        url = CrawlState.of(crawler).settings.shared
        try:
            if url is not None:
                connect(url, PREFIX)[0].close()
        except AddressRefused as refused:
            error = SettingsError("MAINPAGE_SHARED", refused.shown, str(refused))
            refuse(crawler, error)
        return cls()


class UnbufferedFile(FileFeedStorage):
    """A feed that has every item as soon as it is exported, also if it is killed.

    With a buffer, a killed process would lose its last items, whose requests count as
    done. It works for ``jsonlines``; other formats have an end to write.
    """

    def open(self, spider: Spider) -> IO[bytes]:
        """Open the file, and make its folder if need be."""
        path = Path(self.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open(self.write_mode, buffering=0)
