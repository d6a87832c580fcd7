"""The ledger in Redis, which the workers of a shared crawl write together.

A page is a hash of its values. A worker writes only the values that it has changed, so
what others have written stays. Questions about a scope are asked of a copy in SQLite,
in a temporary file, which is read from Redis when another worker has written since.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from itertools import islice
from typing import Any, Final
from uuid import uuid4

from redis import RedisError
from redis.exceptions import ConnectionError as RedisConnectionError

from ..redaction import redacted
from ..redis_server import AddressRefused, connect
from .records import COLUMNS, PageRow, Run, values_of
from .sqlite import PUT_PAGE, SCHEMA_VERSION, LedgerUnavailable, create_tables
from .store import SCOPE_BITS, Ledger, Row

PREFIX: Final = "mainpage:state"

#: After this time without a call a worker counts as dead.
LEASE_SECONDS: Final = 60

CHUNK: Final = 1_000

#: KEYS: workers of the scope, its crawl, its leader. ARGV: worker, crawl or nothing,
#: seconds of a lease. Returns 1 if the worker takes part.
_JOIN: Final = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) > 0 then
    if ARGV[2] == '' or redis.call('GET', KEYS[2]) ~= ARGV[2] then return 0 end
end
redis.call('SET', KEYS[2], ARGV[2])
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
return 1
"""

#: The same keys. ARGV: worker. Returns whether it leads, and how many workers live.
_LEAD: Final = """
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
local leader = redis.call('GET', KEYS[3])
if not leader or not redis.call('ZSCORE', KEYS[1], leader) then
    redis.call('SET', KEYS[3], ARGV[1])
    leader = ARGV[1]
end
return {leader == ARGV[1] and 1 or 0, redis.call('ZCARD', KEYS[1])}
"""

#: KEYS: runs that go on, last number. ARGV: scope, crawl or nothing. Returns the number
#: of a new run, or of the one of that crawl that goes on.
_BEGIN: Final = """
local open = redis.call('HGET', KEYS[1], ARGV[1])
if open and ARGV[2] ~= '' then
    local run = string.match(open, '^%d+')
    if open == run .. ' ' .. ARGV[2] then return tonumber(run) end
end
local run = redis.call('INCR', KEYS[2])
redis.call('HSET', KEYS[1], ARGV[1], run .. ' ' .. ARGV[2])
return run
"""

#: KEYS: numbers by address, last number, prefix of pages. ARGV: address, scope, first
#: number, address in JSON. Returns the number of the address, a new one if need be.
_NUMBER: Final = """
local number = redis.call('HGET', KEYS[1], ARGV[1])
if not number then
    number = string.format('%.0f', ARGV[3] + redis.call('INCR', KEYS[2]))
    redis.call('HSET', KEYS[1], ARGV[1], number)
    redis.call('HSET', KEYS[3] .. number, 'scope', ARGV[2], 'url', ARGV[4])
end
return number
"""


#: Columns of bytes; the others are in JSON.
_BYTES: Final = ("body_hash", "content_hash", "config_hash", "requests")

_DEFAULTS: Final = dict(zip(COLUMNS, values_of(PageRow(0, 0, "")), strict=True))


