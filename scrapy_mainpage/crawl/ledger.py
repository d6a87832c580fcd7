"""The pages of a crawl's scope in its memory, what happened to them, which give way."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from scrapy import Request, signals

from ..addresses import is_of
from ..indexes.documents import storable_text
from ..memory import open_memory, tables
from ..memory.tables import FAILED, GONE, REDIRECTED, MemoryUnavailable
from ..redaction import redacted
from ..settings import SettingsError, read_settings, refuse
from .crawl_scope import STATE_KEY, address_of, config_hash, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..memory.tables import PageRow, Run

#: Pages that gave way, each to the next: a site may have any number.
MAX_CHAIN: Final = 100

#: Parts of a stored request of which a site sees nothing.
_UNSENT: Final = ("callback", "errback", "cb_kwargs", "meta")


@dataclass(eq=False)
class Visit:
    """A response on its way through the spider and the pipelines.

    ``found`` are the addresses that it led to. ``written`` and ``confirmed`` count its
    documents, ``reason`` says why an item gave none. ``failed`` is the reason why the
    page cannot be judged. With ``repeats`` it can be asked for conditionally, under
    the same ``config``.
    """

    # Visits are kept as long as their responses, which they must not keep themselves.
    row: PageRow
    request: Request
    found: list[PageRow] = field(default_factory=list)
    written: int = 0
    confirmed: int = 0
    is_new: bool = False
    reason: str | None = None
    canonical: str | None = None
    failed: str | None = None
    doubt: str | None = None
    repeats: bool = True
    config: bytes | None = None
    items: int = 0
    has_ended: bool = False


class Ledger:
    """The pages of a crawl's scope, its run, and outcomes without a page.

    With ``is_trusted`` the ledger and every index agree: documents it knows are there.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = read_settings(crawler)
        spider = crawler.spider
        assert settings.state is not None
        assert spider is not None
        self.settings = settings
        self.stats = crawler.stats
        self.spider: Spider = spider
        #: Whether the memory is that of a job, which ends with it.
        self.is_of_job = not crawler.settings.get("MAINPAGE_STATE")
        self.scope_name = spider.name if self.is_of_job else scope_of(spider)
        self.config = config_hash(settings, crawler)
        self._max_redirects = crawler.settings.getint("REDIRECT_MAX_TIMES")
        #: The queue that the workers of a shared crawl have in common.
        self.crawl = redacted(settings.shared) if settings.shared else None
        try:
            if self.is_of_job:
                Path(settings.state).parent.mkdir(parents=True, exist_ok=True)
            self.store = open_memory(settings.state)
            self._lock_scope()
        except (MemoryUnavailable, OSError) as error:
            self.refuse(crawler, error)
        crawler.signals.connect(self.close, signals.engine_stopped)
        self.run: Run
        #: When this process has taken up a run that was stopped.
        self.resumed = 0.0
        self.is_trusted = True
        self.robots_failed: dict[str, bool] = {}  # by address
        self.settled: set[int] = set()  # pages that need not wait for another one
        #: Pages of which another request, the one of their row, would not be filtered.
        self.unfiltered: set[int] = set()
        self.redated: set[int] = set()  # pages with another date in a sitemap
        self.visits: WeakKeyDictionary[Response, Visit] = WeakKeyDictionary()
        #: Of bodies as they were sent; the spider gets them decompressed.
        self.body_hashes: WeakKeyDictionary[Request, bytes] = WeakKeyDictionary()
        self._domains = [*map(str, getattr(spider, "allowed_domains", None) or ())]

    def refuse(self, crawler: Crawler, error: Exception) -> NoReturn:
        """End the start of the crawl with one line: its memory cannot be used."""
        shown = redacted(str(self.settings.state))
        refuse(crawler, SettingsError("MAINPAGE_STATE", shown, str(error)))

    def _lock_scope(self) -> None:
        try:
            self.scope = self.store.scope(self.scope_name)
            is_locked = self.store.lock(self.scope, self.crawl)
        except self.store.errors as error:
            raise MemoryUnavailable(str(error)) from error
        if not is_locked:
            raise MemoryUnavailable(f"a crawl of {self.scope_name} is running")

    def close(self) -> None:
        """Write what is left, when all components of the crawl have closed."""
        self.store.close()

    # --- Rows -------------------------------------------------------------------------

    def is_tracked(self, request: Request) -> bool:
        """Whether the request is one of the scope."""
        if request.url.startswith("data:"):
            return False
        wanted = bool(request.dont_filter or request.meta.get("allow_offsite"))
        return wanted or not self._domains or is_of(request.url, self._domains)

    def row(self, request: Request) -> PageRow:
        """Return the row of a request's address."""
        address = address_of(request, routes=self.settings.render_hash_routes)
        return self.store.page(self.scope, address)

    def config_of(self, request: Request) -> bytes | None:
        """Return a hash of configuration and request; ``None`` for one not noted."""
        noted = request.meta.get(STATE_KEY)
        if not isinstance(noted, str):
            return None
        return blake2b(self.config + noted.encode(), digest_size=8).digest()

    def known(self, url: str) -> PageRow | None:
        """Return the row of an address, ``None`` if it is unknown."""
        return self.store.find(self.scope, storable_text(url))

    def fetch_whole(self, row: PageRow) -> None:
        """Have the next request of a page be without conditions."""
        row.config_hash = row.next_visit = None
        self.store.put(row)

    # --- Outcomes without a page ------------------------------------------------------

    def failed(self, row: PageRow, reason: str, status: int | None = None) -> None:
        """Note that a page could not be judged: it keeps its document for some runs."""
        if row.outcome == FAILED and row.last_seen_run == self.run.id:
            return
        row.failures += 1
        self._end(row, FAILED, status, reason)

    def gone(self, row: PageRow, status: int) -> None:
        """Note that there is no page at the address."""
        self._end(row, GONE, status)

    def redirected(self, row: PageRow, status: int, target: PageRow) -> None:
        """Note that the page has another address, for now or for good."""
        target.requested_run = self.run.id
        if row.start_run == self.run.id:
            target.start_run = self.run.id
        if target.outcome is None and target.request is None:
            target.request = passed_on(row, target)
        # First: a crawl that is killed in between asks for it again.
        self.store.put(target)
        row.redirect_to = target.url
        row.failures += row.last_seen_run != self.run.id
        self._end(row, REDIRECTED, status)

    def _end(
        self, row: PageRow, outcome: str, status: int | None, reason: str | None = None
    ) -> None:
        row.outcome, row.status, row.reason = outcome, status, reason
        row.last_seen_run = self.run.id
        self.fetch_whole(row)


