"""The ledger of a crawl: its scope, its run, and the pages that are on their way."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from weakref import ReferenceType, WeakKeyDictionary, ref

from scrapy import Request, signals

from ..addresses import site_of
from ..indexes.documents import storable_text
from ..memory import (
    CHANGED,
    DROPPED,
    FAILED,
    GONE,
    NEW,
    REDIRECTED,
    UNCHANGED,
    MemoryUnavailable,
    open_memory,
)
from ..memory.records import NOT_MODIFIED, PERMANENT, UNKNOWN_CONTENT
from ..redaction import redacted
from ..settings import SettingsError, read_settings, refuse
from .crawl_scope import STATE_KEY, address_of, config_hash, content_hash, scope_of
from .pages import known_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..indexes import IndexDocument
    from ..memory import PageRow, Run
    from ..page import Page

#: Warnings of a page that may stand in for another one for a while.
DOUBTFUL: Final = frozenset({"challenge", "error_page", "login_form", "time"})

GONE_STATUSES: Final = (404, 410)

#: In a request's meta: the pages that led to it, each by its canonical address.
STEPS_KEY: Final = "mainpage_steps"

#: Pages that name one another, each the next: a site may have any number.
MAX_CHAIN: Final = 100

#: Parts of a stored request of which a site sees nothing.
_UNSENT: Final = ("callback", "errback", "cb_kwargs", "meta")

#: An ``ETag`` or ``Last-Modified`` that any server takes back.
_VALIDATOR: Final = re.compile(rb"[ -~]{1,1000}")


@dataclass(eq=False)
class Visit:
    """A response on its way through the spider and the pipelines.

    ``found`` are the addresses that it led to. ``written`` and ``confirmed`` count its
    documents, ``reason`` says why an item gave none. ``failed`` is the reason why the
    page cannot be judged. With ``repeats`` it can be asked for conditionally, under
    the same ``config``. ``steps`` are the pages that led to it as canonical addresses.
    """

    row: PageRow
    # Visits are kept as long as their responses, which they must not keep themselves.
    _response: ReferenceType[Response]
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
    steps: int = 0
    has_ended: bool = False

    @property
    def response(self) -> Response:
        """The response, which is held by whoever has found its visit."""
        response = self._response()
        assert response is not None
        return response


class CrawlLedger:
    """What the components of a crawl ask and tell the ledger of their scope.

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
        self.scope_name = scope_of(spider)
        self.config = config_hash(settings, crawler)
        #: The queue that the workers of a shared crawl have in common.
        self.crawl = redacted(settings.shared) if settings.shared else None
        try:
            self.store = open_memory(settings.state)
            self._lock_scope()
        except (MemoryUnavailable, OSError) as error:
            shown = redacted(settings.state)
            refuse(crawler, SettingsError("MAINPAGE_STATE", shown, str(error)))
        crawler.signals.connect(self.close, signals.engine_stopped)
        self.run: Run
        self.is_trusted = True
        self.robots_failed: dict[str, bool] = {}  # by address
        self.settled: set[int] = set()  # pages that need not wait for another one
        self._in_hand: set[int] = set()  # documents that this process is writing
        #: Pages of which another request, the one of their row, would not be filtered.
        self.unfiltered: set[int] = set()
        self.visits: WeakKeyDictionary[Response, Visit] = WeakKeyDictionary()
        #: Of bodies as they were sent; the spider gets them decompressed.
        self.body_hashes: WeakKeyDictionary[Request, bytes] = WeakKeyDictionary()
        domains = getattr(spider, "allowed_domains", None) or ()
        self._domains = {str(domain).lower() for domain in domains}
        self._subdomains = tuple(f".{domain}" for domain in self._domains)

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
        url = request.url
        if url.startswith("data:"):
            return False
        wanted = request.dont_filter or request.meta.get("allow_offsite")
        if not self._domains or wanted:
            return True
        host = site_of(url)
        return host in self._domains or host.endswith(self._subdomains)

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

    def gives_way(self, visit: Visit, url: str) -> tuple[bool | None, Request | None]:
        """Whether a page gives way to the one that it names as its canonical URL.

        It does unless that one has no document. If that is not known yet, the second
        value is a request for it; pages that gave way in vain are asked for again.
        ``None``: the other one is not a page of this crawl.
        """
        wanted = self._canonical_request(visit, url)
        if not self.is_tracked(wanted):
            return None, None
        row = self.row(wanted)
        visit.found.append(row)
        chain = self._chain(row)
        if visit.row in chain:  # they name one another
            chain = chain[: chain.index(visit.row)]
            stands = _first([*chain, visit.row]) is not visit.row
        else:
            stands = self._stands(chain)
        is_seen = all(each.last_seen_run == self.run.id for each in chain)
        if is_seen and stands:
            return True, None
        is_asked = row.requested_run == self.run.id
        is_last = not is_asked and visit.steps >= MAX_CHAIN
        if is_seen or is_last or visit.row.id in self.settled:
            visit.repeats = False  # the other one may have a document again
            return False, None
        row.requested_run = self.run.id
        row.request = row.request or _passed_on(visit.row, row)
        self.store.put(row)
        return True, None if is_asked else wanted

    def _chain(self, row: PageRow) -> list[PageRow]:
        """Return the page, the one that it gave way to, and so on; a loop is closed."""
        chain = [row]
        while row.outcome == DROPPED and row.canonical and row.id not in self.settled:
            found = self.known(row.canonical)
            if found is None or len(chain) == MAX_CHAIN:
                break
            chain.append(found)
            if found in chain[:-1]:
                break
            row = found
        return chain

    def _stands(self, chain: list[PageRow]) -> bool:
        """Whether the last page has a document, or one of a loop will have it."""
        *others, row = chain
        moves = row.outcome == REDIRECTED and row.status not in PERMANENT
        is_away = row.outcome == FAILED or moves
        is_kept = is_away and row.content_hash is not None
        return is_kept or row in others or row.outcome in (NEW, CHANGED, UNCHANGED)

    def stepped_back(self) -> Iterable[PageRow]:
        """Return the last ones of pages that gave way in vain, to be asked again."""
        rows = self.store.stepped_back(self.scope, self.run.id)
        found = {row.id: row for row in rows if row.id not in self.settled}
        wanted = {}
        for row in found.values():
            *others, end = self._chain(row)
            last = others[-1] if others else row
            if end in others:
                last = _first(others[others.index(end) :])
            if last.id in found:
                wanted[last.id] = last
        return wanted.values()

    def _canonical_request(self, visit: Visit, url: str) -> Request:
        own = visit.response.request
        assert own is not None
        meta = {"depth": own.meta.get("depth", 0)}  # for its links, which have a limit
        return Request(
            url,
            callback=own.callback,
            errback=own.errback,
            cb_kwargs=own.cb_kwargs,
            meta={**meta, STATE_KEY: True, STEPS_KEY: visit.steps + 1},
        )

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
            target.request = _passed_on(row, target)
        # First: a crawl that is killed in between asks for it again.
        self.store.put(target)
        row.redirect_to = target.url
        self._end(row, REDIRECTED, status)

    def _end(
        self, row: PageRow, outcome: str, status: int | None, reason: str | None = None
    ) -> None:
        row.outcome, row.status, row.reason = outcome, status, reason
        row.config_hash = row.next_visit = None
        row.last_seen_run = self.run.id
        self.store.put(row)

    # --- Documents --------------------------------------------------------------------

    def accept(
        self, document: IndexDocument, page: Page | None, visit: Visit | None
    ) -> bool:
        """Whether a document is to be written; if not, its visit says why."""
        row = self.store.page(self.scope, storable_text(document.url))
        digest = content_hash(document)
        if visit is not None and self._stands_in(row, digest, page, visit):
            return False
        if not self.is_trusted and row.document_run != self.run.id:
            return self._begin_document(row)
        if row.content_hash != digest:
            known = self.store.in_all_scopes(row.url)
            if all(each.content_hash != digest for each in known):
                return self._begin_document(row)
        self._confirm(row, digest, page, visit)
        if visit is not None:
            visit.confirmed += 1
        self.stats.inc_value("mainpage/index/unchanged")
        return False

    def _begin_document(self, row: PageRow) -> bool:
        """Note that an index may have a document, before one is written.

        So that one which a killed process has just written is judged later.
        """
        self._in_hand.add(row.id)
        if row.content_hash is None:
            row.content_hash = UNKNOWN_CONTENT
            self.store.put(row)
            self.store.flush()
        return True

    def is_doubtful(self, url: str) -> bool:
        """Whether a process that is gone may have written a document of that URL."""
        row = self.known(url) if url else None
        if row is None or row.id in self._in_hand:
            return False
        return row.content_hash == UNKNOWN_CONTENT

    def _stands_in(
        self, row: PageRow, digest: bytes, page: Page | None, visit: Visit
    ) -> bool:
        """Whether a login, challenge or error page came in place of the content."""
        doubts = DOUBTFUL.intersection(page.warnings if page else ())
        visit.doubt = min(doubts, default=None)
        if visit.doubt is None or row.content_hash == digest:
            return False
        before = visit.row.reason
        is_known = before == visit.doubt and visit.row.outcome != FAILED
        if is_known or (row.content_hash is None and visit.row.outcome != FAILED):
            return False
        visit.failed = visit.doubt
        return True

    def written(
        self, document: IndexDocument, page: Page | None, visit: Visit | None
    ) -> None:
        """Note that a document is in each index, or in the outbox for it."""
        row = self.store.page(self.scope, storable_text(document.url))
        digest = content_hash(document)
        self._in_hand.discard(row.id)
        if visit is not None:
            # Written again, as an index has lost it, it is no other document.
            visit.confirmed += row.content_hash == digest
            visit.written += row.content_hash != digest
            visit.is_new = visit.is_new or row.document_run is None
        self._confirm(row, digest, page, visit)

    def _confirm(
        self, row: PageRow, digest: bytes, page: Page | None, visit: Visit | None
    ) -> None:
        row.content_hash, row.document_run = digest, self.run.id
        row.verdict = row.parent = None
        if page is not None:
            row.words = page.words
        if visit is not None and visit.row is not row:
            row.parent = visit.row.id
            # A callback may have downloaded the other page itself, and that may change
            # while its own page does not.
            is_same = page is not None and page.metadata.canonical_url == row.url
            visit.repeats = visit.repeats and is_same
        self.store.put(row)

    def unwritten(self, urls: set[str]) -> None:
        """Note that documents are not in every index after all."""
        for url in urls:
            if (row := self.known(url)) is not None:
                row.content_hash = UNKNOWN_CONTENT
                self.fetch_whole(row)
                for page in self.store.pages([row.parent] if row.parent else []):
                    self.fetch_whole(page)

    def deleted(self, url: str) -> None:
        """Note that the document of that URL was deleted from the indexes."""
        row = self.known(url)
        if row is None:
            return
        row.forget_document()
        self.store.put(row)
        for other in self.store.in_all_scopes(row.url):
            if other is not row:
                other.forget_document()
                self.fetch_whole(other)

    def fetch_whole(self, row: PageRow) -> None:
        """Have the next request of a page be without conditions."""
        row.config_hash = row.next_visit = None
        self.store.put(row)

    # --- Visits -----------------------------------------------------------------------

    def begin(self, response: Response) -> Visit | None:
        """Return the visit of a response that the spider gets."""
        request = response.request
        if request is None or not self.is_tracked(request):
            return None
        visit = self.visits.get(response)
        if visit is None:
            visit = self.visits[response] = Visit(self.row(request), ref(response))
            visit.repeats = request.meta.get(STATE_KEY) is not False
            visit.config = self.config_of(request)
            visit.steps = request.meta.pop(STEPS_KEY, 0)
        return visit

    def finish_if_done(self, visit: Visit) -> None:
        """Write the outcome of a page when nothing of it is on its way any more."""
        if not visit.has_ended or visit.items > 0:
            return
        response, row = visit.response, visit.row
        if visit.failed is not None:
            self.failed(row, visit.failed, response.status)
        elif response.status == NOT_MODIFIED:
            self._finish_unmodified(visit)
        elif 200 <= response.status < 300:
            self._finish_whole(visit)

    def _finish_unmodified(self, visit: Visit) -> None:
        """Note that the page has not changed; a header may say that it is unwanted."""
        row, headers, unwanted = visit.row, visit.response.headers, visit.reason
        # The same bytes may have been sent with another tag and date.
        row.etag = _text(headers.get(b"ETag")) or row.etag
        row.last_modified = _text(headers.get(b"Last-Modified")) or row.last_modified
        row.status, row.failures = NOT_MODIFIED, 0
        if unwanted is not None:
            row.outcome, row.reason = DROPPED, unwanted
            row.status, row.config_hash = 200, None  # it comes whole without the header
        elif row.outcome != DROPPED:
            self._set_outcome(row, UNCHANGED)
        row.last_seen_run, row.last_ok = self.run.id, time.time()
        self._plan_visit(row, has_changed=False)
        self.store.put(row)

    def _finish_whole(self, visit: Visit) -> None:
        row, headers = visit.row, visit.response.headers
        packed = self.store.pack(visit.found)
        page = known_page(visit.response)
        if page is not None and page.rendered:
            visit.repeats = False  # the page without its scripts says nothing
        outcome = self._outcome(visit, packed)
        self._set_outcome(row, outcome)
        row.reason = visit.reason if row.outcome == DROPPED else visit.doubt
        row.canonical = visit.canonical
        row.requests = packed if visit.repeats else None
        # The header that says so may go while the page stays the same.
        is_unwanted = visit.reason == "noindex"
        # Until it is gone, a document that did not come again has its page come whole.
        is_left = row.content_hash is not None and row.document_run != self.run.id
        row.config_hash = None if is_unwanted or is_left else visit.config
        request = visit.response.request
        row.body_hash = self.body_hashes.get(request) if request else None
        row.etag = _text(headers.get(b"ETag"))
        row.last_modified = _text(headers.get(b"Last-Modified"))
        # Unchanged for another callback in this run, its documents are not judged.
        is_judged = (row.last_seen_run, row.status) != (self.run.id, NOT_MODIFIED)
        row.status = visit.response.status if is_judged else NOT_MODIFIED
        row.failures, row.redirect_to = 0, None
        row.last_seen_run, row.last_ok = self.run.id, time.time()
        self._plan_visit(row, has_changed=outcome != UNCHANGED)
        self.store.put(row)

    def _set_outcome(self, row: PageRow, outcome: str) -> None:
        """A page that comes twice in a run is as new as it was at first."""
        is_again = row.last_seen_run == self.run.id and row.outcome in (NEW, CHANGED)
        if outcome != UNCHANGED or not is_again:
            row.outcome = outcome

    def _outcome(self, visit: Visit, packed: bytes) -> str:
        row = visit.row
        if visit.written:
            return NEW if visit.is_new else CHANGED
        if visit.confirmed:
            return UNCHANGED
        if visit.reason is not None:
            return DROPPED
        if row.last_ok is None:
            return NEW
        return UNCHANGED if row.requests == packed else CHANGED

    def _plan_visit(self, row: PageRow, *, has_changed: bool) -> None:
        """Set the time of the next visit: later if nothing changed, else sooner."""
        if self.settings.revisit is None:
            return
        least, most = self.settings.revisit
        factor = 0.8 if has_changed else 1.4
        interval = (row.interval or least / factor) * factor
        row.interval = min(max(interval, least), most)
        row.next_visit = time.time() + row.interval


def _text(header: bytes | None) -> str | None:
    return header.decode() if header and _VALIDATOR.fullmatch(header) else None


def _first(rows: list[PageRow]) -> PageRow:
    """The one of pages that name one another: with a document, else by address."""
    return min(rows, key=lambda row: (row.content_hash is None, row.url))


def _passed_on(row: PageRow, target: PageRow) -> str | None:
    """How a page is requested to which another leads, without secrets of its site."""
    if row.request is None or urlsplit(row.url)[:2] == urlsplit(target.url)[:2]:
        return row.request
    kept = {k: v for k, v in json.loads(row.request).items() if k in _UNSENT}
    return json.dumps(kept) if kept else None
