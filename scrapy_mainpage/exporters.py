"""Feed exporters that write records for other search tools and for retrieval."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import blake2b
from numbers import Number
from typing import TYPE_CHECKING, Any, ClassVar, Final

from itemadapter import ItemAdapter
from scrapy.exporters import (
    BaseItemExporter,
    CsvItemExporter,
    JsonItemExporter,
    JsonLinesItemExporter,
)

from .crawl.crawl_ledger import CrawlLedger
from .crawl.crawl_scope import content_hash
from .crawl.crawl_state import CrawlState, ItemPages
from .crawl.pages import NO_PAGES, find_warning
from .indexes.passages import Code, find_code
from .indexes.search_records import DOCSEARCH, PASSAGES, records_of
from .memory.tables import load_object
from .pipelines.index_documents import DocumentMaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from .indexes import IndexDocument, Passage
    from .indexes.passages import Piece
    from .page import Page

    _Exporter = JsonLinesItemExporter  # or another one
else:
    _Exporter = BaseItemExporter


#: Sections of a page whose Markdown is written: each takes a reading of the page.
MAX_MARKDOWN: Final = 200

#: Values of an item that decide whether it has changed, beside its document, and
#: fields that do not.
_DECIDING: Final = (str, int, float, bool)
_PASSING: Final = ("page_type", "crawled_at", "html", "markdown", "confidence")

# Spreadsheets skip what nobody sees, and take full-width signs for the ASCII ones.
_FORMULA: Final = re.compile(
    r"[\s\0-\x1f\u200b-\u200f\u2060\ufeff]*[=+@\-\uff1d\uff0b\uff20\uff0d]"
)


class Changes:
    """What a feed has had, so that another crawl writes what is other, or gone.

    The memory of the crawl keeps, for each URL, the ids of the records by a hash of
    what they were made of, under the *name* of the feed. What a feed gets is kept when
    it is finished.
    """

    def __init__(self, state: CrawlState, name: str) -> None:
        ledger = state.kept(CrawlLedger)
        assert ledger is not None
        self._ledger = ledger
        # A name may be an address of any length, with any characters.
        self._name = f"feed {ledger.scope} {_digest(name.encode())} "
        self._has_index = bool(state.settings.index)
        self._had: dict[str, _Records] = {
            name.removeprefix(self._name): load_object(value) or {}
            for name, value in ledger.store.facts(self._name).items()
        }
        self._new: dict[str, _Records] = {}

    def is_new(self, document: IndexDocument, ids: list[str], extra: object) -> bool:
        """Whether the records of a document, and *extra* data of its item, are other.

        The page type is no part of them: it may change with what stands beside.
        """
        if not self._has_index:  # which else says that there is a document
            self._ledger.written(document, None, None)
        data = content_hash(document) + json.dumps(extra, default=str).encode()
        digest = _digest(data)
        self._new.setdefault(document.url, {})[digest] = ids
        return digest not in self._had.get(document.url, ())

    def gone(self) -> Iterator[dict[str, Any]]:
        """Yield a tombstone for each record that goes, and keep what there is now."""
        store = self._ledger.store
        for url, had in self._had.items():
            new = self._new.get(url)
            if new is None and not self._is_gone(url):
                continue
            kept = {name for ids in (new or {}).values() for name in ids}
            for name in dict.fromkeys(x for ids in had.values() for x in ids):
                if name not in kept:
                    yield {"id": name, "deleted": True}
            if new is None:
                store.forget_fact(f"{self._name}{url}")
        for url, new in self._new.items():
            if new != self._had.get(url):
                store.put_fact(f"{self._name}{url}", json.dumps(new))
        self._had.update(self._new)

    def _is_gone(self, url: str) -> bool:
        """Whether the sweep has deleted the document, or would delete it."""
        row = self._ledger.known(url)
        if row is None or row.content_hash is None:
            return True
        return row.verdict is not None and self._ledger.run.complete


_Records = dict[str, list[str]]


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


class ChangesExporter(_Exporter):
    """An exporter with the option ``changes``: changed records, and tombstones.

    It is the name of the feed; ``True`` stands for the address in ``FEEDS``.
    """

    kind: ClassVar[str] = "items"

    def __init__(
        self, file: Any, crawler: Crawler, *, changes: str | None = None, **options: Any
    ):
        super().__init__(file, **options)
        self._state = CrawlState.of(crawler)
        settings = self._state.settings
        for_records = self.kind != ChangesExporter.kind
        self._maker = DocumentMaker.from_settings(settings, for_records=for_records)
        self._pages = self._state.keep(ItemPages)
        filled = settings.item_fields.items()
        self._passing = {*_PASSING, *(k for k, name in filled if name in _PASSING)}
        name = f"{self.kind} {changes}"
        self._changes = Changes(self._state, name) if changes else None

    @classmethod
    def from_crawler(cls, crawler: Crawler, file: Any, **options: Any) -> Self:
        """Return the exporter of a feed."""
        return cls(file, crawler, **options)

    def export_item(self, item: Any) -> None:
        """Write the item, unless the feed has it as it is."""
        if self._changes is None:
            super().export_item(item)
            return
        document, page = self._document(item)
        if find_warning(page, NO_PAGES):
            return
        if not isinstance(document, str):
            values = ItemAdapter(item).asdict()
            extra = {k: v for k, v in values.items() if isinstance(v, _DECIDING)}
            extra = {k: v for k, v in extra.items() if k not in self._passing}
            if not self._changes.is_new(document, [document.url], extra):
                return
        super().export_item(item)

    def _document(self, item: Any) -> tuple[IndexDocument | str, Page | None]:
        origin = self._pages.get(item)
        page = origin.page if origin else None
        return self._maker.make(item, page), page

    def finish_exporting(self) -> None:
        """Write the tombstones, and end."""
        if self._changes is not None:
            self.fields_to_export = None
            for tombstone in self._changes.gone():
                super().export_item(tombstone)
        super().finish_exporting()


class ChangedLinesExporter(ChangesExporter, JsonLinesItemExporter):
    """JSON lines with the option ``changes``."""


class ChangedListExporter(ChangesExporter, JsonItemExporter):  # type: ignore[misc]
    """JSON with the option ``changes``."""


#: Formats that have the option ``changes``, and their exporters.
WITH_CHANGES: Final = {
    **dict.fromkeys(("jsonlines", "jsonl", "jl"), ChangedLinesExporter),
    "json": ChangedListExporter,
}


class RecordsExporter(ChangesExporter, JsonLinesItemExporter):
    """Writes the records of each item's document in place of the item.

    An item without a URL or text has none.
    """

    def __init__(self, file: Any, crawler: Crawler, **options: Any):
        super().__init__(file, crawler, **{**options, "fields_to_export": None})

    def export_item(self, item: Any) -> None:
        """Write the records of the item, one in a line."""
        document, page = self._document(item)
        if isinstance(document, str) or find_warning(page, NO_PAGES):
            return
        markdown: dict[str, str] = {}
        records = list(records_of(document, self.kind, markdown.get))
        if self._changes is not None:
            ids = [record.get("id") or record["objectID"] for record in records]
            if not self._changes.is_new(document, ids, None):
                return
        if page is not None and self.kind == PASSAGES:
            pieces = self._maker.pieces(page)
            markdown.update(_markdown(page, pieces, document.passages))
            records = list(records_of(document, self.kind, markdown.get))
        for record in records:
            JsonLinesItemExporter.export_item(self, record)


def _markdown(
    page: Page, pieces: Iterable[Piece], passages: Sequence[Passage]
) -> Iterator[tuple[str, str]]:
    """The ids and Markdown of passages: of whole sections, or of code in parts."""
    read: dict[int, str] = {}
    for passage, piece in zip(passages, pieces, strict=False):
        if passage.text != piece.text:
            return  # of an item with a text of its own
        first, last = piece.sections[0], piece.sections[-1]
        if first.first_block not in read:
            if len(read) == MAX_MARKDOWN:
                return
            whole = replace(first, end_block=last.end_block)
            read[first.first_block] = page.markdown_of(whole)
        markdown = read[first.first_block]
        if not piece.is_whole:
            codes = [*_code_in(piece.whole, markdown)]
            markdown = piece._replace(codes=codes).text
        yield passage.id, markdown


def _code_in(text: str, markdown: str) -> Iterator[Code]:
    """The places of the code blocks of a Markdown text in its plain text."""
    place = 0
    for code in find_code(markdown):
        opening = code.opening.lstrip()
        indent = code.opening.removesuffix(opening)
        body = markdown[code.start : code.end].strip("\n").removeprefix(indent)
        body = body.replace(f"\n{indent}", "\n")
        start = text.find(body, place) if body else -1
        if start >= 0:
            place = start + len(body)
            yield Code(start, start, place, place, opening)


class DocsearchExporter(RecordsExporter):
    """Records in the shape of DocSearch: of headings, entries and paragraphs."""

    kind = DOCSEARCH


class PassagesExporter(RecordsExporter):
    """A record for each passage, with its Markdown, path and counts."""

    kind = PASSAGES


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
