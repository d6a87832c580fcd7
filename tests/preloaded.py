"""What a crawl imports and loads, once for all that are forked from this process."""

from __future__ import annotations

from scrapy.settings import default_settings
from scrapy.utils.misc import load_object

import scrapy_mainpage.extraction.embedded.finder
import scrapy_mainpage.indexes.sqlite.engine
import scrapy_mainpage.pipelines.duplicates
import scrapy_mainpage.pipelines.index
import scrapy_mainpage.recrawl.run  # noqa: F401
from scrapy_mainpage import extract
from scrapy_mainpage.text.language import load_identifier

from . import crawling  # noqa: F401
from .mockserver import article

for name in ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS"):
    for component in getattr(default_settings, f"{name}_BASE"):
        load_object(component)
load_object(default_settings.DOWNLOAD_HANDLERS_BASE["http"])

load_identifier()
page = extract(article("a subject"), url="https://example.com/")
page.metadata, page.sections, page.links  # noqa: B018 - each loads something
