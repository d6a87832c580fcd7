"""Index documents made of items and the pages that they describe."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final

from itemadapter import ItemAdapter

from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.documents import INDEX_FIELDS, Section
from scrapy_mainpage.indexes.passages import PassageSplitter, markdown_sections
from scrapy_mainpage.items import ItemReader, describes
from scrapy_mainpage.page import METADATA_FIELDS
from scrapy_mainpage.page import Section as PageSection
from scrapy_mainpage.text.language import (
    SAMPLE_CHARACTERS,
    identify_language,
    language_by_words,
)
from scrapy_mainpage.text.words import count_words

from .own_fields import OwnFields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from typing_extensions import Self

    from scrapy_mainpage.page import Page
    from scrapy_mainpage.settings import Settings

NO_URL: Final = "no_url"
NO_TEXT: Final = "no_text"

#: Words of the passages of records, unless MAINPAGE_INDEX_PASSAGE_WORDS says so.
RECORD_WORDS: Final = 200

#: Weight of pages that lead to others, and the share of linked words that makes one.
INDEX_WEIGHT: Final = 0.6
INDEX_SHARE: Final = 0.7
#: For each folder of the address.
SHALLOWER: Final = 0.99
MAX_DEPTH: Final = 10
_INDEX_NAME: Final = re.compile(
    r"/(?:gen|book|py-mod|doc-?|api-)?index(?:-all|-[a-z])?\.html?$(?<!/index\.html)"
    r"(?<!/index\.htm)|/(?:allclasses|contents|toc|search|sitemap)[\w-]*(?:\.html?)?$",
    re.IGNORECASE,
)

#: Characters by which the text after a heading is known, and headings looked at.
BEGINNING: Final = 20
MAX_REPEATED: Final = 20

_METADATA: Final = tuple(name for name in METADATA_FIELDS if name in INDEX_FIELDS)


class DocumentMaker:
    """Makes index documents of items.

    Each field of a document is read from the item (see ``scrapy_mainpage.items``).
    Missing values are taken from the page, if the item describes it. A language that
    neither has is guessed by the script, if only one language uses it, or by function
    words. *weights* are expressions for URLs and what they multiply the weight of a
    document by. A page's headings and
    sections belong to its own text; an item with another text gets none.

    Raises :exc:`~scrapy_mainpage.settings.SettingsError` for a name, source or type in
    *index_fields* that is none. With *splitter* documents have passages.
    """

    def __init__(
        self,
        index_fields: Mapping[str, Any] | None = None,
        item_fields: Mapping[str, str] | None = None,
        splitter: PassageSplitter | None = None,
        weights: Mapping[str, float] | None = None,
        *,
        routes: bool = False,
    ) -> None:
        self._own = OwnFields(index_fields or {})
        self._reader = ItemReader(item_fields, index_fields, routes=routes)
        self._splitter = splitter
        self._weights = {re.compile(key): n for key, n in (weights or {}).items()}

    @property
    def types(self) -> dict[str, str]:
        """The types of the project's own fields, by their names."""
        return self._own.types

    @classmethod
    def from_settings(cls, settings: Settings, *, for_records: bool = False) -> Self:
        """Return the maker for the crawl's settings; records need passages."""
        splitter = None
        if words := settings.index_passage_words:
            splitter = PassageSplitter.overlapping(words)
        elif for_records or settings.embedder:
            splitter = PassageSplitter(RECORD_WORDS, 0)
        fields = settings.index_fields, settings.item_fields
        routes = settings.render_hash_routes
        return cls(*fields, splitter, settings.weight, routes=routes)

    def make(
        self,
        item: Any,
        page: Page | None = None,
        *,
        url: str | None = None,
        indexed: Page | None = None,
        metas: Mapping[str, str] | None = None,
    ) -> IndexDocument | str:
        """Return the document of an item scraped from *page*, or a reason code.

        If the item describes the page, its document has the *url* instead of the
        page's, and the content of *indexed*, a part of the page. *metas* are meta
        elements of the page by their names in lower case.

        Items that cannot be indexed give ``"no_url"`` (also for objects that are not
        items) or ``"no_text"``.
        """
        if not ItemAdapter.is_item(item):
            return NO_URL
        adapter = ItemAdapter(item)
        read = {name: self._reader.text(adapter, name) for name in INDEX_FIELDS}
        values: dict[str, Any] = {name: text for name, text in read.items() if text}
        routes = self._reader.routes
        if page is not None and describes(values.get("url"), page, routes=routes):
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
        if page is None:
            self._read_sections(adapter, values)
        for name, reason in (("url", NO_URL), ("text", NO_TEXT)):
            if name not in values:
                return reason
        if "language" not in values:
            values["language"] = _language(values["text"])
        values["weight"] = self._weight(values["url"], page)
        values["fields"] = self._own.read(adapter, page, values["url"], metas or {})
        if self._splitter is not None:
            parts = _sections(values["text"], page, values.pop("parts", ()))
            values["passages"] = self._splitter.split(values["url"], parts)
        values.pop("parts", None)
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        return IndexDocument(**{"crawled_at": now, **values})

    def _complete(self, values: dict[str, Any], page: Page) -> None:
        """Fill in missing values from the page."""
        for name, value in _values_of(page).items():
            if value:
                values.setdefault(name, value)
        if "text" in values and _is_same_text(values["text"], page):
            sections = tuple(_placed_sections(values["text"], page.sections))
            if headings := "\n".join(section.heading for section in sections):
                values.setdefault("headings", headings)
            values["sections"] = sections

    def _read_sections(self, adapter: ItemAdapter, values: dict[str, Any]) -> None:
        """Add the sections of an item without a page: its own, of Markdown or HTML."""
        if "text" not in values or "headings" in values:
            return
        own = adapter.get("sections")
        if isinstance(own, list | tuple):
            parts = [part for part in map(_section_of, own) if part is not None]
        elif markdown := self._reader.text(adapter, "markdown"):
            parts = list(markdown_sections(markdown))
        elif html := self._reader.text(adapter, "html"):
            # The models, for these items only.
            from scrapy_mainpage.extraction.extractor import default_extractor

            page = default_extractor().extract(html, url=values.get("url"))
            parts = list(page.sections)
        else:
            return
        sections = tuple(_placed_sections(values["text"], parts))
        if headings := "\n".join(section.heading for section in sections):
            values |= {"headings": headings, "sections": sections, "parts": parts}

    def _weight(self, url: str, page: Page | None) -> float:
        """The weight of a document: less for deep pages and lists of links."""
        depth = url.partition("?")[0].partition("://")[2].count("/")
        weight = SHALLOWER ** min(max(depth - 1, 0), MAX_DEPTH)
        if _INDEX_NAME.search(url) or (page is not None and _is_link_list(page)):
            weight *= INDEX_WEIGHT
        for pattern, factor in self._weights.items():
            if pattern.search(url):
                weight *= factor
        return weight


