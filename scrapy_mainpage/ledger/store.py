"""The ledger: its rows in memory, and what it asks of the database that keeps them.

Rows that a run uses are in memory, one object each. Changed rows are written in batches
by a thread, in one transaction each, in the order of the changes: a killed process
loses its last batch, and no page of it counts as seen.

Queries are in the SQL that SQLite and PostgreSQL have in common.
"""

from __future__ import annotations

import json
import logging
import time
from abc import ABC, abstractmethod
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, ClassVar, Final

from .records import (
    NOT_MODIFIED,
    PERMANENT,
    UNCHANGED,
    PageRow,
    Run,
    pack_numbers,
    unpack_numbers,
    values_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

logger = logging.getLogger(__name__)

#: Changed rows, and seconds, after which a batch is written.
BATCH: Final = 1_000
BATCH_SECONDS: Final = 2.0

#: Rows that stay in memory.
MAX_ROWS: Final = 4_000

#: The pages of a scope have the numbers from scope << SCOPE_BITS on.
SCOPE_BITS: Final = 40

#: The page that each document *d* came from.
_DOCUMENTS: Final = (
    "FROM pages d JOIN pages p ON p.id = coalesce(d.parent, d.id) "
    "WHERE d.scope = :scope AND d.content_hash IS NOT NULL "
)
_UNSEEN: Final = f"{_DOCUMENTS} AND coalesce(p.last_seen_run, 0) <> :run"

Row = tuple[Any, ...]


class Ledger(ABC):
    """Pages and runs of all scopes; one thread uses it at a time.

    A scope is used by one run at a time: see :meth:`lock`. ``shown`` names the ledger
    in messages, ``path`` is its file, if it is one.
    """

    #: What a database that fails raises.
    errors: ClassVar[tuple[type[Exception], ...]]
    path: Path | None = None
    _at_url: ClassVar = "url = :url"

    def __init__(self, shown: str) -> None:
        self.shown = shown
        #: Rows by address: those used lately, and the ones used before them.
        self._rows: dict[tuple[int, str], PageRow] = {}
        self._older: dict[tuple[int, str], PageRow] = {}
        self._by_id: dict[int, PageRow] = {}
        self._dirty: dict[int, PageRow] = {}
        self._events: dict[tuple[int, int], Row] = {}
        self._written = time.monotonic()
        self._write: Future[None] | None = None
        self._last_ids: dict[int, int] = {}
        self._is_closed = False
        #: Why what was written since is lost, if it is.
        self.error: Exception | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-ledger")
        self.id = self.fact("id") or ""

    # --- The database -----------------------------------------------------------------

    @abstractmethod
    def _query(self, query: str, **values: Any) -> list[Row]:
        """Return the rows of a query."""

    def _execute(self, query: str, **values: Any) -> None:
        """Write at once, where the database speaks SQL."""
        raise NotImplementedError

    @abstractmethod
    def _write_batch(self, changes: list[Any], events: list[Row]) -> None:
        """Write changed rows and history, in one transaction; called in the thread."""

    @abstractmethod
    def lock(self, scope: int, crawl: str | None = None) -> bool:
        """Reserve the scope for this process until :meth:`close`; say if it was free.

        Workers of one shared *crawl* reserve it together. A killed process releases it.
        """

    @abstractmethod
    def _shut(self) -> None:
        """Close connections, and release what is locked."""

    def _change_of(self, row: PageRow) -> Any:
        """Return what is to be written of a row."""
        return values_of(row)

    def renew(self) -> None:  # noqa: B027 - where no lock ends by itself
        """Keep the locks for another while."""

    def leads(self, scope: int) -> bool:
        """Whether this worker of a shared crawl is the one that sweeps."""
        return True

    def is_alone(self, scope: int) -> bool:
        """Whether all other workers have left."""
        return True

    # --- Scopes, runs, facts ----------------------------------------------------------

    def scope(self, name: str) -> int:
        """Return the number of the scope of that name, a new one if there is none."""
        known = "SELECT id FROM scopes WHERE name = :name"
        if not self._query(known, name=name):
            new = "coalesce(max(id), 0) + 1, :name FROM scopes"
            self._execute(f"INSERT INTO scopes SELECT {new}", name=name)
        return int(self._query(known, name=name)[0][0])

    def scopes(self) -> dict[int, str]:
        """Return the names of all scopes by number."""
        found = self._query("SELECT id, name FROM scopes ORDER BY id")
        return {int(number): name for number, name in found}

    def begin_run(self, scope: int, crawl: str | None = None) -> Run:
        """Return a new run of the scope, or that of the shared *crawl* that goes on."""
        started = time.time()
        self._execute(
            "INSERT INTO runs SELECT coalesce(max(id), 0) + 1, "
            ":scope, :started, NULL, NULL, :complete, '{}' FROM runs",
            scope=scope,
            started=started,
            complete=False,
        )
        return self.runs(scope, 1)[0]

    def put_run(self, run: Run) -> None:
        """Write what is known of a run."""
        self._execute(
            "UPDATE runs SET ended = :ended, reason = :reason, complete = :complete, "
            "counts = :counts WHERE id = :id",
            ended=run.ended,
            reason=run.reason,
            complete=run.complete,
            counts=json.dumps(run.counts),
            id=run.id,
        )

    def runs(self, scope: int, limit: int = 2**31) -> list[Run]:
        """Return the runs of a scope, the latest first."""
        query = "SELECT * FROM runs WHERE scope = :scope ORDER BY id DESC LIMIT :limit"
        rows = self._query(query, scope=scope, limit=limit)
        return [
            Run(*row[:5], *(bool(row[5]), json.loads(row[6])))  # type: ignore[call-arg]
            for row in rows
        ]

    def fact(self, name: str) -> str | None:
        """Return a value kept beside the pages."""
        found = self._query("SELECT value FROM facts WHERE name = :name", name=name)
        return found[0][0] if found else None

    def put_fact(self, name: str, value: str) -> None:
        """Keep a value beside the pages."""
        self._execute(
            "INSERT INTO facts VALUES (:name, :value) "
            "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name=name,
            value=value,
        )

    def read_sites(self, scope: int) -> dict[str, str]:
        """Return what is kept of each site of a scope, as JSON by host."""
        query = "SELECT host, counts FROM sites WHERE scope = :scope ORDER BY place"
        return dict(self._query(query, scope=scope))

    def write_sites(self, scope: int, sites: Mapping[str, str]) -> None:
        """Keep these sites of a scope in the place of those before, in their order."""
        self._execute("DELETE FROM sites WHERE scope = :scope", scope=scope)
        for place, (host, counts) in enumerate(sites.items()):
            self._execute(
                "INSERT INTO sites VALUES (:scope, :host, :place, :counts)",
                scope=scope,
                host=host,
                place=place,
                counts=counts,
            )

    # --- Pages ------------------------------------------------------------------------

    def find(self, scope: int, url: str) -> PageRow | None:
        """Return the page at that address; ``None`` if it is unknown."""
        if len(self._rows) > MAX_ROWS:  # so many were found since one has changed
            self.flush()
        row = self._rows.get((scope, url)) or self._older.pop((scope, url), None)
        if row is None and (number := self._number_of(scope, url)) is not None:
            row = next(iter(self.pages([number])), None)
        return row if row is None else self._keep(row)

    def _number_of(self, scope: int, url: str) -> int | None:
        """Return the number of the page at that address."""
        query = f"SELECT id FROM pages WHERE scope = :scope AND {self._at_url}"
        found = self._first(query, scope=scope, url=url)
        return int(found[0]) if found else None

    def _first(self, query: str, **values: Any) -> Row | None:
        """Return the first row of a query, ``None`` also if the database fails."""
        try:
            return next(iter(self._query(query, **values)), None)
        except self.errors as error:
            self._fail(error)
            return None

    def _fail(self, error: Exception) -> None:
        """Go on in memory: a crawl must not end for its state."""
        if self.error is None:
            self.error = error
            logger.error("The state %s fails, this run is lost: %s", self.shown, error)

    def page(self, scope: int, url: str) -> PageRow:
        """Return the page at that address, a new one if it is unknown."""
        row = self._rows.get((scope, url)) or self.find(scope, url)
        return row or self._keep(PageRow(self._new_id(scope, url), scope, url))

    def in_all_scopes(self, url: str) -> list[PageRow]:
        """Return the pages at that address, one of each scope that knows it."""
        return [p for scope in sorted(self.scopes()) if (p := self.find(scope, url))]

    def pages(self, numbers: Iterable[int]) -> list[PageRow]:
        """Return the pages of these numbers; unknown ones are left out."""
        wanted, known = list(numbers), self._by_id
        self._read_all([each for each in wanted if each not in known])
        return [known[each] for each in wanted if each in known]

    def _read_all(self, numbers: list[int]) -> None:
        """Have the pages of these numbers in memory."""
        for number in numbers:
            if values := self._first("SELECT * FROM pages WHERE id = :id", id=number):
                self._keep(PageRow(*values))

    def put(self, row: PageRow) -> None:
        """Write a changed row, in the next batch."""
        self._dirty[row.id] = row
        is_due = len(self._dirty) >= BATCH
        if is_due or time.monotonic() - self._written > BATCH_SECONDS:
            self.flush()

    def put_outcome(self, row: PageRow, run: int) -> None:
        """Write a row, and its outcome in the run to its history.

        Runs that left a page unchanged are not in it.
        """
        if row.outcome != UNCHANGED and row.status != NOT_MODIFIED:
            event = (row.id, run, row.outcome, row.status, row.reason)
            self._events[row.id, run] = event
        self.put(row)

    def pack(self, scope: int, rows: Iterable[PageRow]) -> bytes:
        """Return the numbers of the rows, for ``PageRow.requests``."""
        return pack_numbers((row.id for row in rows), scope << SCOPE_BITS)

    def requested_by(self, row: PageRow) -> list[PageRow]:
        """Return the pages that a page led to."""
        return self.pages(unpack_numbers(row.requests or b"", row.scope << SCOPE_BITS))

    def _new_id(self, scope: int, url: str) -> int:
        if scope not in self._last_ids:
            first = scope << SCOPE_BITS
            query = "SELECT max(id) FROM pages WHERE id BETWEEN :first AND :end"
            end = ((scope + 1) << SCOPE_BITS) - 1
            (last,) = self._first(query, first=first, end=end) or (None,)
            self._last_ids[scope] = first if last is None else last
        self._last_ids[scope] += 1
        return self._last_ids[scope]

    def _keep(self, row: PageRow) -> PageRow:
        """Return the row's one object in memory."""
        row = self._by_id.setdefault(row.id, row)
        self._rows[row.scope, row.url] = row
        return row

    def flush(self) -> None:
        """Write the changed rows soon; wait for the batch before."""
        self._wait()
        self._written = time.monotonic()
        if len(self._rows) > MAX_ROWS // 2:
            older, self._older, self._rows = self._older, self._rows, {}
            for key, row in older.items():
                if row.id in self._dirty:  # what is to be written must be found
                    self._rows[key] = row
                else:
                    self._drop(row)
        if self.error is None and (self._dirty or self._events):
            changes = [self._change_of(row) for row in self._dirty.values()]
            events = list(self._events.values())
            self._write = self._thread.submit(self._write_batch, changes, events)
            self._dirty, self._events = {}, {}

    def _drop(self, row: PageRow) -> None:
        """Forget a row that is written."""
        del self._by_id[row.id]

    def _wait(self) -> None:
        write, self._write = self._write, None
        try:
            if write is not None:
                write.result()
        except self.errors as error:
            self._fail(error)

    def sync(self) -> None:
        """Write the changed rows, and wait until they are.

        Raises an error of the database if these or earlier ones could not be written.
        """
        self.flush()
        self._wait()
        if self.error is not None:
            raise self.error

    # --- Questions about a scope ------------------------------------------------------

    def select(self, condition: str, **values: Any) -> Iterator[PageRow]:
        """Yield the pages for which an SQL condition on the columns holds."""
        self.sync()
        for found in self._query(f"SELECT * FROM pages WHERE {condition}", **values):
            yield self._by_id.get(found[0]) or PageRow(*found)

    def count(self, what: str, condition: str, **values: Any) -> list[Row]:
        """Return the rows of an SQL query of sums over pages."""
        self.sync()
        return self._query(f"SELECT {what} FROM pages WHERE {condition}", **values)

    def size(self, scope: int) -> int:
        """Return the number of addresses of a scope."""
        return int(self.count("count(*)", "scope = :scope", scope=scope)[0][0])

    def documents_to_judge(self, scope: int, run: int) -> list[tuple[PageRow, PageRow]]:
        """Return documents that the run has not confirmed, each with its page.

        Those of pages that it has not seen are left out: they may be all.
        """
        self.sync()
        query = (
            f"SELECT d.id, p.id {_DOCUMENTS} AND coalesce(d.document_run, 0) <> :run "
            f"AND p.last_seen_run = :run AND coalesce(p.status, 0) <> {NOT_MODIFIED}"
        )
        rows = self._query(query, scope=scope, run=run)
        self._read_all([n for row in rows for n in row if n not in self._by_id])
        return [(self.pages([d])[0], self.pages([p])[0]) for d, p in rows]

    def count_unseen(self, scope: int, run: int) -> int:
        """Return the number of documents of pages that the run has not seen."""
        self.sync()
        query = f"SELECT count(*) {_UNSEEN}"
        return int(self._query(query, scope=scope, run=run)[0][0])

    def urls(self, condition: str, **values: Any) -> Iterator[str]:
        """Yield the addresses for which an SQL condition on the columns holds."""
        return (url for (url,) in self.count("url", condition, **values))

    def to_check_again(self, scope: int, run: int) -> list[PageRow]:
        """Return the pages of documents that the run has not seen, each once."""
        self.sync()
        query = f"SELECT DISTINCT p.id {_UNSEEN}"
        return self.pages(n for (n,) in self._query(query, scope=scope, run=run))

    def stepped_back(self, scope: int, run: int) -> list[PageRow]:
        """Return pages that gave way to another one, which has no document now."""
        self.sync()
        has_left = (
            "coalesce(o.document_run, 0) <> :run AND (o.outcome IN ('gone', 'dropped') "
            f"OR o.outcome = 'redirected' AND o.status IN {PERMANENT})"
        )
        # Copies that the last complete run has not met are no part of the site now.
        ended = (each.id for each in self.runs(scope) if each.complete)
        since = next((number for number in ended if number < run), 0)
        has_changed = "o.outcome = 'changed' AND d.reason IN ('exact', 'near')"
        has_changed += " AND d.last_seen_run >= :since"
        query = (
            "SELECT d.id FROM pages d JOIN pages o ON o.scope = d.scope AND "
            "o.url = d.canonical WHERE d.scope = :scope AND d.outcome = 'dropped' "
            "AND (o.content_hash IS NULL OR o.last_seen_run = :run AND "
            f"({has_left} OR {has_changed}))"
        )
        rows = self._query(query, scope=scope, run=run, since=since)
        return self.pages(number for (number,) in rows)

    def history(self, row: PageRow) -> list[Row]:
        """Return run, outcome, status and reason of a page, the latest run first."""
        query = "SELECT run, outcome, status, reason FROM history WHERE page = :page"
        return self._query(f"{query} ORDER BY run DESC", page=row.id)

    def run_history(self, run: int) -> list[Row]:
        """Return URL, outcome, status and reason of the pages of a run."""
        return self._query(
            "SELECT p.url, h.outcome, h.status, h.reason FROM history h "
            "JOIN pages p ON p.id = h.page WHERE h.run = :run ORDER BY 2, 1",
            run=run,
        )

    def close(self) -> None:
        """Write what is left and close; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self.flush()
            self._wait()
        finally:
            self._thread.shutdown()
            self._shut()
