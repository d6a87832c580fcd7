"""Index documents made of items and the pages that they describe."""

from __future__ import annotations

from datetime import date, datetime, timezone
from typing import TYPE_CHECKING, Any, Final

from itemadapter import ItemAdapter

from scrapy_mainpage.crawl.item_pages import describes
from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.documents import INDEX_FIELDS, Section
from scrapy_mainpage.indexes.passages import PassageSplitter
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

#: Field -> separator of the parts of a list; a comma in other fields.
_SEPARATORS: Final = {"text": "\n\n", "comments": "\n\n", "headings": "\n"}

_METADATA: Final = (
    "description", "author", "date_published", "date_modified", "site_name",
)  # fmt: skip


class DocumentMaker:
    """Makes index documents of items.

    Each field of a document is filled from the item's field of the same name; or from
    the one that *index_fields* (``MAINPAGE_INDEX_FIELDS``) gives for it; or, if the
    item has neither, from the one that *item_fields* (``MAINPAGE_ITEM_FIELDS``) fills
    with the same attribute of the page. Missing values are taken from the page, if the
    item describes it: if it has no URL, or one of the page's, without the fragment. A
    language that neither has is guessed by the script, if only one language uses it
    (see :func:`~scrapy_mainpage.text.language.identify_language`). A page's headings
    and sections belong to its own text; an item with another text gets none.

    Raises :exc:`~scrapy_mainpage.settings.SettingsError` for an unknown field in
    *index_fields*. With *splitter* documents have passages.
    """

    def __init__(
        self,
        index_fields: Mapping[str, str] | None = None,
        item_fields: Mapping[str, str] | None = None,
        splitter: PassageSplitter | None = None,
    ) -> None:
        index_fields = index_fields or {}
        _check(index_fields)
        filled = {
            attribute.removeprefix("metadata."): field
            for field, attribute in (item_fields or {}).items()
        }
        self._fields = {
            name: (index_fields[name],)
            if name in index_fields
            else tuple(dict.fromkeys((name, filled.get(name, name))))
            for name in INDEX_FIELDS
        }
        self._splitter = splitter

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Return the maker for the crawl's settings."""
        words, overlap = settings.index_passage_words, settings.index_passage_overlap
        splitter = PassageSplitter(words, overlap) if words else None
        return cls(settings.index_fields, settings.item_fields, splitter)

    def make(self, item: Any, page: Page | None = None) -> IndexDocument | str:
        """Return the document of an item scraped from *page*, or a reason code.

        Items that cannot be indexed give ``"no_url"`` (also for objects that are no
        items) or ``"no_text"``.
        """
        if not ItemAdapter.is_item(item):
            return NO_URL
        values: dict[str, Any] = self._read(item)
        if page is not None and describes(values.get("url"), page):
            self._complete(values, page)
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
        return IndexDocument(**{"crawled_at": _now(), **values})

    def _read(self, item: Any) -> dict[str, str]:
        """Return the fields that the item fills."""
        adapter = ItemAdapter(item)
        read = {}
        for name, fields in self._fields.items():
            between = _SEPARATORS.get(name, ", ")
            values: Iterable[object] = (adapter.get(field) for field in fields)
            if name == "url":
                values = map(_first, values)
            texts = (_as_text(value, between) for value in values)
            if text := next(filter(None, texts), None):
                read[name] = text
        return read

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
        "title": page.title,
        "comments": page.comments,
        "language": page.language,
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


def _first(value: object) -> object:
    """Return the first non-empty value of a list, such as one URL of several."""
    if isinstance(value, list | tuple):
        return next(filter(None, map(_first, value)), None)
    return value


def _as_text(value: object, between: str) -> str:
    """Return the value of an item's field as text: item loaders give lists, too."""
    if value is None:
        return ""
    if isinstance(value, str):
        return str(value).strip()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple | set | frozenset):
        parts = (_as_text(part, between) for part in value)
        return between.join(part for part in parts if part)
    return str(value).strip()


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
