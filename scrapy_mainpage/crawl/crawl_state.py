"""The state that the components of one crawl share."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from scrapy.settings import SETTINGS_PRIORITIES

from ..extraction.extractor import Extractor
from ..rules.rule_book import RuleBook
from ..settings import read_settings
from .worker_pool import WorkerPool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

_VIEWERS: Final = (
    "scrapy.commands.check",
    "scrapy.commands.fetch",
    "scrapy.commands.parse",
    "scrapy_mainpage.commands.page_download",
)
_SHELL_SETTINGS: Final = ("DUPEFILTER_CLASS", "KEEP_ALIVE", "REMOTE_CONTROL_ENABLED")


class CrawlState:
    """The settings, the extractor and the worker pool of a crawl.

    ``inline_responses`` are those with a page that went to no callback, by URL: a
    callback has downloaded them itself and still holds them.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)  # whose state is kept as long as it lives
        self.settings = read_settings(crawler)
        self.inline_responses: WeakValueDictionary[str, Response]
        self.inline_responses = WeakValueDictionary()

    @classmethod
    def of(cls, crawler: Crawler) -> CrawlState:
        """Return the state of a crawl, the same to all of its components."""
        if crawler not in _states:
            _states[crawler] = cls(crawler)
        return _states[crawler]

    @cached_property
    def extractor(self) -> Extractor:
        """The extractor of the crawl's algorithm."""
        return Extractor(
            self.settings.algorithm,
            self.settings.options,
            structured_data=self.settings.structured_data,
            title_in_text=self.settings.title_in_text,
            limits=self.settings.limits,
            detect_encoding=self.settings.detect_encoding,
            rules=RuleBook(self.settings.rules) if self.settings.rules else None,
        )

    @cached_property
    def worker_pool(self) -> WorkerPool | None:
        """The processes for large pages; ``None`` if the settings ask for none."""
        crawler = self._crawler()
        if crawler is None or not self.settings.processes:
            return None
        return WorkerPool(crawler, self.settings)


_states: WeakKeyDictionary[Crawler, CrawlState] = WeakKeyDictionary()


def only_shows_pages(crawler: Crawler) -> bool:
    """Whether a command shows single pages: it must write and take nothing shared.

    ``fetch``, ``parse``, ``check`` and our own commands replace the spider's ``start``.
    ``shell`` starts no spider; settings that only it has as a command give it away.
    """
    start = crawler.spidercls.start
    if start.__module__ in _VIEWERS:
        return True
    priorities = map(crawler.settings.getpriority, _SHELL_SETTINGS)
    return SETTINGS_PRIORITIES["command"] in priorities
