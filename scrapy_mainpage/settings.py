"""Every ``MAINPAGE_`` setting: default, type, reader, and the end of a bad one.

Scrapy has no way for a component to say "do not start" that all supported versions and
all kinds of crawler processes report without a traceback. So the error is raised where
the component is built, which every version answers by not starting; :func:`refuse`
makes its report one line. A program that runs crawlers gets the exception itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final, NoReturn

from scrapy.exceptions import UsageError

from . import setting_readers as readers
from .compat import stop_twisted_echo
from .extraction.algorithms import DEFAULT_ALGORITHM, AlgorithmError, get_algorithm
from .extraction.learned.page_types import PAGE_TYPES
from .extraction.parsing.tree import Limits
from .extraction.title_rule import AUTO as TITLE_AUTO
from .extraction.title_rule import TITLE_RULES
from .redaction import redacted_value
from .removed_settings import REMOVED
from .setting_readers import RefusedError, nearest

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

PREFIX: Final = "MAINPAGE_"

BALANCED: Final = "balanced"
FAVORS: Final = (BALANCED, "precision", "recall")
FAVOR_OPTION: Final = "favor"
"""The option of an algorithm that ``MAINPAGE_FAVOR`` sets."""

DEFAULT_WINDOW: Final = (1280, 900)

NEVER: Final = "never"
AUTO: Final = "auto"
ALWAYS: Final = "always"
RENDERS: Final = (NEVER, AUTO, ALWAYS)

FIRST: Final = "first"
LONGEST: Final = "longest"
CANONICAL: Final = "canonical"
KEEPS: Final = (FIRST, LONGEST, CANONICAL)

REPORT: Final = "report"
DELETE: Final = "delete"
OFF: Final = "off"
SWEEPS: Final = (REPORT, DELETE, OFF)

RESPECT: Final = "respect"
ROBOTS_METAS: Final = (RESPECT, "ignore")

SAME_HOST: Final = "same-host"
ANY: Final = "any"
CANONICALS: Final = (SAME_HOST, OFF, ANY)

RESOURCES: Final = "stylesheet image media font script xhr fetch other".split()
"""Types of resources that rendered pages need not load, by Playwright's names."""


#: Settings by what a user wants to do, as the documentation shows them.
GROUPS: Final[Mapping[str, list[str]]] = {
    "Extraction": """
        enabled algorithm algorithm_options favor title_in_text
        detect_encoding item_fields rules
    """.split(),
    "Large pages": "max_size max_time processes".split(),
    "JavaScript": """
        render render_concurrency render_pages_per_minute render_timeout
        render_wait render_scroll render_click render_window render_block
        render_allowed_hosts
    """.split(),
    "Thin pages and copies": """
        filter_enabled filter_min_words filter_page_types filter_languages
        min_confidence duplicates_enabled duplicates_threshold
        duplicates_keep
    """.split(),
    "Indexes": """
        index index_fields index_passage_words embedder weight robots_meta
        canonical
    """.split(),
    "Second and shared crawls": "state sweep sweep_share revisit shared".split(),
    "Reports": "report".split(),
}


class SettingsError(UsageError, ValueError):
    """A bad setting, in one line: its name, its value and the allowed values.

    Being a usage error, it ends a ``scrapy`` command with that line and exit code 2
    wherever the command runs the crawler itself.
    """

    def __init__(self, name: str, value: object, problem: str):
        super().__init__(" ".join(f"{name}={_shortened(value)}: {problem}".split()))
        self.name = name


def _shortened(value: object, limit: int = 200) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[:limit] + "..."


_favor = readers.one_of(FAVORS, "nothing that can be favored")
_render = readers.one_of(RENDERS, "no way to render")
_title_rule = readers.one_of(TITLE_RULES, "no rule for the title")
_keep = readers.one_of(KEEPS, "nothing that can be kept")
_sweep = readers.one_of(SWEEPS, "no kind of sweep")
_robots_meta = readers.one_of(ROBOTS_METAS, "nothing to do with them")
_canonical = readers.one_of(CANONICALS, "no kind of canonical URLs")
_page_types = readers.words_of(PAGE_TYPES, "no page type")
_resources = readers.words_of(RESOURCES, "no type of resource")
_LIMITS: Final = Limits()


def _setting(
    read: Callable[[object], Any], default: Any, *, is_shown: bool = True
) -> Any:
    if isinstance(default, dict):
        return field(default_factory=dict, metadata={"read": read}, repr=is_shown)
    return field(default=default, metadata={"read": read}, repr=is_shown)


