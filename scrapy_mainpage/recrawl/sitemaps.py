"""Sitemaps and feeds: lists of pages, which no interval leaves out, and their dates."""

from __future__ import annotations

import zlib
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Final

from lxml.etree import LxmlError
from scrapy.http import TextResponse, XmlResponse
from scrapy.utils.gz import gzip_magic_number
from scrapy.utils.sitemap import Sitemap

from ..addresses import MAX_ADDRESS
from ..memory.tables import FEED, SITEMAP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Response

#: Entries of a sitemap (the protocol's limit), and characters of a date.
MAX_ENTRIES: Final = 50_000
MAX_DATE: Final = 64


def kind_of(response: Response) -> str | None:
    """Whether a response is a sitemap, or another text for programs, such as a feed."""
    start = _unpacked(response, 1000)
    if b"<urlset" in start or b"<sitemapi" in start:
        return SITEMAP
    is_text = isinstance(response, XmlResponse) or type(response) is TextResponse
    return FEED if is_text else None


def dates_in(response: Response, max_size: int) -> Iterator[tuple[str, str]]:
    """Address and date of each entry of a sitemap that has both, up to an error."""
    with suppress(LxmlError, ValueError, StopIteration):
        entries = Sitemap(_unpacked(response, max_size))
        for entry in islice(entries, MAX_ENTRIES):
            url, date = entry["loc"], entry.get("lastmod", "")
            if len(url) <= MAX_ADDRESS and 0 < len(date) <= MAX_DATE:
                yield url, date


def _unpacked(response: Response, most: int) -> bytes:
    """The beginning of what may be a sitemap; empty for anything else."""
    is_packed = gzip_magic_number(response) and response.url.endswith(".xml.gz")
    if is_packed:
        with suppress(zlib.error):
            unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
            return unpacker.decompress(response.body, most)
    return response.body[:most] if isinstance(response, XmlResponse) else b""
