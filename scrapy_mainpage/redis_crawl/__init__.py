"""One crawl by many workers: its Redis server, and the settings that use it.

Nothing here is imported before ``MAINPAGE_SHARED`` asks for it.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from scrapy.extensions.feedexport import FileFeedStorage
from scrapy.settings import get_settings_priority

from ..crawl.crawl_state import CrawlState
from ..redaction import UNREADABLE, hide_secrets, is_readable, redacted
from ..settings import SettingsError, refuse

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from ..settings import Settings

logger = logging.getLogger(__name__)

EXTRA: Final = "pip install 'scrapy-mainpage[shared]'"
FORM: Final = "redis://user:password@host:6379/0?prefix=name"
SCHEMES: Final = ("redis", "rediss", "unix")

#: Prefix of the keys of a crawl whose URL names none.
PREFIX: Final = "mainpage"

#: Time limit of a call to the server.
TIMEOUT_SECONDS: Final = 5.0

_ADDON: Final = get_settings_priority("addon")
_HERE: Final = "scrapy_mainpage.redis_crawl"
_FEEDS: Final = f"{_HERE}.UnbufferedFile"

_ALONE: Final = (
    "The workers of this crawl share their queue alone: each knows by itself which "
    "texts are copies, and which sites need a browser; copies that two workers get are "
    'both kept. To share this, too: MAINPAGE_STATE = "postgresql://..."'
)


def _refusal(url: str, problem: str) -> SettingsError:
    problem = " ".join(hide_secrets(problem, url).split())
    problem = f"{problem}; allowed: {FORM}, or None for none shared"
    return SettingsError("MAINPAGE_SHARED", redacted(url), problem)


def split(url: str) -> tuple[str, str]:
    """Return the prefix of keys that the URL names, and the URL without it.

    Raises :exc:`.SettingsError` for a URL of another kind.
    """
    if not is_readable(url):
        raise _refusal(url, UNREADABLE)
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise _refusal(url, str(error)) from None
    if parts.scheme not in SCHEMES:
        raise _refusal(url, f"{parts.scheme or 'nothing'} is not a Redis scheme")
    options = dict(parse_qsl(parts.query))
    prefix = options.pop("prefix", PREFIX)
    return prefix, urlunsplit(parts._replace(query=urlencode(options)))


def check_server(url: str) -> None:
    """Connect once; raise :exc:`.SettingsError` if the server does not answer."""
    import redis

    try:
        with redis.Redis.from_url(
            split(url)[1],
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
        ) as client:
            client.ping()
    except (redis.RedisError, OSError, ValueError, TypeError) as error:
        raise _refusal(url, str(error)) from None


def place_shared(crawler: Crawler, settings: BaseSettings, ours: Settings) -> None:
    """Set the scheduler, and feeds that a killed worker leaves whole.

    An extension connects to the server when the crawl starts.
    """
    assert ours.shared is not None
    try:
        _check_library(ours.shared)
        split(ours.shared)
    except SettingsError as error:
        refuse(crawler, error)
    if not ours.state:
        logger.warning("%s", _ALONE)
    if (settings.getpriority("DUPEFILTER_CLASS") or 0) > _ADDON:
        logger.warning("A shared crawl has its own filter: no DUPEFILTER_CLASS is used")
    settings.set("SCHEDULER", f"{_HERE}.scheduler.SharedScheduler", "addon")
    settings.setdefault_in_component_priority_dict("EXTENSIONS", ServerCheck, 0)
    storages = {"": _FEEDS, "file": _FEEDS} | settings.getdict("FEED_STORAGES")
    priority = max(settings.getpriority("FEED_STORAGES") or 0, _ADDON)
    settings.set("FEED_STORAGES", storages, priority)


def _check_library(url: str) -> None:
    try:
        import redis  # noqa: F401 - checked before it is needed
    except ImportError as error:
        raise _refusal(url, f"needs {error.name}: {EXTRA}") from None


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
                check_server(url)
        except SettingsError as error:
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
