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


class TooMuchBoilerplate(BoilerplateDropItem):
    """Less than ``MAINPAGE_FILTER_MIN_SHARE`` of the words are main content."""

    reason = "share"


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
    """An invalid override; ``kind`` is equal for similar ones."""

    def __init__(self, problem: str, kind: str):
        super().__init__(problem)
        self.kind = kind


@dataclass(frozen=True)
class FilterRules:
    """The requirements on an item's page; without ``enabled`` none is checked."""

    min_words: int = 0
    min_share: float = 0.0
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
            problem = f"a {kind} is not an override; allowed: {allowed}"
            raise BadOverride(problem, kind)
        values = {name: _read(name, value) for name, value in override.items()}
        return replace(self, enabled=True, **values)

    def miss(self, stats: PageStats) -> BoilerplateDropItem | None:
        """Return the first rule that the page misses; unknown values miss none."""
        words, share, confidence, page_type = stats[:4]
        is_reference = page_type == REFERENCE
        least_words = self.min_words // SHORTER if is_reference else self.min_words
        if words is not None and words < least_words:
            return TooFewWords(f"{words} words, of at least {least_words}")
        if share is not None and share < self.min_share:
            message = f"{share:.3f} is main content, of at least {self.min_share}"
            return TooMuchBoilerplate(message)
        if confidence is not None and confidence < self.min_confidence:
            least = self.min_confidence
            return LowConfidence(f"confidence {confidence:.3f}, of at least {least}")
        if page_type is not None and page_type not in (self.page_types or (page_type,)):
            wanted = ", ".join(self.page_types)
            return UnwantedPageType(f"page type {page_type}, of {wanted}")
        return self._miss_language(stats) if self.languages else None

    def _miss_language(self, stats: PageStats) -> UnwantedLanguage | None:
        language = stats.language
        if language is None or any(includes(own, language) for own in self.languages):
            return None
        return UnwantedLanguage(f"language {language}, of {', '.join(self.languages)}")


#: Rule -> the setting that it comes from.
_SETTINGS: Final = {
    "min_words": "filter_min_words",
    "min_share": "filter_min_share",
    "min_confidence": "min_confidence",
    "page_types": "filter_page_types",
    "languages": "filter_languages",
    "dry_run": "filter_dry_run",
}
_READERS: Final = {item.name: item.metadata.get("read") for item in fields(Settings)}


def _read(name: object, value: object) -> Any:
    if not isinstance(name, str) or name not in _SETTINGS:
        problem = f"no such limit: {name!r:.50}{nearest(str(name), tuple(_SETTINGS))}"
        raise BadOverride(f"{problem}; allowed: {', '.join(_SETTINGS)}", "name")
    read = _READERS[_SETTINGS[name]]
    assert read is not None
    try:
        return read(value)
    except RefusedError as refused:
        raise BadOverride(f"{name}={value!r:.100}: {refused}", name) from None


class BoilerplateFilterPipeline:
    """Drops items by the words, share, confidence, type and language of their pages.

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
        self._reported: set[tuple[str, str]] = set()

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
        judged = self._outcomes["judged"]
        dropped, would_drop = self._reasons("dropped"), self._reasons("would_drop")
        if dropped or (judged and not would_drop):
            message = "filter: %d of %d items dropped%s"
            self._log(logging.INFO, message, *_summary(dropped, judged))
        if would_drop:
            message = "filter: %d of %d items would be dropped (a dry run)%s"
            self._log(logging.INFO, message, *_summary(would_drop, judged))

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
        if origin is None:
            return rules
        return self._override(rules, "a request", lambda: origin.filter)

    def _override(
        self, rules: FilterRules, whose: str, override: Callable[[], Any]
    ) -> FilterRules:
        try:
            return rules.override(override())
        except BadOverride as bad:
            self._report(whose, bad.kind, str(bad))
        # The boundary of the crawl: a spider's method may raise anything.
        except Exception as error:  # noqa: BLE001
            name = type(error).__name__
            self._report(whose, name, " ".join(f"{name}: {error}".split()))
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

    def _report(self, whose: str, kind: str, problem: str) -> None:
        """Count an invalid override, and log the first of its kind."""
        self._count("bad_override")
        if (whose, kind) in self._reported:
            return
        self._reported.add((whose, kind))
        message = "filter: %s of %s is left out, and items are judged without it: %s"
        self._log(logging.ERROR, message, FILTER_KEY, whose, problem)

    def _count(self, outcome: str) -> None:
        assert self.crawler.stats is not None
        self._outcomes[outcome] += 1
        self.crawler.stats.inc_value(f"mainpage/filter/{outcome}")

    def _reasons(self, outcome: str) -> dict[str, int]:
        """Return the number of items with the outcome by reason."""
        counts = {reason: self._outcomes[f"{outcome}/{reason}"] for reason in REASONS}
        return {reason: count for reason, count in counts.items() if count}

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.crawler.spider})


def _summary(reasons: dict[str, int], judged: int) -> tuple[int, int, str]:
    """Return the number of affected and judged items, and the reasons as text."""
    why = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
    return sum(reasons.values()), judged, why and f": {why}"
