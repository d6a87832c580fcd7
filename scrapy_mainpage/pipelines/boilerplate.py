"""A pipeline that drops items of pages that are mostly boilerplate or not wanted."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import DropItem, NotConfigured

from scrapy_mainpage.crawl.crawl_state import (
    FILTER_KEY,
    CrawlState,
    ItemOrigin,
    ItemPages,
)
from scrapy_mainpage.items import ItemReader, PageStats, read_stats
from scrapy_mainpage.setting_readers import RefusedError, nearest
from scrapy_mainpage.settings import Settings
from scrapy_mainpage.text.language import includes, load_identifier

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

#: The type of pages that are complete with few words, such as a function of an API, and
#: the part of the words that they need.
REFERENCE: Final = "documentation"
SHORTER: Final = 4

#: The prefix of the warning on a page whose extraction failed.
FAILED: Final = "failed:"

#: Attribute of a spider: an override, or a function from item to override.
SPIDER_ATTRIBUTE: Final = "mainpage_filter"


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


class BadOverride(ValueError):
    """An invalid override."""


@dataclass(frozen=True)
class FilterRules:
    """The requirements on an item's page; without ``enabled`` none is checked."""

    min_words: int = 0
    min_confidence: float = 0.0
    page_types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    dry_run: bool = False
    enabled: bool = True

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the rules of a crawl's settings."""
        return cls(**{name: getattr(settings, _SETTINGS[name]) for name in _SETTINGS})

    def override(self, override: object) -> FilterRules:
        """Return the rules with an override.

        It is a mapping from their names to values as in the settings; ``False`` for no
        rules, ``True`` for them again, or ``None`` for no change. Raises
        :exc:`BadOverride`.
        """
        if override is None:
            return self
        if isinstance(override, bool):
            return replace(self, enabled=override)
        if not isinstance(override, Mapping):
            kind = type(override).__name__
            allowed = "a dict, False, True or None"
            raise BadOverride(f"a {kind} is not an override; allowed: {allowed}")
        values = {name: _read(name, value) for name, value in override.items()}
        return replace(self, enabled=True, **values)

    def miss(self, stats: PageStats) -> BoilerplateDropItem | None:
        """Return the first rule that the page misses; unknown values miss none."""
        words, confidence, page_type = stats[:3]
        is_reference = page_type == REFERENCE
        least_words = self.min_words // SHORTER if is_reference else self.min_words
        if words is not None and words < least_words:
            return TooFewWords(f"{words} words, of at least {least_words}")
        if confidence is not None and confidence < self.min_confidence:
            least = self.min_confidence
            return LowConfidence(f"confidence {confidence:.3f}, of at least {least}")
        if page_type is not None and page_type not in (self.page_types or (page_type,)):
            wanted = ", ".join(self.page_types)
            return UnwantedPageType(f"page type {page_type}, of {wanted}")
        language = stats.language if self.languages else None
        if language and not any(includes(own, language) for own in self.languages):
            wanted = ", ".join(self.languages)
            return UnwantedLanguage(f"language {language}, of {wanted}")
        return None


#: Rule -> the setting that it comes from.
_SETTINGS: Final = {
    "min_words": "filter_min_words",
    "min_confidence": "min_confidence",
    "page_types": "filter_page_types",
    "languages": "filter_languages",
    "dry_run": "filter_dry_run",
}
_READERS: Final = {item.name: item.metadata.get("read") for item in fields(Settings)}


def _read(name: object, value: object) -> Any:
    if not isinstance(name, str) or name not in _SETTINGS:
        problem = f"no such limit: {name!r:.50}{nearest(str(name), tuple(_SETTINGS))}"
        raise BadOverride(f"{problem}; allowed: {', '.join(_SETTINGS)}")
    read = _READERS[_SETTINGS[name]]
    assert read is not None
    try:
        return read(value)
    except RefusedError as refused:
        raise BadOverride(f"{name}={value!r:.100}: {refused}") from None


