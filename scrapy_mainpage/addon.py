"""The add-on: reads the settings and puts the components in their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.misc import load_object

from .downloadermiddlewares import ExtractionMiddleware
from .pipelines.boilerplate import BoilerplateFilterPipeline
from .spidermiddlewares import MainPageSpiderMiddleware
from .startup import check_index, read_settings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    # typing.Self requires Python 3.11
    from typing_extensions import Self

#: Where the components stand. Extraction sees a response after it was decompressed
#: and after redirects and retries were answered. The spider middleware is the one
#: nearest to the engine: it sees what all the others have made.
EXTRACTION_POSITION = 545
SPIDER_MIDDLEWARE_POSITION = 40
FILTER_POSITION = 200
INDEX_POSITION = 800


class Addon:
    """Enables the plugin: ``ADDONS = {"scrapy_mainpage.Addon": 500}``.

    A component that the project has placed itself, or switched off with ``None``,
    stays as the project has it. A bad setting stops the crawl with one line.
    """

    def __init__(self, crawler: Crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the add-on of a crawler."""
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        """Place the components that the settings ask for."""
        ours = read_settings(self.crawler, settings)
        if not ours.enabled:
            return
        middlewares, spider_middlewares = "DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES"
        place(settings, middlewares, ExtractionMiddleware, EXTRACTION_POSITION)
        place(
            settings,
            spider_middlewares,
            MainPageSpiderMiddleware,
            SPIDER_MIDDLEWARE_POSITION,
        )
        if ours.filter_enabled:
            place(
                settings, "ITEM_PIPELINES", BoilerplateFilterPipeline, FILTER_POSITION
            )
        if ours.index is not None:
            from .pipelines.index import IndexPipeline

            check_index(self.crawler, ours.index)
            place(settings, "ITEM_PIPELINES", IndexPipeline, INDEX_POSITION)


def place(settings: BaseSettings, name: str, cls: type, position: int) -> None:
    """Add a component to a setting unless it, or a subclass of it, is there already."""
    for present in settings.getdict(name):
        component = load_object(present)
        if isinstance(component, type) and issubclass(component, cls):
            return
    settings.setdefault_in_component_priority_dict(name, cls, position)
