"""Feed exporters that write records for other search tools and for retrieval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from scrapy.exporters import CsvItemExporter, JsonLinesItemExporter

from .crawl.crawl_state import CrawlState, ItemPages
from .indexes.search_records import (
    DOCSEARCH,
    MEILISEARCH,
    PASSAGES,
    TYPESENSE,
    records_of,
)
from .pipelines.index_documents import DocumentMaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from .indexes import Passage
    from .page import Page


#: Sections of a page whose Markdown is written: each takes a reading of the page.
MAX_MARKDOWN: Final = 200


class RecordsExporter(JsonLinesItemExporter):
    """Writes the records of each item's document in place of the item.

    An item without a URL or text has none.
    """

    records: ClassVar[str]

    def __init__(self, file: Any, crawler: Crawler, **options: Any):
        super().__init__(file, **{**options, "fields_to_export": None})
        state = CrawlState.of(crawler)
        self._maker = DocumentMaker.for_records(state.settings)
        self._pages = state.keep(ItemPages)

    @classmethod
    def from_crawler(cls, crawler: Crawler, file: Any, **options: Any) -> Self:
        """Return the exporter of a feed."""
        return cls(file, crawler, **options)

    def export_item(self, item: Any) -> None:
        """Write the records of the item, one in a line."""
        origin = self._pages.get(item)
        page = origin.page if origin else None
        document = self._maker.make(item, page)
        if isinstance(document, str):
            return
        markdown: dict[str, str] = {}
        if page is not None and self.records == PASSAGES:
            markdown = dict(_markdown(page, document.passages))
        for record in records_of(document, self.records, markdown.get):
            super().export_item(record)


def _markdown(page: Page, passages: Iterable[Passage]) -> Iterator[tuple[str, str]]:
    """The ids and Markdown of passages that are whole sections; parts have a text."""
    sections = page.sections[:MAX_MARKDOWN]
    place = 0
    for passage in passages:
        text = passage.text
        starts = (k for k in range(place, len(sections)) if sections[k].text.strip())
        first = next(
            (k for k in starts if text.startswith(sections[k].text.strip())), -1
        )
        if first < 0:
            continue
        known, last = sections[first].text.strip(), first
        for section in sections[first + 1 :]:
            parts = (known, section.heading.strip(), section.text.strip())
            longer = "\n\n".join(filter(None, parts))
            if not text.startswith(longer):
                break
            known, last = longer, last + 1
        if known == text:
            whole = replace(sections[first], end_block=sections[last].end_block)
            yield passage.id, page.markdown_of(whole)
            place = last + 1


class DocsearchExporter(RecordsExporter):
    """Records in the shape of DocSearch: of headings, entries and paragraphs."""

    records = DOCSEARCH


class TypesenseExporter(RecordsExporter):
    """The same in the flat shape of Typesense."""

    records = TYPESENSE


class MeilisearchExporter(RecordsExporter):
    """The same in the flat shape of Meilisearch."""

    records = MEILISEARCH


class PassagesExporter(RecordsExporter):
    """A record for each passage, with its Markdown, path and counts."""

    records = PASSAGES


class SpreadsheetExporter(CsvItemExporter):
    """CSV in which no cell begins a formula: such texts have an apostrophe before."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        """The value of a cell."""
        value = super().serialize_field(field, name, value)
        begins = isinstance(value, str) and value.lstrip()[:1] in ("=", "+", "-", "@")
        return f"'{value}" if begins else value
