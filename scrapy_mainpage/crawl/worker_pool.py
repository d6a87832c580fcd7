"""The extraction of large pages in other processes, off the crawl's event loop."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary, ref

from scrapy import signals
from scrapy.http import HtmlResponse

from ..compat import explicit_encoding, wait_for
from ..extraction.document.document import Document
from ..extraction.document.layout import Layout
from ..extraction.extractor import Extractor
from ..page import Page
from ..processes import Pool
from ..processes.worker import (
    REDUCERS,
    ProcessError,
    TaskFailed,
    WorkerNotStarted,
    attempt,
)
from ..records import PAGE_RECORDS
from ..rules.rule_book import RuleBook
from ..settings import SettingsError, refuse
from .pages import TreeResponse, make_page, record_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeGuard

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ..settings import Settings

logger = logging.getLogger(__name__)

#: Bytes of a page from which on it is extracted in another process: 0.1 seconds.
MIN_SIZE: Final = 200_000

#: Time of a page in a process, which is ended after it.
MAX_SECONDS: Final = 60.0

Examine = Callable[[HtmlResponse, Page], Any]


class WorkerPool:
    """The processes that extract the large pages of a crawl.

    Pages that were, and the seconds that it took there, are counted in
    ``mainpage/processes/extracted`` and ``mainpage/processes/time``; processes in
    ``mainpage/processes/started`` and ``mainpage/processes/died``.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self._crawler = ref(crawler)  # which owns this
        self._pool = Pool(
            settings.processes,
            prepare,
            _setup(crawler, settings),
            MAX_SECONDS,
        )
        self._has_given_up = False
        # Not the errors: their tracebacks hold the responses.
        self._failed: WeakKeyDictionary[Response, tuple[str, str]] = WeakKeyDictionary()
        crawler.signals.connect(self._close, signals.spider_closed)

    def takes(self, response: Response) -> TypeGuard[HtmlResponse]:
        """Whether the response is one to be extracted in another process."""
        return (
            # Other classes may have a text of their own.
            type(response) in (HtmlResponse, TreeResponse)
            and len(response.body) >= MIN_SIZE
            and not record_of(response).is_blank
            and not self._has_given_up
        )

    async def extract(
        self, response: HtmlResponse, examine: Examine | None = None
    ) -> tuple[Page, Any]:
        """Return the page of a response, and the result of *examine* for both.

        *examine* is a function of a module; a :class:`.processes.worker.TaskFailed` is
        returned for an error of it. Raises :exc:`.processes.worker.ProcessError`;
        where that is :exc:`.processes.worker.WorkerNotStarted`, no response is taken
        any more.
        """
        # A page that killed two processes, or took too long, is not tried once more.
        if response in self._failed:
            raise TaskFailed(*self._failed[response])
        try:
            task = _task(response, examine)
            outcome = await wait_for(self._pool.submit(task))
        except WorkerNotStarted as error:
            self._give_up(error)
            raise
        except ProcessError as error:
            self._failed[response] = (error.reason, str(error))
            raise
        finally:
            self._count_workers()
        for death in outcome.deaths:
            logger.warning(
                "Extracted by another process as one died (%(death)s): %(url)s",
                {"death": death, "url": response.url},
                extra=self._extra,
            )
        answer: _Answer = outcome.answer
        vars(answer.page).update(answer.made)
        self._count("extracted")
        self._count("time", answer.seconds)
        record_of(response).seconds = answer.seconds
        return answer.page, answer.examined

    def _give_up(self, error: WorkerNotStarted) -> None:
        if not self._has_given_up:
            self._has_given_up = True
            logger.error(
                "No process can be started, the event loop extracts all pages: "
                "%(error)s",
                {"error": error},
                extra=self._extra,
            )

    def _count_workers(self) -> None:
        for name in ("started", "died"):
            number = getattr(self._pool, name)
            if number:
                self._stats.set_value(f"mainpage/processes/{name}", number)

    def _count(self, name: str, count: float = 1) -> None:
        # Scrapy's collectors add whatever number they get; they declare integers.
        name = f"mainpage/processes/{name}"
        self._stats.inc_value(name, count)  # type: ignore[arg-type]

    @property
    def _stats(self) -> StatsCollector:
        crawler = self._crawler()
        assert crawler is not None
        return crawler.stats

    @property
    def _extra(self) -> dict[str, object]:
        crawler = self._crawler()
        return {"spider": crawler.spider if crawler else None}

    def _close(self) -> None:
        self._pool.close()


