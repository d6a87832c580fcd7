"""``scrapy mainpage --report``: the visual report, with the layout of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_mainpage.commands.cli import NoPageError
from scrapy_mainpage.extraction.algorithms import LayoutRequired
from scrapy_mainpage.extraction.document.layout import Layout, LayoutError
from scrapy_mainpage.extraction.extractor import Extractor
from scrapy_mainpage.extraction.page_rules import NO_MATCH
from scrapy_mainpage.report import ReportUnavailable, write_report

if TYPE_CHECKING:
    from lxml.etree import _Element

    from scrapy_mainpage.extraction.algorithms import Algorithm
    from scrapy_mainpage.extraction.document.document import Document
    from scrapy_mainpage.extraction.page_rules import RuleMatch
    from scrapy_mainpage.extraction.result import Draft
    from scrapy_mainpage.page import Page


class LayoutExtractor(Extractor):
    """Extracts one page, with the layout that a snapshot file holds.

    Raises :exc:`~scrapy_mainpage.commands.cli.NoPageError` for a file that cannot be
    read, is not a snapshot or another page's, and without a file if the algorithm
    needs a layout.
    """

    layout: Layout | None = None
    root: _Element | None = None
    """The root of the page's tree."""

    def __init__(
        self,
        algorithm: Algorithm,
        snapshot: str | None,
        **options: Any,
    ) -> None:
        super().__init__(algorithm, **options)
        self._snapshot = snapshot

    def extract_tree(self, root: _Element, **options: Any) -> Page:
        """Extract a page from the root of its tree."""
        self.root = root
        return super().extract_tree(root, **options)

    def draft(
        self,
        document: Document,
        url: str | None,
        layout: Layout | None,
        match: RuleMatch = NO_MATCH,
    ) -> Draft:
        """Read a document; the snapshot's layout replaces *layout*."""
        self.layout = self._read(document) or layout
        try:
            return super().draft(document, url, self.layout, match)
        except LayoutRequired as error:
            raise NoPageError(f"{error}; --layout FILE gives it") from None

    def report(self, page: Page) -> str:
        """The visual report of the extracted page."""
        try:
            return write_report(page)
        except ReportUnavailable as error:
            raise NoPageError(str(error)) from None

    def _read(self, document: Document) -> Layout | None:
        if self._snapshot is None:
            return None
        try:
            return Layout.from_json(Path(self._snapshot).read_bytes(), document)
        except (OSError, LayoutError) as error:
            reason = getattr(error, "strerror", None) or error
            raise NoPageError(f"{self._snapshot}: {reason}") from None
