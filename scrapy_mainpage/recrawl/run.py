"""The run of a crawl in the memory: its beginning, its items, its end and figures."""

from __future__ import annotations

import json
import logging
import time
from concurrent.futures import Future
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Final

from scrapy import signals
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.job import job_dir

from ..compat import wait_for, wake_engine
from ..crawl.completeness import ROBOTS, Completeness
from ..crawl.crawl_scope import STATE_KEY
from ..crawl.crawl_state import Component
from ..memory import judgement
from ..redaction import error_line, redacted
from ..settings import OFF
from .middlewares import ledger_of
from .sweep import Sweep, find_foreign, put_marks

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler

    from ..crawl.ledger import Visit
    from ..memory.tables import PageRow, Run

POLL_SECONDS: Final = 0.05

#: Seconds after which a run that was stopped may begin anew.
MIN_PAUSE: Final = 60.0

#: In ``JOBDIR``: the run that it belongs to.
FILE: Final = Path("mainpage", "run.json")


class RunExtension(Component):
    """Begins and ends the run in the memory, and sweeps when the crawl is idle.

    First the requests that a killed process lost are sent again, then the pages of
    documents that the run has not seen. What is gone by then is deleted, or reported.
    """

    stats_prefix = "mainpage/state"

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        self.ledger = ledger = ledger_of(crawler)
        self._completeness = self.state.keep(Completeness)
        self._completeness.on_failure.append(self.request_failed)
        self._is_shared = ledger.crawl is not None
        self._indexes = () if ledger.is_of_job else self.settings.index
        folder = None if self._is_shared else job_dir(crawler.settings)
        self._file = RunFile(folder)
        number, was_broken = self._file.read()
        self._sweep = Sweep(crawler, ledger, was_broken=was_broken)
        self._is_busy = self._is_done = self._follows = False
        self._begin(number)
        if was_broken:
            self._restore()
        connect = crawler.signals.connect
        for left in (signals.item_scraped, signals.item_dropped, signals.item_error):
            connect(self.item_left, left)
        connect(self.spider_error, signals.spider_error)
        connect(self.spider_idle, signals.spider_idle)
        connect(self.spider_closed, signals.spider_closed)
        connect(self._file.remove, signals.engine_stopped)

    # --- The beginning ----------------------------------------------------------------

    def _begin(self, number: int | None) -> None:
        store, ledger = self.ledger.store, self.ledger
        known = {run.id: run for run in store.runs(ledger.scope)}
        last = next(iter(known.values()), None)
        is_job = self._file.path or self._is_shared
        if last is not None and not is_job and self._may_go_on(last):
            number, ledger.resumed = last.id, time.time()
            self.log(logging.INFO, "The run that was stopped goes on")
        ledger.run = known.get(number or 0) or store.begin_run(
            ledger.scope, ledger.crawl
        )
        ledger.run.ended = None
        self._file.write(ledger.run.id, is_open=True)
        # Several workers of a shared crawl may begin at once.
        with store.connection.exclusive():
            foreign = find_foreign(store, ledger.scope, self._indexes)
            is_empty = not store.count("1", "content_hash IS NOT NULL LIMIT 1")
            agreeing = set(self._indexes).difference(() if is_empty else foreign)
            if not self._is_shared or ledger.run.id not in known:
                put_marks(store, ledger.scope, agreeing)
        ledger.is_trusted = is_empty or not foreign
        self._sweep.foreign = foreign
        size = store.size(ledger.scope)
        line = "State: run %d of %s, %d addresses are known"
        self.log(logging.INFO, line, ledger.run.id, ledger.scope_name, size)
        name, config = f"config {ledger.scope}", ledger.config.hex()
        if store.fact(name) not in (None, config):
            line = "Settings of documents have changed: all %d are made anew"
            self.log(logging.INFO, line, store.count_documents(ledger.scope))
        store.put_fact(name, config)
        feeds = self.crawler.settings.getdict("FEEDS").items()
        replaced = [
            redacted(str(to))
            for to, feed in feeds
            if feed.get("overwrite")
            and not feed.get("item_export_kwargs", {}).get("changes")
        ]
        if replaced and size:
            line = "Replaced by feeds without the pages that have not changed: %s"
            self.log(logging.WARNING, line, ", ".join(replaced))

    def _may_go_on(self, last: Run) -> bool:
        """Whether the last run was stopped, less long ago than it takes to do again.

        Or just now.
        """
        seen = "scope = :scope AND last_seen_run = :run"
        values = {"scope": last.scope, "run": last.id}
        ((until,),) = self.ledger.store.count("max(last_ok)", seen, **values)
        if last.reason not in (None, "shutdown") or until is None:
            return False
        return bool(0 <= time.time() - until < max(until - last.started, MIN_PAUSE))

    def _restore(self) -> None:
        """Replace the queue of a killed process by what the memory knows of it."""
        self._file.remove_queue()
        self.count("queue_broken")
        line = "The crawl was killed, and its queue in JOBDIR is broken: the requests "
        line += "that it had are restored from %s, as far as that knows them"
        self.log(logging.WARNING, line, self.ledger.store.shown)

    # --- Items ------------------------------------------------------------------------

    def item_left(
        self,
        response: Response | None,
        exception: Exception | None = None,
        failure: object = None,
    ) -> None:
        """Note that an item has left the pipelines, and why it gives no document."""
        visit = self._visit(response)
        if response is None or visit is None:
            return
        if failure is not None:
            visit.failed = visit.failed or "pipeline"
        elif exception is not None:
            named = (getattr(exception, name, None) for name in ("reason", "kind"))
            reason = next(filter(None, named), type(exception).__name__)
            visit.reason = str(reason)
            visit.canonical = getattr(exception, "url", None) or visit.canonical
        visit.items -= 1
        self.ledger.finish_if_done(visit, response)

    def request_failed(self, request: Request, reason: str) -> None:
        """Note a request for which nothing came, when retries are over."""
        ledger = self.ledger
        if STATE_KEY not in request.meta or not ledger.is_tracked(request):
            return
        row = ledger.row(request)
        if reason != ROBOTS or row.last_ok is not None:
            ledger.failed(row, reason)

    def spider_error(self, response: Response | None) -> None:
        """Note that a page could not be judged: its callback failed."""
        visit = self._visit(response)
        if response is not None and visit is not None and visit.failed is None:
            visit.failed, visit.has_ended = "callback", True
            self.ledger.finish_if_done(visit, response)

    def _visit(self, response: Response | None) -> Visit | None:
        if isinstance(response, Response):
            return self.ledger.visits.get(response)
        return None

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
        except Exception as error:  # noqa: BLE001
            self._is_done = True
            self._sweep.refusals.add(judgement.NOT_FINISHED)
            self._fail("The sweep failed", error)
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
        self._follows = self._is_done = not store.connection.leads(scope)
        if not self._follows and not store.connection.is_alone(scope):
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
        """End the run, and count it."""
        ledger, store = self.ledger, self.ledger.store
        try:
            if self._sweep.index is not None:
                ledger.unwritten(self._sweep.index.failed_urls)
            # Without the one that sweeps the run goes on: others have the requests.
            if self._is_shared and (self._follows or not self._is_done):
                store.sync()
            else:
                self._end(reason)
        except Exception as error:  # noqa: BLE001 - it must not hinder others
            self._fail("The run is not in the state", error)
            put_marks(store, ledger.scope, self._indexes, is_known=False)

    def _fail(self, what: str, error: Exception) -> None:
        """Log what failed: on one line if it is the memory."""
        store, line = self.ledger.store, f"{what}: %s: %s"
        is_odd, shown = not isinstance(error, store.errors), error_line(error)
        self.log(logging.ERROR, line, store.shown, shown, exc_info=is_odd)

    def _end(self, reason: str) -> None:
        ledger, store, run = self.ledger, self.ledger.store, self.ledger.run
        is_finished = self._is_done and reason == "finished"
        if not self._is_done and self.settings.sweep != OFF:
            self._sweep.refusals = {judgement.NOT_FINISHED}
            self._sweep.refuse()
        run.ended, run.reason = time.time(), reason
        run.counts = judgement.count_run(store, ledger.scope, run.id)
        run.counts["sweep"] = self._sweep.counts
        run.complete = is_finished and not self._sweep.refusals
        if run.complete and self._completeness.missing:
            run.complete = False
            run.counts["missing"] = self._completeness.missing
        for outcome, number in run.counts["outcomes"].items():
            self.crawler.stats.set_value(f"mainpage/state/{outcome}", number)
        store.put_run(run)
        # After a crawl that wrote all pages again, documents that did not come are
        # written as soon as they do.
        if not ledger.is_trusted and is_finished:
            missing = "content_hash IS NOT NULL AND coalesce(document_run, 0) <> :run"
            values = {"scope": ledger.scope, "run": run.id}
            rows = store.select(f"scope = :scope AND {missing}", **values)
            ledger.unwritten({row.url for row in rows})
        if ledger.is_trusted or is_finished:
            put_marks(store, ledger.scope, self._indexes)
        self._file.is_finished = reason == "finished"
        self._file.write(run.id, is_open=False)


