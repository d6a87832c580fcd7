"""The ledger of a crawl: its documents, and the pages that are on their way."""

from __future__ import annotations

import re
import time
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from ..extraction.parsing.tree import EMPTY
from ..indexes.documents import storable_text
from ..memory.tables import (
    CHANGED,
    DROPPED,
    FAILED,
    NEW,
    NOT_MODIFIED,
    UNCHANGED,
    UNKNOWN_CONTENT,
    pack_numbers,
)
from .crawl_scope import STATE_KEY, content_hash
from .ledger import Canonicals, Visit
from .pages import NO_PAGES, STAND_INS, find_warning, known_page

if TYPE_CHECKING:
    from scrapy.http import Response

    from ..indexes import IndexDocument
    from ..memory.tables import PageRow
    from ..page import Page

GONE_STATUSES: Final = (404, 410)

#: Flag of an answer in place of the site: the page is not due yet.
NOT_DUE: Final = "not_due"

#: Reason of a page that is another one: it has lost its title and half of its text.
LOST: Final = "lost"

#: An ``ETag`` or ``Last-Modified`` that any server takes back.
_VALIDATOR: Final = re.compile(rb"[ -~]{1,1000}")


class CrawlLedger(Canonicals):
    """What the components of a crawl ask and tell the ledger of their scope."""

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
    """The reason to doubt that a page is that of the row; ``None`` without one.

    In any language a page that has lost its title and half of its text is an error, a
    consent or a login in its place.
    """
    warning = find_warning(page, STAND_INS)
    if warning or page is None or row.content_hash is None or row.size is None:
        return warning
    is_lost = 2 * len(page.text) < row.size and title_hash(page.title) != row.title
    return LOST if is_lost else None


def title_hash(title: str | None) -> bytes:
    """Return a hash of a page's title."""
    text = (title or "").encode("utf-8", "replace")
    return blake2b(text, digest_size=8).digest()


def _text(header: bytes | None) -> str | None:
    return header.decode() if header and _VALIDATOR.fullmatch(header) else None
