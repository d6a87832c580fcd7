"""Pages of files for ``scrapy mainpage``, and the forms in which it prints a page."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_mainpage.commands.cli import NoPageError, to_line

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.extractor import Extractor
    from scrapy_mainpage.page import Page

FORMATS = ("text", "markdown", "html", "json", "blocks")

MAX_XPATH_CELLS = 60
"""A longer XPath does not widen its column."""

MAX_TEXT_CELLS = 60

#: Elements at the beginning of an HTML file, or of a fragment of HTML.
_TAG = re.compile(
    rb"<(!doctype\s+html|html|head|title|meta|body|main|article|section|div|h[1-6]|p|"
    rb"ul|ol|table|a|span)[\s>]",
    re.IGNORECASE,
)


def read_page(source: str, extractor: Extractor) -> Page:
    """Return the page of a file, or of standard input if *source* is ``-``.

    Raises :exc:`~.cli.NoPageError` for a file that cannot be read or is not HTML.
    """
    from scrapy.http import HtmlResponse

    from scrapy_mainpage.crawl.pages import NotHtmlError, make_page

    path, url = _locate(source)
    try:
        body = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except OSError as error:
        exists = path and path.exists()
        hint = "" if exists else " (a URL begins with https:// or the like)"
        raise NoPageError(f"{source}: {error.strerror or error}{hint}") from None
    if not body.strip():
        raise NoPageError(f"{source} is empty")
    if not _is_html(path, body):
        raise NoPageError(f"{source} is not an HTML document")
    try:
        return make_page(HtmlResponse(url, body=body), extractor)
    except NotHtmlError:
        raise NoPageError(f"{source} is a binary file, not an HTML document") from None


def _is_html(path: Path | None, body: bytes) -> bool:
    """Whether the file is HTML, by its name or else by its content."""
    from scrapy.http import HtmlResponse, Response, XmlResponse
    from scrapy.responsetypes import responsetypes

    named = responsetypes.from_filename(path.name) if path else Response
    if issubclass(named, HtmlResponse):
        return True
    beginning = body[:10_000].replace(b"\0", b"")  # UTF-16 has one in every character
    return named in {Response, XmlResponse} and _TAG.search(beginning) is not None


def _locate(source: str) -> tuple[Path | None, str]:
    """Return the path of a source (none for standard input) and its URL."""
    from w3lib.url import file_uri_to_path

    if source == "-":
        return None, "file:///dev/stdin"
    path = Path(file_uri_to_path(source) if source.startswith("file://") else source)
    return path, path.absolute().as_uri()


def render(page: Page, form: str) -> str:
    """Return the page in one of :data:`FORMATS`."""
    if form == "json":
        import json

        return json.dumps(page.as_dict(blocks=True), ensure_ascii=False, indent=2)
    if form == "blocks":
        return blocks_table(page)
    text: str = getattr(page, form)
    return text


def blocks_table(page: Page) -> str:
    """Return a table of the page's text blocks, a line for each.

    Only the last column has characters of more than one cell.
    """
    rows = [("LABEL", "SCORE", "WORDS", "LINKS", "SOURCE", "XPATH", "TEXT")]
    rows += [
        (
            block.label.value,
            f"{block.score:.2f}",
            str(block.words),
            f"{block.link_density:.2f}",
            block.source,
            block.xpath,
            _shorten(block.text),
        )
        for block in page.blocks
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(6)]
    widths[5] = min(widths[5], MAX_XPATH_CELLS)
    return "\n".join(_row(row, widths) for row in rows)


def _row(row: tuple[str, ...], widths: list[int]) -> str:
    label, *numbers, source, xpath, text = row
    cells = [label.ljust(widths[0])]
    cells += [
        cell.rjust(width) for cell, width in zip(numbers, widths[1:4], strict=True)
    ]
    cells += [source.ljust(widths[4]), xpath.ljust(widths[5]), text]
    return "  ".join(cells).rstrip()


def _shorten(text: str) -> str:
    line = to_line(text)
    return line if len(line) <= MAX_TEXT_CELLS else line[: MAX_TEXT_CELLS - 1] + "…"