class BoilerplateFilterPipeline:
    """Drops items by the words, confidence, type and language of their pages.

    A pipeline does not see the response of an item, so the spider middleware registers
    each item's page for the pipelines. For an item without one (another pipeline has
    replaced it, or the spider middleware is off), the values are read from the fields
    that ``MAINPAGE_ITEM_FIELDS`` fills with them, or else from fields of their names,
    and the words of the text are counted. Unknown values never drop an item; one with
    no known value is counted in ``mainpage/filter/unknown``.

    The settings' rules can be changed for the items of a spider, by its attribute or
    method ``mainpage_filter``, and for those of a request, by the key of that name in
    its meta, which takes precedence.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self.crawler = crawler
        self.rules = FilterRules.of(settings)
        self._reader = ItemReader(settings.item_fields, settings.index_fields)
        self._item_pages = CrawlState.of(crawler).keep(ItemPages)
        self._outcomes: Counter[str] = Counter()
        self._reported: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline with the rules of the settings."""
        settings = CrawlState.of(crawler).settings
        if not settings.enabled:
            raise NotConfigured
        return cls(crawler, settings)

    def open_spider(self) -> None:
        """Load the language identifier if needed: not between pages."""
        if self.rules.languages:
            found = load_identifier() is not None
            how = "py3langid" if found else "the pages' declarations and scripts"
            self._log(logging.INFO, "filter: languages are identified by %s", how)

    def process_item(self, item: Any) -> Any:
        """Return the item, or raise the :exc:`DropItem` of the rule that it misses."""
        origin = self._item_pages.get(item)
        rules = self._rules(item, origin)
        if not rules.enabled:
            self._count("exempt")
            return item
        stats = self._stats(item, origin, rules)
        if stats == PageStats():
            self._count("unknown")
        self._count("judged")
        if (missed := rules.miss(stats)) is not None:
            self._drop(missed, dry_run=rules.dry_run)
        return item

    def close_spider(self) -> None:
        """Log how many items were dropped, or would have been in a dry run."""
        would_drop = self._summary("would_drop")
        judged, line = self._outcomes["judged"], "filter: %d of %d items %s%s"
        dropped, why = self._summary("dropped")
        if dropped or (judged and not would_drop[0]):
            self._log(logging.INFO, line, dropped, judged, "dropped", why)
        if would_drop[0]:
            number, why = would_drop
            kind = "would be dropped (a dry run)"
            self._log(logging.INFO, line, number, judged, kind, why)

    def _summary(self, outcome: str) -> tuple[int, str]:
        """Return the number of items with the outcome, and their reasons as text."""
        counts = {reason: self._outcomes[f"{outcome}/{reason}"] for reason in REASONS}
        why = ", ".join(f"{reason} {n}" for reason, n in counts.items() if n)
        return sum(counts.values()), why and f": {why}"

    def _stats(
        self, item: Any, origin: ItemOrigin | None, rules: FilterRules
    ) -> PageStats:
        page = origin.page if origin else None
        if page is None or any(text.startswith(FAILED) for text in page.warnings):
            return read_stats(self._reader, item)
        by_type = bool(rules.page_types) or page.words < rules.min_words
        return PageStats.of(page, page_type=by_type, language=bool(rules.languages))

    def _drop(self, missed: BoilerplateDropItem, *, dry_run: bool) -> None:
        if not dry_run:
            self._count(f"dropped/{missed.reason}")
            raise missed
        self._count(f"would_drop/{missed.reason}")
        name = type(missed).__name__
        self._log(logging.DEBUG, "filter: would drop an item: %s: %s", name, missed)

    def _rules(self, item: Any, origin: ItemOrigin | None) -> FilterRules:
        """Return the rules for an item, of settings, spider and request."""
        rules = self._override(self.rules, "the spider", lambda: self._spiders(item))
        wish = origin.filter if origin else None
        return self._override(rules, "a request", lambda: wish)

    def _override(
        self, rules: FilterRules, whose: str, override: Callable[[], Any]
    ) -> FilterRules:
        """Return the rules with an override; a bad one is counted, and logged once."""
        try:
            return rules.override(override())
        # The boundary of the crawl: a spider's method may raise anything.
        except Exception as error:  # noqa: BLE001
            name = type(error).__name__
            kind, problem = f"{whose} {name}", " ".join(f"{name}: {error}".split())
        self._count("bad_override")
        if kind not in self._reported:
            self._reported.add(kind)
            line = "filter: %s of %s is left out, and items are judged without it: %s"
            self._log(logging.ERROR, line, FILTER_KEY, whose, problem)
        return rules

    def _spiders(self, item: Any) -> Any:
        """Return the spider's override for the item."""
        override = getattr(self.crawler.spider, SPIDER_ATTRIBUTE, None)
        if not callable(override):
            return override
        result = override(item)
        if iscoroutine(result):
            result.close()
        return result

    def _count(self, outcome: str) -> None:
        assert self.crawler.stats is not None
        self._outcomes[outcome] += 1
        self.crawler.stats.inc_value(f"mainpage/filter/{outcome}")

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.crawler.spider})
