"""Index documents made of items and the pages that they describe."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final

from itemadapter import ItemAdapter

from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.documents import INDEX_FIELDS, Section
from scrapy_mainpage.indexes.passages import PassageSplitter
from scrapy_mainpage.items import ItemReader, describes
from scrapy_mainpage.page import METADATA_FIELDS
from scrapy_mainpage.page import Section as PageSection
from scrapy_mainpage.settings import SettingsError
from scrapy_mainpage.text.language import identify_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Self

    from scrapy_mainpage.page import Page
    from scrapy_mainpage.settings import Settings

NO_URL: Final = "no_url"
NO_TEXT: Final = "no_text"

_METADATA: Final = tuple(name for name in METADATA_FIELDS if name in INDEX_FIELDS)


class DocumentMaker:
    """Makes index documents of items.

    Each field of a document is read from the item (see ``scrapy_mainpage.items``).
    Missing values are taken from the page, if the item describes it. A language that
    neither has is guessed by the script, if only one language uses it (see
    :func:`~scrapy_mainpage.text.language.identify_language`). A page's headings and
    sections belong to its own text; an item with another text gets none.

    Raises :exc:`~scrapy_mainpage.settings.SettingsError` for an unknown field in
    *index_fields*. With *splitter* documents have passages.
    """

    def __init__(
        self,
        index_fields: Mapping[str, str] | None = None,
        item_fields: Mapping[str, str] | None = None,
        splitter: PassageSplitter | None = None,
    ) -> None:
        _check(index_fields or {})
        self._reader = ItemReader(item_fields, index_fields)
        self._splitter = splitter

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Return the maker for the crawl's settings."""
        words, overlap = settings.index_passage_words, settings.index_passage_overlap
        splitter = PassageSplitter(words, overlap) if words else None
        return cls(settings.index_fields, settings.item_fields, splitter)

    def make(
        self,
        item: Any,
        page: Page | None = None,
        *,
        url: str | None = None,
        indexed: Page | None = None,
    ) -> IndexDocument | str:
        """Return the document of an item scraped from *page*, or a reason code.

        If the item describes the page, its document has the *url* instead of the
        page's, and the content of *indexed*, a part of the page.

        Items that cannot be indexed give ``"no_url"`` (also for objects that are not
        items) or ``"no_text"``.
        """
        if not ItemAdapter.is_item(item):
            return NO_URL
        adapter = ItemAdapter(item)
        read = {name: self._reader.text(adapter, name) for name in INDEX_FIELDS}
        values: dict[str, Any] = {name: text for name, text in read.items() if text}
        if page is not None and describes(values.get("url"), page):
            if indexed is not None:
                for name in ("text", "comments"):
                    if values.get(name) == getattr(page, name).strip():
                        del values[name]
                page = indexed
            self._complete(values, page)
            if url:
                values["url"] = url
        else:
            page = None
        for name, reason in (("url", NO_URL), ("text", NO_TEXT)):
            if name not in values:
                return reason
        if "language" not in values:
            values["language"] = identify_language(values["text"], quickly=True)
        if self._splitter is not None:
            parts = _sections(values["text"], page)
            values["passages"] = self._splitter.split(values["url"], parts)
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        return IndexDocument(**{"crawled_at": now, **values})

    def _complete(self, values: dict[str, Any], page: Page) -> None:
        """Fill in missing values from the page."""
        for name, value in _values_of(page).items():
            if value:
                values.setdefault(name, value)
        if "text" in values and _is_same_text(values["text"], page):
            headed = [section for section in page.sections if section.heading]
            if headings := "\n".join(section.heading for section in headed):
                values.setdefault("headings", headings)
            values["sections"] = tuple(
                Section(section.heading, section.level, section.anchor)
                for section in headed
            )


def _values_of(page: Page) -> dict[str, str | None]:
    """Return the values of the fields of the same names, without headings."""
    metadata = page.metadata
    return {
        "url": page.url,
        "text": page.text.strip(),
        "comments": page.comments,
        "page_type": page.page_type,
        **{name: getattr(metadata, name) for name in _METADATA},
    }


def _sections(text: str, page: Page | None) -> Iterable[PageSection]:
    """Return the sections to split: the page's, if the text is the page's."""
    if page is not None and _is_same_text(text, page):
        return page.sections
    return (PageSection(text=text),)


def _is_same_text(text: str, page: Page) -> bool:
    return text == page.text.strip()


def _check(index_fields: Mapping[str, str]) -> None:
    for name in index_fields:
        if name not in INDEX_FIELDS:
            problem = f"an index has no field {name!r}; its fields are "
            problem += ", ".join(INDEX_FIELDS)
            raise SettingsError("MAINPAGE_INDEX_FIELDS", dict(index_fields), problem)
