"""The ledger in an SQLite file.

Rows that a run uses are in memory, one object each. Changed rows are written in batches
by a thread, in one transaction each, in the order of the changes: a killed process
loses its last batch, and no page of it counts as seen.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from filelock import FileLock, Timeout

from .records import (
    COLUMNS,
    NOT_MODIFIED,
    PERMANENT,
    UNCHANGED,
    PageRow,
    Run,
    pack_numbers,
    unpack_numbers,
    values_of,
)
from .schema import LedgerUnavailable, connect

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

logger = logging.getLogger(__name__)

#: Changed rows, and seconds, after which a batch is written.
BATCH: Final = 1_000
BATCH_SECONDS: Final = 2.0

#: Rows that stay in memory.
MAX_ROWS: Final = 50_000

#: The pages of a scope have the numbers from scope << SCOPE_BITS on.
SCOPE_BITS: Final = 40

_PUT: Final = f"INSERT OR REPLACE INTO pages VALUES ({', '.join('?' for _ in COLUMNS)})"
_EVENT: Final = "INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?)"

#: The page that each document *d* came from.
_DOCUMENTS: Final = (
    "FROM pages d JOIN pages p ON p.id = coalesce(d.parent, d.id) "
    "WHERE d.scope = :scope AND d.content_hash IS NOT NULL "
)


class Ledger:
    """Pages and runs of all scopes in one file; one thread uses it at a time.

    A scope is used by one run at a time: see :meth:`lock`.
    """

    def __init__(self, path: Path, *, read_only: bool = False):
        self.path = path.absolute()
        self._rows: OrderedDict[tuple[int, str], PageRow] = OrderedDict()
        self._by_id: dict[int, PageRow] = {}
        self._dirty: dict[int, PageRow] = {}
        self._events: dict[tuple[int, int], tuple[Any, ...]] = {}
        self._written = time.monotonic()
        self._write: Future[None] | None = None
        self._locks: list[FileLock] = []
        self._last_ids: dict[int, int] = {}
        self._is_closed = False
        #: Why what was written since is lost, if it is.
        self.error: sqlite3.Error | None = None
        try:
            self._reader = connect(self.path, read_only=read_only)
        except (sqlite3.Error, OSError) as error:
            raise LedgerUnavailable(f"{str(path)!r}: {error}") from error
        self._writer = self._reader if read_only else connect(self.path)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="mainpage-ledger")
        self.id = self.fact("id") or ""

    # --- Scopes, runs, facts ----------------------------------------------------------

    def scope(self, name: str) -> int:
        """Return the number of the scope of that name, a new one if there is none."""
        self._execute("INSERT OR IGNORE INTO scopes (name) VALUES (?)", (name,))
        query = "SELECT id FROM scopes WHERE name = ?"
        return int(self._reader.execute(query, (name,)).fetchone()[0])

    def scopes(self) -> dict[int, str]:
        """Return the names of all scopes by number."""
        return dict(self._reader.execute("SELECT id, name FROM scopes"))

    def lock(self, scope: int) -> bool:
        """Reserve the scope for this process until :meth:`close`; say if it was free.

        A killed process releases it.
        """
        path = self.path.with_name(f"{self.path.name}.{scope}.lock")
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        self._locks.append(lock)
        return True

    def begin_run(self, scope: int) -> Run:
        """Return a new run of the scope."""
        started = time.time()
        values = (scope, started, False, "{}")
        columns = "scope, started, complete, counts"
        query = f"INSERT INTO runs ({columns}) VALUES (?, ?, ?, ?)"
        return Run(int(self._execute(query, values)), scope, started)

    def put_run(self, run: Run) -> None:
        """Write what is known of a run."""
        self._execute(
            "UPDATE runs SET ended = ?, reason = ?, complete = ?, counts = ? "
            "WHERE id = ?",
            (run.ended, run.reason, run.complete, json.dumps(run.counts), run.id),
        )

    def runs(self, scope: int | None = None, limit: int = -1) -> list[Run]:
        """Return the runs of a scope, or of all, the latest first."""
        rows = self._reader.execute(
            "SELECT * FROM runs WHERE coalesce(?, scope) = scope "
            "ORDER BY id DESC LIMIT ?",
            (scope, limit),
        )
        return [
            Run(*row[:5], *(bool(row[5]), json.loads(row[6])))  # type: ignore[call-arg]
            for row in rows
        ]

    def fact(self, name: str) -> str | None:
        """Return a value kept beside the pages."""
        query = "SELECT value FROM facts WHERE name = ?"
        row = self._reader.execute(query, (name,)).fetchone()
        return row[0] if row else None

    def put_fact(self, name: str, value: str) -> None:
        """Keep a value beside the pages."""
        self._execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    def _execute(self, query: str, values: Sequence[Any]) -> int:
        """Write at once, in the thread; return the number of the row."""
        call = self._thread.submit(self._writer.execute, query, values)
        number = call.result().lastrowid or 0
        self._refresh()
        return number

    # --- Pages ------------------------------------------------------------------------

    def find(self, scope: int, url: str) -> PageRow | None:
        """Return the page at that address; ``None`` if it is unknown."""
        row = self._rows.get((scope, url))
        if row is not None:
            self._rows.move_to_end((scope, url))
        else:
            query = "SELECT * FROM pages WHERE scope = ? AND url = ?"
            found = self._first(query, (scope, url))
            row = self._keep(PageRow(*found)) if found else None
        return row

    def _first(self, query: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return the first row of a query, ``None`` also if the file fails."""
        try:
            found: tuple[Any, ...] | None
            found = self._reader.execute(query, values).fetchone()
        except sqlite3.Error as error:
            self._fail(error)
            return None
        return found

    def _fail(self, error: sqlite3.Error) -> None:
        """Go on in memory: a crawl must not end for its state."""
        if self.error is None:
            self.error = error
            logger.error("The state %s fails, this run is lost: %s", self.path, error)

    def page(self, scope: int, url: str) -> PageRow:
        """Return the page at that address, a new one if it is unknown."""
        row = self.find(scope, url)
        if row is None:
            row = self._keep(PageRow(self._new_id(scope), scope, url))
        return row

    def in_other_scopes(self, row: PageRow) -> list[PageRow]:
        """Return the pages at the same address in other scopes."""
        others = self.scopes().keys() - {row.scope}
        return [p for scope in sorted(others) if (p := self.find(scope, row.url))]

    def pages(self, numbers: Iterable[int]) -> list[PageRow]:
        """Return the pages of these numbers; unknown ones are left out."""
        found = []
        for number in numbers:
            row = self._by_id.get(number)
            if row is None:
                values = self._first("SELECT * FROM pages WHERE id = ?", (number,))
                row = self._keep(PageRow(*values)) if values else None
            if row is not None:
                found.append(row)
        return found

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
        return pack_numbers([row.id for row in rows], scope << SCOPE_BITS)

    def requested_by(self, row: PageRow) -> list[PageRow]:
        """Return the pages that a page led to."""
        return self.pages(unpack_numbers(row.requests or b"", row.scope << SCOPE_BITS))

    def _new_id(self, scope: int) -> int:
        if scope not in self._last_ids:
            first = scope << SCOPE_BITS
            query = "SELECT max(id) FROM pages WHERE id BETWEEN ? AND ?"
            end = ((scope + 1) << SCOPE_BITS) - 1
            (last,) = self._first(query, (first, end)) or (None,)
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
        while len(self._rows) > MAX_ROWS:
            # What is not written yet must be found in memory.
            key, row = self._rows.popitem(last=False)
            if row.id in self._dirty:
                self._rows[key] = row
                break
            del self._by_id[row.id]
        if self.error is None and (self._dirty or self._events):
            rows = [values_of(row) for row in self._dirty.values()]
            events = list(self._events.values())
            self._write = self._thread.submit(self._write_batch, rows, events)
            self._dirty, self._events = {}, {}

    def _wait(self) -> None:
        write, self._write = self._write, None
        if write is None:
            return
        try:
            write.result()
            self._refresh()
        except sqlite3.Error as error:
            self._fail(error)

    def _refresh(self) -> None:
        """Read what is written by now.

        In a transaction of its own each read would take and release the file's lock,
        which is most of its time.
        """
        if self._reader.in_transaction:
            self._reader.execute("COMMIT")
        self._reader.execute("BEGIN")

    def _write_batch(
        self, rows: list[tuple[Any, ...]], events: list[tuple[Any, ...]]
    ) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            self._writer.executemany(_PUT, rows)
            self._writer.executemany(_EVENT, events)
            self._writer.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            raise

    def sync(self) -> None:
        """Write the changed rows, and wait until they are.

        Raises an error of SQLite if these or earlier ones could not be written.
        """
        self.flush()
        self._wait()
        if self.error is not None:
            raise self.error

    # --- Questions about a scope ------------------------------------------------------

    def select(self, condition: str, **values: Any) -> Iterator[PageRow]:
        """Yield the pages for which an SQL condition on the columns holds."""
        self.sync()
        query = f"SELECT * FROM pages WHERE {condition}"
        for found in self._reader.execute(query, values).fetchall():
            yield self._by_id.get(found[0]) or PageRow(*found)

    def count(self, what: str, condition: str, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query of sums over pages."""
        self.sync()
        query = f"SELECT {what} FROM pages WHERE {condition}"
        return self._reader.execute(query, values).fetchall()

    def documents_to_judge(self, scope: int, run: int) -> list[tuple[PageRow, PageRow]]:
        """Return documents that the run has not confirmed, each with its page.

        Those of pages that it has not seen are left out: they may be all.
        """
        self.sync()
        query = (
            f"SELECT d.id, p.id {_DOCUMENTS} AND d.document_run IS NOT :run "
            f"AND p.last_seen_run = :run AND p.status IS NOT {NOT_MODIFIED}"
        )
        rows = self._reader.execute(query, {"scope": scope, "run": run}).fetchall()
        return [(self.pages([d])[0], self.pages([p])[0]) for d, p in rows]

    def count_unseen(self, scope: int, run: int) -> int:
        """Return the number of documents of pages that the run has not seen."""
        self.sync()
        query = f"SELECT count(*) {_DOCUMENTS} AND p.last_seen_run IS NOT :run"
        values = {"scope": scope, "run": run}
        return int(self._reader.execute(query, values).fetchone()[0])

    def urls(self, condition: str, **values: Any) -> Iterator[str]:
        """Yield the addresses for which an SQL condition on the columns holds."""
        self.sync()
        query = f"SELECT url FROM pages WHERE {condition}"
        return (url for (url,) in self._reader.execute(query, values))

    def to_check_again(self, scope: int, run: int) -> list[PageRow]:
        """Return the pages of documents that the run has not seen, each once."""
        self.sync()
        query = f"SELECT DISTINCT p.id {_DOCUMENTS} AND p.last_seen_run IS NOT :run"
        rows = self._reader.execute(query, {"scope": scope, "run": run}).fetchall()
        return self.pages(number for (number,) in rows)

    def stepped_back(self, scope: int, run: int) -> list[PageRow]:
        """Return pages that gave way to another one, which has no document now."""
        self.sync()
        has_left = (
            "o.document_run IS NOT :run AND (o.outcome IN ('gone', 'dropped') "
            f"OR o.outcome = 'redirected' AND o.status IN {PERMANENT})"
        )
        has_changed = "o.outcome = 'changed' AND d.reason IN ('exact', 'near')"
        query = (
            "SELECT d.id FROM pages d JOIN pages o ON o.scope = d.scope AND "
            "o.url = d.canonical WHERE d.scope = :scope AND d.outcome = 'dropped' "
            "AND (o.content_hash IS NULL OR o.last_seen_run = :run AND "
            f"({has_left} OR {has_changed}))"
        )
        rows = self._reader.execute(query, {"scope": scope, "run": run}).fetchall()
        return self.pages(number for (number,) in rows)

    def history(self, row: PageRow) -> list[tuple[int, str, int | None, str | None]]:
        """Return run, outcome, status and reason of a page, the latest run first."""
        query = "SELECT run, outcome, status, reason FROM history WHERE page = ?"
        return self._reader.execute(f"{query} ORDER BY run DESC", (row.id,)).fetchall()

    def run_history(self, run: int) -> list[tuple[str, str, int | None, str | None]]:
        """Return URL, outcome, status and reason of the pages of a run."""
        return self._reader.execute(
            "SELECT p.url, h.outcome, h.status, h.reason FROM history h "
            "JOIN pages p ON p.id = h.page WHERE h.run = ? ORDER BY 2, 1",
            (run,),
        ).fetchall()

    def close(self) -> None:
        """Write what is left and close the file; a second call does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self.flush()
            self._wait()
        finally:
            self._thread.shutdown()
            self._reader.close()
            self._writer.close()
            for lock in self._locks:
                lock.release()
