"""The extraction of large pages in other processes, off the crawl's event loop."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary, ref

from scrapy import signals
from scrapy.http import HtmlResponse

from ..compat import explicit_encoding, wait_for
from ..extraction.document.layout import Layout
from ..extraction.extractor import Extractor
from ..page import Page
from ..processes import Pool
from ..processes.worker import ProcessError, TaskFailed, WorkerNotStarted, attempt
from ..rules.rule_book import RuleBook
from ..settings import SettingsError, refuse
from .pages import make_page, record_of

if TYPE_CHECKING:
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

#: A response, the layout of its elements, and what is to be examined there.
_Task = tuple[HtmlResponse, "Layout | None", "Examine | None"]

#: A page, what was examined, and the seconds that both took.
_Answer = tuple[Page, Any, float]


class WorkerPool:
    """The processes that extract the large pages of a crawl.

    Pages that were, and the seconds that it took there, are counted in
    ``mainpage/processes/extracted`` and ``mainpage/processes/time``; processes in
    ``mainpage/processes/started`` and ``mainpage/processes/died``.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self._crawler = ref(crawler)  # which owns this
        self._pool = Pool(
            settings.processes, prepare, _setup(crawler, settings), MAX_SECONDS
        )
        self._has_given_up = False
        # Not the errors: their tracebacks hold the responses.
        self._failed: WeakKeyDictionary[Response, tuple[str, str]] = WeakKeyDictionary()
        crawler.signals.connect(self._pool.close, signals.spider_closed)

    def takes(self, response: Response) -> TypeGuard[HtmlResponse]:
        """Whether the response is one to be extracted in another process."""
        return (
            # Other classes may have a text of their own.
            type(response) is HtmlResponse
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
            page, examined, seconds = await wait_for(self._pool.submit(task))
        except WorkerNotStarted as error:
            self._give_up(error)
            raise
        except ProcessError as error:
            self._failed[response] = (error.reason, str(error))
            raise
        finally:
            self._count_workers()
        self._count("extracted")
        self._count("time", seconds)
        record_of(response).seconds = seconds
        return page, examined

    def _give_up(self, error: WorkerNotStarted) -> None:
        if not self._has_given_up:
            self._has_given_up = True
            line = "No process can be started, the event loop extracts all pages: %s"
            logger.error(line, error)

    def _count_workers(self) -> None:
        for name in ("started", "died"):
            if number := getattr(self._pool, name):
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


def _setup(crawler: Crawler, settings: Settings) -> tuple[Any, ...]:
    """Return the arguments of :func:`prepare`: those of the crawl's extractor."""
    options = settings.options
    try:
        pickle.dumps(options)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        problem = f"{error}; allowed with MAINPAGE_PROCESSES: what can be pickled"
        refuse(crawler, SettingsError("MAINPAGE_ALGORITHM_OPTIONS", options, problem))
    return settings.algorithm, options, settings.extraction, settings.rules


def _task(response: HtmlResponse, examine: Examine | None) -> _Task:
    """Return what a worker needs: the response as far as its tree depends on it."""
    kind = response.headers.get(b"Content-Type")
    slim = HtmlResponse(
        response.url,
        headers={} if kind is None else {b"Content-Type": kind},
        body=response.body,
        encoding=explicit_encoding(response),
    )
    return slim, record_of(response).layout, examine


# --- In the worker ---------------------------------------------------------


def prepare(setup: tuple[Any, ...]) -> Callable[[_Task], _Answer]:
    """Return the function that extracts pages in a worker."""
    return partial(_extract, extractor=make_extractor(*setup))


def make_extractor(
    algorithm: str, options: Any, extraction: Mapping[str, Any], rules: str | None
) -> Extractor:
    """Return the extractor that the settings of a crawl ask for."""
    book = RuleBook(rules) if rules else None
    return Extractor(algorithm, options, rules=book, **extraction)


def _extract(task: _Task, extractor: Extractor) -> _Answer:
    started = perf_counter()
    response, layout, examine = task
    record_of(response).layout = layout
    page = make_page(response, extractor)
    examined = attempt(examine, response, page) if examine else None
    return page, examined, perf_counter() - started
