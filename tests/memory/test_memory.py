"""The memory in each of its places: pages, runs, batches, scopes, workers."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.memory import (
    Memory,
    MemoryUnavailable,
    is_postgresql,
    open_memory,
)
from scrapy_mainpage.memory import memory as rows
from scrapy_mainpage.memory.postgresql import PostgresConnection
from scrapy_mainpage.memory.tables import GONE, NEW, pack_numbers, unpack_numbers
from tests.indexes.test_sqlite import as_another_user
from tests.waiting import wait


def fill(memory: Memory, count: int) -> int:
    scope = memory.scope("docs")
    run = memory.begin_run(scope)
    for number in range(count):
        row = memory.page(scope, f"https://example.com/{number}")
        row.outcome, row.status, row.last_seen_run = NEW, 200, run.id
        row.content_hash, row.document_run = b"abc", run.id
        memory.put(row)
    return scope


@given(st.lists(st.integers(0, 2**63 - 1)))
def test_packed_numbers_are_those_in_their_order(numbers: list[int]) -> None:
    assert unpack_numbers(pack_numbers(numbers)) == list(dict.fromkeys(numbers))


#: Columns of SQLite can have any value, if a bit of the file has changed.
BROKEN_IN_SQLITE = ("requests = 7", "etag = CAST(:odd AS text)", "kind = :odd")


@pytest.mark.parametrize(
    "broken",
    ["request = '{bad'", "request = '[]'", "requests = :odd", *BROKEN_IN_SQLITE],
)
def test_a_row_that_cannot_be_read_is_an_unknown_page(
    memory_url: str, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    if is_postgresql(memory_url) and broken in BROKEN_IN_SQLITE:
        pytest.skip("its columns have types")
    memory = open_memory(memory_url)
    scope = fill(memory, 2)
    memory.flush()
    number = memory.page(scope, "https://example.com/0").id
    odd = {"odd": b"\0\xff"} if ":odd" in broken else {}
    memory.write(f"UPDATE pages SET {broken} WHERE id = :id", id=number, **odd)
    memory.write("UPDATE runs SET counts = '{bad', started = NULL")
    memory.close()
    memory = open_memory(memory_url)
    (run,) = memory.runs(scope)
    assert (run.started, run.reason, run.counts) == (0.0, "unreadable", {})
    row = memory.page(scope, "https://example.com/0")
    assert row.outcome is None
    assert memory.requested_by(row) == []
    row.outcome = GONE
    memory.put(row)
    memory.close()
    memory = open_memory(memory_url)
    assert len([*memory.select("outcome = 'gone'")]) == 1
    memory.close()
    assert "no readable row" in caplog.text


def test_pages_are_there_after_the_memory_was_closed(
    memory_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "BATCH", 200)
    memory = open_memory(memory_url)
    scope = fill(memory, 500)
    first = memory.page(scope, "https://example.com/0")
    pages = (memory.page(scope, f"https://example.com/{n}") for n in (7, 450))
    first.requests = pack_numbers(page.id for page in pages)
    memory.put(first)
    memory.close()
    memory = open_memory(memory_url, read_only=True)
    assert memory.count("count(*)", "outcome = 'new'") == [(500,)]
    found = memory.find(scope, "https://example.com/0")
    assert found is not None
    linked = [row.url for row in memory.requested_by(found)]
    assert linked == ["https://example.com/7", "https://example.com/450"]
    memory.close()


def test_changes_are_read_before_they_are_written(memory_url: str) -> None:
    memory = open_memory(memory_url)
    scope = fill(memory, 10)
    row = memory.page(scope, "https://example.com/3")
    row.outcome = GONE
    memory.put(row)
    assert memory.page(scope, row.url).outcome == GONE
    assert [each.url for each in memory.select("outcome = 'gone'")] == [row.url]
    memory.close()


def test_rows_that_left_the_memory_are_read_again(
    memory_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MAX_ROWS", 100)
    monkeypatch.setattr(rows, "BATCH", 50)
    memory = open_memory(memory_url)
    scope = fill(memory, 400)
    again = [memory.page(scope, f"https://example.com/{n}") for n in range(400)]
    assert {row.outcome for row in again} == {NEW}
    assert len({row.id for row in again}) == 400
    del again
    assert len(memory._rows) <= 100
    memory.close()


def test_a_scope_is_used_by_one_process_at_a_time(memory_url: str) -> None:
    memory, other = open_memory(memory_url), open_memory(memory_url)
    scope = memory.scope("docs")
    assert memory.lock(scope)
    assert not other.lock(scope)
    assert other.lock(other.scope("shop"))
    memory.close()
    assert other.lock(scope)
    other.close()


def test_a_server_that_was_restarted_is_connected_to_again(
    postgresql_url: str,
) -> None:
    memory, other = open_memory(postgresql_url), open_memory(postgresql_url)
    scope = memory.scope("docs")
    assert memory.lock(scope)
    others = "pid <> pg_backend_pid() AND application_name = 'scrapy-mainpage'"
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"
    assert other.read(end)
    assert memory.scopes() == {scope: "docs"}
    assert not other.lock(scope)
    fill(memory, 3)
    assert memory.size(scope) == 3
    memory.close()
    other.close()


def test_workers_of_a_shared_crawl_write_one_run(postgresql_url: str) -> None:
    first, second, other = (open_memory(postgresql_url) for _ in range(3))
    scope = first.scope("docs")
    assert first.lock(scope, "crawl one")
    assert second.lock(scope, "crawl one")
    assert not other.lock(scope, "crawl two")
    assert not other.lock(scope)
    run = first.begin_run(scope, "crawl one")
    assert second.begin_run(scope, "crawl one") == run
    assert first.connection.leads(scope)
    assert not second.connection.leads(scope)
    # Each writes what it has changed, also of the same page.
    address = "https://example.com/"
    one, two = first.page(scope, address), second.page(scope, address)
    assert one.id == two.id
    one.etag, two.outcome, two.last_seen_run = '"a"', NEW, run.id
    first.put(one)
    second.put(two)
    first.sync()
    assert not first.connection.is_alone(scope)
    second.close()
    assert first.connection.is_alone(scope)
    assert first.count("etag, outcome", "scope = :s", s=scope) == [('"a"', NEW)]
    assert first.page(scope, address).outcome == NEW
    run.ended = 1.0
    first.put_run(run)
    assert first.begin_run(scope, "crawl one").id > run.id
    first.close()
    assert other.lock(scope)
    other.close()


def test_a_worker_that_was_killed_is_no_worker(postgresql_url: str) -> None:
    first, second = open_memory(postgresql_url), open_memory(postgresql_url)
    scope = first.scope("docs")
    assert first.lock(scope, "crawl")
    assert second.lock(scope, "crawl")
    assert first.connection.leads(scope)
    assert not second.connection.leads(scope)
    assert isinstance(first.connection, PostgresConnection)
    first.connection._connection.close()
    wait(lambda: second.connection.leads(scope), "leader")
    assert second.connection.is_alone(scope)
    second.close()


@pytest.mark.parametrize(
    "url",
    [
        "mysql://h/state",
        "redis://h/0",
        "sqlite:///",
        ":memory:",
        "/no/such/folder/state.db",
    ],
)
def test_a_state_that_cannot_be_opened_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(MemoryUnavailable) as error:
        open_memory(url)
    assert "\n" not in str(error.value)


def test_a_foreign_or_later_file_is_refused_and_left_as_it_is(path: str) -> None:
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE mine (name)")
    foreign.close()
    before = Path(path).read_bytes()
    with pytest.raises(MemoryUnavailable, match="no state"):
        open_memory(path)
    assert Path(path).read_bytes() == before
    Path(path).unlink()
    open_memory(path).close()
    with sqlite3.connect(path) as later:
        later.execute("PRAGMA user_version = 99")
    later.close()
    with pytest.raises(MemoryUnavailable, match="version 99"):
        open_memory(path)


def test_a_broken_file_is_refused_in_one_line(path: str) -> None:
    for name, broken in ((b"TABLE facts", b"TABLE f\xffcts"), (b"TABLE", b"\xff")):
        Path(path).unlink(missing_ok=True)
        open_memory(path).close()
        Path(path).write_bytes(Path(path).read_bytes().replace(name, broken))
        with pytest.raises(MemoryUnavailable) as error:
            open_memory(path)
        assert "\n" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="files have other rights there")
def test_a_file_that_may_not_be_written_is_refused_in_one_line() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        path = Path(folder, "state.db")
        open_memory(str(path)).close()
        path.chmod(0o444)
        with as_another_user():
            with pytest.raises(MemoryUnavailable, match="readonly"):
                open_memory(str(path))
            open_memory(str(path), read_only=True).close()


def test_a_missing_file_is_not_made_to_be_read(path: str) -> None:
    with pytest.raises(MemoryUnavailable):
        open_memory(path, read_only=True)
    assert not Path(path).exists()


def test_a_killed_process_leaves_a_sound_file(path: str) -> None:
    code = (
        "import os, sys; from tests.memory.test_memory import fill;"
        "from scrapy_mainpage.memory import open_memory;"
        "memory = open_memory(sys.argv[1]); fill(memory, 3500); os._exit(9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path],
        cwd=Path(__file__).parents[2],
        env={**os.environ},
    )
    assert done.returncode == 9
    memory = open_memory(path)
    (number,) = memory.count("count(*)", "outcome = 'new'")[0]
    assert 1_000 <= number <= 3_500
    assert memory.runs(1)[0].ended is None
    memory.close()
