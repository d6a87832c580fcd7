"""What the filter lets pass: its limits, and what a spider or a request changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import DropItem

from scrapy_mainpage.setting_readers import RefusedError, nearest
from scrapy_mainpage.settings import Settings
from scrapy_mainpage.text.language import includes

if TYPE_CHECKING:
    # typing.Self requires Python 3.11
    from typing_extensions import Self

    from .page_stats import Figures


class BoilerplateDropItem(DropItem):
    """An item dropped for its page's sake; logged at level DEBUG, as many will be."""

    reason = "boilerplate"
    """The code that statistics use."""

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
    """An override that cannot be used; ``kind`` is the same for the like of it."""

    def __init__(self, problem: str, kind: str):
        super().__init__(problem)
        self.kind = kind


@dataclass(frozen=True)
class Limits:
    """What an item's page must be like; ``enabled`` is whether it is looked at."""

    min_words: int = 0
    min_share: float = 0.0
    min_confidence: float = 0.0
    page_types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    dry_run: bool = False
    enabled: bool = True

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The limits that a crawl's settings give."""
        return cls(**{name: getattr(settings, _SETTINGS[name]) for name in _SETTINGS})

    def changed(self, override: object) -> Limits:
        """The limits with an override.

        That is a mapping from their names to values as the settings take them;
        ``False`` for no limits at all, ``True`` for them again, or ``None`` for no
        change. Raises :exc:`BadOverride`.
        """
        if override is None:
            return self
        if isinstance(override, bool):
            return replace(self, enabled=override)
        if not isinstance(override, Mapping):
            what = type(override).__name__
            problem = f"a {what} is no override; allowed: a dict, False, True or None"
            raise BadOverride(problem, what)
        read = {name: _read(name, value) for name, value in override.items()}
        return replace(self, enabled=True, **read)

    def miss(self, figures: Figures) -> BoilerplateDropItem | None:
        """The first limit that the figures miss; what is unknown misses none."""
        words, share, confidence, page_type = figures[:4]
        if words is not None and words < self.min_words:
            return TooFewWords(f"{words} words, of at least {self.min_words}")
        if share is not None and share < self.min_share:
            least = self.min_share
            return TooMuchBoilerplate(
                f"{share:.3f} is main content, of at least {least}"
            )
        if confidence is not None and confidence < self.min_confidence:
            least = self.min_confidence
            return LowConfidence(f"confidence {confidence:.3f}, of at least {least}")
        if page_type is not None and page_type not in (self.page_types or (page_type,)):
            wanted = ", ".join(self.page_types)
            return UnwantedPageType(f"page type {page_type}, of {wanted}")
        return self._miss_language(figures) if self.languages else None

    def _miss_language(self, figures: Figures) -> UnwantedLanguage | None:
        language = figures.language
        if language is None or any(includes(own, language) for own in self.languages):
            return None
        return UnwantedLanguage(f"language {language}, of {', '.join(self.languages)}")


#: The names of the limits, and those of the settings that they come from.
_SETTINGS: Final = {
    "min_words": "filter_min_words",
    "min_share": "filter_min_share",
    "min_confidence": "min_confidence",
    "page_types": "filter_page_types",
    "languages": "filter_languages",
    "dry_run": "filter_dry_run",
}
_READERS: Final = {
    item.name: item.metadata["read"]
    for item in fields(Settings)
    if item.name in _SETTINGS.values()
}


def _read(name: object, value: object) -> Any:
    if not isinstance(name, str) or name not in _SETTINGS:
        problem = f"no such limit: {name!r:.50}{nearest(str(name), tuple(_SETTINGS))}"
        raise BadOverride(f"{problem}; allowed: {', '.join(_SETTINGS)}", "name")
    try:
        return _READERS[_SETTINGS[name]](value)
    except RefusedError as refused:
        raise BadOverride(f"{name}={value!r:.100}: {refused}", name) from None


__all__ = [
    "REASONS",
    "BadOverride",
    "BoilerplateDropItem",
    "Limits",
    "LowConfidence",
    "TooFewWords",
    "TooMuchBoilerplate",
    "UnwantedLanguage",
    "UnwantedPageType",
]
