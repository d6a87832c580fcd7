"""A pipeline that drops items of pages that are not what the crawl is for."""

from __future__ import annotations

import logging
from collections import Counter
from inspect import iscoroutine
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import NotConfigured

from scrapy_mainpage.settings import read_settings
from scrapy_mainpage.text.language import load_identifier

from .page_stats import Figures, ItemReader, count_words
from .limits import (
    REASONS,
    BadOverride,
    BoilerplateDropItem,
    Limits,
    LowConfidence,
    TooFewWords,
    TooMuchBoilerplate,
    UnwantedLanguage,
    UnwantedPageType,
)
from .item_pages import FILTER_KEY, Source, Sources

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from scrapy_mainpage.settings import Settings

logger = logging.getLogger(__name__)

FAILED: Final = "failed:"
"""How the warning begins of a page that nothing is known of."""

SPIDER_ATTRIBUTE: Final = "mainpage_filter"
"""Of a spider: an override for its items, or a function of an item that gives one."""


class BoilerplateFilterPipeline:
    """Drops items by the words, share, confidence, type and language of their pages.

    A pipeline does not see the response that an item came from. The spider middleware
    therefore tells the pipelines the page of each item on the way. For an item that
    comes without (another pipeline has replaced it, or the spider middleware is off),
    the figures are read from the fields that ``MAINPAGE_ITEM_FIELDS`` fills with them,
    or else from fields of their names, and the words are counted in the text. What is
    still unknown is not held against the item; one of which nothing is known is counted
    in ``mainpage/filter/unknown``.

    The settings' limits can be changed for the items of a spider, by its attribute or
    method ``mainpage_filter``, and for those of a request, by the key of that name in
    its meta, which has the last word.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self.crawler = crawler
        self.limits = Limits.of(settings)
        self._reader = ItemReader(settings.item_fields)
        self._sources = Sources.of(crawler)
        self._outcomes: Counter[str] = Counter()
        self._reported: set[tuple[str, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline with the limits that the settings give."""
        settings = read_settings(crawler)
        if not settings.enabled:
            raise NotConfigured
        return cls(crawler, settings)

    def open_spider(self) -> None:
        """Load the language identifier now, if it is needed, and not between pages."""
        if self.limits.languages:
            found = load_identifier() is not None
            how = "py3langid" if found else "the pages' declarations and scripts"
            self._log(logging.INFO, "filter: languages are told by %s", how)

    def process_item(self, item: Any) -> Any:
        """Return the item, or raise the :exc:`DropItem` of the limit it misses."""
        source = self._sources.get(item)
        limits = self._limits(item, source)
        if not limits.enabled:
            self._count("exempt")
            return item
        figures = self._figures(item, source, limits)
        if figures == Figures():
            self._count("unknown")
        self._count("judged")
        if (missed := limits.miss(figures)) is not None:
            self._drop(missed, dry_run=limits.dry_run)
        return item

    def close_spider(self) -> None:
        """Say in a line what was dropped, and in a dry run what would have been."""
        judged = self._outcomes["judged"]
        dropped, would_drop = self._reasons("dropped"), self._reasons("would_drop")
        if dropped or (judged and not would_drop):
            message = "filter: %d of %d items dropped%s"
            self._log(logging.INFO, message, *_told(dropped, judged))
        if would_drop:
            message = "filter: %d of %d items would be dropped (a dry run)%s"
            self._log(logging.INFO, message, *_told(would_drop, judged))

    def _figures(self, item: Any, source: Source | None, limits: Limits) -> Figures:
        page = source.page if source else None
        if page is None or any(w.startswith(FAILED) for w in page.warnings):
            return self._reader.read(item)
        return Figures.of(
            page, page_type=bool(limits.page_types), language=bool(limits.languages)
        )

    def _drop(self, missed: BoilerplateDropItem, *, dry_run: bool) -> None:
        if not dry_run:
            self._count(f"dropped/{missed.reason}")
            raise missed
        self._count(f"would_drop/{missed.reason}")
        name = type(missed).__name__
        self._log(logging.DEBUG, "filter: would drop an item: %s: %s", name, missed)

    def _limits(self, item: Any, source: Source | None) -> Limits:
        """The limits for an item: the settings', the spider's, those of the request."""
        limits = self._changed(self.limits, "the spider", lambda: self._spiders(item))
        if source is None:
            return limits
        return self._changed(limits, "a request", lambda: source.filter)

    def _changed(
        self, limits: Limits, whose: str, override: Callable[[], Any]
    ) -> Limits:
        try:
            return limits.changed(override())
        except BadOverride as bad:
            self._report(whose, bad.kind, str(bad))
        # The boundary of the crawl: a spider's method may raise anything.
        except Exception as error:  # noqa: BLE001
            name = type(error).__name__
            self._report(whose, name, " ".join(f"{name}: {error}".split()))
        return limits

    def _spiders(self, item: Any) -> Any:
        """What the spider wants for the item."""
        override = getattr(self.crawler.spider, SPIDER_ATTRIBUTE, None)
        if not callable(override):
            return override
        result = override(item)
        if iscoroutine(result):
            result.close()
        return result

    def _report(self, whose: str, kind: str, problem: str) -> None:
        """Count an override that cannot be used, and log the first of its kind."""
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
        """How many items had the outcome for which reason."""
        counts = {reason: self._outcomes[f"{outcome}/{reason}"] for reason in REASONS}
        return {reason: count for reason, count in counts.items() if count}

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra={"spider": self.crawler.spider})


def _told(reasons: dict[str, int], judged: int) -> tuple[int, int, str]:
    """How many items of how many, and why."""
    why = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
    return sum(reasons.values()), judged, why and f": {why}"


__all__ = [
    "BoilerplateDropItem",
    "BoilerplateFilterPipeline",
    "Figures",
    "LowConfidence",
    "TooFewWords",
    "TooMuchBoilerplate",
    "UnwantedLanguage",
    "UnwantedPageType",
    "count_words",
]
