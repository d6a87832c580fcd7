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
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NoReturn,
    get_args,
    get_origin,
    get_type_hints,
)

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
FAVOR_OPTION: Final = "favor"
"""The option of an algorithm that ``MAINPAGE_FAVOR`` sets."""

DEFAULT_WINDOW: Final = (1280, 900)

NEVER: Final = "never"
AUTO: Final = "auto"
ALWAYS: Final = "always"
LONGEST: Final = "longest"
CANONICAL: Final = "canonical"
DELETE: Final = "delete"
OFF: Final = "off"
RESPECT: Final = "respect"
ANY: Final = "any"

RESOURCES: Final = "stylesheet image media font script xhr fetch other".split()
"""Types of resources that rendered pages need not load, by Playwright's names."""


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


_LIMITS: Final = Limits()

Words = tuple[str, ...]
Positive = Annotated[int, readers.whole(1)]
Seconds = Annotated[float, readers.seconds]
Share = Annotated[float, readers.share]
Favor = Literal["balanced", "precision", "recall"]

#: Readers by type; an ``Annotated`` has its own, of a ``Literal`` words are allowed.
_READERS: Final[Mapping[Any, Callable[[object], Any]]] = {
    bool: readers.boolean,
    int: readers.whole(0),
    str: readers.text,
    str | None: readers.optional(readers.text),
    Words: readers.words,
    Mapping[str, Any]: readers.mapping,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The plugin's settings. ``filter_min_words`` is ``MAINPAGE_FILTER_MIN_WORDS``.

    ``item_fields`` maps fields of items to attributes of the page. Shares and the
    confidence go from 0 to 1, times are in seconds, sizes in bytes, the window in
    pixels, ``index`` are URLs. ``algorithm_options`` are as they were given;
    ``options`` are those that the algorithm gets. URLs with passwords are not in the
    repr.
    """

    enabled: bool = True
    algorithm: str = DEFAULT_ALGORITHM
    algorithm_options: Mapping[str, Any] = field(default_factory=dict)
    favor: Favor = BALANCED
    title_in_text: Annotated[str, readers.one_of(TITLE_RULES)] = TITLE_AUTO
    detect_encoding: bool = False
    item_fields: Annotated[Mapping[str, str], readers.item_fields] = field(
        default_factory=dict
    )
    rules: Annotated[str | None, readers.optional(readers.folder)] = None
    max_size: Positive = _LIMITS.max_size
    max_time: Seconds = 2.0
    processes: int = 0
    render: Literal["never", "auto", "always"] = NEVER
    render_concurrency: Positive = 2
    render_timeout: Seconds = 30.0
    render_wait: Seconds = 10.0
    render_scroll: int = 0
    render_click: Annotated[Words, readers.clicks] = ()
    render_window: Annotated[tuple[int, int] | None, readers.optional(readers.size)] = (
        None
    )
    render_block: Annotated[Words, readers.words_of(RESOURCES)] = (
        "image",
        "media",
        "font",
    )
    render_allowed_hosts: Words = ()
    filter_enabled: bool = False
    filter_min_words: int = 20
    filter_page_types: Annotated[Words, readers.words_of(PAGE_TYPES)] = ()
    filter_languages: Annotated[Words, readers.languages] = ()
    min_confidence: Share = 0.0
    duplicates_enabled: bool = False
    duplicates_threshold: Share = 0.8
    duplicates_keep: Literal["first", "longest", "canonical"] = "first"
    index: Annotated[Words, readers.urls] = field(default=(), repr=False)
    index_fields: Mapping[str, Any] = field(default_factory=dict)
    index_passage_words: Annotated[tuple[int, bool], readers.passage_limit] = (0, False)
    embedder: str | None = None
    weight: Annotated[Mapping[str, float], readers.weights] = field(
        default_factory=dict
    )
    robots_meta: Literal["respect", "ignore"] = RESPECT
    canonical: Literal["same-host", "off", "any"] = "same-host"
    state: str | None = field(default=None, repr=False)
    sweep: Literal["report", "delete", "off"] = "report"
    sweep_share: Share = 0.1
    revisit: Annotated[
        tuple[float, float] | None, readers.optional(readers.interval)
    ] = None
    shared: str | None = field(default=None, repr=False)
    report: Annotated[str | None, readers.optional(readers.file_name)] = None

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Settings:
        """Read and check the crawl's settings; strings from the command line are fine.

        Raises :exc:`SettingsError` for the first bad one. A ``MAINPAGE_`` name that
        does not exist is no error: see :func:`find_unknown`.
        """
        given = {
            name: _read(kind, PREFIX + name.upper(), settings)
            for name, kind in get_type_hints(cls, include_extras=True).items()
            if PREFIX + name.upper() in settings
        }
        checked = cls(**given)
        checked.check_algorithm()
        job = settings.get("JOBDIR")
        if job and not (checked.state or checked.shared):
            # By its own state, which ends with it, a job goes on when it was killed.
            state = str(Path(job, "mainpage", "state.db"))
            checked = replace(checked, state=state, sweep=OFF)
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
        given = dict(self.algorithm_options)
        own: Any = given.get(FAVOR_OPTION, self.favor)
        if problem := self._problem(given):
            if given and not self._problem({}):
                raise SettingsError(f"{PREFIX}ALGORITHM_OPTIONS", given, problem)
            raise SettingsError(f"{PREFIX}ALGORITHM", self.algorithm, problem)
        if self.favor not in {BALANCED, own}:
            problem = f"MAINPAGE_ALGORITHM_OPTIONS has {own!r}; allowed: one of the two"
        elif self._problem(self.options):
            problem = f"algorithm {self.algorithm!r} cannot; allowed: {BALANCED}, or "
            problem += f"one with the option, such as {DEFAULT_ALGORITHM!r}"
        if problem:
            raise SettingsError(f"{PREFIX}FAVOR", self.favor, problem)

    def _problem(self, options: Mapping[str, Any]) -> str:
        """What is wrong with the algorithm or with these options; empty for nothing."""
        try:
            get_algorithm(self.algorithm, options)
        except AlgorithmError as error:
            return str(error)
        return ""


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
            REMOVED.get(name.removeprefix(PREFIX))
            or f"no such setting{nearest(name, known)}",
        )
        for name in names
        if name.startswith(PREFIX) and name not in known
    ]


def _read(kind: Any, name: str, settings: BaseSettings) -> Any:
    read = _READERS.get(kind) or (
        readers.one_of(get_args(kind))
        if get_origin(kind) is Literal
        else kind.__metadata__[0]
    )
    try:
        return read(settings[name])
    except RefusedError as refused:
        value = redacted_value(settings[name])
        raise SettingsError(name, value, str(refused)) from None


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
