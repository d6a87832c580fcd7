"""A pipeline that drops items of pages with too little main content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured

from scrapy_mainpage.startup import read_settings

from .sources import Sources

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from scrapy_mainpage.page import Page
    from scrapy_mainpage.settings import Settings


# As the extraction counts: each Chinese, Japanese or Korean character is a word, and so
# is every run of other characters between blanks with a letter, a digit or an
# underscore in it.
_CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc-\u30fe\u3131-\u318e"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d"
    "\U00020000-\U0003fffd"
)
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}][^\s{_CJK}]*")


def count_words(text: str) -> int:
    """Return the number of words of a text, as ``Page.words`` counts them.

    >>> count_words("It works -- 正文 too!")
    5
    """
    return sum(1 for _ in _WORD.finditer(text))


class BoilerplateDropItem(DropItem):
    """An item dropped for its page's sake; logged at level DEBUG, as many will be."""

    def __init__(self, message: str):
        super().__init__(message, log_level="DEBUG")


class TooFewWords(BoilerplateDropItem):
    """The main content has fewer words than ``MAINPAGE_FILTER_MIN_WORDS``."""


class TooMuchBoilerplate(BoilerplateDropItem):
    """Less than ``MAINPAGE_FILTER_MIN_SHARE`` of the words are main content."""


class LowConfidence(BoilerplateDropItem):
    """The confidence in the extraction is under ``MAINPAGE_MIN_CONFIDENCE``."""


class Figures(NamedTuple):
    """What the filter knows of a page; ``None`` is unknown."""

    words: int | None = None
    main_share: float | None = None
    confidence: float | None = None

    @classmethod
    def of(cls, page: Page) -> Figures:
        """Return the figures of a page."""
        return cls(page.words, page.main_share, page.confidence)


class BoilerplateFilterPipeline:
    """Drops items of pages with few words, little main content or low confidence.

    A pipeline does not see the response that an item came from. The spider middleware
    therefore tells the pipeline the figures of each item's page on the way. For an
    item that comes without (another pipeline has replaced it, or the spider middleware
    is off), they are read from the fields that ``MAINPAGE_ITEM_FIELDS`` fills with
    them, and the words are counted in the field that it fills with the text (in
    ``text`` if it fills none). What is still unknown is not held against the item; one
    of which nothing is known is counted in ``mainpage/filter/unknown``.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self.crawler = crawler
        self.settings = settings
        self._fields = {"text": "text"} | {
            attribute: name for name, attribute in settings.item_fields.items()
        }
        self._sources = Sources.of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the pipeline with the limits that the settings give."""
        settings = read_settings(crawler)
        if not settings.enabled:
            raise NotConfigured
        return cls(crawler, settings)

    def process_item(self, item: Any) -> Any:
        """Return the item, or raise the :exc:`DropItem` of the limit it misses."""
        source = self._sources.get(item)
        self._check(Figures.of(source.page) if source else self._read(item))
        return item

    def _check(self, figures: Figures) -> None:
        words, share, confidence = figures
        limits = self.settings
        if figures == Figures():
            self.crawler.stats.inc_value("mainpage/filter/unknown")
        if words is not None and words < limits.filter_min_words:
            raise TooFewWords(f"{words} words, of at least {limits.filter_min_words}")
        if share is not None and share < limits.filter_min_share:
            least = limits.filter_min_share
            raise TooMuchBoilerplate(
                f"{share:.3f} is main content, of at least {least}"
            )
        if confidence is not None and confidence < limits.min_confidence:
            least = limits.min_confidence
            raise LowConfidence(f"confidence {confidence:.3f}, of at least {least}")

    def _read(self, item: Any) -> Figures:
        if not ItemAdapter.is_item(item):
            return Figures()
        adapter = ItemAdapter(item)

        def number(attribute: str) -> Any:
            value = adapter.get(self._fields.get(attribute, ""))
            return value if isinstance(value, int | float) else None

        words, total = number("words"), number("words_total")
        text = adapter.get(self._fields["text"])
        if words is None and isinstance(text, str):
            words = count_words(text)
        share = number("main_share")
        if share is None and words is not None and total:
            share = words / total
        return Figures(words, share, number("confidence"))
