"""A pipeline that drops items of pages that are mostly boilerplate or not wanted."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import DropItem

from scrapy_mainpage.crawl.crawl_state import Component, ItemPages
from scrapy_mainpage.text.language import identify_language, includes, load_identifier

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_mainpage.page import Page
    from scrapy_mainpage.settings import Settings

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


def find_miss(page: Page, limits: Settings) -> BoilerplateDropItem | None:
    """Return the first limit that a page misses; unknown values miss none."""
    least, words = limits.filter_min_words, page.words
    if words < least and page.page_type == REFERENCE:
        least //= SHORTER
    if words < least:
        return TooFewWords(f"{words} words, of at least {least}")
    confidence, lowest = page.confidence, limits.min_confidence
    if confidence is not None and confidence < lowest:
        return LowConfidence(f"confidence {confidence:.3f}, of at least {lowest}")
    types = limits.filter_page_types
    if types and page.page_type and page.page_type not in types:
        return UnwantedPageType(f"page type {page.page_type}, of {', '.join(types)}")
    wanted = limits.filter_languages
    language = identify_language(page.text, page.language) if wanted else None
    if language and not any(includes(own, language) for own in wanted):
        return UnwantedLanguage(f"language {language}, of {', '.join(wanted)}")
    return None


class BoilerplateFilterPipeline(Component):
    """Drops items by the words, confidence, type and language of their pages.

    A pipeline does not see the response of an item, so the spider middleware registers
    each item's page for the pipelines. An item without one (another pipeline has
    replaced it, or its extraction failed) passes, counted in
    ``mainpage/filter/unknown``.

    A request whose meta has ``"mainpage_filter": False`` exempts its items.
    """

    stats_prefix = "mainpage/filter"

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self._item_pages = self.state.keep(ItemPages)

    def open_spider(self) -> None:
        """Load the language identifier if needed: not between pages."""
        if self.settings.filter_languages:
            found = load_identifier() is not None
            how = "py3langid" if found else "the pages' declarations and scripts"
            self.log(logging.INFO, "filter: languages are identified by %s", how)

    def process_item(self, item: Any) -> Any:
        """Return the item, or raise the :exc:`DropItem` of the limit that it misses."""
        origin = self._item_pages.get(item)
        page = origin.page if origin else None
        if origin and origin.filter is False:
            self.count("exempt")
        elif page is None or any(code.startswith(FAILED) for code in page.warnings):
            self.count("unknown")
        else:
            self._judge(page)
        return item

    def _judge(self, page: Page) -> None:
        self.count("judged")
        if (missed := find_miss(page, self.settings)) is not None:
            self.count(f"dropped/{missed.reason}")
            raise missed

    def close_spider(self) -> None:
        """Log how many items were dropped."""
        stats: dict[str, Any] = self.crawler.stats.get_stats()
        if judged := stats.get(f"{self.stats_prefix}/judged"):
            found = {r: stats.get(f"{self.stats_prefix}/dropped/{r}") for r in REASONS}
            counts = {reason: number for reason, number in found.items() if number}
            why = ", ".join(f"{reason} {n}" for reason, n in counts.items())
            numbers = sum(counts.values()), judged, why and f": {why}"
            self.log(logging.INFO, "filter: %d of %d items dropped%s", *numbers)
