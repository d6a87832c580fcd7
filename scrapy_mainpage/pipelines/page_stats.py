"""The statistics of an item's page that the filter checks: of the page or the item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from itemadapter import ItemAdapter

from scrapy_mainpage.text.language import identify_language
from scrapy_mainpage.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy_mainpage.page import Page

#: Attributes of pages that are also read from items: from the field that is filled with
#: the attribute, or from the field of the same name.
_ATTRIBUTES: Final = (
    "text", "words", "words_total", "main_share", "confidence", "page_type", "language",
)  # fmt: skip


class PageStats(NamedTuple):
    """What the filter knows of a page; ``None`` is unknown."""

    words: int | None = None
    main_share: float | None = None
    confidence: float | None = None
    page_type: str | None = None
    text: str | None = None
    declared_language: str | None = None

    @classmethod
    def of(
        cls, page: Page, *, page_type: bool = False, language: bool = False
    ) -> PageStats:
        """Return the statistics of a page; its type and language only on request."""
        return cls(
            page.words,
            page.main_share if page.words_total else None,
            page.confidence,
            page.page_type if page_type else None,
            page.text if language else None,
            page.language if language else None,
        )

    @property
    def language(self) -> str | None:
        """The language of the text (see :func:`.identify_language`)."""
        if not self.text:
            return None
        return identify_language(self.text, self.declared_language)


class ItemReader:
    """Reads page statistics from the fields of items.

    ``item_fields`` is ``MAINPAGE_ITEM_FIELDS``: item field -> attribute of the page. An
    attribute that fills no field is read from the field of its own name.
    """

    def __init__(self, item_fields: Mapping[str, str]):
        filled = {attribute: name for name, attribute in item_fields.items()}
        if "metadata.language" in filled:
            filled.setdefault("language", filled["metadata.language"])
        self._fields = {name: filled.get(name, name) for name in _ATTRIBUTES}

    def read(self, item: Any) -> PageStats:
        """Return the statistics of the item's fields; count words if necessary."""
        if not ItemAdapter.is_item(item):
            return PageStats()
        adapter = ItemAdapter(item)
        words = self._number(adapter, "words")
        total = self._number(adapter, "words_total")
        text = self._text(adapter, "text")
        if words is None and text is not None:
            words = count_words(text)
        share = self._number(adapter, "main_share")
        if share is None and words is not None and total:
            share = words / total
        return PageStats(
            words,
            share,
            self._number(adapter, "confidence"),
            self._text(adapter, "page_type"),
            text,
            self._text(adapter, "language"),
        )

    def _number(self, adapter: ItemAdapter, attribute: str) -> Any:
        value = _unwrap(adapter.get(self._fields[attribute]))
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return value if is_number else None

    def _text(self, adapter: ItemAdapter, attribute: str) -> str | None:
        value = adapter.get(self._fields[attribute])
        if attribute == "text" and isinstance(value, list | tuple):
            texts = [part for part in value if isinstance(part, str)]
            return "\n\n".join(texts) if texts else None
        value = _unwrap(value)
        return value if isinstance(value, str) else None


def _unwrap(value: object) -> object:
    """Return the element of a list of one: item loaders put each value into a list."""
    is_single = isinstance(value, list | tuple) and len(value) == 1
    return value[0] if is_single else value  # type: ignore[index]