@dataclass(frozen=True, slots=True)
class Settings:
    """The plugin's settings. ``filter_min_words`` is ``MAINPAGE_FILTER_MIN_WORDS``.

    ``item_fields`` maps fields of items to attributes of the page. Shares and the
    confidence go from 0 to 1, times are in seconds, sizes in bytes, the window in
    pixels, ``index`` are URLs. ``algorithm_options`` are as they were given;
    ``options`` are those that the algorithm gets. URLs with passwords are not in the
    repr.
    """

    enabled: bool = _setting(readers.boolean, True)
    algorithm: str = _setting(readers.text, DEFAULT_ALGORITHM)
    algorithm_options: Mapping[str, Any] = _setting(readers.mapping, {})
    favor: str = _setting(_favor, BALANCED)
    title_in_text: str = _setting(_title_rule, TITLE_AUTO)
    detect_encoding: bool = _setting(readers.boolean, False)
    item_fields: Mapping[str, str] = _setting(readers.item_fields, {})
    rules: str | None = _setting(readers.optional_folder, None)
    max_size: int = _setting(readers.whole("bytes", 1), _LIMITS.max_size)
    max_time: float = _setting(readers.seconds, _LIMITS.max_time)
    processes: int = _setting(readers.whole("processes", 0), 0)
    render: str = _setting(_render, NEVER)
    render_concurrency: int = _setting(readers.whole("pages", 1), 2)
    render_pages_per_minute: int = _setting(readers.whole("pages", 0), 600)
    render_timeout: float = _setting(readers.seconds, 30.0)
    render_wait: float = _setting(readers.seconds, 10.0)
    render_scroll: int = _setting(readers.whole("screens", 0), 0)
    render_click: tuple[str, ...] = _setting(readers.clicks, ())
    render_window: tuple[int, int] | None = _setting(readers.optional_size, None)
    render_block: tuple[str, ...] = _setting(_resources, ("image", "media", "font"))
    render_allowed_hosts: tuple[str, ...] = _setting(readers.words, ())
    filter_enabled: bool = _setting(readers.boolean, False)
    filter_min_words: int = _setting(readers.whole("words", 0), 20)
    filter_page_types: tuple[str, ...] = _setting(_page_types, ())
    filter_languages: tuple[str, ...] = _setting(readers.languages, ())
    min_confidence: float = _setting(readers.share, 0.0)
    duplicates_enabled: bool = _setting(readers.boolean, False)
    duplicates_threshold: float = _setting(readers.share, 0.8)
    duplicates_keep: str = _setting(_keep, FIRST)
    index: tuple[str, ...] = _setting(readers.urls, (), is_shown=False)
    index_fields: Mapping[str, Any] = _setting(readers.index_fields, {})
    index_passage_words: int = _setting(readers.whole("words", 0), 0)
    embedder: str | None = _setting(readers.optional_text, None)
    weight: Mapping[str, float] = _setting(readers.weights, {})
    robots_meta: str = _setting(_robots_meta, RESPECT)
    canonical: str = _setting(_canonical, SAME_HOST)
    state: str | None = _setting(readers.optional_text, None, is_shown=False)
    sweep: str = _setting(_sweep, REPORT)
    sweep_share: float = _setting(readers.share, 0.1)
    revisit: tuple[float, float] | None = _setting(readers.optional_interval, None)
    shared: str | None = _setting(readers.optional_text, None, is_shown=False)
    report: str | None = _setting(readers.optional_file_name, None)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Settings:
        """Read and check the crawl's settings; strings from the command line are fine.

        Raises :exc:`SettingsError` for the first bad one. A ``MAINPAGE_`` name that
        does not exist is no error: see :func:`find_unknown`.
        """
        known = {PREFIX + item.name.upper(): item for item in fields(cls)}
        read = {
            item.name: _read(item, name, settings[name])
            for name, item in known.items()
            if name in settings
        }
        checked = cls(**read)
        checked.check_algorithm()
        return checked

    @property
    def options(self) -> dict[str, Any]:
        """The options of the algorithm, with ``favor`` unless it is ``balanced``.

        Every algorithm is balanced by default: one without the option does not get it,
        and a ``favor`` of the algorithm's options stays.
        """
        favored = {} if self.favor == BALANCED else {FAVOR_OPTION: self.favor}
        return {**self.algorithm_options, **favored}

    @property
    def window(self) -> tuple[int, int]:
        """The browser's window, by default the one that the algorithm is made for."""
        own = get_algorithm(self.algorithm, self.options).viewport
        return self.render_window or own or DEFAULT_WINDOW

    @property
    def render_hash_routes(self) -> bool:
        """Whether routes behind a hash are pages: where a browser may show them."""
        return self.render != NEVER

    @property
    def extraction(self) -> dict[str, Any]:
        """Arguments of an extractor beside algorithm, options and rules."""
        return {
            "title_in_text": self.title_in_text,
            "limits": Limits(max_size=self.max_size, max_time=self.max_time),
            "detect_encoding": self.detect_encoding,
        }

    def check_algorithm(self) -> None:
        """Raise :exc:`SettingsError` if the algorithm or one of its options is bad."""
        problem = _algorithm_problem(self.algorithm, self.algorithm_options)
        if problem is None:
            self._check_favor()
            return
        if self.algorithm_options and not _algorithm_problem(self.algorithm, {}):
            value = dict(self.algorithm_options)
            raise SettingsError("MAINPAGE_ALGORITHM_OPTIONS", value, problem)
        raise SettingsError("MAINPAGE_ALGORITHM", self.algorithm, problem)

    def _check_favor(self) -> None:
        own = self.algorithm_options.get(FAVOR_OPTION, self.favor)
        if self.favor != BALANCED and own != self.favor:
            problem = f"MAINPAGE_ALGORITHM_OPTIONS has {own!r}; allowed: one of the two"
        elif not _algorithm_problem(self.algorithm, self.options):
            return
        else:
            problem = f"algorithm {self.algorithm!r} cannot; allowed: {BALANCED}, or an"
            problem += f" algorithm with the option, such as {DEFAULT_ALGORITHM!r}"
        raise SettingsError("MAINPAGE_FAVOR", self.favor, problem)