class Canonicals(Ledger):
    """Decides which pages give way, and which have done so in vain."""

    def gives_way(self, visit: Visit, url: str) -> tuple[bool | None, Request | None]:
        """Whether a page gives way to the one that it names as its canonical URL.

        It does unless that one has no document. If that is not known yet, the second
        value is a request for it; pages that gave way in vain are asked for again.
        ``None``: the other one is not a page of this crawl.
        """
        wanted, is_last = self._canonical_request(visit, url)
        if not self.is_tracked(wanted):
            return None, None
        row = self.row(wanted)
        visit.found.append(row)
        end = self._chain(row)[-1]
        is_seen = {row.last_seen_run, end.last_seen_run} == {self.run.id}
        if is_seen and self._stands(end):
            return True, None
        is_asked = row.requested_run == self.run.id
        is_last &= not is_asked
        if is_seen or is_last or end is visit.row or visit.row.id in self.settled:
            visit.repeats = False  # the other one may have a document again
            return False, None
        row.requested_run = self.run.id
        row.request = row.request or passed_on(visit.row, row)
        self.store.put(row)
        return True, None if is_asked else wanted

    def _chain(self, row: PageRow) -> list[PageRow]:
        """Return the page, the one that it gave way to, and so on.

        After pages that name one another the first of them by address.
        """
        chain = [row]
        while self._has_given_way(row) and len(chain) < MAX_CHAIN:
            if (found := self.known(row.canonical or "")) is None:
                break
            if found in chain:
                loop = chain[chain.index(found) :]
                return [*chain, min(loop, key=lambda each: each.url)]
            chain.append(row := found)
        return chain

    def _has_given_way(self, row: PageRow) -> bool:
        is_dropped = row.outcome == tables.DROPPED and row.canonical is not None
        return is_dropped and row.id not in self.settled

    def _stands(self, row: PageRow) -> bool:
        """Whether the page has a document, or keeps one."""
        is_kept = row.outcome == tables.FAILED
        if row.outcome == tables.REDIRECTED:
            is_kept = row.status not in tables.PERMANENT
        if is_kept and row.content_hash is not None:
            return True
        return row.outcome in (tables.NEW, tables.CHANGED, tables.UNCHANGED)

    def stepped_back(self) -> Iterable[PageRow]:
        """Return the last ones of pages that gave way in vain, to be asked again."""
        rows = self.store.stepped_back(self.scope, self.run.id)
        found = {row.id: row for row in rows if row.id not in self.settled}
        chains = [self._chain(row) for row in found.values()]
        last = {c[-1] if self._has_given_way(c[-1]) else c[-2] for c in chains}
        return [row for row in last if row.id in found]

    def _canonical_request(self, visit: Visit, url: str) -> tuple[Request, bool]:
        """Return the request, and whether it would be one of too many in a row."""
        own = visit.request
        times = own.meta.get("redirect_times", 0)
        # The links of the page have a limit, too.
        meta = {"depth": own.meta.get("depth", 0), "redirect_times": times + 1}
        request = Request(
            url,
            callback=own.callback,
            errback=own.errback,
            cb_kwargs=own.cb_kwargs,
            meta={**meta, STATE_KEY: True},
        )
        return request, times >= self._max_redirects


def passed_on(row: PageRow, target: PageRow) -> str | None:
    """How a page is requested to which another leads, without secrets of its site."""
    if row.request is None or urlsplit(row.url)[:2] == urlsplit(target.url)[:2]:
        return row.request
    kept = {k: v for k, v in json.loads(row.request).items() if k in _UNSENT}
    return json.dumps(kept) if kept else None
