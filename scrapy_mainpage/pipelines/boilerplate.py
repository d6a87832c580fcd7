"""A pipeline that drops items of pages that are mostly boilerplate or not wanted."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import DropItem, NotConfigured

from scrapy_mainpage.crawl.crawl_state import (
    FILTER_KEY,
    CrawlState,
    ItemOrigin,
    ItemPages,
)
from scrapy_mainpage.items import ItemReader, PageStats, read_stats
from scrapy_mainpage.text.language import includes, load_identifier

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_mainpage.settings import Settings

logger = logging.getLogger(__name__)

#: The type of pages that are complete with few words, such as a function of an API, and
#: the part of the words that they need.
REFERENCE: Final = "documentation"
SHORTER: Final = 4

#: The prefix of the warning on a page whose extraction failed.
FAILED: Final = "failed:"


class BoilerplateDropItem(DropItem):
    """An item dropped because of its page; logged at level DEBUG, as many may be.

    ``reason`` is the code in statistics.
    """

    reason = "boilerplate"

    def __init__(self, message: str):
        super().__init__(message, log_level="DEBUG")


class TooFewWords(BoilerplateDropItem):
    """The main content has fewer words than ``MAINPAGE_FILTER_MIN_WORDS``."""

    reason = "words"


class LowConfidence(BoilerplateDropItem):
    """The confidence in the extraction is under ``MAINPAGE_MIN_CONFIDENCE``."""

    reason = "confidence"


class UnwantedPageType(BoilerplateDropItem):
    """The page is of a type that ``MAINPAGE_FILTER_PAGE_TYPES`` does not name."""

    reason = "page_type"


class UnwantedLanguage(BoilerplateDropItem):
    """The text is in a language that ``MAINPAGE_FILTER_LANGUAGES`` does not name."""

    reason = "language"


REASONS: Final = tuple(cls.reason for cls in BoilerplateDropItem.__subclasses__())


def find_miss(stats: PageStats, limits: Settings) -> BoilerplateDropItem | None:
    """Return the first limit that a page misses; unknown values miss none."""
    words, confidence, page_type = stats[:3]
    least_words = limits.filter_min_words
    if page_type == REFERENCE:
        least_words //= SHORTER
    if words is not None and words < least_words:
        return TooFewWords(f"{words} words, of at least {least_words}")
    if confidence is not None and confidence < limits.min_confidence:
        least = limits.min_confidence
        return LowConfidence(f"confidence {confidence:.3f}, of at least {least}")
    if page_type and page_type not in (limits.filter_page_types or (page_type,)):
        wanted = ", ".join(limits.filter_page_types)
        return UnwantedPageType(f"page type {page_type}, of {wanted}")
    languages = limits.filter_languages
    language = stats.language if languages else None
    if language and not any(includes(own, language) for own in languages):
        wanted = ", ".join(languages)
        return UnwantedLanguage(f"language {language}, of {wanted}")
    return None


class BoilerplateFilterPipeline:
    """Drops items by the words, confidence, type and language of their pages.

    A pipeline does not see the response of an item, so the spider middleware registers
    each item's page for the pipelines. For an item without one (another pipeline has
    replaced it, or the spider middleware is off), the values are read from the fields
    that ``MAINPAGE_ITEM_FIELDS`` fills with them, or else from fields of their names,
    and the words of the text are counted. Unknown values never drop an item; one with
    no known value is counted in ``mainpage/filter/unknown``.

    A request whose meta has ``"mainpage_filter": False`` exempts its items.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self.crawler = crawler
        self._limits = settings
        self._reader = ItemReader(settings.item_fields, settings.index_fields)
        self._item_pages = CrawlState.of(crawler).keep(ItemPages)
        self._judged = 0
        self._dropped: Counter[str] = Counter()
        self._has_warned = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline with the limits of the settings."""
        settings = CrawlState.of(crawler).settings
        if not settings.enabled:
            raise NotConfigured
        return cls(crawler, settings)

    def open_spider(self) -> None:
        """Load the language identifier if needed: not between pages."""
        if self._limits.filter_languages:
            found = load_identifier() is not None
            how = "py3langid" if found else "the pages' declarations and scripts"
            self._log(logging.INFO, "filter: languages are identified by %s", how)

    def process_item(self, item: Any) -> Any:
        """Return the item, or raise the :exc:`DropItem` of the limit that it misses."""
        origin = self._item_pages.get(item)
        if origin and self._is_exempt(origin.filter):
            self._count("exempt")
            return item
        stats = self._stats(item, origin)
        if stats == PageStats():
            self._count("unknown")
        self._count("judged")
        self._judged += 1
        if (missed := find_miss(stats, self._limits)) is not None:
            self._dropped[missed.reason] += 1
            self._count(f"dropped/{missed.reason}")
            raise missed
        return item

    def close_spider(self) -> None:
        """Log how many items were dropped."""
        if self._judged:
            counts = {reason: self._dropped[reason] for reason in REASONS}
            why = ", ".join(f"{reason} {n}" for reason, n in counts.items() if n)
            numbers = self._dropped.total(), self._judged, why and f": {why}"
            self._log(logging.INFO, "filter: %d of %d items dropped%s", *numbers)

    def _is_exempt(self, wish: object) -> bool:
        """Whether a request has switched the filter off; warn of any other wish."""
        if wish not in (None, True, False) and not self._has_warned:
            self._has_warned = True
            line = "filter: %s in a request's meta is %.80r; only False has an effect"
            self._log(logging.WARNING, line, FILTER_KEY, wish)
        return wish is False

    def _stats(self, item: Any, origin: ItemOrigin | None) -> PageStats:
        page = origin.page if origin else None
        if page is None or any(text.startswith(FAILED) for text in page.warnings):
            return read_stats(self._reader, item)
        limits = self._limits
        by_type = bool(limits.filter_page_types) or page.words < limits.filter_min_words
        by_language = bool(limits.filter_languages)
        return PageStats.of(page, page_type=by_type, language=by_language)

    def _count(self, outcome: str) -> None:
        assert self.crawler.stats is not None
        self.crawler.stats.inc_value(f"mainpage/filter/{outcome}")

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.crawler.spider})
