"""The add-on: reads the settings and places the components."""

from __future__ import annotations

import logging
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from scrapy.settings import get_settings_priority
from scrapy.utils.misc import load_object

from .crawl.crawl_state import only_shows_pages
from .crawl.rendered_requests import (
    WRAPPED_FINGERPRINTER,
    RenderFingerprinter,
    find_loop_problem,
)
from .downloadhandlers import WRAPPED_HANDLERS, HttpRenderHandler, HttpsRenderHandler
from .memory import is_postgresql
from .redaction import redacted
from .settings import NEVER, PREFIX, SettingsError, read_settings, refuse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from .settings import Settings

_DOWNLOADS: Final = "DOWNLOADER_MIDDLEWARES"
_SPIDERS: Final = "SPIDER_MIDDLEWARES"
_PIPELINES: Final = "ITEM_PIPELINES"

#: Setting and position of each component. The extraction gets a response after it was
#: decompressed and after redirects and retries. The spider middleware is nearest to the
#: engine: it gets the output of all the others.
PLACES: Final = {
    "downloadermiddlewares.RenderMiddleware": (_DOWNLOADS, 546),
    "downloadermiddlewares.ExtractionMiddleware": (_DOWNLOADS, 545),
    "spidermiddlewares.MainPageSpiderMiddleware": (_SPIDERS, 40),
    # Nearer to the spider than Scrapy's own, which drops what is too deep.
    "crawl.completeness.DepthLimitMiddleware": (_SPIDERS, 950),
    "pipelines.boilerplate.BoilerplateFilterPipeline": (_PIPELINES, 200),
    "pipelines.duplicates.DuplicatesPipeline": (_PIPELINES, 300),
    "pipelines.index.IndexPipeline": (_PIPELINES, 800),
    "extensions.CrawlReport": ("EXTENSIONS", 500),
    "poet.PageProvider": ("SCRAPY_POET_PROVIDERS", 500),
    # Conditions before redirects and retries see an answer, outcomes nearer to the
    # engine than all else.
    "recrawl.middlewares.ConditionalRequestMiddleware": (_DOWNLOADS, 650),
    "recrawl.middlewares.OutcomeMiddleware": (_SPIDERS, 39),
    # Before the extension that counts the lines of the log: what the end of a run logs
    # counts, too.
    "recrawl.run.RunExtension": ("EXTENSIONS", -10),
}
_OF_STATE: Final = [
    path.rpartition(".")[2] for path in PLACES if path.startswith("recrawl.")
]

#: Formats of feeds; an exporter has the name of its format.
FORMATS: Final = ("docsearch", "passages", "spreadsheet")

#: The switch of each part, and the beginnings of the names of settings for it alone.
SWITCHES: Final = {
    "filter_enabled": ("filter_", "min_confidence"),
    "duplicates_enabled": ("duplicates_",),
    "index": (),
    "state": ("sweep", "revisit"),
    "render": (),
}

