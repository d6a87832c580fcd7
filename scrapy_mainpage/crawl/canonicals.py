"""Pages that give way to the one that they name as their canonical URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrapy import Request

from ..memory import tables
from .crawl_scope import STATE_KEY
from .ledger import Ledger, passed_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..memory.tables import PageRow
    from .ledger import Visit

#: Pages that gave way, each to the next: a site may have any number.
MAX_CHAIN: Final = 100


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
