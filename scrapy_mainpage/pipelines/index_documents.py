"""Index documents made of items and the pages that they describe."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Final

from scrapy_mainpage.indexes import IndexDocument
from scrapy_mainpage.indexes.documents import INDEX_FIELDS, Section
from scrapy_mainpage.indexes.passages import PassageSplitter, Piece, markdown_sections
from scrapy_mainpage.items import ItemFields, ItemReader, describes
from scrapy_mainpage.page import METADATA_FIELDS
from scrapy_mainpage.page import Section as PageSection
from scrapy_mainpage.text.language import identify_language

from .own_fields import OwnFields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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

#: Signs around a heading that are no part of a name.
_SIGNS: Final = " :;,¶§|•·\n\t"

#: Characters by which the text after a heading is known.
BEGINNING: Final = 20

_METADATA: Final = tuple(name for name in METADATA_FIELDS if name in INDEX_FIELDS)


class DocumentMaker:
    """Makes index documents of items.

    Each field of a document is read from the item (see ``scrapy_mainpage.items``).
    Missing values are taken from the page, if the item describes it. A language that
    neither has is identified, or is the only one of the script. *weights* are
    expressions for URLs and what they multiply the weight of a document by. A page's
    headings and sections belong to its own text; an item with another text gets none.

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
        #: The types of the project's own fields, by their names.
        self.types = self._own.types
        self._reader = ItemReader(item_fields, index_fields, routes=routes)
        self._splitter = splitter
        self._weights = {re.compile(key): n for key, n in (weights or {}).items()}

    @classmethod
    def from_settings(cls, settings: Settings, *, for_records: bool = False) -> Self:
        """Return the maker for the crawl's settings; records need passages."""
        limit, tokens = settings.index_passage_words
        if not limit and (for_records or settings.embedder):
            limit = RECORD_WORDS
        splitter = PassageSplitter(limit, tokens=tokens) if limit else None
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
        if not ItemFields.is_item(item):
            return NO_URL
        adapter, parts = ItemFields(item), list[PageSection]()
        read = {name: self._reader.text(adapter, name) for name in INDEX_FIELDS}
        values: dict[str, Any] = {name: text for name, text in read.items() if text}
        if page is None or not describes(
            values.get("url"), page, routes=self._reader.routes
        ):
            page = None
            parts = self._own_sections(adapter, values)
        else:
            for name in ("text", "comments") if indexed else ():
                if values.get(name) == getattr(page, name).strip():
                    del values[name]
            page = indexed or page
            values = _of_page(page) | values | ({"url": url} if url else {})
            if values.get("text") == page.text.strip():
                parts = [_labelled(part) for part in page.sections]
        for name, reason in (("url", NO_URL), ("text", NO_TEXT)):
            if name not in values:
                return reason
        if sections := tuple(_placed_sections(values["text"], parts)):
            headings = "\n".join(section.heading for section in sections)
            values = {"headings": headings, "sections": sections} | values
        if "language" not in values:
            values["language"] = identify_language(values["text"])
        values["weight"] = self._weight(values["url"], page)
        values["fields"] = self._own.read(adapter, page, values["url"], metas or {})
        if self._splitter is not None:
            has_texts = any(part.text for part in parts)
            whole = parts if has_texts else [PageSection(text=values["text"])]
            is_markdown = page is None and has_texts and not adapter.get("sections")
            values["passages"] = self._splitter.split(
                values["url"], whole, is_markdown=is_markdown
            )
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        return IndexDocument(**{"crawled_at": now, **values})

    def pieces(self, page: Page) -> Iterator[Piece]:
        """Yield where the passages of a page are in its sections."""
        if self._splitter is not None:
            yield from self._splitter.pieces(map(_labelled, page.sections))

    def _own_sections(
        self, adapter: ItemFields, values: Mapping[str, Any]
    ) -> list[PageSection]:
        """The sections of an item without a page: its own, or those of its Markdown."""
        own = adapter.get("sections")
        if "headings" in values:
            return []
        if isinstance(own, list | tuple):
            return [part for part in map(_section_of, own) if part is not None]
        return list(markdown_sections(self._reader.text(adapter, "markdown") or ""))

    def _weight(self, url: str, page: Page | None) -> float:
        """The weight of a document: less for deep pages and lists of links."""
        depth = url.partition("?")[0].partition("://")[2].count("/")
        weight = SHALLOWER ** min(max(depth - 1, 0), MAX_DEPTH)
        if page is not None and _is_link_list(page):
            weight *= INDEX_WEIGHT
        for pattern, factor in self._weights.items():
            if pattern.search(url):
                weight *= factor
        return weight


def _labelled(part: PageSection) -> PageSection:
    """The section with headings without the signs around them, such as ``: name ¶``."""
    path = tuple([name.strip(_SIGNS) or name for name in part.path])
    heading = part.heading.strip(_SIGNS) or part.heading
    if (heading, path) == (part.heading, part.path):
        return part
    return replace(part, heading=heading, path=path)


def _is_link_list(page: Page) -> bool:
    """Whether most words of the main content are links, as in a page of contents."""
    return page._linked_words > INDEX_SHARE * max(page.words, 1)


def _section_of(value: Any) -> PageSection | None:
    """The section of an item's data, such as a feed has; ``None`` for other data."""
    if isinstance(value, PageSection):
        return value
    if not isinstance(value, dict) or not isinstance(value.get("heading"), str):
        return None
    kinds = {"heading": str, "level": int, "anchor": str, "text": str}
    known = {k: value[k] for k, kind in kinds.items() if isinstance(value.get(k), kind)}
    path = tuple(map(str, value.get("path") or ()))
    return PageSection(**{"level": 1, **known}, path=path)


def _placed_sections(text: str, parts: Iterable[PageSection]) -> Iterator[Section]:
    """The sections with a heading, and their places in the text."""
    place = 0
    for section in parts:
        first = section.heading or section.text
        body = section.text.lstrip()[:BEGINNING] if section.heading else ""
        # Before its own text: a list of contents repeats the heading.
        found = text.find(f"{first}\n\n{body}", place) if body else -1
        if found < 0:
            found = text.find(first, place) if first else -1
        start = max(found, place)
        if found >= 0:
            place = found + len(first)
        if section.heading:
            yield Section(section.heading, section.level, section.anchor, start)


def _of_page(page: Page) -> dict[str, Any]:
    """Return the values of the fields of the same names, without headings."""
    found = {name: getattr(page.metadata, name) for name in _METADATA}
    found |= {"url": page.url, "text": page.text.strip()}
    found |= {"comments": page.comments, "page_type": page.page_type}
    return {name: value for name, value in found.items() if value}
