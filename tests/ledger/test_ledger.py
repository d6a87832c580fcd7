"""The ledger in each of its places: pages, runs, batches, scopes."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.ledger import (
    GONE,
    NEW,
    UNCHANGED,
    Ledger,
    LedgerUnavailable,
    open_ledger,
    store,
)
from scrapy_mainpage.ledger.records import pack_numbers, unpack_numbers
from tests.indexes.test_sqlite import as_another_user
from tests.servers.redis import RedisServer


def fill(ledger: Ledger, count: int) -> int:
    scope = ledger.scope("docs")
    run = ledger.begin_run(scope)
    for number in range(count):
        row = ledger.page(scope, f"https://example.com/{number}")
        row.outcome, row.status, row.last_seen_run = NEW, 200, run.id
        row.content_hash, row.document_run = b"abc", run.id
        ledger.put_outcome(row, run.id)
    return scope


@given(st.lists(st.integers(10**12, 10**12 + 2**32 - 1)))
def test_packed_numbers_are_the_same_set_in_order(numbers: list[int]) -> None:
    packed = pack_numbers(numbers, 10**12)
    assert unpack_numbers(packed, 10**12) == sorted(set(numbers))


def test_pages_are_there_after_the_ledger_was_closed(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "BATCH", 200)
    ledger = open_ledger(ledger_url)
    scope = fill(ledger, 500)
    first = ledger.page(scope, "https://example.com/0")
    first.requests = ledger.pack(
        scope, [ledger.page(scope, f"https://example.com/{n}") for n in (7, 450)]
    )
    ledger.put(first)
    ledger.close()
    ledger = open_ledger(ledger_url, read_only=True)
    assert ledger.count("count(*)", "outcome = 'new'") == [(500,)]
    found = ledger.find(scope, "https://example.com/0")
    assert found is not None
    linked = [row.url for row in ledger.requested_by(found)]
    assert linked == ["https://example.com/7", "https://example.com/450"]
    ledger.close()


def test_changes_are_read_before_they_are_written(ledger_url: str) -> None:
    ledger = open_ledger(ledger_url)
    scope = fill(ledger, 10)
    row = ledger.page(scope, "https://example.com/3")
    row.outcome = GONE
    ledger.put(row)
    assert ledger.page(scope, row.url).outcome == GONE
    assert [each.url for each in ledger.select("outcome = 'gone'")] == [row.url]
    ledger.close()


def test_rows_that_left_the_memory_are_read_again(
    ledger_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_ROWS", 100)
    monkeypatch.setattr(store, "BATCH", 50)
    ledger = open_ledger(ledger_url)
    scope = fill(ledger, 400)
    again = [ledger.page(scope, f"https://example.com/{n}") for n in range(400)]
    assert {row.outcome for row in again} == {NEW}
    assert len({row.id for row in again}) == 400
    assert len(ledger._by_id) < 400  # also where nothing was written since
    ledger.close()


def test_the_history_has_what_was_not_unchanged(ledger_url: str) -> None:
    ledger = open_ledger(ledger_url)
    scope = fill(ledger, 1)
    row = ledger.page(scope, "https://example.com/0")
    for outcome, status in ((UNCHANGED, 304), (GONE, 404)):
        run = ledger.begin_run(scope)
        row.outcome, row.status = outcome, status
        ledger.put_outcome(row, run.id)
    ledger.sync()
    assert ledger.history(row) == [(3, GONE, 404, None), (1, NEW, 200, None)]
    assert ledger.run_history(3) == [(row.url, GONE, 404, None)]
    ledger.close()


def test_sites_are_kept_in_their_order(path: str, postgresql_url: str) -> None:
    for url in (path, postgresql_url):
        ledger = open_ledger(url)
        scope = ledger.scope("docs")
        ledger.write_sites(scope, {"b.example": "{}", "a.example": '{"pages": 1}'})
        ledger.write_sites(scope, {"c.example": "{}", "a.example": '{"pages": 2}'})
        ledger.close()
        ledger = open_ledger(url, read_only=True)
        found = ledger.read_sites(scope)
        assert list(found.items()) == [
            ("c.example", "{}"),
            ("a.example", '{"pages": 2}'),
        ]
        ledger.close()


def test_a_scope_is_used_by_one_process_at_a_time(ledger_url: str) -> None:
    ledger, other = open_ledger(ledger_url), open_ledger(ledger_url)
    scope = ledger.scope("docs")
    assert ledger.lock(scope)
    assert not other.lock(scope)
    assert other.lock(other.scope("shop"))
    ledger.close()
    assert other.lock(scope)
    other.close()


def test_a_server_that_was_restarted_is_connected_to_again(
    postgresql_url: str,
) -> None:
    ledger, other = open_ledger(postgresql_url), open_ledger(postgresql_url)
    scope = ledger.scope("docs")
    assert ledger.lock(scope)
    others = "pid <> pg_backend_pid() AND application_name = 'scrapy-mainpage'"
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"
    assert other._query(end)
    assert ledger.scopes() == {scope: "docs"}
    assert not other.lock(scope)
    fill(ledger, 3)
    assert ledger.size(scope) == 3
    ledger.close()
    other.close()


def test_workers_of_a_shared_crawl_write_one_run(redis_server: RedisServer) -> None:
    url = f"{redis_server.url}?prefix=docs"
    first, second, other = open_ledger(url), open_ledger(url), open_ledger(url)
    scope = first.scope("docs")
    assert first.lock(scope, "crawl one")
    assert second.lock(scope, "crawl one")
    assert not other.lock(scope, "crawl two")
    assert not other.lock(scope)
    run = first.begin_run(scope, "crawl one")
    assert second.begin_run(scope, "crawl one") == run
    assert first.leads(scope)
    assert not second.leads(scope)
    # Each writes what it has changed, also of the same page.
    address = "https://example.com/"
    one, two = first.page(scope, address), second.page(scope, address)
    assert one.id == two.id
    one.etag, two.outcome, two.last_seen_run = '"a"', NEW, run.id
    first.put(one)
    second.put_outcome(two, run.id)
    first.sync()
    assert not first.is_alone(scope)
    second.close()
    assert first.is_alone(scope)
    assert first.count("etag, outcome", "scope = :s", s=scope) == [('"a"', NEW)]
    assert first.page(scope, address).outcome == NEW
    run.ended = 1.0
    first.put_run(run)
    assert first.begin_run(scope, "crawl one").id > run.id
    first.close()
    assert other.lock(scope)
    other.close()


def test_a_worker_that_was_killed_is_no_worker(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_mainpage.ledger.redis.LEASE_SECONDS", 1)
    first, second = open_ledger(redis_server.url), open_ledger(redis_server.url)
    scope = first.scope("docs")
    assert first.lock(scope, "crawl")
    assert second.lock(scope, "crawl")
    assert first.leads(scope)
    deadline = time.monotonic() + 10
    while not second.leads(scope) and time.monotonic() < deadline:
        second.renew()
        time.sleep(0.1)
    assert second.leads(scope)
    assert second.is_alone(scope)


@pytest.mark.parametrize(
    "url", ["mysql://host/state", "sqlite:///", ":memory:", "/no/such/folder/state.db"]
)
def test_a_ledger_that_cannot_be_opened_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(LedgerUnavailable) as error:
        open_ledger(url)
    assert "\n" not in str(error.value)


def test_a_foreign_or_later_file_is_refused_and_left_as_it_is(path: str) -> None:
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE mine (name)")
    foreign.close()
    before = Path(path).read_bytes()
    with pytest.raises(LedgerUnavailable, match="no ledger"):
        open_ledger(path)
    assert Path(path).read_bytes() == before
    Path(path).unlink()
    open_ledger(path).close()
    with sqlite3.connect(path) as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(LedgerUnavailable, match="version 99"):
        open_ledger(path)


def test_a_broken_file_is_refused_in_one_line(path: str) -> None:
    for name, broken in ((b"TABLE facts", b"TABLE f\xffcts"), (b"TABLE", b"\xff")):
        Path(path).unlink(missing_ok=True)
        open_ledger(path).close()
        Path(path).write_bytes(Path(path).read_bytes().replace(name, broken))
        with pytest.raises(LedgerUnavailable) as error:
            open_ledger(path)
        assert "\n" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="files have other rights there")
def test_a_file_that_may_not_be_written_is_refused_in_one_line() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        path = Path(folder, "state.db")
        open_ledger(str(path)).close()
        path.chmod(0o444)
        with as_another_user():
            with pytest.raises(LedgerUnavailable, match="readonly"):
                open_ledger(str(path))
            open_ledger(str(path), read_only=True).close()


def test_a_missing_file_is_not_made_to_be_read(path: str) -> None:
    with pytest.raises(LedgerUnavailable):
        open_ledger(path, read_only=True)
    assert not Path(path).exists()


def test_a_killed_process_leaves_a_sound_file(path: str) -> None:
    code = (
        "import os, sys; from tests.ledger.test_ledger import fill;"
        "from scrapy_mainpage.ledger import open_ledger;"
        "ledger = open_ledger(sys.argv[1]); fill(ledger, 3500); os._exit(9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        cwd=Path(__file__).parents[2],
        env={**os.environ},
    )
    assert done.returncode == 9
    ledger = open_ledger(path)
    (number,) = ledger.count("count(*)", "outcome = 'new'")[0]
    assert 1_000 <= number <= 3_500
    assert ledger.runs(1)[0].ended is None
    ledger.close()