@dataclass(frozen=True)
class _Setup:
    """The extractor of a worker, and the attributes of pages to make there."""

    algorithm: str
    options: Mapping[str, Any]
    extraction: Mapping[str, Any]
    rules: str | None
    attributes: tuple[str, ...]


_MADE_THERE: Final = frozenset(
    {"comments", "entries", "html", "markdown", "metadata", "posts", *PAGE_RECORDS}
)


def _setup(crawler: Crawler, settings: Settings) -> _Setup:
    options = settings.options
    try:
        pickle.dumps(options)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        problem = f"{error}; allowed with MAINPAGE_PROCESSES: what can be pickled"
        refuse(crawler, SettingsError("MAINPAGE_ALGORITHM_OPTIONS", options, problem))
    return _Setup(
        settings.algorithm,
        options,
        settings.extraction,
        settings.rules,
        _attributes((*settings.item_fields.values(), *_sources(settings))),
    )


def _sources(settings: Settings) -> list[str]:
    """The attributes of pages that fields of an index may be filled from."""
    sources = settings.index_fields.values()
    return [x if isinstance(x, str) else str(x.get("from", "")) for x in sources]


def _attributes(wanted: Iterable[str]) -> tuple[str, ...]:
    """The attributes of items that take time; other data is made as fast as sent."""
    names = {name.split(".")[0] for name in wanted}
    if names & {"title", "language"}:
        names.add("metadata")
    return tuple(sorted(names & _MADE_THERE))


@dataclass(frozen=True)
class _Task:
    """A response to extract, as far as its tree depends on it."""

    url: str
    content_type: bytes | None
    encoding: str | None
    body: bytes
    layout: Layout | None
    examine: Examine | None


@dataclass(frozen=True)
class _Answer:
    """A page, attributes of it that were made, and the seconds that all took."""

    page: Page
    made: Mapping[str, Any]
    examined: Any
    seconds: float


def _task(response: HtmlResponse, examine: Examine | None) -> _Task:
    return _Task(
        response.url,
        response.headers.get(b"Content-Type"),
        explicit_encoding(response),
        response.body,
        record_of(response).layout,
        examine,
    )


# --- In the worker ---------------------------------------------------------


def prepare(setup: _Setup) -> Callable[[_Task], _Answer]:
    """Return the function that extracts pages in a worker."""
    extractor = Extractor(
        setup.algorithm,
        setup.options,
        rules=None if setup.rules is None else RuleBook(setup.rules),
        **setup.extraction,
    )
    return partial(_extract, extractor=extractor, attributes=setup.attributes)


def _extract(task: _Task, extractor: Extractor, attributes: Sequence[str]) -> _Answer:
    started = perf_counter()
    said = {} if task.content_type is None else {b"Content-Type": task.content_type}
    response = TreeResponse(
        task.url, headers=said, body=task.body, encoding=task.encoding
    )
    if task.layout is not None:
        record_of(response).layout = task.layout
    page = make_page(response, extractor)
    examined = attempt(task.examine, response, page) if task.examine else None
    tried = {name: attempt(getattr, page, name) for name in attributes}
    # The crawl meets the error of one that failed when it asks for it.
    made = {k: value for k, value in tried.items() if not isinstance(value, TaskFailed)}
    return _Answer(page, made, examined, perf_counter() - started)


def _reduce(document: Document) -> tuple[type[Document], tuple[Any, ...]]:
    values = (getattr(document, item.name) for item in fields(document))
    return type(document), tuple(values)


# A document's own pickle is compressed, which takes longer than all the rest.
REDUCERS[Document] = _reduce
