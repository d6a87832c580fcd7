"""Every ``MAINPAGE_`` setting: its default, its type, what is allowed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import UsageError

from . import settingvalues as values
from .extraction.algorithms import DEFAULT_ALGORITHM, AlgorithmError, get_algorithm
from .extraction.learned.page_types import PAGE_TYPES
from .extraction.parsing.limits import Limits
from .settingvalues import RefusedError, nearest, page_attributes

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PREFIX: Final = "MAINPAGE_"

BALANCED: Final = "balanced"
FAVORS: Final = (BALANCED, "precision", "recall")
FAVOR_OPTION: Final = "favor"
"""The option of an algorithm that ``MAINPAGE_FAVOR`` sets."""

NEVER: Final = "never"
AUTO: Final = "auto"
ALWAYS: Final = "always"
RENDERS: Final = (NEVER, AUTO, ALWAYS)

FIRST: Final = "first"
LONGEST: Final = "longest"
CANONICAL: Final = "canonical"
KEEPS: Final = (FIRST, LONGEST, CANONICAL)

INDEX_JOURNAL: Final = "mainpage/index"
"""Where documents are until they are indexed: in the project's data directory."""

INDEX_DEAD_LETTERS: Final = "mainpage-dead-letters.jsonl"

RESOURCES: Final = "stylesheet image media font script xhr fetch other".split()
"""What a rendered page may be kept from loading, as Playwright names the types."""


class SettingsError(UsageError, ValueError):
    """A bad setting, said in one line: its name, its value and what is allowed.

    Being a usage error, it ends a ``scrapy`` command with that line and exit code 2
    wherever the command runs the crawler itself.
    """

    def __init__(self, name: str, value: object, problem: str):
        super().__init__(" ".join(f"{name}={_shortened(value)}: {problem}".split()))
        self.name = name


def _shortened(value: object, limit: int = 200) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[:limit] + "..."


_favor = values.one_of(FAVORS, "nothing that can be favored")
_render = values.one_of(RENDERS, "no way to render")
_keep = values.one_of(KEEPS, "nothing that can be kept")
_page_types = values.words_of(PAGE_TYPES, "no page type")
_resources = values.words_of(RESOURCES, "no type of resource")


def _hosts(value: object) -> tuple[str, ...]:
    from .rendering.guard.policy import AllowedHosts

    entries = values.words(value)
    try:
        AllowedHosts.parse(entries)
    except ValueError as error:
        allowed = "host names, addresses and networks, each with an optional port"
        raise RefusedError(str(error), allowed) from None
    return entries


def _read_by(read: Callable[[object], Any], **default: Any) -> Any:
    return field(metadata={"read": read}, **default)


