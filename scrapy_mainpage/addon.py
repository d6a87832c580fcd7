"""The add-on: reads the settings and places the components."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from scrapy.settings import get_settings_priority
from scrapy.utils.misc import load_object

from .crawl.crawl_state import ShortCrawl, only_shows_pages
from .crawl.rendered_requests import (
    WRAPPED_FINGERPRINTER,
    RenderFingerprinter,
    find_loop_problem,
)
from .downloadermiddlewares import ExtractionMiddleware, RenderMiddleware
from .downloadhandlers import WRAPPED_HANDLERS, HttpRenderHandler, HttpsRenderHandler
from .memory import is_postgresql
from .pipelines.boilerplate import BoilerplateFilterPipeline
from .redaction import redacted
from .settings import NEVER, SettingsError, read_settings, refuse
from .spidermiddlewares import MainPageSpiderMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from .settings import Settings

#: Positions. The extraction gets a response after it was decompressed and after
#: redirects and retries. The spider middleware is nearest to the engine: it gets the
#: output of all the others.
RENDER_POSITION = 546
EXTRACTION_POSITION = 545
SPIDER_MIDDLEWARE_POSITION = 40
FILTER_POSITION = 200
DUPLICATES_POSITION = 300
INDEX_POSITION = 800
PROVIDER_POSITION = 500
REPORT_POSITION = 500
#: Conditions before redirects and retries see an answer, failures after the retries,
#: outcomes nearer to the engine than all else.
CONDITION_POSITION = 650
FAILURE_POSITION = 540
OUTCOME_POSITION = 39
#: Before the extension that counts the lines of the log: what the end of a run logs
#: counts, too.
RUN_POSITION = -10

FINGERPRINTER: Final = "REQUEST_FINGERPRINTER_CLASS"
PROVIDERS: Final = "SCRAPY_POET_PROVIDERS"
POET_WRAPPED: Final = "SCRAPY_POET_REQUEST_FINGERPRINTER_BASE_CLASS"


class Addon:
    """Enables the plugin: ``ADDONS = {"scrapy_mainpage.Addon": 500}``.

    A component that the project has placed itself, or switched off with ``None``,
    stays so. A bad setting stops the crawl with one line.
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
        self._place_rendering(settings, ours)
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
        if uses(settings, "scrapy_poet."):
            from .poet import ItemProvider, PageProvider

            place(settings, PROVIDERS, PageProvider, PROVIDER_POSITION)
            if not uses(settings, "scrapy_zyte_api."):  # which has the same items
                place(settings, PROVIDERS, ItemProvider, PROVIDER_POSITION)
        exporters = settings["FEED_EXPORTERS_BASE"]
        for name in (
            "docsearch", "typesense", "meilisearch", "passages", "spreadsheet",
        ):  # fmt: skip
            path = f"{__package__}.exporters.{name.title()}Exporter"
            exporters.set(name, path, exporters.getpriority(name) or 0)
        if not only_shows_pages(self.crawler):
            self._short_crawl = ShortCrawl(self.crawler)
            self._place_stores(settings, ours)

    def _place_stores(self, settings: BaseSettings, ours: Settings) -> None:
        """Place what writes, or takes requests from others."""
        if ours.duplicates_enabled:
            from .pipelines.duplicates import DuplicatesPipeline

            place(settings, "ITEM_PIPELINES", DuplicatesPipeline, DUPLICATES_POSITION)
        if ours.shared:
            from .redis_crawl.placing import place_shared

            place_shared(self.crawler, settings, ours)
        if ours.index:
            from .pipelines.index import IndexPipeline

            place(settings, "ITEM_PIPELINES", IndexPipeline, INDEX_POSITION)
        if ours.state:
            self._place_state(settings, ours)
        if ours.report:
            from .extensions import CrawlReport

            place(settings, "EXTENSIONS", CrawlReport, REPORT_POSITION)

    def _place_state(self, settings: BaseSettings, ours: Settings) -> None:
        """Have a ledger of the pages that other crawls of the site have seen."""
        if ours.shared and not is_postgresql(str(ours.state)):
            problem = "of a shared crawl; allowed: postgresql://..., or None"
            error = SettingsError("MAINPAGE_STATE", redacted(str(ours.state)), problem)
            refuse(self.crawler, error)
        from .recrawl import middlewares, run

        downloads, spider = "DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES"
        conditional = middlewares.ConditionalRequestMiddleware
        place(settings, downloads, conditional, CONDITION_POSITION)
        place(settings, downloads, middlewares.FailureMiddleware, FAILURE_POSITION)
        place(settings, spider, middlewares.OutcomeMiddleware, OUTCOME_POSITION)
        place(settings, "EXTENSIONS", run.RunExtension, RUN_POSITION)

    def _place_rendering(self, settings: BaseSettings, ours: Settings) -> None:
        """Have a browser render the pages that need it, or single requests."""
        self._check_rendering(settings, ours)
        place(settings, "DOWNLOADER_MIDDLEWARES", RenderMiddleware, RENDER_POSITION)
        if find_spec("scrapy_playwright") and not find_loop_problem(settings):
            wrap_components(settings)

    def _check_rendering(self, settings: BaseSettings, ours: Settings) -> None:
        """Stop the crawl here if its pages cannot be rendered as the settings say."""
        if ours.render != NEVER:
            from .rendering.browser.launch import find_problem

            if missing := find_problem(settings):
                error = SettingsError("MAINPAGE_RENDER", ours.render, missing)
                refuse(self.crawler, error)
        if ours.render_allowed_hosts:
            self._check_allowed_hosts(settings, ours)

    def _check_allowed_hosts(self, settings: BaseSettings, ours: Settings) -> None:
        from .rendering.guard.policy import AllowedHosts

        try:
            AllowedHosts.parse(ours.render_allowed_hosts)
        except ValueError as error:
            allowed = "host names, addresses and networks, each with an optional port"
            name = "MAINPAGE_RENDER_ALLOWED_HOSTS"
            problem = f"{error}; allowed: {allowed}"
            refuse(self.crawler, SettingsError(name, settings[name], problem))


