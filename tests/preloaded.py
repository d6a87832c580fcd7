"""What a crawl imports and loads, once for all that are forked from this process."""

from __future__ import annotations

import gc
from importlib.metadata import entry_points

from scrapy import cmdline  # noqa: F401
from scrapy.settings import default_settings
from scrapy.utils.misc import load_object, walk_modules

import scrapy_mainpage.addon
import scrapy_mainpage.downloadermiddlewares
import scrapy_mainpage.extraction.embedded.finder
import scrapy_mainpage.extraction.records.post_templates
import scrapy_mainpage.indexes.sqlite
import scrapy_mainpage.pipelines.duplicates
import scrapy_mainpage.pipelines.index
import scrapy_mainpage.recrawl.run
import scrapy_mainpage.rendering.decider
import scrapy_mainpage.spidermiddlewares  # noqa: F401
from scrapy_mainpage import extract
from scrapy_mainpage.rendering.launch import has_playwright
from scrapy_mainpage.text.language import load_identifier

from . import crawling  # noqa: F401
from .mockserver import article

for name in ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS"):
    for component in getattr(default_settings, f"{name}_BASE"):
        load_object(component)
for handler in default_settings.DOWNLOAD_HANDLERS_BASE.values():
    load_object(handler)
for name in ("SCHEDULER", "SCHEDULER_PRIORITY_QUEUE", "SCHEDULER_MEMORY_QUEUE"):
    load_object(getattr(default_settings, name))
for name in ("DUPEFILTER_CLASS", "LOG_FORMATTER", "STATS_CLASS"):
    load_object(getattr(default_settings, name))

if has_playwright():
    load_object("playwright.async_api.async_playwright")

walk_modules("scrapy.commands")
for command in entry_points(group="scrapy.commands"):
    command.load()

load_identifier()
page = extract(article("a subject"), url="https://example.com/")
page.metadata, page.sections, page.links  # noqa: B018 - each loads something

# The collector of a forked process would copy all of this to look at it.
gc.collect()
gc.freeze()
