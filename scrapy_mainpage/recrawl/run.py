"""The run of a crawl in the memory: its beginning, its items, its end and figures."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.job import job_dir

from ..compat import wait_for, wake_engine
from ..extraction.page_rules import RULE_PAGES, file_of
from ..memory import judgement
from ..redaction import redacted
from ..rules.rule_book import name_rules
from ..settings import OFF
from .marks import RunFile, compare_marks, put_marks, spoil_marks
from .middlewares import ledger_of
from .sweep import Sweep

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from ..crawl.crawl_ledger import CrawlLedger, Visit
    from ..memory import PageRow, Run

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.05


class RunExtension:
    """Begins and ends the run in the memory, and sweeps when the crawl is idle.

    First the requests that a killed process lost are sent again, then the pages of
    documents that the run has not seen. What is gone by then is deleted, or reported.
    """

    def __init__(self, crawler: Crawler, ledger: CrawlLedger):
        self.crawler, self.ledger = crawler, ledger
        self.settings = ledger.settings
        self._is_shared = ledger.crawl is not None
        folder = None if self._is_shared else job_dir(crawler.settings)
        self._file = RunFile(folder)
        number, was_broken = self._file.read()
        self._sweep = Sweep(crawler, ledger, was_broken=was_broken)
        self._is_busy = self._is_done = self._follows = False
        self._begin(number)
        if was_broken:
            self._restore(number)
        connect = crawler.signals.connect
        connect(self.item_scraped, signals.item_scraped)
        connect(self.item_dropped, signals.item_dropped)
        connect(self.item_error, signals.item_error)
        connect(self.spider_error, signals.spider_error)
        connect(self.spider_idle, signals.spider_idle)
        connect(self.spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl with a memory."""
        return cls(crawler, ledger_of(crawler))

    # --- The beginning ----------------------------------------------------------------

    def _begin(self, number: int | None) -> None:
        store, ledger = self.ledger.store, self.ledger
        known = {run.id: run for run in store.runs(ledger.scope)}
        ledger.run = known.get(number or 0) or store.begin_run(
            ledger.scope, ledger.crawl
        )
        ledger.run.ended = None
        self._file.write(ledger.run.id, is_open=True)
        # Several workers of a shared crawl may begin at once.
        with store.connection.exclusive():
            marks = compare_marks(store, ledger.scope, self.settings.index)
            if not self._is_shared or ledger.run.id not in known:
                put_marks(store, ledger.scope, marks.agreeing)
        ledger.is_trusted = not marks.foreign
        self._sweep.foreign = marks.filled
        size = store.size(ledger.scope)
        line = "State: run %d of %s, %d addresses are known"
        self._log(logging.INFO, line, ledger.run.id, ledger.scope_name, size)
        feeds = self.crawler.settings.getdict("FEEDS").items()
        replaced = [redacted(str(to)) for to, feed in feeds if feed.get("overwrite")]
        if replaced and size:
            line = "Replaced by feeds without the pages that have not changed: %s"
            self._log(logging.WARNING, line, ", ".join(replaced))

    def _restore(self, number: int | None) -> None:
        """Replace the queue of a killed process by what the memory knows of it."""
        self._file.remove_queue()
        self.crawler.stats.inc_value("mainpage/state/queue_broken")
        line = "The crawl was killed, and its queue in JOBDIR is broken: "
        if self.ledger.run.id == number:
            line += "the requests that it had are restored from %s"
        else:
            line += "requests are lost, as %s does not know it"
        self._log(logging.WARNING, line, self.ledger.store.shown)

    # --- Items ------------------------------------------------------------------------

    def item_scraped(self, response: Response | None) -> None:
        """Note that an item has left the pipelines."""
        self._item_left(self._visit(response))

    def item_dropped(self, response: Response | None, exception: Exception) -> None:
        """Note why a page gives no document."""
        visit = self._visit(response)
        if visit is not None:
            named = (getattr(exception, name, None) for name in ("reason", "kind"))
            reason = next(filter(None, named), type(exception).__name__)
            visit.reason = str(reason)
            visit.canonical = getattr(exception, "url", None) or visit.canonical
        self._item_left(visit)

    def item_error(self, response: Response | None) -> None:
        """Note that a page could not be judged: a pipeline failed."""
        visit = self._visit(response)
        if visit is not None:
            visit.failed = visit.failed or "pipeline"
        self._item_left(visit)

    def spider_error(self, response: Response | None) -> None:
        """Note that a page could not be judged: its callback failed."""
        visit = self._visit(response)
        if visit is not None and visit.failed is None:
            visit.failed, visit.has_ended = "callback", True
            self.ledger.finish_if_done(visit)

    def _visit(self, response: Response | None) -> Visit | None:
        if isinstance(response, Response):
            return self.ledger.visits.get(response)
        return None

    def _item_left(self, visit: Visit | None) -> None:
        if visit is not None:
            visit.items -= 1
            self.ledger.finish_if_done(visit)

    # --- The end ----------------------------------------------------------------------

    def spider_idle(self) -> None:
        """Send what is missing again, then sweep; only then the crawl may end."""
        if self._is_done:
            return
        if not self._is_busy:
            self._is_busy = True
            deferred_from_coro(self._go_on())
        raise DontCloseSpider

    async def _go_on(self) -> None:
        try:
            await self._settle_index()
            if self._is_shared and not await self._leads():
                return
            rows = self._sweep.missing()
            self._forget_originals(rows)
            for row in rows:
                request = self._sweep.ask_again(row)
                if request is not None and self.crawler.engine is not None:
                    self.crawler.engine.crawl(request)
            if not rows:
                await self._sweep.sweep()
                await self._settle_index()
                self._is_done = True
        # The boundary of the crawl: a memory that fails must not keep it open.
        except Exception:
            self._is_done = True
            self._sweep.refusals.add(judgement.NOT_FINISHED)
            logger.exception("The sweep failed", extra=self._extra)
        finally:
            self._is_busy = False
            wake_engine(self.crawler)

    async def _leads(self) -> bool:
        """Whether this worker has to sweep, and all others have left.

        Those that do not sweep leave, when all that they know is in the memory.
        """
        scope, store = self.ledger.scope, self.ledger.store
        self._sweep.note_own_refusals()
        store.sync()
        self._follows = self._is_done = not store.leads(scope)
        if not self._follows and not store.is_alone(scope):
            await _sleep(POLL_SECONDS)
            return False
        self._sweep.share_refusals(is_leader=not self._follows)
        return not self._follows

    async def _settle_index(self) -> None:
        """Wait until what was accepted is in the indexes, or in the dead letters."""
        pipeline = self._sweep.index
        while pipeline is not None and pipeline.pending:
            await _sleep(POLL_SECONDS)

    def _forget_originals(self, rows: list[PageRow]) -> None:
        """Forget the texts of pages that are gone: their copies now stand for them."""
        from ..pipelines.duplicates import DuplicatesPipeline

        pipeline = self.crawler.get_item_pipeline(DuplicatesPipeline)
        for row in rows:
            if pipeline is not None and row.id in self.ledger.settled and row.canonical:
                other = self.ledger.known(row.canonical)
                if other is None or other.document_run != self.ledger.run.id:
                    pipeline.forget(row.canonical)

    def spider_closed(self, spider: Spider, reason: str) -> None:
        """End the run, count it and compare it with the one before."""
        ledger, store = self.ledger, self.ledger.store
        try:
            if self._sweep.index is not None:
                ledger.unwritten(self._sweep.index.failed_urls)
            # Without the one that sweeps the run goes on: others have the requests.
            if self._is_shared and (self._follows or not self._is_done):
                store.sync()
            else:
                self._end(reason)
        except Exception:  # it must not hinder the other components
            logger.exception("The run is not in the state", extra=self._extra)
            spoil_marks(store, ledger.scope, self.settings.index)

    def _end(self, reason: str) -> None:
        ledger, store, run = self.ledger, self.ledger.store, self.ledger.run
        is_finished = self._is_done and reason == "finished"
        if not self._is_done and self.settings.sweep != OFF:
            self._sweep.refusals = {judgement.NOT_FINISHED}
            self._sweep.refuse()
        run.ended, run.reason = time.time(), reason
        run.complete = is_finished and not self._sweep.refusals
        run.counts = judgement.count_run(store, ledger.scope, run.id)
        run.counts |= {"sweep": self._sweep.counts, "rules": self._rule_pages}
        self._publish(run)
        store.put_run(run)
        # After a crawl that wrote all pages again, documents that did not come are
        # written as soon as they do.
        if not ledger.is_trusted and is_finished:
            missing = "content_hash IS NOT NULL AND coalesce(document_run, 0) <> :run"
            values = {"scope": ledger.scope, "run": run.id}
            rows = store.select(f"scope = :scope AND {missing}", **values)
            ledger.unwritten({row.url for row in rows})
        if ledger.is_trusted or is_finished:
            put_marks(store, ledger.scope, self.settings.index)
        if reason == "finished":
            self._file.remove()
        else:
            self._file.write(run.id, is_open=False)

    def _publish(self, run: Run) -> None:
        stats = self.crawler.stats
        for outcome, number in run.counts["outcomes"].items():
            stats.set_value(f"mainpage/state/{outcome}", number)
        runs = self.ledger.store.runs(self.ledger.scope, 20)
        before = [each for each in runs if each.id < run.id and each.complete]
        if not before or run.reason != "finished":
            return
        for drift in judgement.compare(run.counts, before[0].counts):
            stats.set_value(f"mainpage/state/drift/{drift.name}", drift.now)
            self._log(logging.WARNING, "Unlike the last complete crawl: %s", drift)

    @property
    def _rule_pages(self) -> dict[str, int]:
        """The pages of each file of rules, and of each selector that it has now."""
        stats = self.crawler.stats.get_stats().items()
        found = {key.partition(RULE_PAGES)[2]: number for key, number in stats}
        found.pop("", None)
        files = {file_of(name) for name in found}
        return dict.fromkeys(name_rules(self.settings.rules or "", files), 0) | found

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra=self._extra)

    @property
    def _extra(self) -> dict[str, Any]:
        return {"spider": self.crawler.spider}


async def _sleep(seconds: float) -> None:
    future: Future[None] = Future()
    call_later(seconds, future.set_result, None)
    await wait_for(future)
