"""The extraction of large pages outside of the crawl's event loop."""

from __future__ import annotations

import logging
import pickle
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

from scrapy import signals
from scrapy.http import HtmlResponse

from ..processes.errors import PageFailed, ProcessError, WorkerNotStarted
from ..processes.pool import Pool
from ..processes.tasks import Failure, Setup, Task
from ..settings import SettingsError
from ..startup import refuse
from .futures import ended
from .pages import is_blank, known_layout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeGuard

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ..page import Page
    from ..processes.tasks import Answer
    from ..rendering.detection.need import Judgement
    from ..settings import Settings

logger = logging.getLogger(__name__)

_off_loops: WeakKeyDictionary[Crawler, OffLoop] = WeakKeyDictionary()


def off_loop_of(crawler: Crawler, settings: Settings) -> OffLoop | None:
    """Return what extracts the crawl's large pages, one for all of its components.

    ``None`` if there are to be no other processes.
    """
    if not settings.processes:
        return None
    if crawler not in _off_loops:
        _off_loops[crawler] = OffLoop(crawler, settings)
    return _off_loops[crawler]


def _setup(crawler: Crawler, settings: Settings) -> Setup:
    options = settings.options
    try:
        pickle.dumps(options)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        problem = f"{error}; allowed with MAINPAGE_PROCESSES: what can be pickled"
        refuse(crawler, SettingsError("MAINPAGE_ALGORITHM_OPTIONS", options, problem))
    return Setup(
        settings.algorithm,
        options,
        settings.structured_data,
        settings.processes_timeout,
        _attributes(settings.item_fields.values()),
        settings.limits,
    )


def _attributes(wanted: Iterable[str]) -> tuple[str, ...]:
    """Attributes that items are filled with, so that the loop need not make them.

    Only texts: what has many parts is as quickly made as it is received.
    """
    names = {name.split(".")[0] for name in wanted}
    if names & {"title", "language"}:
        names.add("metadata")
    return tuple(sorted(names & {"comments", "html", "markdown", "metadata"}))


class OffLoop:
    """Has the large pages of a crawl extracted in other processes.

    Pages that were, and the seconds that it took there, are counted in
    ``mainpage/processes/extracted`` and ``mainpage/processes/time``; processes in
    ``mainpage/processes/started`` and ``mainpage/processes/died``.
    """

    def __init__(self, crawler: Crawler, settings: Settings):
        self._crawler = ref(crawler)  # which owns this
        self._least = settings.processes_min_size
        self._pool = Pool(settings.processes, _setup(crawler, settings))
        self._has_given_up = False
        self._failed: WeakKeyDictionary[Response, ProcessError] = WeakKeyDictionary()
        crawler.signals.connect(self._close, signals.spider_closed)

    def takes(self, response: Response) -> TypeGuard[HtmlResponse]:
        """Whether the response is one to be extracted in another process."""
        return (
            # Other classes may find out in their own ways what their text is.
            type(response) is HtmlResponse
            and len(response.body) >= self._least
            and not is_blank(response.body)
            and not self._has_given_up
        )

    async def page(self, response: HtmlResponse) -> Page:
        """Return the page of a response, made elsewhere.

        Raises :exc:`.processes.errors.ProcessError`; where that is
        :exc:`.processes.errors.WorkerNotStarted`, no response is taken any more.
        """
        return (await self._answered(response, judging=False))[0]

    async def judged(
        self, response: HtmlResponse
    ) -> tuple[Page, Judgement | Failure | None]:
        """Return the page of a static response, and whether it needs a browser.

        Raises as :meth:`page` does. A failure is that of the judgement.
        """
        page, answer = await self._answered(response, judging=True)
        return page, answer.judgement

    async def _answered(
        self, response: HtmlResponse, *, judging: bool
    ) -> tuple[Page, Answer]:
        # What killed two processes, or took so long, is not tried once more.
        if response in self._failed:
            raise self._failed[response]
        task = Task.of(response, known_layout(response), judging=judging)
        try:
            outcome = await ended(self._pool.submit(task))
            page, answer = outcome.answer.page, outcome.answer
            if isinstance(page, Failure):
                raise PageFailed(page.name, page.details)
        except WorkerNotStarted as error:
            self._give_up(error)
            raise
        except ProcessError as error:
            self._failed[response] = error
            raise
        finally:
            self._count_workers()
        for death in outcome.deaths:
            logger.warning(
                "Extracted by another process as one died (%(death)s): %(url)s",
                {"death": death, "url": response.url},
                extra=self._extra,
            )
        vars(page).update(answer.made)
        self._count("extracted")
        self._count("time", answer.seconds)
        return page, answer

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
