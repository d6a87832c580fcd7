"""Files that pages are read from: WARC, Parquet, and feeds of Scrapy."""

from __future__ import annotations

from .base import Found, Source
from .opening import FORMATS, Opening, open_source

__all__ = ["FORMATS", "Found", "Opening", "Source", "open_source"]