FINGERPRINTER: Final = "REQUEST_FINGERPRINTER_CLASS"
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
        names = ["ExtractionMiddleware", "RenderMiddleware", "MainPageSpiderMiddleware"]
        names += ["BoilerplateFilterPipeline"] * ours.filter_enabled
        names += ["PageProvider"] * uses(settings, "scrapy_poet.")
        self._prepare_rendering(settings, ours)
        exporters = settings["FEED_EXPORTERS_BASE"]
        for name in FORMATS:
            path = f"{__package__}.exporters.{name.title()}Exporter"
            exporters.set(name, path, exporters.getpriority(name) or 0)
        self._check_changes(settings, ours)
        if not only_shows_pages(self.crawler):
            names += ["DepthLimitMiddleware"] * bool(settings.getint("DEPTH_LIMIT"))
            names += self._stores(settings, ours)
            log_parts(settings, ours)
        for path, (setting, position) in PLACES.items():
            if path.rpartition(".")[2] in names:
                component = load_object(f"{__package__}.{path}")
                place(settings, setting, component, position)

    def _check_changes(self, settings: BaseSettings, ours: Settings) -> None:
        """Name the feeds of changes, and place their exporters; refuse other formats.

        Each is known by its address in FEEDS, or by the name that the option is.
        """
        named = {}
        for address, feed in settings.getdict("FEEDS").items():
            options = feed.get("item_export_kwargs") or {}
            if not options.get("changes"):
                continue
            from .exporters import WITH_CHANGES

            form = feed.get("format", "")
            problem = "needs MAINPAGE_STATE; allowed: a file or a server, or no changes"
            if form not in (*WITH_CHANGES, *FORMATS[:2]):
                allowed = ", ".join((*WITH_CHANGES, *FORMATS[:2]))
                problem = f"has no changes in the format {form!r}; allowed: {allowed}"
            elif ours.state:
                if form in WITH_CHANGES:
                    settings["FEED_EXPORTERS_BASE"].set(form, WITH_CHANGES[form], 0)
                if options["changes"] is True:
                    options = {**options, "changes": redacted(str(address))}
                    named[address] = {**feed, "item_export_kwargs": options}
                continue
            refuse(self.crawler, SettingsError("FEEDS", "changes", problem))
        if named:
            feeds = {**settings.getdict("FEEDS"), **named}
            settings.set("FEEDS", feeds, settings.getpriority("FEEDS") or 0)

    def _stores(self, settings: BaseSettings, ours: Settings) -> list[str]:
        """The components that write, or take requests from others."""
        if ours.state and ours.shared and not is_postgresql(ours.state):
            problem = "of a shared crawl; allowed: postgresql://..., or None"
            error = SettingsError("MAINPAGE_STATE", redacted(ours.state), problem)
            refuse(self.crawler, error)
        if ours.shared:
            from .redis_crawl import place_shared

            place_shared(self.crawler, settings, ours)
        return [
            *["DuplicatesPipeline"] * ours.duplicates_enabled,
            *["IndexPipeline"] * bool(ours.index),
            *["CrawlReport"] * bool(ours.report),
            *(_OF_STATE if ours.state else ()),
        ]

    def _prepare_rendering(self, settings: BaseSettings, ours: Settings) -> None:
        """Have a browser render the pages that need it, or single requests.

        The crawl is stopped here if its pages cannot be rendered as the settings say.
        """
        if ours.render != NEVER:
            from .rendering.launch import find_problem

            if missing := find_problem(settings):
                error = SettingsError("MAINPAGE_RENDER", ours.render, missing)
                refuse(self.crawler, error)
        if ours.render_allowed_hosts:
            self._check_allowed_hosts(settings, ours)
        if find_spec("playwright") and not find_loop_problem(settings):
            wrap_components(settings)

    def _check_allowed_hosts(self, settings: BaseSettings, ours: Settings) -> None:
        from .rendering.destinations import AllowedHosts

        try:
            AllowedHosts.parse(ours.render_allowed_hosts)
        except ValueError as error:
            allowed = "host names, addresses and networks, each with an optional port"
            name = "MAINPAGE_RENDER_ALLOWED_HOSTS"
            problem = f"{error}; allowed: {allowed}"
            refuse(self.crawler, SettingsError(name, settings[name], problem))


def log_parts(settings: BaseSettings, ours: Settings) -> None:
    """Say which parts are on, which settings are for one that is off, and the pace."""
    logger = logging.getLogger(__name__)
    off = [name for name in SWITCHES if getattr(ours, name) in (False, None, (), NEVER)]
    on = [name for name in SWITCHES if name not in off]
    known = version("scrapy-mainpage"), ours.algorithm, _join(on), _join(off)
    logger.info("scrapy-mainpage %s by %s; on: %s; off: %s", *known)
    given = [name for name in map(str, settings) if name.startswith(PREFIX)]
    for name in given:
        own = name.removeprefix(PREFIX).lower()
        for switch in off:
            if own != switch and own.startswith(SWITCHES[switch]):
                logger.warning("%s is set, but %s is off", name, _join([switch]))
    if delay := settings.getfloat("DOWNLOAD_DELAY"):
        line = "DOWNLOAD_DELAY=%g: at most %.0f pages a minute of a site"
        logger.info(line, delay, 60 / delay)


def _join(switches: list[str]) -> str:
    return ", ".join(PREFIX + name.upper() for name in switches) or "none"


def place(settings: BaseSettings, name: str, cls: type, position: int) -> None:
    """Add a component to a setting unless it, or a subclass of it, is there already."""
    for present in settings.getdict(name):
        component = load_object(present)
        if isinstance(component, type) and issubclass(component, cls):
            return
    settings.setdefault_in_component_priority_dict(name, cls, position)


def uses(settings: BaseSettings, package: str) -> bool:
    """Whether the project enables a *package* (with a dot); nothing is imported."""
    names = ("ADDONS", _DOWNLOADS, "SCRAPY_POET_PROVIDERS")
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
