"""The memory of crawls: its rows in the process, and its statements in a database.

Rows that a crawl uses are in the process, one object each. Changed rows are written in
batches, in one transaction each, in the order of the changes: a killed process loses
its last batch, and no page of it counts as seen. Of a row only the values that changed
are written: those that another worker has written meanwhile stay.
"""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from . import tables
from .tables import Change, PageRow, Row, Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

logger = logging.getLogger(__name__)

#: Changed rows, and seconds, after which a batch is written.
BATCH: Final = 1_000
BATCH_SECONDS: Final = 0.2

#: Rows that stay in the process though nobody uses them: the last ones.
MAX_ROWS: Final = 4_000


class Memory:
    """Pages and runs of all scopes; one thread uses it.

    A scope is used by one run at a time: see :meth:`lock`. ``shown`` names the memory
    in messages, ``errors`` are what a database that fails raises.
    """

    def __init__(self, connection: Any) -> None:
        #: That of the package, or of :mod:`.postgresql`: they have the same methods.
        self.connection = connection
        self.errors: tuple[type[Exception], ...] = connection.errors
        self.shown: str = connection.shown
        self.is_temporary = connection.is_temporary
        self._rows: WeakValueDictionary[int, PageRow] = WeakValueDictionary()
        self._recent: deque[PageRow] = deque(maxlen=MAX_ROWS)
        self._changed: dict[int, PageRow] = {}
        self._written = time.monotonic()
        self._is_closed = self._has_unreadable = False
        #: Why what was written since is lost, if it is.
        self.error: Exception | None = None
        self.id = self.fact("id") or ""

    def read(self, query: str, **values: Any) -> list[Row]:
        """Return the rows of a query."""
        rows: list[Row] = self.connection.read(query, values)
        return rows

    def write(self, statement: str, **values: Any) -> None:
        """Execute a statement at once."""
        self.connection.write([Change(statement, [values])])

    def lock(self, scope: int, crawl: str | None = None) -> bool:
        """Reserve the scope for this process until :meth:`close`; say if it was free.

        Workers of one shared *crawl* reserve it together. A killed process releases it.
        """
        return bool(self.connection.lock(scope, crawl))

    # --- Scopes, runs, facts ----------------------------------------------------------

    def scope(self, name: str) -> int:
        """Return the number of the scope of that name, a new one if there is none."""
        with self.connection.exclusive():
            if name not in self.scopes().values():
                self.write(tables.PUT_SCOPE, name=name)
            return next(n for n, known in self.scopes().items() if known == name)

    def scopes(self) -> dict[int, str]:
        """Return the names of all scopes by number."""
        return {int(number): name for number, name in self.read(tables.SCOPES)}

    def begin_run(self, scope: int, crawl: str | None = None) -> Run:
        """Return a new run of the scope, or that of the shared *crawl* that goes on."""
        with self.connection.exclusive():
            found = [(None,)]
            if crawl is not None:
                found = self.read(tables.OPEN_RUN, scope=scope, crawl=crawl)
            ((number,),) = found
            if number is None:
                now = time.time()
                begin = tables.BEGIN_RUN
                self.write(begin, scope=scope, started=now, crawl=crawl)
            runs = self.runs(scope)
        return next(run for run in runs if number in (None, run.id))

    def put_run(self, run: Run) -> None:
        """Write what is known of a run; one that has ended does not go on."""
        self.write(tables.PUT_RUN, **vars(run) | {"counts": json.dumps(run.counts)})

    def runs(self, scope: int, most: int = 2**31) -> list[Run]:
        """Return the runs of a scope, the latest first."""
        rows = self.read(tables.RUNS, scope=scope, most=most)
        return [tables.read_run(row) for row in rows]

    def fact(self, name: str) -> str | None:
        """Return a value kept beside the pages."""
        found = self.read(tables.FACT, name=name)
        return next((value for (value,) in found if isinstance(value, str)), None)

    def put_fact(self, name: str, value: str) -> None:
        """Keep a value beside the pages."""
        self.write(tables.PUT_FACT, name=name, value=value)

    def facts(self, beginning: str) -> dict[str, str]:
        """Return the values whose names begin so."""
        return {str(k): str(v) for k, v in self.read(tables.FACTS, first=beginning)}

    def forget_fact(self, name: str) -> None:
        """Forget a value."""
        self.write(tables.FORGET_FACT, name=name)

    # --- Pages ------------------------------------------------------------------------

    def find(self, scope: int, url: str) -> PageRow | None:
        """Return the page at that address; ``None`` if it is unknown."""
        return self._page(tables.page_number(scope, url))

    def page(self, scope: int, url: str) -> PageRow:
        """Return the page at that address, a new one if it is unknown."""
        number = tables.page_number(scope, url)
        return self._page(number) or self._keep(PageRow(number, scope, url))

    def _page(self, number: int) -> PageRow | None:
        if (row := self._rows.get(number)) is not None:
            return row
        try:
            found = self.read(tables.PAGE, id=number)
        except self.errors as error:
            self._fail(error)
            return None
        return self._read(found[0]) if found else None

    def _read(self, found: Row) -> PageRow:
        row = PageRow(*found)
        if not tables.is_sound(row):
            level = logging.DEBUG if self._has_unreadable else logging.WARNING
            self._has_unreadable = True  # which are as many as pages, if a disk fails
            line = "State %s: no readable row of %s, and maybe of others"
            logger.log(level, line, self.shown, row.url)
            row = PageRow(row.id, row.scope, str(row.url))
        row.stored = found
        return self._keep(row)

    def _keep(self, row: PageRow) -> PageRow:
        """Return the row's one object in the process."""
        known = self._rows.setdefault(row.id, row)
        self._recent.append(known)
        return known

    def _fail(self, error: Exception) -> None:
        """Go on in the process: a crawl must not end for its state."""
        if self.error is None:
            self.error = error
            logger.error("The state %s fails, this run is lost: %s", self.shown, error)

    def in_all_scopes(self, url: str) -> list[PageRow]:
        """Return the pages at that address, one of each scope that knows it."""
        return [p for scope in self.scopes() if (p := self.find(scope, url))]

    def pages(self, numbers: Iterable[int]) -> list[PageRow]:
        """Return the pages of these numbers; unknown ones are left out."""
        return [row for number in numbers if (row := self._page(number))]

    def put(self, row: PageRow) -> None:
        """Write a changed row, in the next batch."""
        if self._changed.get(row.id, row) is not row:
            self.flush()  # it was read again since
        self._changed[row.id] = row
        is_due = len(self._changed) >= BATCH
        if is_due or time.monotonic() - self._written > BATCH_SECONDS:
            self.flush()

    def requested_by(self, row: PageRow) -> list[PageRow]:
        """Return the pages that a page led to."""
        return self.pages(tables.unpack_numbers(row.requests or b""))

    def flush(self) -> None:
        """Write the changed rows."""
        self._written = time.monotonic()
        if self.error is not None or not self._changed:
            return
        changes: dict[str, Change] = {}
        for row in self._changed.values():
            statement, values = self._change_of(row)
            changes.setdefault(statement, Change(statement, [])).values.append(values)
        try:
            self.connection.write(changes.values())
        except self.errors as error:
            self._fail(error)
            return
        for row in self._changed.values():
            row.stored = tables.values_of(row)
        self._changed = {}

    def _change_of(self, row: PageRow) -> tuple[str, dict[str, Any]]:
        """Return a statement that writes what has changed of a row, and its values."""
        now, stored = tables.values_of(row), row.stored or tables.DEFAULTS
        values = dict(zip(tables.COLUMNS, now, strict=True))
        changed = tuple(
            name
            for place, name in enumerate(tables.COLUMNS)
            if place > 2 and now[place] != stored[place]
        )
        named = ("id", "scope", "url", *changed)
        return tables.put_page(changed), {name: values[name] for name in named}

    def sync(self) -> None:
        """Write the changed rows, before questions about many pages.

        What other workers of a shared crawl have written is read then. Raises an error
        of the database if these or earlier changes could not be written.
        """
        self.flush()
        if self.error is not None:
            raise self.error
        if self.connection.is_shared:
            self._rows.clear()
            self._recent.clear()

    # --- Questions about a scope ------------------------------------------------------

    def select(self, condition: str, **values: Any) -> Iterator[PageRow]:
        """Yield the pages for which an SQL condition on the columns holds."""
        self.sync()
        for found in self.read(f"SELECT * FROM pages WHERE {condition}", **values):
            yield self._read(found)

    def count(self, what: str, condition: str, **values: Any) -> list[Row]:
        """Return the rows of an SQL query of sums over pages."""
        return self._ask(f"SELECT {what} FROM pages WHERE {condition}", **values)

    def count_documents(self, scope: int) -> int:
        """Return the number of documents of a scope."""
        where = "scope = :scope AND content_hash IS NOT NULL"
        return int(self.count("count(*)", where, scope=scope)[0][0])

    def size(self, scope: int) -> int:
        """Return the number of addresses of a scope."""
        return int(self.count("count(*)", "scope = :scope", scope=scope)[0][0])

    def _ask(self, query: str, **values: Any) -> list[Row]:
        self.sync()
        return self.read(query, **values)

    def documents_to_judge(self, scope: int, run: int) -> list[tuple[PageRow, PageRow]]:
        """Return documents that the run has not confirmed, each with its page.

        Those of pages that it has not seen are left out: they may be all.
        """
        found = self._ask(tables.DOCUMENTS_TO_JUDGE, scope=scope, run=run)
        return [(self.pages([d])[0], self.pages([p])[0]) for d, p in found]

    def count_unseen(self, scope: int, run: int) -> int:
        """Return the number of documents of pages that the run has not seen."""
        return int(self._ask(tables.COUNT_UNSEEN, scope=scope, run=run)[0][0])

    def to_check_again(self, scope: int, run: int) -> list[PageRow]:
        """Return the pages of documents that the run has not seen, each once."""
        found = self._ask(tables.UNSEEN_PAGES, scope=scope, run=run)
        return self.pages(number for (number,) in found)

    def stepped_back(self, scope: int, run: int) -> list[PageRow]:
        """Return pages that gave way to another one, which has no document now."""
        runs = (r for r in self.runs(scope) if r.complete or "missing" in r.counts)
        since = next((each.id for each in runs if each.id < run), 0)
        found = self._ask(tables.STEPPED_BACK, scope=scope, run=run, since=since)
        return self.pages(number for (number,) in found)

    def close(self) -> None:
        """Write what is left and close; a second call does nothing."""
        if not self._is_closed:
            self._is_closed = True
            self.flush()
            self.connection.close()
