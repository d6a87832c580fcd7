"""Pages in files and on standard input, for the command that shows one."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_mainpage.commands.output import NoPageError

if TYPE_CHECKING:
    from scrapy_mainpage.extraction.extractor import Extractor
    from scrapy_mainpage.page import Page

#: Elements that a file begins with that is HTML, or a fragment of it.
_TAG = re.compile(
    rb"<(!doctype\s+html|html|head|title|meta|body|main|article|section|div|h[1-6]|p|"
    rb"ul|ol|table|a|span)[\s>]",
    re.IGNORECASE,
)


def read(source: str, extractor: Extractor) -> Page:
    """Return the page of a file, or of standard input if ``source`` is ``-``.

    :exc:`~.output.NoPageError` if there is none.
    """
    from scrapy.http import HtmlResponse

    from scrapy_mainpage.crawl.pages import NotHtmlError, make_page

    path, url = _place(source)
    try:
        body = sys.stdin.buffer.read() if path is None else path.read_bytes()
    except OSError as error:
        hint = (
            ""
            if path and path.exists()
            else " (a URL begins with https:// or the like)"
        )
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
    """Whether the file is HTML by its name or, if that does not say, by its content."""
    from scrapy.http import HtmlResponse, Response, XmlResponse
    from scrapy.responsetypes import responsetypes

    named = responsetypes.from_filename(path.name) if path else Response
    if issubclass(named, HtmlResponse):
        return True
    beginning = body[:10_000].replace(b"\0", b"")  # UTF-16 has one in every character
    return named in {Response, XmlResponse} and _TAG.search(beginning) is not None


def _place(source: str) -> tuple[Path | None, str]:
    """Return the path that a source names (none for standard input), and its URL."""
    from w3lib.url import file_uri_to_path

    if source == "-":
        return None, "file:///dev/stdin"
    path = Path(file_uri_to_path(source) if source.startswith("file://") else source)
    return path, path.absolute().as_uri()