class RedisLedger(Ledger):
    """The keys of ``redis://...?prefix=NAME`` begin with NAME."""

    errors = (RedisError, OSError)
    _client: Any  # typed for both of its kinds of answers

    def __init__(self, url: str, *, read_only: bool = False):
        try:
            self._client, self._prefix = connect(url, PREFIX)
            self._check(read_only)
        except (AddressRefused, RedisError, OSError) as error:
            raise LedgerUnavailable(f"{redacted(url)!r}: {error}") from None
        self._worker = uuid4().hex
        self._saved: dict[int, Row] = {}
        self._scope: int | None = None
        self._crawl: str | None = None
        self._copy: sqlite3.Connection | None = None
        self._version = -1
        register = self._client.register_script
        self._join, self._lead = register(_JOIN), register(_LEAD)
        self._begin, self._number = register(_BEGIN), register(_NUMBER)
        super().__init__(redacted(url))

    def _key(self, *parts: object) -> str:
        return ":".join([self._prefix, *map(str, parts)])

    def _check(self, read_only: bool) -> None:
        facts, version = self._key("facts"), str(SCHEMA_VERSION)
        if not read_only:
            self._client.hsetnx(facts, "version", version)
            self._client.hsetnx(facts, "id", uuid4().hex)
        if (found := self._client.hget(facts, "version")) != version.encode():
            problem = f"a ledger of version {found}, not {version}"
            raise LedgerUnavailable(problem if found else "there is no ledger")

    # --- Scopes, runs, facts ----------------------------------------------------------

    def scope(self, name: str) -> int:
        """Return the number of the scope of that name, a new one if there is none."""
        key = self._key("scopes")
        if (found := self._client.hget(key, name)) is None:
            self._client.hsetnx(key, name, self._client.incr(self._key("last:scope")))
            found = self._client.hget(key, name)
        return int(found or 0)

    def scopes(self) -> dict[int, str]:
        """Return the names of all scopes by number."""
        found = self._client.hgetall(self._key("scopes"))
        return {int(number): name.decode() for name, number in found.items()}

    def begin_run(self, scope: int, crawl: str | None = None) -> Run:
        """Return a new run of the scope, or that of the shared *crawl* that goes on."""
        keys = [self._key("open"), self._key("last:run")]
        number = int(self._begin(keys, [scope, crawl or ""]))
        known = [run for run in self.runs(scope) if run.id == number]
        if known:
            return known[0]
        run = Run(number, scope, float(self._client.time()[0]))
        self._put_run(run)
        return run

    def put_run(self, run: Run) -> None:
        """Write what is known of a run; one that has ended does not go on."""
        self._put_run(run)
        if run.ended is not None:
            self._client.hdel(self._key("open"), str(run.scope))

    def _put_run(self, run: Run) -> None:
        self._client.hset(self._key("runs"), str(run.id), json.dumps(asdict(run)))

    def runs(self, scope: int, limit: int = 2**31) -> list[Run]:
        """Return the runs of a scope, the latest first."""
        found = self._client.hvals(self._key("runs"))
        runs = [Run(**json.loads(each)) for each in found]
        own = [run for run in runs if run.scope == scope]
        return sorted(own, key=lambda run: -run.id)[:limit]

    def fact(self, name: str) -> str | None:
        """Return a value kept beside the pages."""
        found = self._client.hget(self._key("facts"), name)
        return None if found is None else found.decode()

    def put_fact(self, name: str, value: str) -> None:
        """Keep a value beside the pages."""
        self._client.hset(self._key("facts"), name, value)

    # --- Workers ----------------------------------------------------------------------

    def lock(self, scope: int, crawl: str | None = None) -> bool:
        """Reserve the scope for a minute; :meth:`renew` prolongs it."""
        joined = self._join(
            self._places(scope), [self._worker, crawl or "", LEASE_SECONDS]
        )
        if joined:
            self._scope, self._crawl = scope, crawl
        return bool(joined)

    def _places(self, scope: int) -> list[str]:
        names = ("workers", "crawl", "leader")
        return [self._key(name, scope) for name in names]

    def renew(self) -> None:
        """Prolong the lock."""
        if self._scope is None:
            return
        try:
            until = self._client.time()[0] + LEASE_SECONDS
            place = self._places(self._scope)[0]
            is_held = self._client.zscore(place, self._worker) is not None
            # One that stood still for a minute may have lost the scope to another.
            if not is_held and not self.lock(self._scope, self._crawl):
                self._fail(LedgerUnavailable("another crawl has taken the scope"))
                return
            self._client.zadd(self._places(self._scope)[0], {self._worker: until})
        except self.errors as error:
            self._fail(error)

    def leads(self, scope: int) -> bool:
        """Whether this worker of a shared crawl is the one that sweeps."""
        return bool(self._lead(self._places(scope), [self._worker])[0])

    def is_alone(self, scope: int) -> bool:
        """Whether all other workers have left."""
        return int(self._lead(self._places(scope), [self._worker])[1]) <= 1

    # --- Pages ------------------------------------------------------------------------

    def _number_of(self, scope: int, url: str) -> int | None:
        number = self._client.hget(self._key("urls", scope), url)
        return int(number) if number else None

    def _new_id(self, scope: int, url: str) -> int:
        keys = [self._key("urls", scope), self._key("last:page", scope)]
        arguments = [url, scope, scope << SCOPE_BITS, json.dumps(url)]
        try:
            return int(self._number([*keys, self._key("page:")], arguments))
        except self.errors as error:
            self._fail(error)
            return super()._new_id(scope, url)

    def _read_all(self, numbers: list[int]) -> None:
        try:
            found = self._fetch(numbers)
        except self.errors as error:
            self._fail(error)
            return
        for values in found:
            self._keep(PageRow(*values))

    def _fetch(self, numbers: list[int]) -> list[Row]:
        with self._client.pipeline(transaction=False) as pipeline:
            for number in numbers:
                pipeline.hgetall(self._key("page", number))
            found = pipeline.execute()
        return [
            _row_of(number, values)
            for number, values in zip(numbers, found, strict=True)
            if values
        ]

    def _keep(self, row: PageRow) -> PageRow:
        row = super()._keep(row)
        self._saved.setdefault(row.id, values_of(row))
        return row

    def _drop(self, row: PageRow) -> None:
        super()._drop(row)
        self._saved.pop(row.id, None)

    def _change_of(self, row: PageRow) -> tuple[Row, dict[str, Any]]:
        """Return all values of a row, and those that this worker has changed."""
        now, saved = values_of(row), self._saved.get(row.id)
        change = {
            name: value
            for place, (name, value) in enumerate(zip(COLUMNS, now, strict=True))
            if saved is None or saved[place] != value
        }
        if row.id in self._saved:
            self._saved[row.id] = now
        return now, change

    def _write_batch(
        self, changes: list[tuple[Row, dict[str, Any]]], events: list[Row]
    ) -> None:
        with self._client.pipeline() as pipeline:
            for values, change in changes:
                if not change:
                    continue
                written = {name: _written(value) for name, value in change.items()}
                pipeline.hset(self._key("page", values[0]), mapping=written)
            for page, run, *event in events:
                pipeline.hset(self._key("history", run), str(page), json.dumps(event))
            version = pipeline.incr(self._key("version")).execute()[-1]
        if self._copy is not None and version == self._version + 1:
            self._copy.executemany(PUT_PAGE, [values for values, _ in changes])
            self._version = version

    def size(self, scope: int) -> int:
        """Return the number of addresses of a scope."""
        return int(self._client.hlen(self._key("urls", scope)))

    # --- The copy ---------------------------------------------------------------------

    def _query(self, query: str, **values: Any) -> list[Row]:
        """Ask the copy; what other workers have written is in it."""
        version = int(self._client.get(self._key("version")) or 0)
        if self._copy is None or version != self._version:
            self._forget()
            self._copy = self._make_copy()
            self._version = version
        return self._copy.execute(query, values).fetchall()

    def _forget(self) -> None:
        """Read all rows again; nothing is on its way when questions are asked."""
        for kept in (self._rows, self._older, self._by_id, self._saved):
            kept.clear()
        if self._copy is not None:
            self._copy.close()

    def _make_copy(self) -> sqlite3.Connection:
        copy = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        create_tables(copy)
        copy.execute("BEGIN")
        for scope in self.scopes():
            urls = self._client.hscan_iter(self._key("urls", scope), count=CHUNK)
            numbers = (int(number) for _, number in urls)
            while chunk := list(islice(numbers, CHUNK)):
                copy.executemany(PUT_PAGE, self._fetch(chunk))
        copy.execute("COMMIT")
        return copy

    def history(self, row: PageRow) -> list[Row]:
        """Return run, outcome, status and reason of a page, the latest run first."""
        found = []
        for run in self.runs(row.scope):
            event = self._client.hget(self._key("history", run.id), str(row.id))
            found += [(run.id, *json.loads(event))] if event else []
        return found

    def run_history(self, run: int) -> list[Row]:
        """Return URL, outcome, status and reason of the pages of a run."""
        found = self._client.hgetall(self._key("history", run))
        events = {int(page): json.loads(event) for page, event in found.items()}
        rows = [(row.url, *events[row.id]) for row in self.pages(events)]
        return sorted(rows, key=lambda row: (row[1], row[0]))

    def _shut(self) -> None:
        try:
            if self._scope is not None:
                self._client.zrem(self._places(self._scope)[0], self._worker)
        except RedisConnectionError:
            pass  # the lease ends by itself
        finally:
            self._client.close()
            if self._copy is not None:
                self._copy.close()


def _row_of(number: int, found: dict[bytes, bytes]) -> Row:
    values = dict(_DEFAULTS, id=number)
    for key, value in found.items():
        is_plain = key.decode() in _BYTES and value != b"null"
        values[key.decode()] = value if is_plain else json.loads(value)
    return tuple(values.values())


def _written(value: Any) -> Any:
    return value if isinstance(value, bytes) else json.dumps(value)
