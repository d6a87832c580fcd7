"""Feed exporters that write records for other search tools and for retrieval."""

from __future__ import annotations

import re
from dataclasses import replace
from numbers import Number
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

# Spreadsheets skip what nobody sees, and take full-width signs for the ASCII ones.
_FORMULA: Final = re.compile(
    r"[\s\0-\x1f\u200b-\u200f\u2060\ufeff]*[=+@\-\uff1d\uff0b\uff20\uff0d]"
)


class RecordsExporter(JsonLinesItemExporter):
    """Writes the records of each item's document in place of the item.

    An item without a URL or text has none.
    """

    records: ClassVar[str]

    def __init__(self, file: Any, crawler: Crawler, **options: Any):
        super().__init__(file, **{**options, "fields_to_export": None})
        state = CrawlState.of(crawler)
        self._maker = DocumentMaker.from_settings(state.settings, for_records=True)
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

    csv_writer: Any

    def __init__(self, file: Any, **options: Any):
        super().__init__(file, **options)
        self.csv_writer = _Guard(self.csv_writer)


class _Guard:
    """A writer of rows, the first one too, in which texts begin no formula."""

    def __init__(self, writer: Any):
        self._writer = writer

    def writerow(self, row: Iterable[Any]) -> None:
        self._writer.writerow(map(_guarded, row))


def _guarded(value: Any) -> Any:
    if value is None or isinstance(value, Number):
        return value
    text = str(value)
    return f"'{text}" if _FORMULA.match(text) else text
