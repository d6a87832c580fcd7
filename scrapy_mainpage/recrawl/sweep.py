"""The run of a crawl with a ledger: beginning, sweep at the end, figures."""

from __future__ import annotations

import logging
import time
from collections import Counter
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.job import job_dir

from ..compat import wait_for, wake_engine
from ..crawl.crawl_ledger import STATE_KEY, CrawlLedger
from ..extraction.page_rules import RULE_PAGES, file_of
from ..indexes import IndexFailure, IndexUnavailable
from ..indexes.documents import storable_text
from ..memory import Run, judgement
from ..memory.comparison import compare, count_run
from ..pipelines.index import IndexPipeline
from ..redaction import redacted
from ..rules.rule_book import name_rules
from ..settings import DELETE, OFF
from .agreement import TRIES, compare_marks, put_marks, spoil_marks, urls_of
from .middlewares import ledger_of
from .run_file import RunFile
from .stored_requests import load_request, request_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from ..memory import PageRow
    from ..memory.judgement import Verdict

logger = logging.getLogger(__name__)

POLL_SECONDS: Final = 0.05
MAX_LISTED: Final = 5


class RunExtension:
    """Begins and ends the run in the ledger, and sweeps when the crawl is idle.

    First the requests that a killed process lost are sent again, then the pages of
    documents that the run has not seen. What is gone by then is deleted, or reported.
    """

    def __init__(self, crawler: Crawler, ledger: CrawlLedger):
        self.crawler, self.ledger = crawler, ledger
        self.settings = ledger.settings
        self._is_shared = ledger.crawl is not None
        folder = None if self._is_shared else job_dir(crawler.settings)
        self._file = RunFile(folder)
        self._was_broken = self._is_busy = self._is_done = self._follows = False
        self._foreign: list[str] = []
        self._asked_again: set[int] = set()
        self._refusals: set[str] = set()
        self._swept: dict[str, Any] = {}
        connect = crawler.signals.connect
        connect(self.item_scraped, signals.item_scraped)
        connect(self.item_dropped, signals.item_dropped)
        connect(self.item_error, signals.item_error)
        connect(self.spider_error, signals.spider_error)
        connect(self.spider_idle, signals.spider_idle)
        connect(self.spider_closed, signals.spider_closed)
        self._begin()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Make the extension of a crawl with a ledger."""
        return cls(crawler, ledger_of(crawler))

    # --- The beginning ----------------------------------------------------------------

    def _begin(self) -> None:
        store, ledger = self.ledger.store, self.ledger
        number, self._was_broken = self._file.read()
        runs = store.runs(ledger.scope)
        open_run = next((run for run in runs if run.id == number), None)
        ledger.run = open_run or store.begin_run(ledger.scope, ledger.crawl)
        is_joined = any(run.id == ledger.run.id for run in runs)
        ledger.run.ended = None
        self._file.write(ledger.run.id, is_open=True)
        tries = TRIES if self._is_shared else 1
        indexes = self.settings.index
        marks = compare_marks(store, ledger.scope, indexes, tries=tries)
        ledger.is_trusted = not marks.foreign
        self._foreign = marks.filled
        if not self._is_shared or not is_joined:
            put_marks(store, ledger.scope, marks.agreeing)
        values = ledger.run.id, ledger.scope_name, store.size(ledger.scope)
        line = "State: run %d of %s, %d addresses are known"
        self._log(logging.INFO, line, *values)
        feeds = self.crawler.settings.getdict("FEEDS").items()
        replaced = [redacted(str(to)) for to, feed in feeds if feed.get("overwrite")]
        if replaced and store.size(ledger.scope):
            line = "Replaced by feeds without the pages that have not changed: %s"
            self._log(logging.WARNING, line, ", ".join(replaced))
        if self._was_broken:
            self._file.remove_queue()
            self._count("state/queue_broken")
            line = "The crawl was killed, and its queue in JOBDIR is broken: "
            if open_run is None:
                line += "requests are lost, as %s does not know it"
            else:
                line += "the requests that it had are restored from %s"
            self._log(logging.WARNING, line, store.shown)

    # --- Items ------------------------------------------------------------------------

    def item_scraped(self, response: Response | None) -> None:
        """Note that an item has left the pipelines."""
        self._item_left(response)

    def item_dropped(self, response: Response | None, exception: Exception) -> None:
        """Note why a page gives no document."""
        reason = getattr(exception, "reason", None) or getattr(exception, "kind", None)
        visit = self.ledger.visits.get(response) if response is not None else None
        if visit is not None:
            visit.reason = str(reason or type(exception).__name__)
            visit.canonical = getattr(exception, "url", None) or visit.canonical
        self._item_left(response)

    def item_error(self, response: Response | None) -> None:
        """Note that a page could not be judged: a pipeline failed."""
        self._item_left(response, failed="pipeline")

    def spider_error(self, response: Response | None) -> None:
        """Note that a page could not be judged: its callback failed."""
        if isinstance(response, Response):
            visit = self.ledger.visits.get(response)
            if visit is not None and visit.failed is None:
                visit.failed, visit.has_ended = "callback", True
                self.ledger.finish_if_done(visit)

    def _item_left(self, response: Response | None, failed: str | None = None) -> None:
        visit = self.ledger.visits.get(response) if response is not None else None
        if visit is not None:
            visit.items -= 1
            visit.failed = visit.failed or failed
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
            rows = [*self._missing()]
            self._forget_originals(rows)
            for row in rows:
                self._ask_again(row)
            if not rows:
                await self._sweep()
                self._is_done = True
        # The boundary of the crawl: a ledger that fails must not keep it open.
        except Exception:
            self._is_done = True
            self._refusals.add(judgement.NOT_FINISHED)
            logger.exception("The sweep failed", extra=self._extra)
        finally:
            self._is_busy = False
            wake_engine(self.crawler)

    async def _leads(self) -> bool:
        """Whether this worker has to sweep, and all others have left.

        Those that do not sweep leave, when all that they know is in the ledger.
        """
        ledger, store = self.ledger, self.ledger.store
        self._note_own_refusals()
        store.sync()
        self._follows = self._is_done = not store.leads(ledger.scope)
        if not self._follows and not store.is_alone(ledger.scope):
            await _sleep(POLL_SECONDS)
            return False
        for reason in judgement.REFUSALS:
            name = f"refused {ledger.run.id} {reason}"
            if self._follows and reason in self._refusals:
                store.put_fact(name, "yes")
            elif store.fact(name):
                self._refusals.add(reason)
        return not self._follows

    async def _settle_index(self) -> None:
        """Wait until what was accepted is in the indexes, or in the dead letters."""
        pipeline = self._index
        while pipeline is not None and pipeline.pending:
            pipeline.flush()
            await _sleep(POLL_SECONDS)

    def _missing(self) -> Iterable[PageRow]:
        """Return pages that are to be asked for again, each once in a crawl."""
        store, ledger = self.ledger.store, self.ledger
        found: list[PageRow] = []
        if self._was_broken or self._is_shared:  # a worker may have been killed
            lost = "requested_run = :run AND coalesce(last_seen_run, 0) <> :run"
            lost = f"scope = :scope AND {lost}"
            found += store.select(lost, scope=ledger.scope, run=ledger.run.id)
        if self.settings.sweep != OFF:
            for url in self._foreign:
                self._adopt(url)
            self._foreign = []
            if not self._find_refusals():
                found += store.to_check_again(ledger.scope, ledger.run.id)
        rows = {row.id: row for row in found if row.id not in self._asked_again}
        # Also those that have just been asked for, and stepped back then.
        for row in ledger.stepped_back():
            ledger.settled.add(row.id)
            ledger.fetch_whole(row)
            rows[row.id] = row
        return rows.values()

    def _forget_originals(self, rows: list[PageRow]) -> None:
        """Forget the texts of pages that are gone: their copies now stand for them."""
        from ..pipelines.duplicates import DuplicatesPipeline

        pipeline = self.crawler.get_item_pipeline(DuplicatesPipeline)
        for row in rows:
            if pipeline is not None and row.id in self.ledger.settled and row.canonical:
                other = self.ledger.known(row.canonical)
                if other is None or other.document_run != self.ledger.run.id:
                    pipeline.forget(row.canonical)

    def _ask_again(self, row: PageRow) -> None:
        self._asked_again.add(row.id)
        request = load_request(row, self.ledger.spider)
        if request is None:
            return
        request = request.replace(dont_filter=True)
        request.meta[STATE_KEY] = request_hash(row.request)
        if row.requested_run != self.ledger.run.id:  # no links to it: none beyond it
            request.meta["depth"] = self.crawler.settings.getint("DEPTH_LIMIT")
        self._count("state/asked_again")
        assert self.crawler.engine is not None
        self.crawler.engine.crawl(request)

    def _adopt(self, url: str) -> None:
        """Take documents of an index for the scope's that the ledger knows in no scope.

        They are on the hosts of the crawl: the ledger that wrote them was lost.
        """
        ledger = self.ledger
        came = "scope = :scope AND last_ok IS NOT NULL"
        pages = ledger.store.count("url", came, scope=ledger.scope)
        hosts = {urlsplit(url)[:2] for (url,) in pages}
        try:
            for found in urls_of(url):
                if urlsplit(found)[:2] not in hosts:
                    continue
                address = storable_text(found)
                known = ledger.store.in_all_scopes(address)
                if all(each.content_hash is None for each in known):
                    row = ledger.store.page(ledger.scope, address)
                    row.content_hash = b""
                    ledger.store.put(row)
        except (IndexUnavailable, IndexFailure, ValueError) as error:
            self._log(logging.WARNING, "The index cannot be listed: %s", error)

    def _find_refusals(self) -> set[str]:
        ledger = self.ledger
        found = judgement.find_refusals(ledger.store, ledger.scope, ledger.run.id)
        self._note_own_refusals()
        self._refusals |= found
        return self._refusals

    def _note_own_refusals(self) -> None:
        """Note what this process has met, which no row says."""
        pipeline = self._index
        if any(self.ledger.robots_failed.values()):
            self._refusals.add(judgement.ROBOTS_FAILED)
        if self._was_broken:
            self._refusals.add(judgement.QUEUE_BROKEN)
        if pipeline is not None and pipeline.failed_urls:
            self._refusals.add(judgement.DEAD_LETTERS)

    async def _sweep(self) -> None:
        ledger = self.ledger
        if self.settings.sweep == OFF:
            return
        verdicts = judgement.judge(ledger.store, ledger.scope, ledger.run.id)
        going = [each for each in verdicts if each.gone]
        counted = ledger.store.count(
            "count(*)", "scope = :s AND content_hash IS NOT NULL", s=ledger.scope
        )
        share = self.settings.sweep_share
        if judgement.is_over_share(len(going), counted[0][0], share):
            self._refusals.add(judgement.OVER_SHARE)
        refused = self._find_refusals()
        self._note(verdicts)
        if refused:
            self._refuse(going, refused)
        elif self.settings.sweep == DELETE:
            await self._delete(going)
        else:
            self._report(going)

    def _note(self, verdicts: list[Verdict]) -> None:
        """Write the verdicts, for ``scrapy mainpage-sweep``."""
        ledger = self.ledger
        doubted = {each.document.url for each in verdicts if each.gone}
        marked = "scope = :scope AND verdict IS NOT NULL"
        for row in ledger.store.select(marked, scope=ledger.scope):
            if row.url not in doubted:
                row.verdict = None
                ledger.store.put(row)
        for each in verdicts:
            each.document.verdict = each.gone
            ledger.store.put(each.document)
            for page in ledger.store.pages([each.document.parent or 0]):
                ledger.fetch_whole(page)
        kept = Counter(each.kept for each in verdicts if each.kept)
        if unseen := ledger.store.count_unseen(ledger.scope, ledger.run.id):
            kept["unseen"] = unseen
        self._count("sweep/kept", kept.total())
        self._swept["kept"] = dict(kept)

    async def _delete(self, going: list[Verdict]) -> None:
        for each in going:
            document = each.document
            self._log(logging.DEBUG, "Deleted (%s): %s", each.gone, document.url)
            if self._index is not None:
                await self._index.delete(document.url)
            self.ledger.deleted(document.url)
        await self._settle_index()
        self._count("sweep/deleted", len(going))
        self._swept["deleted"] = reasons = dict(Counter(str(e.gone) for e in going))
        if going:
            self._log(logging.INFO, "Sweep: %d deleted: %s", len(going), reasons)

    def _report(self, going: list[Verdict]) -> None:
        self._count("sweep/would_delete", len(going))
        self._swept["would_delete"] = dict(Counter(str(e.gone) for e in going))
        if going:
            line = "Sweep: %s. To delete them: scrapy mainpage-sweep --apply, or %s"
            setting = 'MAINPAGE_SWEEP = "delete"'
            self._log(logging.WARNING, line, _summary(going), setting)

    def _refuse(self, going: list[Verdict], reasons: set[str]) -> None:
        self._swept["refused"] = sorted(reasons)
        for reason in sorted(reasons):
            self._count(f"sweep/refused/{reason}")
        why = "; ".join(judgement.REFUSALS[reason] for reason in sorted(reasons))
        line = "Sweep refused, nothing is deleted: %s%s"
        more = f". {_summary(going)}: see scrapy mainpage-sweep" if going else ""
        # Who ends a crawl knows that it is not complete.
        is_ended = reasons == {judgement.NOT_FINISHED}
        self._log(logging.WARNING if is_ended else logging.ERROR, line, why, more)

    def spider_closed(self, spider: Spider, reason: str) -> None:
        """End the run, count it and compare it with the one before."""
        ledger, store = self.ledger, self.ledger.store
        try:
            if self._index is not None:
                ledger.unwritten(self._index.failed_urls)
            # Without the one that sweeps the run goes on: others have the requests.
            if self._is_shared and (self._follows or not self._is_done):
                store.sync()
                return
            run = ledger.run
            run.ended, run.reason = time.time(), reason
            if not self._is_done and self.settings.sweep != OFF:
                self._refusals.add(judgement.NOT_FINISHED)
                self._refuse([], {judgement.NOT_FINISHED})
            run.complete = self._is_done and reason == "finished" and not self._refusals
            run.counts = count_run(store, ledger.scope, run.id) | {"sweep": self._swept}
            run.counts["rules"] = self._rule_pages
            self._publish(run)
            store.put_run(run)
            self._put_marks(reason)
            if reason == "finished":
                self._file.remove()
            else:
                self._file.write(run.id, is_open=False)
        except Exception:  # it must not hinder the other components
            logger.exception("The run is not in the state", extra=self._extra)
            spoil_marks(store, ledger.scope, self.settings.index)

    def _put_marks(self, reason: str) -> None:
        """Say that the indexes have what the ledger says, if it is so.

        After a crawl that wrote all pages again, documents that did not come are
        written as soon as they do.
        """
        ledger = self.ledger
        if not ledger.is_trusted:
            if reason != "finished" or not self._is_done:
                return
            missing = "content_hash IS NOT NULL AND coalesce(document_run, 0) <> :run"
            values = {"scope": ledger.scope, "run": ledger.run.id}
            rows = ledger.store.select(f"scope = :scope AND {missing}", **values)
            ledger.unwritten({row.url for row in rows})
        put_marks(ledger.store, ledger.scope, self.settings.index)

    def _publish(self, run: Run) -> None:
        for outcome, number in run.counts["outcomes"].items():
            self.crawler.stats.set_value(f"mainpage/state/{outcome}", number)
        runs = self.ledger.store.runs(self.ledger.scope, 20)
        before = next(
            (each for each in runs if each.id < run.id and each.complete), None
        )
        if before is None or run.reason != "finished":
            return
        for drift in compare(run.counts, before.counts):
            self.crawler.stats.set_value(
                f"mainpage/state/drift/{drift.name}", drift.now
            )
            line = "Unlike the last complete crawl: %s"
            self._log(logging.WARNING, line, drift)

    @property
    def _rule_pages(self) -> dict[str, int]:
        """The pages of each file of rules, and of each selector that it has now."""
        stats = self.crawler.stats.get_stats().items()
        found = {key.partition(RULE_PAGES)[2]: number for key, number in stats}
        found.pop("", None)
        files = {file_of(name) for name in found}
        return dict.fromkeys(name_rules(self.settings.rules or "", files), 0) | found

    @property
    def _index(self) -> IndexPipeline | None:
        return self.crawler.get_item_pipeline(IndexPipeline)

    def _count(self, name: str, number: int = 1) -> None:
        if number:
            self.crawler.stats.inc_value(f"mainpage/{name}", number)

    def _log(self, level: int, message: str, *args: object) -> None:
        logger.log(level, message, *args, extra=self._extra)

    @property
    def _extra(self) -> dict[str, Any]:
        return {"spider": self.crawler.spider}


def _summary(going: list[Verdict]) -> str:
    reasons = judgement.count_reasons(str(each.gone) for each in going)
    shown = ", ".join(each.document.url for each in going[:MAX_LISTED])
    more = ", ..." if len(going) > MAX_LISTED else ""
    return f"{len(going)} documents would go ({reasons}): {shown}{more}"


async def _sleep(seconds: float) -> None:
    future: Future[None] = Future()
    call_later(seconds, future.set_result, None)
    await wait_for(future)