def place(settings: BaseSettings, name: str, cls: type, position: int) -> None:
    """Add a component to a setting unless it, or a subclass of it, is there already."""
    for present in settings.getdict(name):
        component = load_object(present)
        if isinstance(component, type) and issubclass(component, cls):
            return
    settings.setdefault_in_component_priority_dict(name, cls, position)


def uses(settings: BaseSettings, package: str) -> bool:
    """Whether the project enables a *package* (with a dot); nothing is imported."""
    names = ("ADDONS", "DOWNLOADER_MIDDLEWARES", PROVIDERS)
    placed = {key: value for n in names for key, value in settings.getdict(n).items()}
    paths = (
        component if isinstance(component, str) else component.__module__
        for component, position in placed.items()
        if position is not None
    )
    return any(path.startswith(package) for path in paths)


def wrap_components(settings: BaseSettings) -> None:
    """Put ours around the project's download handlers and request fingerprinter."""
    if settings[FINGERPRINTER] is RenderFingerprinter:
        return  # The settings of another crawler: ours must not wrap themselves.
    handlers = settings.getwithbase("DOWNLOAD_HANDLERS")
    ours = {"http": HttpRenderHandler, "https": HttpsRenderHandler}
    wrapped = {scheme: handlers.get(scheme) for scheme in ours}
    replaced = {scheme: ours[scheme] for scheme, path in wrapped.items() if path}
    given = settings.getdict("DOWNLOAD_HANDLERS")
    # With the priority that the setting has: our value wraps the old one.
    addon = get_settings_priority("addon")
    priority = max(settings.getpriority("DOWNLOAD_HANDLERS") or 0, addon)
    settings.set("DOWNLOAD_HANDLERS", {**given, **replaced}, priority)
    settings.set(WRAPPED_HANDLERS, wrapped)
    wrap_fingerprinter(settings)


def wrap_fingerprinter(settings: BaseSettings) -> None:
    """Put ours around the project's fingerprinter, or around scrapy-poet's.

    The add-on of scrapy-poet sets its class without a look at what is there. If it is
    still to come, ours wraps that class now and takes a higher priority.
    """
    wrapped, addon = settings[FINGERPRINTER], get_settings_priority("addon")
    priority = max(settings.getpriority(FINGERPRINTER) or 0, addon)
    if priority == addon and uses(settings, "scrapy_poet."):
        # scrapy-poet documents the name, its types do not export it.
        from scrapy_poet import (  # type: ignore[attr-defined]
            ScrapyPoetRequestFingerprinter as PoetFingerprinter,
        )

        if load_object(wrapped) is not PoetFingerprinter:
            if not settings.get(POET_WRAPPED):
                settings.set(POET_WRAPPED, wrapped, "addon")
            wrapped, priority = PoetFingerprinter, addon + 1
    settings.set(WRAPPED_FINGERPRINTER, wrapped)
    settings.set(FINGERPRINTER, RenderFingerprinter, priority)
