"""What a filter can know of an item: of its page, or else of its own fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from itemadapter import ItemAdapter

from scrapy_mainpage.text.language import identify_language
from scrapy_mainpage.text.words import count_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy_mainpage.page import Page

#: The fields of items that are read where the project fills none with an attribute.
_FIELDS: Final = {
    name: name
    for name in (
        "text",
        "words",
        "words_total",
        "main_share",
        "confidence",
        "page_type",
        "language",
    )
}


class Figures(NamedTuple):
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
    ) -> Figures:
        """Return the figures of a page; its type and its language only if wanted."""
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
        return (
            identify_language(self.text, self.declared_language) if self.text else None
        )


class ItemReader:
    """Reads the figures of items from their fields.

    ``item_fields`` is ``MAINPAGE_ITEM_FIELDS``: fields of items, and the attributes of
    the page that they are filled with. An attribute that none is filled with is read
    from the field of its own name.
    """

    def __init__(self, item_fields: Mapping[str, str]):
        filled = {attribute: name for name, attribute in item_fields.items()}
        if "metadata.language" in filled:
            filled.setdefault("language", filled["metadata.language"])
        self._fields = _FIELDS | filled

    def read(self, item: Any) -> Figures:
        """Return what the item's fields say; the words are counted if need be."""
        if not ItemAdapter.is_item(item):
            return Figures()
        adapter = ItemAdapter(item)
        words = self._number(adapter, "words")
        total = self._number(adapter, "words_total")
        text = self._text(adapter, "text")
        if words is None and text is not None:
            words = count_words(text)
        share = self._number(adapter, "main_share")
        if share is None and words is not None and total:
            share = words / total
        return Figures(
            words,
            share,
            self._number(adapter, "confidence"),
            self._text(adapter, "page_type"),
            text,
            self._text(adapter, "language"),
        )

    def _number(self, adapter: ItemAdapter, attribute: str) -> Any:
        value = _only(adapter.get(self._fields[attribute]))
        known = isinstance(value, int | float) and not isinstance(value, bool)
        return value if known else None

    def _text(self, adapter: ItemAdapter, attribute: str) -> str | None:
        value = adapter.get(self._fields[attribute])
        if attribute == "text" and isinstance(value, list | tuple):
            texts = [part for part in value if isinstance(part, str)]
            return "\n\n".join(texts) if texts else None
        value = _only(value)
        return value if isinstance(value, str) else None


def _only(value: object) -> object:
    """The value, or what it is a list of: item loaders put each into one."""
    is_list = isinstance(value, list | tuple) and len(value) == 1
    return value[0] if is_list else value  # type: ignore[index]


__all__ = ["Figures", "ItemReader", "count_words"]
