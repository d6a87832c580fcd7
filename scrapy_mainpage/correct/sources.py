"""Pages to correct from files, from responses, and from the items of a crawl."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse
from w3lib.url import file_uri_to_path

from ..feeds import Feed
from .correction import CorrectionError, PageToCorrect

if TYPE_CHECKING:
    from scrapy.http import Response

    from ..extraction.extractor import Extractor


def least_confident(feed: str, count: int) -> list[str]:
    """The URLs of the *count* items of a feed whose confidence is lowest.

    Items without a confidence come last, in the order of the feed. Raises
    :exc:`~scrapy_mainpage.feeds.FeedError` for a feed that cannot be read.
    """
    found: dict[str, float] = {}
    with Feed(feed) as entries:
        for entry in entries.entries():
            item = entry.item or {}
            url = item.get("url")
            if isinstance(url, str) and url.startswith(("http://", "https://")):
                found.setdefault(url, _confidence(item))
    return sorted(found, key=found.__getitem__)[:count]


def _confidence(item: dict[str, Any]) -> float:
    """The item's confidence; 2, more than any, without one."""
    try:
        value = float(item["confidence"])
    except (KeyError, TypeError, ValueError):
        return 2.0
    return value if value == value else 2.0


def read_response(response: Response, extractor: Extractor) -> PageToCorrect:
    """The page of a response; raises :exc:`CorrectionError` if it has none."""
    if response.status >= 400:
        raise CorrectionError(f"{response.url}: HTTP status {response.status}")
    if not isinstance(response, HtmlResponse):
        raise CorrectionError(f"{response.url} is not an HTML document")
    return PageToCorrect.read(response.url, response.body, response.text, extractor)


def read_file(source: str, extractor: Extractor) -> PageToCorrect:
    """The page of an HTML file, under the address that it declares, or else the file's.

    Raises :exc:`CorrectionError` if it cannot be read or has no text.
    """
    path = Path(file_uri_to_path(source) if source.startswith("file://") else source)
    try:
        body = path.read_bytes()
    except OSError as error:
        raise CorrectionError(f"{source}: {error.strerror or error}") from None
    page = PageToCorrect.read(path.absolute().as_uri(), body, None, extractor)
    declared = page.page.metadata.canonical_url
    if declared and declared.startswith(("http://", "https://")):
        return PageToCorrect.read(declared, body, None, extractor)
    return page