async def _sleep(seconds: float) -> None:
    future: Future[None] = Future()
    call_later(seconds, future.set_result, None)
    await wait_for(future)


class RunFile:
    """The run that a ``JOBDIR`` belongs to; without a folder there is none."""

    def __init__(self, folder: str | None):
        self.path = Path(folder, FILE) if folder else None
        self.is_finished = False

    def read(self) -> tuple[int | None, bool]:
        """Return the run that was not finished, and whether its process was killed."""
        try:
            data = json.loads(self.path.read_text("utf-8")) if self.path else {}
            return data.get("run"), bool(data.get("open"))
        except (OSError, ValueError, AttributeError):
            return None, False

    def write(self, run: int, *, is_open: bool) -> None:
        """Note the run, and whether it is going on."""
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps({"run": run, "open": is_open}), "utf-8")

    def remove(self) -> None:
        """Forget a run that is finished, and the memory of the job."""
        if self.path is not None and self.is_finished:
            rmtree(self.path.parent, ignore_errors=True)

    def remove_queue(self) -> None:
        """Remove the queue of a killed process before the scheduler opens it.

        Its files were not closed: the first request put into one of them would fail,
        and end the crawl.
        """
        if self.path is not None:
            rmtree(self.path.parents[1] / "requests.queue", ignore_errors=True)