@dataclass(frozen=True, slots=True)
class Settings:
    """The plugin's settings. ``filter_min_words`` is ``MAINPAGE_FILTER_MIN_WORDS``.

    ``item_fields`` maps fields of items to attributes of the page. Shares and the
    confidence go from 0 to 1, times are in seconds, sizes in bytes, the window in
    pixels, ``index`` are URLs. ``algorithm_options`` are as they were given;
    ``options`` are what the algorithm gets.
    """

    enabled: bool = _read_by(values.boolean, default=True)
    algorithm: str = _read_by(values.text, default=DEFAULT_ALGORITHM)
    algorithm_options: Mapping[str, Any] = _read_by(
        values.mapping, default_factory=dict
    )
    favor: str = _read_by(_favor, default=BALANCED)
    item_fields: Mapping[str, str] = _read_by(values.item_fields, default_factory=dict)
    structured_data: bool = _read_by(values.boolean, default=True)
    processes: int = _read_by(values.whole("processes", 0), default=0)
    processes_min_size: int = _read_by(values.whole("bytes", 0), default=200_000)
    processes_timeout: float = _read_by(values.seconds, default=60.0)
    max_size: int = _read_by(values.whole("bytes", 1), default=Limits().max_size)
    max_full_size: int = _read_by(
        values.whole("bytes", 1), default=Limits().max_full_size
    )
    max_elements: int = _read_by(
        values.whole("elements", 1), default=Limits().max_elements
    )
    max_depth: int = _read_by(values.whole("levels", 8), default=Limits().max_depth)
    max_attributes: int = _read_by(
        values.whole("attributes", 1), default=Limits().max_attributes
    )
    max_text_node: int = _read_by(
        values.whole("bytes", 1024), default=Limits().max_text_node
    )
    max_time: float = _read_by(values.seconds, default=Limits().max_time)
    render: str = _read_by(_render, default=NEVER)
    render_concurrency: int = _read_by(values.whole("pages", 1), default=2)
    render_pages_per_minute: int = _read_by(values.whole("pages", 0), default=600)
    render_pages_per_context: int = _read_by(values.whole("pages", 1), default=50)
    render_timeout: float = _read_by(values.seconds, default=30.0)
    render_wait: float = _read_by(values.seconds, default=10.0)
    render_stable: float = _read_by(values.seconds, default=1.0)
    render_scroll: int = _read_by(values.whole("screens", 0), default=0)
    render_layout: bool | None = _read_by(values.optional_boolean, default=None)
    render_window: tuple[int, int] = _read_by(values.size, default=(1280, 900))
    render_block: tuple[str, ...] = _read_by(
        _resources, default=("image", "media", "font")
    )
    render_allowed_hosts: tuple[str, ...] = _read_by(_hosts, default=())
    render_max_size: int = _read_by(values.whole("bytes", 1), default=32 * 2**20)
    filter_enabled: bool = _read_by(values.boolean, default=False)
    filter_min_words: int = _read_by(values.whole("words", 0), default=20)
    filter_min_share: float = _read_by(values.share, default=0.0)
    filter_page_types: tuple[str, ...] = _read_by(_page_types, default=())
    filter_languages: tuple[str, ...] = _read_by(values.languages, default=())
    filter_dry_run: bool = _read_by(values.boolean, default=False)
    min_confidence: float = _read_by(values.share, default=0.0)
    duplicates_enabled: bool = _read_by(values.boolean, default=False)
    duplicates_threshold: float = _read_by(values.share, default=0.8)
    duplicates_keep: str = _read_by(_keep, default=FIRST)
    duplicates_memory: int = _read_by(values.whole("pages", 1), default=100_000)
    duplicates_store: str | None = _read_by(values.optional_text, default=None)
    shared: str | None = _read_by(values.optional_text, default=None)
    shared_lease: float = _read_by(values.seconds, default=60.0)
    index: tuple[str, ...] = _read_by(values.urls, default=())
    index_fields: Mapping[str, str] = _read_by(values.names, default_factory=dict)
    index_batch: int = _read_by(values.whole("documents", 1), default=100)
    index_batch_bytes: int = _read_by(values.whole("bytes", 1), default=4 * 2**20)
    index_batch_age: float = _read_by(values.seconds, default=2.0)
    index_pending: int = _read_by(values.whole("documents", 1), default=1000)
    index_retries: int = _read_by(values.whole("retries", 0), default=6)
    index_backoff: float = _read_by(values.seconds, default=0.5)
    index_timeout: float = _read_by(values.seconds, default=60.0)
    index_journal: str | None = _read_by(values.optional_text, default=INDEX_JOURNAL)
    index_dead_letters: str = _read_by(values.text, default=INDEX_DEAD_LETTERS)
    index_passage_words: int = _read_by(values.whole("words", 0), default=0)
    index_passage_overlap: int = _read_by(values.whole("words", 0), default=30)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Settings:
        """Read and check the crawl's settings; strings from the command line are fine.

        Raises :exc:`SettingsError` for the first bad one. A ``MAINPAGE_`` name that
        does not exist is an error too: a misspelt setting must not be a silent one.
        """
        known = {PREFIX + item.name.upper(): item for item in fields(cls)}
        given = {
            name: settings[name]
            for name in settings
            if isinstance(name, str) and name.startswith(PREFIX)
        }
        for name, value in given.items():
            if name not in known:
                problem = "no such setting" + nearest(name, tuple(known))
                problem += "; allowed: " + ", ".join(known)
                raise SettingsError(name, value, problem)
        read = {
            known[name].name: _read(known[name], name, given[name]) for name in given
        }
        checked = cls(**read)
        checked.check_algorithm()
        return checked

    @property
    def options(self) -> dict[str, Any]:
        """The options of the algorithm, with ``favor`` among them where it says more.

        ``balanced`` is what algorithms do anyway: nothing is said of it to those that
        do not know the option, and a ``favor`` of the algorithm's options stays.
        """
        favored = {} if self.favor == BALANCED else {FAVOR_OPTION: self.favor}
        return {**self.algorithm_options, **favored}

    @property
    def limits(self) -> Limits:
        """What a page may cost."""
        names = (item.name for item in fields(Limits))
        return Limits(**{name: getattr(self, name) for name in names})

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


def _read(item: Any, name: str, value: object) -> Any:
    try:
        return item.metadata["read"](value)
    except RefusedError as refused:
        raise SettingsError(name, value, str(refused)) from None


def _algorithm_problem(name: str, options: Mapping[str, Any]) -> str | None:
    try:
        get_algorithm(name, options)
    except AlgorithmError as error:
        return str(error)
    return None


__all__ = ["Settings", "SettingsError", "page_attributes"]
