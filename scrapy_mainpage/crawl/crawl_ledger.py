"""The ledger of a crawl: its scope, its run, and the pages that are on their way."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from scrapy import Request, signals

from ..addresses import site_of
from ..extraction.parsing.tree import EMPTY
from ..indexes.documents import storable_text
from ..memory import open_memory
from ..memory.tables import (
    CHANGED,
    DROPPED,
    FAILED,
    GONE,
    NEW,
    NOT_MODIFIED,
    PERMANENT,
    REDIRECTED,
    UNCHANGED,
    UNKNOWN_CONTENT,
    MemoryUnavailable,
    pack_numbers,
)
from ..redaction import redacted
from ..settings import SettingsError, read_settings, refuse
from .crawl_scope import STATE_KEY, address_of, config_hash, content_hash, scope_of
from .pages import NO_PAGES, STAND_INS, find_warning, known_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..indexes import IndexDocument
    from ..memory.tables import PageRow, Run
    from ..page import Page

GONE_STATUSES: Final = (404, 410)

#: Flag of an answer in place of the site: the page is not due yet.
NOT_DUE: Final = "not_due"

#: Reason of a page that is another one: it has lost its title and half of its text.
LOST: Final = "lost"

#: Pages that gave way, each to the next: a site may have any number.
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
        domains = getattr(spider, "allowed_domains", None) or ()
        self._domains = {str(domain).lower() for domain in domains}
        self._subdomains = tuple(f".{domain}" for domain in self._domains)

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
        wanted = request.dont_filter or request.meta.get("allow_offsite")
        if not self._domains or wanted:
            return True
        host = site_of(request.url)
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
        row.request = row.request or _passed_on(visit.row, row)
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
        is_dropped = row.outcome == DROPPED and row.canonical is not None
        return is_dropped and row.id not in self.settled

    def _stands(self, row: PageRow) -> bool:
        """Whether the page has a document, or keeps one."""
        moves = row.outcome == REDIRECTED and row.status not in PERMANENT
        is_kept = (row.outcome == FAILED or moves) and row.content_hash is not None
        return is_kept or row.outcome in (NEW, CHANGED, UNCHANGED)

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
        row.failures += row.last_seen_run != self.run.id
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
        if row.content_hash is None:
            row.content_hash = UNKNOWN_CONTENT
            self.store.put(row)
            self.store.flush()
        return True

    def _stands_in(
        self, row: PageRow, digest: bytes, page: Page | None, visit: Visit
    ) -> bool:
        """Whether a login, challenge or error page came in place of the content."""
        visit.doubt = _find_doubt(row, page)
        is_known = visit.row.reason == visit.doubt and visit.row.outcome != FAILED
        if visit.doubt is None or is_known or row.content_hash in (None, digest):
            return False
        visit.failed = visit.doubt
        return True

    def written(
        self, document: IndexDocument, page: Page | None, visit: Visit | None
    ) -> None:
        """Note that a document is in each index, or in the outbox for it."""
        row = self.store.page(self.scope, storable_text(document.url))
        digest = content_hash(document)
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
            row.size, row.title = len(page.text), title_hash(page.title)
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
        if (row := self.known(url)) is None:
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
            visit = self.visits[response] = Visit(self.row(request), request)
            visit.repeats = request.meta.get(STATE_KEY) is not False
            visit.config = self.config_of(request)
        return visit

    def finish_if_done(self, visit: Visit, response: Response) -> None:
        """Write the outcome of a page when nothing of it is on its way any more."""
        if not visit.has_ended or visit.items > 0:
            return
        row = visit.row
        is_whole = 200 <= response.status < 300
        if is_whole and not (visit.failed or visit.written or visit.confirmed):
            page = known_page(response)
            if row.content_hash is None:
                visit.failed = find_warning(page, NO_PAGES)
            elif response.body:
                visit.failed = _find_doubt(row, page)
            else:  # whose type is then often missing, so that it has no page
                visit.failed = EMPTY
        if visit.failed is not None:
            self.failed(row, visit.failed, response.status)
        elif response.status == NOT_MODIFIED:
            self._finish_unmodified(visit, response)
        elif is_whole:
            self._finish_whole(visit, response)

    def _finish_unmodified(self, visit: Visit, response: Response) -> None:
        """Note that the page has not changed; a header may say that it is unwanted."""
        row, headers, unwanted = visit.row, response.headers, visit.reason
        # The same bytes may have been sent with another tag and date.
        row.etag = _text(headers.get(b"ETag")) or row.etag
        row.last_modified = _text(headers.get(b"Last-Modified")) or row.last_modified
        row.status, row.failures = NOT_MODIFIED, 0
        if unwanted is not None:
            row.outcome, row.reason = DROPPED, unwanted
            row.status, row.config_hash = 200, None  # it comes whole without the header
        elif row.outcome != DROPPED:
            self._set_outcome(row, UNCHANGED)
        row.last_seen_run = self.run.id
        if NOT_DUE not in response.flags:
            row.last_ok = time.time()
            self._plan_visit(row, has_changed=False)
        self.store.put(row)

    def _finish_whole(self, visit: Visit, response: Response) -> None:
        row, headers = visit.row, response.headers
        packed = pack_numbers(row.id for row in visit.found)
        page = known_page(response)
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
        row.body_hash = self.body_hashes.get(visit.request)
        row.etag = _text(headers.get(b"ETag"))
        row.last_modified = _text(headers.get(b"Last-Modified"))
        # Unchanged for another callback in this run, its documents are not judged.
        is_judged = (row.last_seen_run, row.status) != (self.run.id, NOT_MODIFIED)
        row.status = response.status if is_judged else NOT_MODIFIED
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

    def note_date(self, row: PageRow, date: str) -> None:
        """Note the date of a page in a sitemap: with another one it is due at once.

        Not if this run has just asked for it, or if it was misdated the last time.
        """
        if row.lastmod != date:
            self.redated.add(row.id)
            if not row.is_misdated and (row.last_ok or 0) < self.run.started:
                row.next_visit = None
        elif not row.is_misdated or row.id in self.redated:
            return
        else:
            row.is_misdated = False
        row.lastmod = date
        self.store.put(row)

    def _plan_visit(self, row: PageRow, *, has_changed: bool) -> None:
        """Set the time of the next visit: later if nothing changed, else sooner."""
        if row.id in self.redated:
            row.is_misdated = not has_changed
        if self.settings.revisit is None:
            return
        least, most = self.settings.revisit
        factor = 0.8 if has_changed else 1.4
        interval = (row.interval or least / factor) * factor
        row.interval = min(max(interval, least), most)
        row.next_visit = time.time() + row.interval


def _find_doubt(row: PageRow, page: Page | None) -> str | None:
    """The reason to doubt that a page is that of the row; ``None`` without one."""
    return find_warning(page, STAND_INS) or _find_loss(row, page)


def _find_loss(row: PageRow, page: Page | None) -> str | None:
    """The reason to doubt a page that has lost its title and half of its text.

    In any language that is an error, a consent or a login in its place.
    """
    if page is None or row.content_hash is None or row.size is None:
        return None
    is_lost = 2 * len(page.text) < row.size and title_hash(page.title) != row.title
    return LOST if is_lost else None


def title_hash(title: str | None) -> bytes:
    """Return a hash of a page's title."""
    text = (title or "").encode("utf-8", "replace")
    return blake2b(text, digest_size=8).digest()


def _text(header: bytes | None) -> str | None:
    return header.decode() if header and _VALIDATOR.fullmatch(header) else None


def _passed_on(row: PageRow, target: PageRow) -> str | None:
    """How a page is requested to which another leads, without secrets of its site."""
    if row.request is None or urlsplit(row.url)[:2] == urlsplit(target.url)[:2]:
        return row.request
    kept = {k: v for k, v in json.loads(row.request).items() if k in _UNSENT}
    return json.dumps(kept) if kept else None