def defaults(group: str) -> dict[str, Any]:
    """Return the names of the settings of a group, in small letters, with defaults.

    >>> defaults("Large pages")["processes"]
    0
    """
    plain = Settings()
    return {name: getattr(plain, name) for name in GROUPS[group]}


def find_unknown(settings: BaseSettings) -> list[SettingsError]:
    """Return an error for each ``MAINPAGE_`` name that does not exist, unraised.

    Most are misspelt, or a setting of an older version: the error says what to write
    now.
    """
    known = [PREFIX + item.name.upper() for item in fields(Settings)]
    names = (name for name in settings if isinstance(name, str))
    return [
        SettingsError(
            name,
            redacted_value(settings[name], name),
            _instead_of(name) or f"no such setting{nearest(name, known)}",
        )
        for name in names
        if name.startswith(PREFIX) and name not in known
    ]


def _instead_of(name: str) -> str | None:
    instead = REMOVED.get(name.removeprefix(PREFIX))
    return instead and f"removed; {instead}"


def _read(item: Any, name: str, value: object) -> Any:
    try:
        return item.metadata["read"](value)
    except RefusedError as refused:
        raise SettingsError(name, redacted_value(value), str(refused)) from None


def _algorithm_problem(name: str, options: Mapping[str, Any]) -> str | None:
    try:
        get_algorithm(name, options)
    except AlgorithmError as error:
        return str(error)
    return None


def read_settings(crawler: Crawler, settings: BaseSettings | None = None) -> Settings:
    """Return the crawl's settings; refuse to start the crawl if one is bad."""
    settings = crawler.settings if settings is None else settings
    try:
        return Settings.from_settings(settings)
    except SettingsError as error:
        refuse(crawler, error)


def refuse(crawler: Crawler, error: SettingsError) -> NoReturn:
    """Stop the start of the crawl with one logged line, and raise the error."""
    # The mark of a crawl that did not start, which the exit code is made from: Scrapy
    # before 2.19 looks at nothing else.
    crawler.spider = None
    for name in ("asyncio", "twisted"):
        logging.getLogger(name).addFilter(_ONE_LINE)
    if not _in_event_loop():
        _ONE_LINE.headings += 1
        stop_twisted_echo()
    raise error


def _in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _OneLine(logging.Filter):
    """Turns the report of an unhandled settings error into the error's line.

    Twisted logs a heading before the error, in a record of its own; ``headings`` is
    the number of them left to drop.
    """

    headings = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record of a settings error; drop the heading before it."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, SettingsError):
            record.name, record.msg, record.args = __name__, str(error), ()
            record.exc_info = record.exc_text = None
        elif self.headings and "Unhandled error in Deferred" in record.getMessage():
            self.headings -= 1
            return False
        return True


_ONE_LINE = _OneLine()