def _language(text: str) -> str | None:
    """The language of a text that declares none: by its script, else its words."""
    sample = text[:SAMPLE_CHARACTERS]
    return identify_language(sample, quickly=True) or language_by_words(sample)


def _is_link_list(page: Page) -> bool:
    """Whether most words of the main content are links, as in a page of contents."""
    linked = sum(count_words(link.text) for link in page.links)
    return linked > INDEX_SHARE * max(page.words, 1)


def _section_of(value: Any) -> PageSection | None:
    """The section of an item's data, such as a feed has; ``None`` for other data."""
    if isinstance(value, PageSection):
        return value
    if not isinstance(value, dict) or not isinstance(value.get("heading"), str):
        return None
    level, anchor, text = (value.get(name) for name in ("level", "anchor", "text"))
    return PageSection(
        value["heading"],
        level if isinstance(level, int) else 1,
        anchor if isinstance(anchor, str) else None,
        text if isinstance(text, str) else "",
        path=tuple(map(str, value.get("path") or ())),
    )


def _placed_sections(text: str, parts: Iterable[PageSection]) -> Iterator[Section]:
    """The sections with their places in the text."""
    place = 0
    for section in parts:
        first = section.heading or section.text
        found = _place_of(first, section, text, place)
        if found >= 0:
            place = found + len(first)
        if section.heading:
            start = found if found >= 0 else place
            yield Section(section.heading, section.level, section.anchor, start)


def _place_of(first: str, section: PageSection, text: str, place: int) -> int:
    """The place of a heading before its own text: a list of contents repeats it."""
    nearest = found = text.find(first, place) if first else -1
    body = section.text.lstrip()[:BEGINNING] if section.heading else ""
    for _ in range(MAX_REPEATED if body else 0):
        if found < 0:
            break
        end = found + len(first)
        if text[end : end + BEGINNING + 3].lstrip().startswith(body):
            return found
        found = text.find(first, end)
    return nearest


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


def _sections(
    text: str, page: Page | None, parts: Sequence[PageSection]
) -> Iterable[PageSection]:
    """Return the sections to split: the page's, if the text is its, or the item's."""
    if any(part.text for part in parts):
        return parts
    if page is not None and _is_same_text(text, page):
        return page.sections
    return (PageSection(text=text),)


def _is_same_text(text: str, page: Page) -> bool:
    return text == page.text.strip()
